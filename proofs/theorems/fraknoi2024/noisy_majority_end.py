"""The end of noisy majority, Fraknoi (2024), section 5.3: where [EOS] is predicted after digits, '=' and 4."""

from weightproof.proofs.theorem import Predicts

POSITIVE = "1 + count('0')*exp(N**3) + count('1')*exp(N**3 + N**2) + count('2') + exp(N**2) + exp(N**4)"
FOUND = "(count('0')*N*exp(N**3) + count('1')*(N + 1)*exp(N**3 + N**2) + exp(N**2) + N**2*exp(N**4))"
"""What the head finds, times the positive sum of the weights."""
EXCEEDS = f"3*(N**2 + {FOUND}/({POSITIVE})) > 12*(N + 1) - 1 - (exp(1)*(N + 1) + N)/(1 + exp(1))"
"""The output of [EOS] exceeds that of the one of 4 and 5 that grows; the others are less then."""

theorems = (
    Predicts("where it is right", "predicts [EOS] exactly here", {"[EOS]": EXCEEDS}),
    Predicts("everywhere, N >= 23/5", "predicts [EOS]", given="N >= 23/5"),
    Predicts("nowhere, N <= 2", "never predicts [EOS]", {}, given="N <= 2"),
)
