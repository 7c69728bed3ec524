"""Floating-point formats, their arithmetic, and the rounding model."""
