"""Noisy majority by one head, by many, and by the one that is left of many: Fraknoi (2024), sections 5.3 and 5.5, figures
9 and 11, and table 1."""

from weightproof.constructions.fraknoi2024.noisy_majority import first_task
from weightproof.numeric.learning.experiment import Curve, Experiment, Halving
from weightproof.numeric.learning.fraknoi2024 import network

SHARE = 0.95


def curve(name: str, width: int, heads: int, masked: bool = False, rule=None) -> Curve:
    return Curve(
        name,
        network(width, heads),
        length=100,
        tested=200,
        shortest=0,
        tested_from=151,
        validated=(101, 150),
        heads=1 if masked else None,
        halving=None if rule is None else Halving(rule, SHARE),
    )


noisy_majority = Experiment(
    name="fraknoi2024-noisy-majority",
    title="NOISY MAJORITY by one head, by many, and by the one that is left of many",
    source="Fraknoi (2024), sections 5.3 and 5.5",
    figure="table 1, figures 9 and 11",
    language=first_task,
    curves=(
        curve("d=2 a=1", 2, 1),
        curve("d=8 a=4", 8, 4),
        curve("d=8 a=4 masked", 8, 4, masked=True),
        curve("d=8 a=4 svc", 8, 4, rule="separation"),
        curve("d=8 a=4 Shapley", 8, 4, rule="Shapley"),
        curve("d=32 a=16", 32, 16),
        curve("d=32 a=16 masked", 32, 16, masked=True),
        curve("d=32 a=16 svc", 32, 16, rule="separation"),
    ),
    said=(),
    epochs=200,
    steps=58,
    words=128,
    rate=1e-3,
    points=(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200),
    test_words=1500,
    seeds=20,
    printed_seeds=100,
    sampled=True,
    stop="[EOS]",
    kept=7500,
    warmed=2000,
    decay=0.01,
    measures=(
        "accuracy",
        "cross-entropy",
        "validation accuracy",
        "heads",
        "training accuracy",
        "training cross-entropy",
    ),
    apart=(),
)

experiments = (noisy_majority,)
