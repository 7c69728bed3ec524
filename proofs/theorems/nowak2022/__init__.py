"""What is proved of the networks of Nowak et al. (2022)."""
