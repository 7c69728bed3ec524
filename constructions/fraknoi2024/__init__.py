"""Fraknoi (2024), a thesis: circuits by chain of thought, modular addition, noisy majority; beside each network what the thesis prints about it."""
