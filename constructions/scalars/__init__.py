"""Exact scalars: the language they are written in, and the numbers that they are."""
