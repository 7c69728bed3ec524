"""The end of noisy majority, with a 2 that counts for nothing in the first task."""

from weightproof.proofs.theorem import Predicts

theorems = (
    Predicts("everywhere, N >= 23/5", "predicts [EOS]", given="N >= 23/5"),
    Predicts("everywhere, N >= 1", "predicts [EOS]", given="N >= 1", expected="refuted"),
)
