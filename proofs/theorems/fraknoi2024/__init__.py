"""Theorems about the networks of Fraknoi (2024)."""
