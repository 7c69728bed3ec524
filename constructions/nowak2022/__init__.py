"""Nowak et al. (2022): ONE and PALINDROME; beside each network what the paper prints about it."""
