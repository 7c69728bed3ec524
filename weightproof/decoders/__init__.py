"""Decoders in the front door: the tokens that they append, and what is made at a position."""
