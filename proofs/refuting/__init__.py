"""Searches for words that refute a theorem; each one is replayed by the exact interpreter."""
