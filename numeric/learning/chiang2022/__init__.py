"""The experiments of Chiang and Cholak (2022), section 5: what their networks have in common, and what is not as in
print."""

from weightproof.constructions.meaning.construction import Language
from weightproof.numeric.learning.architecture import Architecture, standard

POINTS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
"""Epochs, about evenly on the paper's logarithmic axis."""

APART = (
    "Attention has no biases, as in the paper's section 2.2.2; those of PyTorch's, which its code has, begin at 0.",
    "Numbers of words for each step are not in print; one, as in the authors' code (github.com/ndnlp/parity).",
)


def network(
    language: Language, heads: int, encodings: tuple[str, ...], scaled: bool, end: bool = False
) -> Architecture:
    """Section 5.1: two layers, 16 coordinates, 64 hidden units, layer normalisation with epsilon 10^-5; or section 5.4:
    the same with attention logits scaled by log n."""
    return standard(
        language.alphabet,
        layers=2,
        heads=heads,
        width=16,
        hidden=64,
        encodings=encodings,
        scale=f"{'log(n)' if scaled else '1'}/sqrt({16 // heads})",
        epsilon="1/100000",
        end=end,
    )
