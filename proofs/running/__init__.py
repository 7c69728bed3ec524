"""Bounded verdicts without a derivation: every word up to a length is run."""
