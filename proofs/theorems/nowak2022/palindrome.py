"""PALINDROME is recognised for every base e^c >= 2: Nowak et al. (2022), section 3.2 and appendix A, for e^c = 2.

S1 = sum over the left half of ([w_j=1] - [w_(n-1-j)=1]) e^(cj). Up to position j it is smaller than S1_next, what a
mismatch at j+1 adds, so that the last mismatch decides its sign. For base e^c >= 2 it is smaller even by e^c, so that
only palindromes come closer to 0 than a word whose one mismatch is that of its first and last symbol.
"""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

# Found, too; stated because it is asked for again with every weight that is changed.
INVARIANT = "((so_far and S1 == 0) or (not so_far and S1 != 0)) and S1 < S1_next and -S1 < S1_next"

OVER_SYMBOLS = Published(
    "palindrome/s-over-symbols",
    "section 3.2.3",
    "$s = \\frac{1}{2^n - 1} \\sum (-1)^{I[w_i = 0]} 2^i$ for $c = \\ln 2$, "
    "over the symbols in the first half with $w_i \\ne w_{n-i-1}$",
    Value(
        Logit(),
        "sum((2*j <= n - 1 and w[j] != w[n-1-j])*(-1)**(w[j] == '0')*2**j for j in positions)/(2**n - 1)",
        at={"c": "log(2)"},
    ),
)
"""`palindrome/s`, whose sum runs over CLS and EOS, too, which are a mismatch, and is false for that alone."""

SUMMED = Published(
    "palindrome/s-summed",
    "appendix A",
    "$s = \\frac{\\exp c - 1}{\\exp(cn) - 1} \\sum_{i \\le \\frac{n-1}{2}} (I[w_i = 1] - I[w_{n-i-1} = 1]) e^{ci}$",
    Value(
        Logit(),
        "sum((2*j <= n - 1)*((w[j] == '1') - (w[n-1-j] == '1'))*exp(c*j) for j in positions)"
        "*(exp(c) - 1)/(exp(c*n) - 1)",
    ),
)
"""`palindrome/s-4` with its normalisation constant, a geometric sum, summed."""

PALINDROMES, BASE = "for every base e^c >= 2, accepts exactly the palindromes", "exp(c) >= 2"


def margins(accepted: object, rejected: object, given: object = BASE) -> tuple[Margin, Margin]:
    """The least |logit| of palindromes, and of the other words."""
    return (
        Margin("accepted", accepted, when="n >= 2", given=given, attained=(("0", "n - 2"),)),
        Margin("rejected", rejected, when="n >= 4", given=given, attained=(("1", 1), ("0", "n - 3"))),
    )


theorems = (
    Decides("recognises", PALINDROMES, given=BASE, invariant=INVARIANT),
    Decides(
        "recognises in every base",
        "for every base e^c > 1, accepts exactly the palindromes",
        invariant=INVARIANT,
        expected="refuted",
    ),
    ClosedForm(OVER_SYMBOLS),
    ClosedForm(SUMMED),
    # Accepted are the words of logit 0 exactly: an equality, with which no rounded arithmetic can be trusted.
    *margins(0, "exp(c)*(exp(c) - 1)/(exp(c*n) - 1)"),
)

as_printed = (
    Decides("recognises", PALINDROMES, given=BASE, invariant=INVARIANT, expected="refuted"),
    *(ClosedForm(claim, expected="refuted") for claim in (OVER_SYMBOLS, SUMMED)),
)
"""The weights as printed in section 3.2.3 do not recognise PALINDROME."""

# Found, too; stated because it is asked for again with every weight that is changed.
APART = (
    "((so_far and S1 == 0) or (not so_far and (S1 >= S1_first or -S1 >= S1_first))) "
    "and S1 + S1_first <= S1_next and -S1 + S1_first <= S1_next"
)

with_margin = (
    Decides("recognises", PALINDROMES, given=BASE, invariant=APART),
    *margins("(exp(c) - 1)/(exp(c*n) - 1)", "(exp(c) - 1)**2/(exp(c*n) - 1)"),
)
"""Recognised with a margin on both sides, for every base e^c >= 2. S1_first is what a mismatch of the first and last
symbol adds, e^c for these weights."""
