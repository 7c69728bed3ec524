"""Turing machines that networks run in floating point: until when, and how far that is certain."""
