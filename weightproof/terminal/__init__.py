"""The page that a terminal or a pipe shows, numbers on it, and progress."""
