"""The experiments of Steffen et al. (2022), section 5, with the standard transformer: what their networks and the ways
to train them have in common, and what is not as in print."""

from collections.abc import Mapping

from weightproof.constructions.meaning.construction import Language
from weightproof.numeric.learning import chiang2022
from weightproof.numeric.learning.architecture import Architecture
from weightproof.numeric.learning.chiang2022 import network
from weightproof.numeric.learning.experiment import Curve, Said

EPOCHS = 150
POINTS = tuple(point for point in chiang2022.POINTS if point <= EPOCHS)
SHORT, LONG = "n=10", "n=100"
"""The lengths of figures 5 and 2."""
ENCODINGS = tuple(f"{wave}(i/10000**({2 * j}/d))" for j in range(8) for wave in ("sin", "cos"))
"""Section 3, after Vaswani et al. (2017), for the 16 coordinates of `network`."""


def standard(language: Language) -> Architecture:
    """The standard transformer."""
    return network(language, 2, ENCODINGS, scaled=False)


def curves(architecture: Architecture, printed: Mapping[int, float], suffix: str = "") -> tuple[Curve, ...]:
    """Of these lengths, with the accuracies at the end of the authors' runs; suffix: of their names."""
    return tuple(
        Curve(f"n={length}{suffix}", architecture, length, length, printed=accuracy)
        for length, accuracy in printed.items()
    )


NOT_LONG = Said(
    "section 5",
    "none of the languages could be learned for a string length of 100 in 150 epochs with the standard transformer",
    (LONG,),
    "greatest",
    "accuracy",
    "<=",
    0.7,
)
DETERIORATES = (
    Said(
        "abstract",
        "accuracy and cross-entropy deteriorate for longer sequences",
        (LONG,),
        "mean",
        "accuracy",
        "<=",
        0.7,
    ),
    Said(
        "abstract",
        "accuracy and cross-entropy deteriorate for longer sequences",
        (LONG,),
        "mean",
        "cross-entropy",
        ">=",
        0.9,
    ),
)
SHORT_WELL = Said(
    "abstract", "a transformer can recognize short sequences well", (SHORT,), "mean", "accuracy", ">=", 0.9
)
SHORT_EASIER = Said(
    "section 5",
    "shorter string lengths can indeed be learned, when the language is easier",
    (SHORT,),
    "mean",
    "accuracy",
    ">=",
    0.99,
)

APART = (
    "Attention has no biases, as in the paper's section 2.1; those of PyTorch's, which the authors' code has, begin at "
    "0.",
    "CLS stands in front, at position 0, as in the paper's section 2.1; the authors' code has it behind the word.",
    "Encodings are those of the paper's section 3, with j from 0 to d/2 - 1, and stay as they are; the authors' code "
    "divides by 10000^(2c/d) in column c, and trains these divisors.",
    "Width 16, 64 hidden units, and one word for each step of Adam with rate 0.0003 are not in print, but in the "
    "authors' code.",
    "How many words have a letter changed, and how often a bracket is opened where both may be, is not in print; half, "
    "and half the time, as in the authors' code.",
    "Figures have no numbers; these are from the authors' files, which have one run of each of eight lengths. Of these "
    "four are here, of which figures have 10 and 100.",
)
"""The authors' code and files: github.com/bglaus/AFLT-Project-Dyck-Self-Attention."""
