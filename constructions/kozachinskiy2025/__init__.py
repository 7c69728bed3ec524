"""Kozachinskiy and Steifer (2025): PARITY where no weight and no encoding knows the length; weights of ours."""
