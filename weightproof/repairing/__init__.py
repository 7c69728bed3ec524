"""`repair`: the smallest change that makes a refuted construction a proved one, as commands and Python show it."""
