"""Van Doornmalen et al. (2026): ORDERED by one layer of two heads; beside it what the paper prints about it."""
