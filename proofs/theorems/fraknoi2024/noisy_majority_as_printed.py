"""Noisy majority, Fraknoi (2024), section 5.3, as printed: 4 is predicted nowhere where it is right, ties included; 5
only where the 2s outweigh the 1s."""

from weightproof.proofs.theorem import Predicts

OUTWEIGHED = "exp(N + 1)*(count('1') - count('0')) < count('2')*(N*(1 + exp(1)) + exp(1)) + N*(1 + exp(1))**2"

theorems = (
    Predicts("where it is right", "predicts the right token exactly here", {"5": OUTWEIGHED}),
    Predicts("everywhere", "predicts the right token", given="count('0') + count('1') > 0", expected="refuted"),
)
