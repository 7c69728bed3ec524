"""The recipes of Yang et al. (2025), parts of which networks are put together."""
