"""DYCK-(1,D) is recognised for every D: Steffen et al. (2022), section 4.2.

S1 sums [more closed than opened]/(j+1) + [deeper than D]/(j+1), negated: as in `dyck1`.

Only the empty word is balanced at D = 0, and none of even n. A word without a violation that ends with an open bracket
has logit 0; for D = 1 and odd n there is none, and a violation next to the last position, made good at the last, comes
closest. For D = 0 every other position is a violation, and the least |logit| of the rejected words is a harmonic sum,
1/2 + 1/4 + 1/6 + ... (less 1/n for odd n), which has no closed form; it is not stated.
"""

from weightproof.constructions.claims.statements import Logit, Stream, Value
from weightproof.proofs.theorem import Decides, Margin
from weightproof.proofs.theorems.steffen2022.dyck1 import INVARIANT, OUTWEIGHED, POSITIVE, ZERO, K, corrected

# It is found, too, which takes ten times as long as its proof.
VIOLATED = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j) and count('0', j) - count('1', j) <= D) "
    "or (not so_far and S1 <= -1/(j + 1) and (count('1', j) != count('0', j) or S1*j <= -1))"
)

DEEP = (
    "deep",
    "$\\frac{1}{i+1} I[k(w[:i]) < -D]$",
    Value(Stream("[k<-D]/i"), "(count('1', i) - count('0', i) < -D)/(i + 1)"),
)
S = (
    "s",
    "$\\sum_{i=1}^n (\\frac{1}{i+1} I[k(w[:i]) = 0 \\wedge i = n] - \\frac{1}{i+1} I[k(w[:i]) > 0] "
    "- \\frac{1}{i+1} I[k(w[:i]) < -D])$",
    Value(
        Logit(),
        "sum((count('1', j) == count('0', j) and j == n - 1)/(j + 1) - (count('1', j) > count('0', j))/(j + 1) "
        "- (count('1', j) - count('0', j) < -D)/(j + 1) for j in positions)",
        when="n >= 2",
    ),
)

NESTED = "accepts exactly the balanced words nested at most D deep, for every D >= 0"


def margins(balanced: str, even: object, odd: object, odd_at_depth_1: str) -> tuple[Margin, ...]:
    """The least |logit| of balanced words, and of rejected ones of even n, of odd n, and of odd n where D = 1."""
    return (
        Margin("accepted", balanced, when="n % 2 == 1 and (D >= 1 or n == 1)", attained=(("01", "(n - 1)/2"),)),
        Margin("rejected", even, when="n % 2 == 0 and D >= 1", attained=(("01", "(n - 2)/2"), ("0", 1))),
        Margin("rejected", odd, when="n % 2 == 1 and n >= 3 and D >= 2", attained=(("01", "(n - 3)/2"), ("00", 1))),
        Margin(
            "rejected",
            odd_at_depth_1,
            when="n % 2 == 1 and n >= 3 and D == 1",
            invariant=VIOLATED,
            attained=(("01", "(n - 3)/2"), ("10", 1)),
        ),
    )


theorems = (
    Decides("recognises", NESTED, invariant=INVARIANT),
    *(corrected("dyck1-depth", "section 4.2", *display) for display in (K, ZERO, POSITIVE, DEEP, S)),
    *margins("1/n", 0, 0, "1/(n*(n - 1))"),
)

accepted, *rejected = margins("1/(2*n)", "1/(2*n)", "1/(2*n)", "(n + 1)/(2*n*(n - 1))")

with_margin = (
    Decides("recognises", NESTED, invariant=OUTWEIGHED),
    accepted,
    Margin("accepted", None, when="n % 2 == 0"),
    *rejected,
)
"""DYCK-(1,D) is recognised for every D, with a margin on both sides. For D = 0 the margin of the rejected words is
again a harmonic sum, and not stated."""
