"""Theorems proved again by a proof assistant: what is written for it, and its check."""
