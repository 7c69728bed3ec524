"""PARITY, which is not learned: Chiang and Cholak (2022), section 5.1."""

from weightproof.constructions.languages.languages import PARITY
from weightproof.numeric.learning.chiang2022 import APART, POINTS, network
from weightproof.numeric.learning.experiment import Curve, Experiment, Said

standard = network(PARITY, 2, ("i/n", "cos(pi*i)"), scaled=False)
LENGTHS, PRINTED = (10, 30, 100), (0.494, None, 0.481)
"""Mean accuracies over 10 runs after 100 epochs, in the files of Nowak et al. (experiments/learn/data of
github.com/giacomocamposampiero/palindrome-transformer), who read the last position, and whose encodings, 16 numbers,
are i/n and cos(pi i), with i times random factors."""

parity = Experiment(
    name="chiang2022-parity",
    title="PARITY, tested on words as long as those that it is trained on",
    source="Chiang and Cholak (2022), section 5.1",
    figure="without a figure; Nowak et al. (2022), section 4.2 and figure 7, have it, too",
    language=PARITY,
    curves=tuple(
        Curve(f"n={length}", standard, length, length, printed=printed)
        for length, printed in zip(LENGTHS, PRINTED, strict=True)
    ),
    said=(
        Said(
            "section 5.1",
            "a transformer with the above settings was unable to learn PARITY",
            tuple(f"n={length}" for length in LENGTHS),
            "greatest",
            "accuracy",
            "<=",
            0.7,
        ),
        Said(
            "Nowak et al. (2022), section 4.2",
            "we did not manage to find a learned solution to PARITY",
            tuple(f"n={length}" for length in LENGTHS),
            "greatest",
            "accuracy",
            "<=",
            0.7,
        ),
    ),
    epochs=100,
    steps=100,
    words=1,
    rate=3e-4,
    points=tuple(point for point in POINTS if point <= 100),
    test_words=100,
    seeds=10,
    printed_seeds=0,
    apart=(
        *APART,
        "Lengths, epochs and runs are not in print; the authors' code has 100 symbols and 100 epochs unless told.",
    ),
)

experiments = (parity,)
