"""Theorem 3.4 and its lemmas: in which formats they are stated."""

LEAST = 3
"""B has to be at least this: the sum of the second unit is 1 + 1 + 1 - 2, from left to right."""
