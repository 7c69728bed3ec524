"""Noisy majority by a trained head: right on all test words, which are longer than the first word that is wrong."""

from weightproof.proofs.theorem import Predicts

PREDICTS = "predicts 4 after as many 0s as 1s or more, and 5 after fewer"

theorems = (
    Predicts("all", PREDICTS, given="n >= 2", expected="refuted"),
    Predicts("to 91 digits", f"{PREDICTS}, of words of up to 91 digits", given="n >= 2", up_to=93),
)
