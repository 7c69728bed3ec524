"""PALINDROME by rows of one length is recognised with a margin on both sides, for every base e^c >= 2.

S1 = sum over the left half of 2 ([w_j=1] - [w_(n-1-j)=1]) e^(cj), twice what it is in `palindrome`; the logit is
(1 - |S1|) e^(-cn)/n. S1_first is what a mismatch of the first and last symbol adds, 2 e^c.
"""

from weightproof.proofs.theorem import Decides, Margin
from weightproof.proofs.theorems.nowak2022.palindrome_margin import APART

theorems = (
    Decides("recognises", "for every base e^c >= 2, accepts exactly the palindromes", invariant=APART),
    Margin("accepted", "exp(-c*n)/n", when="n >= 2", attained=(("0", "n - 2"),)),
    Margin("rejected", "(2*exp(c) - 1)*exp(-c*n)/n", when="n >= 4", attained=(("1", 1), ("0", "n - 3"))),
)
