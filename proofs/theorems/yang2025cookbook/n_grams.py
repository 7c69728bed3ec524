"""The most likely next symbol of a trigram model, after every word."""

from weightproof.proofs.theorem import Predicts

PREDICTS = "predicts the symbol that is the most likely one after the last two"

theorems = (Predicts("predicts", PREDICTS),)
as_printed = (Predicts("predicts", PREDICTS, expected="refuted"),)
"""The heads see the symbols before these."""
