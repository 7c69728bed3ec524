"""The theorems, by paper, one file for each construction."""
