"""FIRST, learned at each length: Nowak et al. (2022), section 4.2, figure 3."""

from weightproof.constructions.languages.languages import FIRST
from weightproof.numeric.learning.chiang2022 import POINTS, network
from weightproof.numeric.learning.experiment import Curve, Experiment, Said
from weightproof.numeric.learning.nowak2022 import APART

LENGTHS = (10, 30, 100, 300, 1000)
NAMES = tuple(f"n={length}" for length in LENGTHS)
LEARNS = "the transformer successfully learns both FIRST and ONE, achieving both high accuracy and low cross-entropy"

first = Experiment(
    name="nowak2022-first",
    title="FIRST, tested on words as long as those that it is trained on",
    source="Nowak et al. (2022), section 4.2",
    figure="figure 3",
    language=FIRST,
    curves=tuple(
        Curve(name, network(FIRST, 1, ("(i == 1)",), scaled=True), length, length, printed=1)
        for name, length in zip(NAMES, LENGTHS, strict=True)
    ),
    said=(
        Said("section 4.2", LEARNS, NAMES, "mean", "accuracy", ">=", 0.99),
        Said("section 4.2", LEARNS, NAMES, "mean", "cross-entropy", "<=", 0.05),
    ),
    epochs=100,
    steps=100,
    words=1,
    rate=3e-4,
    points=tuple(point for point in POINTS if point <= 100),
    test_words=100,
    seeds=20,
    printed_seeds=20,
    apart=(*APART, "Scores are scaled by log n, as in the authors' runs; five of their twelve lengths."),
)

experiments = (first,)
