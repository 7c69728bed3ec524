"""PALINDROME is recognised with a margin on both sides, for every base e^c >= 2; see `palindrome`.

S1_first is what a mismatch of the first and last symbol adds, e^c for these weights.
"""

from weightproof.proofs.theorem import Decides
from weightproof.proofs.theorems.nowak2022.palindrome import BASE, PALINDROMES, margins

# Found, too; stated because it is asked for again with every weight that is changed.
APART = (
    "((so_far and S1 == 0) or (not so_far and (S1 >= S1_first or -S1 >= S1_first))) "
    "and S1 + S1_first <= S1_next and -S1 + S1_first <= S1_next"
)

theorems = (
    Decides("recognises", PALINDROMES, given=BASE, invariant=APART),
    *margins("(exp(c) - 1)/(exp(c*n) - 1)", "(exp(c) - 1)**2/(exp(c*n) - 1)"),
)
