"""Fraknoi (2024)."""
