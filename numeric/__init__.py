"""The same constructions as PyTorch modules, in floating point."""
