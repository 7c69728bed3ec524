"""The weights as printed in Nowak et al. (2022), section 3.2.3, do not recognise PALINDROME."""

from weightproof.proofs.theorem import ClosedForm, Decides
from weightproof.proofs.theorems.nowak2022.palindrome import INVARIANT, OVER_SYMBOLS, SUMMED

theorems = (
    Decides(
        "recognises",
        "for every base e^c >= 2, accepts exactly the palindromes",
        given="exp(c) >= 2",
        invariant=INVARIANT,
        expected="refuted",
    ),
    *(ClosedForm(claim, expected="refuted") for claim in (OVER_SYMBOLS, SUMMED)),
)
