"""Networks that add, in floating point: the module, the moduli at which rounding breaks them and below which it cannot."""
