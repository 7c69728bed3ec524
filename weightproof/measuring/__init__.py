"""Rows of results of `precision`: what is in them, and the files in which they are kept."""
