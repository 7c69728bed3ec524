"""Rajaraman, Sundaram and Tesfaye (2026): parity of k bits by k heads; beside it what the paper prints about it."""
