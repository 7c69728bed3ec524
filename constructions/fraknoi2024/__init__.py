"""Fraknói (2024): a framework for transformers, modular addition, noisy majority; what the thesis prints about them."""
