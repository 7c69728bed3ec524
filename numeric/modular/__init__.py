"""Networks that add, in floating point: where rounding breaks them, and where it cannot."""
