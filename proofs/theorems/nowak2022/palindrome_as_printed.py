"""The weights as printed in Nowak et al. (2022), section 3.2.3, do not recognise PALINDROME."""

from weightproof.proofs.theorem import ClosedForm, Decides
from weightproof.proofs.theorems.nowak2022.palindrome import BASE, INVARIANT, OVER_SYMBOLS, PALINDROMES, SUMMED

theorems = (
    Decides("recognises", PALINDROMES, given=BASE, invariant=INVARIANT, expected="refuted"),
    *(ClosedForm(claim, expected="refuted") for claim in (OVER_SYMBOLS, SUMMED)),
)
