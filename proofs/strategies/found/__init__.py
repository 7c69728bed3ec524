"""Invariants that nobody has to write: candidates of a few shapes, those that survive runs, those that are inductive."""
