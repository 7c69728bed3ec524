"""Fraknoi (2024): what a thesis builds by hand; beside each network what it prints about it."""
