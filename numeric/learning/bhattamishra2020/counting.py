"""Counting with and without residual connections: Bhattamishra et al. (2020), section 5, tables 1 and 3."""

from weightproof.numeric.learning.bhattamishra2020 import APART, CUT, CUT_SELF, MARKED, VANILLA, single
from weightproof.numeric.learning.experiment import OF_TRAINING, Said
from weightproof.numeric.learning.sequences import Counting, Noam, PairsCurve, PairsExperiment, Translator

NUMBERS = 101
networks = single(16)


def curve(name: str, network: Translator, printed: float | None = None, marked: bool = False) -> PairsCurve:
    """From one number, or from one with a marker behind it."""
    task = Counting(NUMBERS, following=5, marked=marked)
    return PairsCurve(name, network, task, Noam(2, 100), shortest=1, longest=1, printed=printed)


counting = PairsExperiment(
    name="bhattamishra2020-counting",
    title="counting on from a number, with and without residual connections",
    source="Bhattamishra et al. (2020), section 5",
    figure="tables 1 and 3",
    curves=(
        curve(VANILLA, networks[VANILLA], 100.0),
        curve(CUT, networks[CUT], 0.0),
        curve(CUT_SELF, networks[CUT_SELF], 99.8),
        curve(CUT + MARKED, networks[CUT], marked=True),
    ),
    said=(
        Said(
            "section 5",
            "the one without decoder-encoder residual connection is incapable of performing it",
            (CUT,),
            "greatest",
            "BLEU",
            "<=",
            0,
        ),
        Said(
            "table 3",
            "without the residual connection around Decoder-Encoder block, the model is incapable of predicting more "
            "than one distinct output",
            (CUT,),
            "greatest",
            "most distinct",
            "<=",
            1,
        ),
        Said(
            "section 5",
            "the other two including the one without decoder-decoder residual connection are able to accomplish the "
            "task",
            (VANILLA, CUT_SELF),
            "mean",
            "BLEU",
            ">=",
            99,
        ),
    ),
    epochs=30,
    steps=20,
    words=NUMBERS,
    points=(1, 2, 5, 10, 20, 30),
    test_words=NUMBERS,
    seeds=10,
    printed_seeds=0,
    measures=("accuracy", "cross-entropy", "BLEU", "wholly right", "most distinct", *OF_TRAINING),
    apart=(
        "All 101 numbers are in every step, and are what is tested, too; the paper does not say how they are split.",
        "A number is one token, and nothing is behind it: where a marker is, there are two positions to attend to, and "
        f"what is said of {CUT!r} is not so of {CUT + MARKED!r}, which the paper does not have.",
        *APART,
    ),
)

experiments = (counting,)
