"""What the input of each step holds beside the state, in the simulations of Bhattamishra et al. (2020)."""
