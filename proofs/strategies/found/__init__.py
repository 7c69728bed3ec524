"""Invariants that nobody has to write: candidates of a few shapes, what survives runs, what is inductive."""
