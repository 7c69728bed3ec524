"""The symbolic reading of decoders in numbers of s bits: what a position holds is a function of a few unknowns."""
