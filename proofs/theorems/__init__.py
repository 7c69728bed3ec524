"""The theorems, one file for each construction."""
