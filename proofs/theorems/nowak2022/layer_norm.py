"""Cross-entropy eta under layer normalisation: Nowak et al. (2022), the question that they leave open.

Can layer normalisation bring the cross-entropy of their networks arbitrarily close to 0 at every length? Yes, by the
layer of Chiang and Cholak (2022), proposition 2, which `chiang2022.sharpened` shows of ONE.

PALINDROME as printed accepts where the logit is 0, which no factor makes larger; with a margin it has the ordinary
readout, and that one layer with its norm suffices. Norms behind its other layers break it (`chiang2022.layer_norm`);
`palindrome-isometric`, whose rows have one length, has them behind every layer, for every epsilon >= 0.
"""

from weightproof.constructions.chiang2022.transformed import EXACTLY, NORMALISED, SHARPEN
from weightproof.proofs.theorem import Decides, Theorem, Transformed
from weightproof.proofs.theorems.chiang2022.sharpened import BELOW_LOG_2, LEAST
from weightproof.proofs.theorems.nowak2022.palindrome import PALINDROMES, margins


def costs_eta(given: str) -> tuple[Theorem, ...]:
    return (Decides("recognises", PALINDROMES, given=given), *margins(LEAST, LEAST, given))


theorems = (
    Transformed("palindrome-margin", (SHARPEN,), costs_eta(f"exp(c) >= 2 and {BELOW_LOG_2}")),
    Transformed("palindrome-isometric", NORMALISED, (Decides("recognises", PALINDROMES),)),
    Transformed("palindrome-isometric", (*EXACTLY, SHARPEN), costs_eta(BELOW_LOG_2)),
)
