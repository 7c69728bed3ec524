"""The question that Nowak et al. (2022) leave open, whether layer normalisation can bring the cross-entropy of their
networks arbitrarily close to 0 at every length: yes, by the layer of Chiang and Cholak (2022), proposition 2, which
`chiang2022.sharpened` shows of ONE with the same eta.

PALINDROME as printed accepts where the logit is 0, which no factor makes larger; with a margin it has the ordinary
readout, and that one layer with its norm suffices. Norms behind its other layers break it: `chiang2022.layer_norm`.
"""

from weightproof.constructions.chiang2022.transformed import SHARPEN
from weightproof.proofs.theorem import Decides, Margin, Transformed
from weightproof.proofs.theorems.chiang2022.sharpened import LEAST
from weightproof.proofs.theorems.nowak2022.palindrome_margin import APART

BASE = "exp(c) >= 2"

theorems = (
    Transformed(
        "palindrome-margin",
        (SHARPEN,),
        (
            Decides(
                "recognises", "for every base e^c >= 2, accepts exactly the palindromes", given=BASE, invariant=APART
            ),
            Margin("accepted", LEAST, when="n >= 2", given=BASE, invariant=APART, attained=(("0", "n - 2"),)),
            Margin("rejected", LEAST, when="n >= 4", given=BASE, invariant=APART, attained=(("1", 1), ("0", "n - 3"))),
        ),
    ),
)
