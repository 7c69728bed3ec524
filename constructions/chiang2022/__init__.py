"""Chiang and Cholak (2022): PARITY and FIRST; beside each network what the paper prints about it."""
