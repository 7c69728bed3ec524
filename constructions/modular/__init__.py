"""Sums that networks are said to compute: of two residues, and of the bits of a word modulo 2."""
