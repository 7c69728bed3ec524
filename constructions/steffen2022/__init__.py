"""Steffen et al. (2022): the Dyck languages; beside each network what the paper prints about it."""
