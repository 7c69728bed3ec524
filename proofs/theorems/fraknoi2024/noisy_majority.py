"""Noisy majority, Fraknoi (2024), section 5.3, with the outputs of 4 and 5 exchanged: 4 is predicted wherever it is
right, 5 where the 1s outweigh the noise, which for no N is everywhere."""

from weightproof.proofs.theorem import EVERYTHING, Predicts

OUTWEIGHS = "exp(N + 1)*(count('1') - count('0')) > count('2')*(N*(1 + exp(1)) + exp(1)) + N*(1 + exp(1))**2"
"""The surplus of 1s against the 2s, [BOS] and '=', each times its distance from a."""

theorems = (
    Predicts("where it is right", "predicts the right token exactly here", {"4": EVERYTHING, "5": OUTWEIGHS}),
    Predicts("without noise", "predicts the right token", given="count('2') == 0 and N >= 3"),
    Predicts(
        "little noise",
        "predicts the right token while there are no more 2s than this",
        given="N >= 3 and exp(N + 1) > (count('2') + 1 + exp(1))*(N*(1 + exp(1)) + exp(1))",
    ),
    Predicts("everywhere, N >= 2", "predicts the right token", given="N >= 2", expected="refuted"),
)
