"""Fraknoi (2024): circuits by chain of thought, modular addition, noisy majority; what the thesis prints about them."""
