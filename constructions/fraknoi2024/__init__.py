"""Fraknoi (2024), a thesis: circuits by chain of thought; beside each network what the thesis prints about it."""
