"""What is proved of the networks of van Doornmalen et al. (2026)."""
