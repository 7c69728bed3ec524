"""FIRST, trained on short words and tested on long ones: Chiang and Cholak (2022), sections 5.1 and 5.4, figure 4."""

from weightproof.constructions.languages.languages import FIRST
from weightproof.numeric.learning.chiang2022 import APART, POINTS, network
from weightproof.numeric.learning.experiment import Curve, Experiment, Said

LENGTHS = (10, 30, 100, 300)
STANDARD, SCALED = (0.513, 0.733, 0.8885, 0.9735), (0.9755, 1.0, 1.0, 1.0)
"""Mean accuracies over 20 runs after 1000 epochs, in the files of Nowak et al. (experiments/generalize/data of
github.com/giacomocamposampiero/palindrome-transformer), whose runs all begin with the same weights."""
standard, scaled = network(FIRST, 1, ("(i == 1)",), scaled=False), network(FIRST, 1, ("(i == 1)",), scaled=True)

first = Experiment(
    name="chiang2022-first",
    title="FIRST from short to long words, with and without scores scaled by log n",
    source="Chiang and Cholak (2022), sections 5.1 and 5.4",
    figure="figure 4; Nowak et al. (2022), section 4.2, figure 4, have the same",
    language=FIRST,
    curves=(
        *(
            Curve(f"n={length}", standard, length, 1000, printed=printed)
            for length, printed in zip(LENGTHS, STANDARD, strict=True)
        ),
        *(
            Curve(f"n={length} scaled", scaled, length, 1000, printed=printed)
            for length, printed in zip(LENGTHS, SCALED, strict=True)
        ),
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
            "mean",
            "accuracy",
            ">=",
            0.995,
        ),
        Said(
            "section 5.4",
            "for all training lengths n, the model is able to learn with perfect test cross-entropy",
            ("n=10 scaled", "n=30 scaled", "n=100 scaled", "n=300 scaled"),
            "mean",
            "cross-entropy",
            "<=",
            0.01,
        ),
        Said(
            "Nowak et al. (2022), section 4.2",
            "the naive implementation of FIRST does not generalize well to unknown string lengths",
            ("n=10", "n=30", "n=100", "n=300"),
            "mean",
            "accuracy",
            "<=",
            0.99,
        ),
        Said(
            "Nowak et al. (2022), section 4.2",
            "this issue can be solved by scaling the attention logits by log n",
            ("n=10 scaled", "n=30 scaled", "n=100 scaled", "n=300 scaled"),
            "mean",
            "accuracy",
            ">=",
            0.99,
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
