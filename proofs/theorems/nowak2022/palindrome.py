"""PALINDROME is recognised for every base e^c >= 2: Nowak et al. (2022), section 3.2 and appendix A, for e^c = 2.

S1 = sum over the left half of ([w_j=1] - [w_(n-1-j)=1]) e^(cj). Up to position j it is smaller than S1_next, what a
mismatch at j+1 adds, so that the last mismatch decides its sign. For base e^c >= 2 it is smaller even by e^c, so that
only palindromes come closer to 0 than a word whose one mismatch is that of its first and last symbol.
"""

from weightproof.constructions.nowak2022.palindrome import construction
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

INVARIANT = "((so_far and S1 == 0) or (not so_far and S1 != 0)) and S1 < S1_next and -S1 < S1_next"

DISTANCE = (
    "((so_far and S1 == 0) or (not so_far and (S1 >= exp(c) or -S1 >= exp(c)))) "
    "and S1 + exp(c) <= S1_next and -S1 + exp(c) <= S1_next"
)

theorems = (
    Decides(
        "recognises",
        "for every base e^c >= 2, accepts exactly the palindromes",
        given="exp(c) >= 2",
        invariant=INVARIANT,
    ),
    Decides(
        "recognises in every base",
        "for every base e^c > 1, accepts exactly the palindromes",
        invariant=INVARIANT,
        expected="refuted",
    ),
    *(ClosedForm(claim) for claim in construction.claims),
    # Accepted are the words of logit 0 exactly: an equality, with which no rounded arithmetic can be trusted.
    Margin("accepted", 0, when="n >= 2", given="exp(c) >= 2", invariant=INVARIANT, attained=(("0", "n - 2"),)),
    Margin(
        "rejected",
        "exp(c)*(exp(c) - 1)/(exp(c*n) - 1)",
        when="n >= 4",
        given="exp(c) >= 2",
        invariant=DISTANCE,
        attained=(("1", 1), ("0", "n - 3")),
    ),
)
