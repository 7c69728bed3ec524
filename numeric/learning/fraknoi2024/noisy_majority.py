"""Noisy majority by one head, by many, and by the one that is left of many: Fraknoi (2024), sections 5.3 and 5.5,
figures 9 and 11, and table 1."""

from weightproof.constructions.fraknoi2024.noisy_majority import first_task
from weightproof.numeric.learning.experiment import Bounded, Curve, Experiment, Halving, Of, Rule, Said
from weightproof.numeric.learning.fraknoi2024 import APART, network

ONE, SMALL, LARGE = "d=2 a=1", "d=8 a=4", "d=32 a=16"
MASKED, SEPARATION, SHAPLEY = " masked", " svc", " Shapley"
SHARE = 0.95
"""Section 5.5."""


def curve(size: str, suffix: str = "") -> Curve:
    """Section 5.2: words of up to 100 digits for training, of 101 to 150 for validation, and of 151 to 200 for tests.
    suffix: whether one head alone is there from the beginning, or by which rule half of them are dropped."""
    rules: dict[str, Rule] = {SEPARATION: "separation", SHAPLEY: "Shapley"}
    width, heads = (int(part.partition("=")[2]) for part in size.split())
    return Curve(
        size + suffix,
        network(width, heads),
        length=100,
        tested=200,
        shortest=0,
        tested_from=151,
        validated=(101, 150),
        heads=1 if suffix == MASKED else None,
        halving=Halving(rules[suffix], SHARE) if suffix in rules else None,
    )


def said(place: str, says: str, name: str, of: Of, relation: Bounded, bound: float) -> Said:
    """Of test accuracy."""
    return Said(place, says, (name,), of, "accuracy", relation, bound)


def of_table(share: int, name: str, relation: Bounded, bound: float) -> Said:
    """Table 1."""
    return said(
        "table 1", f"{share} of 100 runs achieve 100% test accuracy with {name}", name, "perfect", relation, bound
    )


noisy_majority = Experiment(
    name="fraknoi2024-noisy-majority",
    title="NOISY MAJORITY by one head, by many, and by the one that is left of many",
    source="Fraknoi (2024), sections 5.3 and 5.5",
    figure="table 1, figures 9 and 11",
    language=first_task,
    curves=(
        curve(ONE),
        *(curve(SMALL, suffix) for suffix in ("", MASKED, SEPARATION, SHAPLEY)),
        *(curve(LARGE, suffix) for suffix in ("", MASKED, SEPARATION)),
    ),
    said=(
        said("section 5.3", "most of the time it is not able to learn the problem", ONE, "median", "<=", 0.98),
        of_table(2, ONE, "<=", 0.1),
        of_table(9, SMALL, "<=", 0.25),
        of_table(7, SMALL + MASKED, "<=", 0.25),
        of_table(13, SMALL + SEPARATION, "<=", 0.3),
        of_table(19, SMALL + SHAPLEY, "<=", 0.4),
        of_table(34, LARGE, "<=", 0.6),
        of_table(26, LARGE + MASKED, "<=", 0.5),
        of_table(35, LARGE + SEPARATION, "<=", 0.6),
        said("section 5.5", "100 runs out of 100 are above 98% test accuracy", LARGE, "least", ">=", 0.98),
        Said(
            "section 5.5",
            "the overwhelming majority of runs had 4 halving steps, thus the final models had only one head",
            (LARGE + SEPARATION,),
            "median",
            "heads",
            "<=",
            1,
        ),
    ),
    epochs=200,
    steps=58,
    words=128,
    rate=1e-3,
    points=(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200),
    test_words=1500,
    seeds=10,
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
    apart=APART,
)

experiments = (noisy_majority,)
