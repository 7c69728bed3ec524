"""What is proved of the networks of Steffen et al. (2022)."""
