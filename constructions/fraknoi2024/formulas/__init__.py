"""Formulas that Fraknói (2024) prints and that are about no network in particular."""
