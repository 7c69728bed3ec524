"""The feed-forward network for parity of Rumelhart et al. (1986), as Chiang and Cholak (2022), section 3.1, give it."""
