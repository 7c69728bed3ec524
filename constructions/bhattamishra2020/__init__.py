"""Bhattamishra et al. (2020): transformers that simulate a recurrent network, with positions and with masks alone."""
