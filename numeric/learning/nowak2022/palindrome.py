"""PALINDROME, which is not learned: Nowak et al. (2022), section 4.2, figure 8."""

from weightproof.constructions.languages.languages import PALINDROME
from weightproof.numeric.learning.chiang2022 import POINTS, network
from weightproof.numeric.learning.experiment import Curve, Experiment, Said
from weightproof.numeric.learning.nowak2022 import APART

LENGTHS, PRINTED = (10, 30, 100), (0.511, None, 0.496)
"""Mean accuracies over 10 runs after 100 epochs, in the files of the authors; their 30 is tested on 10 symbols."""
ENCODINGS = ("i", "n - i - 1", "(i <= (n - 1)/2)", "(i >= (n - 1)/2)")
"""Those of the exact solution."""
NAMES = tuple(f"n={length}" for length in LENGTHS)

palindrome = Experiment(
    name="nowak2022-palindrome",
    title="PALINDROME, tested on words as long as those that it is trained on",
    source="Nowak et al. (2022), section 4.2",
    figure="figure 8",
    language=PALINDROME,
    curves=tuple(
        Curve(name, network(PALINDROME, 1, ENCODINGS, scaled=False, end=True), length, length, printed=printed)
        for name, length, printed in zip(NAMES, LENGTHS, PRINTED, strict=True)
    ),
    said=(
        Said(
            "section 4.2",
            "PALINDROME was not learnable in our experiments either",
            NAMES,
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
    printed_seeds=20,
    sampled=True,
    apart=(
        *APART,
        "10 seeds, as the files of the authors have, where the text has 20 runs; three of their twelve lengths.",
    ),
)

experiments = (palindrome,)
