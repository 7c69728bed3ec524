"""Copying with and without residual connections, and to longer sentences with encodings of positions or with masks:
Bhattamishra et al. (2020), section 5, table 1 and figure 3."""

from dataclasses import replace

from weightproof.numeric.learning.bhattamishra2020 import APART, CUT, CUT_SELF, MARKED, VANILLA, single
from weightproof.numeric.learning.experiment import OF_TRAINING, Said
from weightproof.numeric.learning.sequences import BEYOND, Copying, Noam, PairsCurve, PairsExperiment, Translator

WORDS = 20
ENCODED, MASKED = "SAN", "DiSAN"
"""The models of figure 3."""
networks = single(36)
encoded = replace(networks[VANILLA], layers=2)


def curve(name: str, network: Translator, printed: float | None = None, marked: bool = False) -> PairsCurve:
    """From sentences of 5 to 12 words, or from such with a marker behind them, to the longer ones of figure 3."""
    noam = Noam(2 / network.layers, 400)
    return PairsCurve(name, network, Copying(WORDS, marked), noam, 5, 12, tuple(BEYOND), printed=printed)


copying = PairsExperiment(
    name="bhattamishra2020-copy",
    title="copying sentences, with and without residual connections, and longer ones with encodings or masks",
    source="Bhattamishra et al. (2020), section 5",
    figure="table 1 and figure 3",
    curves=(
        curve(VANILLA, networks[VANILLA], 100.0),
        curve(CUT, networks[CUT], 99.7),
        curve(CUT_SELF, networks[CUT_SELF], 99.7),
        curve(ENCODED, encoded),
        curve(MASKED, replace(encoded, positions=False, masked=True)),
        curve(VANILLA + MARKED, networks[VANILLA], marked=True),
    ),
    said=(
        Said(
            "section 5",
            "all the variants are able to perfectly perform the copy task",
            (VANILLA, CUT, CUT_SELF),
            "mean",
            "BLEU",
            ">=",
            99.5,
        ),
        Said(
            "section 5",
            "the model with positional masking clearly generalizes up to higher lengths",
            (MASKED,),
            "mean",
            "wholly right 13-15",
            ">=",
            0.5,
        ),
        Said(
            "section 5",
            "although its performance too degrades at extreme lengths",
            (MASKED,),
            "mean",
            "wholly right 26-30",
            "<=",
            0.1,
        ),
        Said(
            "section 5",
            "the model with absolute positional encodings during training overfits on the fact that the 13th token is "
            "always the terminal symbol",
            (ENCODED, VANILLA + MARKED),
            "mean",
            "wholly right 13-15",
            "<=",
            0.1,
        ),
        Said(
            "section 5",
            "when evaluated on higher lengths it never produces a sentence of length greater than 12",
            (ENCODED, VANILLA + MARKED),
            "greatest",
            "longest",
            "<=",
            12,
        ),
    ),
    epochs=60,
    steps=100,
    words=32,
    points=(5, 10, 20, 40, 60),
    test_words=1000,
    seeds=5,
    printed_seeds=0,
    measures=(
        "accuracy",
        "cross-entropy",
        "BLEU",
        "wholly right",
        *(measure for of_range in BEYOND.values() for measure in of_range),
        "longest",
        *OF_TRAINING,
    ),
    apart=(
        f"Sentences are of {WORDS} words, each as likely, and new ones in every step; the paper samples 40,000 from "
        "the Penn Treebank, which is no part of this program.",
        "The paper does not say whether a marker stands behind the source; none does, but for "
        f"{VANILLA + MARKED!r}, which is ours.",
        f"{ENCODED} and {MASKED} have two layers; the paper tries one to four.",
        "Figure 3 has no numbers; here are both BLEU and the share of sentences that are wholly right.",
        *APART,
    ),
)

experiments = (copying,)
