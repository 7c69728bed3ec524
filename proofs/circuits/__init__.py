"""Theorems about circuits by chain of thought, and the regular languages that circuits recognise."""
