"""PALINDROME by rows of one length is recognised with a margin on both sides, for every base e^c >= 2.

S1 = sum over the left half of 2 ([w_j=1] - [w_(n-1-j)=1]) e^(cj), twice what it is in `palindrome`; the logit is
(1 - |S1|) e^(-cn)/n. S1_first is what a mismatch of the first and last symbol adds, 2 e^c.
"""

from weightproof.proofs.theorem import EVERYTHING, Decides
from weightproof.proofs.theorems.nowak2022.palindrome import APART, PALINDROMES, margins

theorems = (
    Decides("recognises", PALINDROMES, invariant=APART),
    *margins("exp(-c*n)/n", "(2*exp(c) - 1)*exp(-c*n)/n", given=EVERYTHING),
)
