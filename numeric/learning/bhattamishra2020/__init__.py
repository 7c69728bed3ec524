"""The experiments of Bhattamishra et al. (2020), section 5, with pairs of sequences: what they have in common, and what
is not as in print."""

from dataclasses import replace

from weightproof.numeric.learning.sequences import Translator

VANILLA, CUT, CUT_SELF = "vanilla", "no dec-enc residual", "no dec-dec residual"
"""The rows of table 1."""
MARKED = ", marked source"


def single(width: int) -> dict[str, Translator]:
    """Those of table 1, of "a single layer encoder-decoder network with only a single attention head in each block"."""
    vanilla = Translator(layers=1, width=width, hidden=2 * width)
    return {
        VANILLA: vanilla,
        CUT: replace(vanilla, cross_residual=False),
        CUT_SELF: replace(vanilla, self_residual=False),
    }


APART = (
    "Widths, numbers of steps, and the factor and the warm-up of noam's rates are not in print; they are ours.",
    "Attention has no biases, and nothing is dropped out or smoothed; Rush (2018), from whom the paper's "
    "implementation is adapted, has all three.",
    "Norms divide by sqrt(variance + 10^-5), where Rush (2018) adds 10^-6 to the deviation.",
)
