"""Constructions in the formats of other programs."""
