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

OUTWEIGHED = "exp(N + 1)*(count('1') - count('0')) < count('2')*(N*(1 + exp(1)) + exp(1)) + N*(1 + exp(1))**2"

as_printed = (
    Predicts("where it is right", "predicts the right token exactly here", {"5": OUTWEIGHED}),
    Predicts("everywhere", "predicts the right token", given="count('0') + count('1') > 0", expected="refuted"),
)
"""As printed: 4 is predicted nowhere where it is right, ties included; 5 only where the 2s outweigh the 1s."""

with_silent_2 = (
    Predicts(
        "where it is right",
        "predicts the right token exactly here",
        {"4": EVERYTHING, "5": "exp(N + 1)*(count('1') - count('0')) > N*(1 + exp(1))**2"},
    ),
    Predicts("everywhere", "predicts the right token", given="exp(N + 1) > N*(1 + exp(1))**2"),
    Predicts("everywhere, N >= 3", "predicts the right token", given="N >= 3"),
    Predicts("everywhere, N >= 2", "predicts the right token", given="N >= 2", expected="refuted"),
)
"""With a 2 that counts for nothing: for N >= 3 the right token is predicted after all words."""

POSITIVE = "1 + count('0')*exp(N**3) + count('1')*exp(N**3 + N**2) + count('2') + exp(N**2) + exp(N**4)"
FOUND = "(count('0')*N*exp(N**3) + count('1')*(N + 1)*exp(N**3 + N**2) + exp(N**2) + N**2*exp(N**4))"
"""What the head finds, times the positive sum of the weights."""
EXCEEDS = f"3*(N**2 + {FOUND}/({POSITIVE})) > 12*(N + 1) - 1 - (exp(1)*(N + 1) + N)/(1 + exp(1))"
"""The output of [EOS] exceeds that of the one of 4 and 5 that grows; the others are less then."""

end = end_as_printed = (
    Predicts("where it is right", "predicts [EOS] exactly here", {"[EOS]": EXCEEDS}),
    Predicts("everywhere, N >= 23/5", "predicts [EOS]", given="N >= 23/5"),
    Predicts("nowhere, N <= 2", "never predicts [EOS]", {}, given="N <= 2"),
)
"""The end: where [EOS] is predicted after digits, '=' and 4. As printed the outputs of 4 and 5 are opposite numbers, so
that it does not matter which is which."""

end_with_silent_2 = (
    Predicts("everywhere, N >= 23/5", "predicts [EOS]", given="N >= 23/5"),
    Predicts("everywhere, N >= 1", "predicts [EOS]", given="N >= 1", expected="refuted"),
)
"""The end, with a 2 that counts for nothing in the first task."""
