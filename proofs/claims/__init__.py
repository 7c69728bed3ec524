"""Judges what a paper prints about a construction against what is derived from its weights."""
