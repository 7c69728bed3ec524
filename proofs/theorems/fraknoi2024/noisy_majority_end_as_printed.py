"""The end of noisy majority, Fraknoi (2024), section 5.3, as printed: the outputs of 4 and 5 are opposite numbers, so
that it does not matter which is which."""

from weightproof.proofs.theorems.fraknoi2024.noisy_majority_end import theorems

__all__ = ["theorems"]
