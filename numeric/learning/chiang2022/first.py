"""FIRST, trained on short words and tested on long ones: Chiang and Cholak (2022), sections 5.1 and 5.4, figure 4."""

from weightproof.constructions.languages.languages import FIRST
from weightproof.numeric.learning.chiang2022 import APART, POINTS, network
from weightproof.numeric.learning.experiment import Curve, Experiment, Said

LENGTHS = (10, 30, 100, 300)
standard, scaled = network(1, ("(i == 1)",), scaled=False), network(1, ("(i == 1)",), scaled=True)

first = Experiment(
    name="chiang2022-first",
    title="FIRST from short to long words, with and without scores scaled by log n",
    source="Chiang and Cholak (2022), sections 5.1 and 5.4",
    figure="figure 4",
    language=FIRST,
    curves=(
        *(Curve(f"n={length}", standard, length, 1000) for length in LENGTHS),
        *(Curve(f"n={length} scaled", scaled, length, 1000) for length in LENGTHS),
    ),
    said=(
        Said(
            "section 5.1",
            "for training n = 10, the accuracy is hardly better than random guessing",
            ("n=10",),
            "mean",
            "accuracy",
            "<=",
            0.6,
        ),
        Said(
            "section 5.1",
            "the accuracy is not perfect",
            ("n=10", "n=30", "n=100", "n=300"),
            "mean",
            "accuracy",
            "<=",
            0.9999,
        ),
        Said(
            "section 5.4",
            "for all training lengths n, the model is able to learn with perfect test accuracy",
            ("n=10 scaled", "n=30 scaled", "n=100 scaled", "n=300 scaled"),
            "median",
            "accuracy",
            ">=",
            1,
        ),
        Said(
            "section 5.4",
            "for all training lengths n, the model is able to learn with perfect test cross-entropy",
            ("n=10 scaled", "n=30 scaled", "n=100 scaled", "n=300 scaled"),
            "median",
            "cross-entropy",
            "<=",
            0.01,
        ),
    ),
    epochs=1000,
    steps=100,
    words=1,
    rate=3e-4,
    points=POINTS,
    test_words=100,
    seeds=20,
    printed_seeds=20,
    apart=APART,
)

experiments = (first,)
