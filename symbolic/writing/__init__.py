"""Derived values for readers: as they are presented, in plain text, in LaTeX."""
