"""What is proved of the feed-forward network of Rumelhart et al. (1986)."""
