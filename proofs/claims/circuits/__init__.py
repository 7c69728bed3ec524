"""Judges of what is printed about decoders for circuits."""
