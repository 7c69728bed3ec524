"""The forward pass in floating point, in PyTorch and strictly rounded."""
