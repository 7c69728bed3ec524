"""Noisy majority with a 2 that counts for nothing: for N >= 3 the right token is predicted after all words."""

from weightproof.proofs.theorem import EVERYTHING, Predicts

theorems = (
    Predicts(
        "where it is right",
        "predicts the right token exactly here",
        {"4": EVERYTHING, "5": "exp(N + 1)*(count('1') - count('0')) > N*(1 + exp(1))**2"},
    ),
    Predicts("everywhere", "predicts the right token", given="exp(N + 1) > N*(1 + exp(1))**2"),
    Predicts("everywhere, N >= 3", "predicts the right token", given="N >= 3"),
    Predicts("everywhere, N >= 2", "predicts the right token", given="N >= 2", expected="refuted"),
)
