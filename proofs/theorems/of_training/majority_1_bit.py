"""Noisy majority by a trained head whose circuits are rounded to one bit: right on all words."""

from weightproof.proofs.theorem import Predicts

theorems = (Predicts("all", "predicts 4 after as many 0s as 1s or more, and 5 after fewer", given="n >= 2"),)
