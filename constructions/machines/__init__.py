"""Machines as objects, each with a plain meaning of its own, and the files in which people write them."""
