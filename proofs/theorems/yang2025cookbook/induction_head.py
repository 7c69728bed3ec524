"""What stood behind the last symbol when it last was there, after every word in which it was."""

from weightproof.proofs.theorem import Predicts

theorems = (Predicts("predicts", "predicts what stood behind the last symbol when it last was there"),)
