"""PALINDROME is recognised with a margin on both sides, for every base e^c >= 2; see `palindrome`.

S1 and S2 are the two numbers, S1 - S2 what the logit takes the absolute value of.
"""

from proofs.theorem import Decides, Margin

INVARIANT = (
    "((so_far and S1 == S2) or (not so_far and (S1 - S2 >= exp(c) or S2 - S1 >= exp(c)))) "
    "and S1 - S2 + exp(c) <= S1_next and S2 - S1 + exp(c) <= S1_next"
)

theorems = (
    Decides(
        "recognises",
        "for every base e^c >= 2, accepts exactly the palindromes",
        given="exp(c) >= 2",
        invariant=INVARIANT,
    ),
    Margin(
        "accepted",
        "(exp(c) - 1)/(exp(c*n) - 1)",
        when="n >= 2",
        given="exp(c) >= 2",
        invariant=INVARIANT,
        attained=(("0", "n - 2"),),
    ),
    Margin(
        "rejected",
        "(exp(c) - 1)**2/(exp(c*n) - 1)",
        when="n >= 4",
        given="exp(c) >= 2",
        invariant=INVARIANT,
        attained=(("1", 1), ("0", "n - 3")),
    ),
)
