"""What is proved about the recipes of Yang et al. (2025)."""
