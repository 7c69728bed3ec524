"""The symbolic reading: the forward pass at a generic position of a word of symbolic length."""
