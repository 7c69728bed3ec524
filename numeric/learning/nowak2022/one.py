"""ONE from short to long words, with training words of one length and of many: Nowak et al. (2022), section 4.2,
figure 5."""

from weightproof.constructions.languages.languages import ONE
from weightproof.numeric.learning.chiang2022 import POINTS, network
from weightproof.numeric.learning.experiment import Curve, Experiment, Said
from weightproof.numeric.learning.nowak2022 import APART

LENGTHS = (10, 30, 100, 300)
FIXED, VARIED = tuple(f"n={length}" for length in LENGTHS), tuple(f"n<={length}" for length in LENGTHS)
PRINTED = (0.669, 0.669, 0.5415, 0.607)
"""Mean accuracies over 20 runs after 1000 epochs, in the files of the authors."""
standard = network(ONE, 1, ("(i == 1)",), scaled=False)

one = Experiment(
    name="nowak2022-one",
    title="ONE from short to long words, with training words of one length and of many",
    source="Nowak et al. (2022), section 4.2",
    figure="figure 5",
    language=ONE,
    curves=(
        *(Curve(f"n={n}", standard, n, 1000, printed=printed) for n, printed in zip(LENGTHS, PRINTED, strict=True)),
        *(Curve(f"n<={n}", standard, n, 1000, shortest=2) for n in LENGTHS),
    ),
    said=(
        Said(
            "section 4.2",
            "could effectively learn solutions for strings of the same length as the training samples",
            FIXED,
            "mean",
            "training accuracy",
            ">=",
            0.99,
        ),
        Said(
            "section 4.2",
            "could not generalize to longer string lengths",
            FIXED,
            "mean",
            "accuracy",
            "<=",
            0.9,
        ),
        Said(
            "section 4.2",
            "perfect accuracy when the difference between training and test lengths is not too pronounced",
            ("n<=300",),
            "median",
            "accuracy",
            ">=",
            0.99,
        ),
    ),
    epochs=200,
    steps=100,
    words=1,
    rate=3e-4,
    points=tuple(point for point in POINTS if point <= 200),
    test_words=100,
    seeds=10,
    printed_seeds=20,
    sampled=True,
    apart=(
        *APART,
        "200 epochs and 10 seeds, where print has 1000 and 20.",
        "Encodings are those of FIRST for words of one length, too, as in the authors' code; print has there those of "
        "the exact solution, i/n.",
    ),
)

experiments = (one,)
