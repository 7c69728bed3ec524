"""Attention that grows with log n: Chiang and Cholak (2022), section 5.3, and proposition 3 but for its bounds under
layer normalisation.

The attention weight n of the first position is as much as those of all others and one more: the network of one layer,
which errs from some length on for every c, errs no longer. Without layer normalisation the logit of FIRST stays above
1/4 but for the empty word, whose logit is 0: no factor brings its cross-entropy below log 2.
"""

from weightproof.proofs.theorem import Decides, Margin, Theorem, Transformed
from weightproof.proofs.theorems.chiang2022.layer_norm import NORMALISED

GROWING = ("fix:c=1", "scale-attention-by-log-length")


def recognises(construction: str, *theorems: Theorem, asked: tuple[str, ...] = ()) -> Transformed:
    stated = Decides("recognises", "accepts exactly the words that start with 1")
    return Transformed(construction, (*GROWING, *asked), (stated, *theorems))


theorems = (
    recognises(
        "first",
        Margin("accepted", "n/(2*(2*n - 1))", when="n >= 2", attained=(("1", "n - 1"),)),
        Margin("rejected", "n/(2*(2*n - 1))", when="n >= 2", attained=(("0", "n - 1"),)),
        Margin("rejected", 0, when="n == 1", attained=()),
    ),
    recognises("first", asked=NORMALISED),
    recognises(
        "first-one-layer",
        Margin("accepted", "1/(2*(2*n - 1))", when="n >= 2", attained=(("1", 1), ("0", "n - 2"))),
        Margin("rejected", "3/(2*(2*n - 1))", when="n >= 2", attained=(("0", 1), ("1", "n - 2"))),
    ),
    recognises("first-one-layer", asked=NORMALISED),
)
