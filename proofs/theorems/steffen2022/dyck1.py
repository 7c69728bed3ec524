"""1-DYCK is recognised: Steffen et al. (2022), section 4.1.

S1 = sum over positions of [more closed than opened]/(j+1): 0 as long as nothing is violated, and at least 1/(j+1) once
something has been, which outweighs the 1/n that a balanced end earns. Where nothing is violated, a prefix that ends
in an opening bracket has an open one.

No word of even n is balanced. A word that only opens has logit 0.
"""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Stream, Value
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

# Found, too; stated because it is asked for again with every weight that is changed.
INVARIANT = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j) "
    "and (w[j] != '0' or count('1', j) < count('0', j))) "
    "or (not so_far and S1 <= -reward and S1 <= -reward*(count('1', j) - count('0', j)))"
)

K = ("k", "$\\frac{1}{i+1} k(w[:i])$", Value(Stream("k/i"), "(count('1', i) - count('0', i))/(i + 1)"))
POSITIVE = (
    "positive",
    "$\\frac{1}{i+1} I[k(w[:i]) > 0]$",
    Value(Stream("[k>0]/i"), "(count('1', i) > count('0', i))/(i + 1)"),
)
ZERO = (
    "zero",
    "$\\frac{1}{i+1} I[k(w[:i]) = 0]$",
    Value(Stream("[k=0]/i"), "(count('1', i) == count('0', i))/(i + 1)"),
)
END = (
    "end",
    "$\\frac{1}{i+1} I[k(w[:i]) = 0 \\wedge i = n]$",
    Value(Stream("[k=0 and last]/i"), "(count('1', i) == count('0', i) and i == n - 1)/(i + 1)"),
)
S = (
    "s",
    "$\\sum_{i=1}^n \\frac{1}{i+1} I[k(w[:i]) = 0 \\wedge i = n] - \\frac{1}{i+1} I[k(w[:i]) > 0]$",
    Value(
        Logit(),
        "sum((count('1', j) == count('0', j) and j == n - 1)/(j + 1) "
        "- (count('1', j) > count('0', j))/(j + 1) for j in positions)",
        when="n >= 2",
    ),
)


def corrected(construction: str, place: str, name: str, printed: str, value: Value) -> ClosedForm:
    """A display of the paper, after the last layer, with 1/(i+1) for 1/i, and with k(w[:i]) for the closed less the
    opened brackets: see the slip steffen2022/k."""
    return ClosedForm(Published(f"{construction}/{name}-corrected", place, printed, value))


theorems = (
    Decides(
        "recognises",
        "accepts exactly the balanced words",
        invariant=INVARIANT,
    ),
    *(corrected("dyck1", "section 4.1", *display) for display in (K, POSITIVE, ZERO, END, S)),
    Margin("accepted", "1/n", when="n % 2 == 1", attained=(("01", "(n - 1)/2"),)),
    Margin("rejected", 0, when="n >= 2", attained=(("0", "n - 1"),)),
)

# Found, too; stated because it is asked for again with every weight that is changed.
OUTWEIGHED = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j) "
    "and (w[j] != '0' or count('1', j) < count('0', j))) "
    "or (not so_far and S1*(j + 1) <= -2*S1_first "
    "and S1*(j + 1) <= -2*S1_first*(count('1', j) - count('0', j)))"
)

with_margin = (
    Decides("recognises", "accepts exactly the balanced words", invariant=OUTWEIGHED),
    Margin("accepted", "1/(2*n)", when="n % 2 == 1", attained=(("01", "(n - 1)/2"),)),
    Margin("accepted", None, when="n % 2 == 0"),
    Margin("rejected", "1/(2*n)", when="n >= 2", attained=(("0", "n - 1"),)),
)
"""1-DYCK is recognised with a margin on both sides. 2*S1_first/(j + 1) is what a violation at j weighs, 1/(j+1) for
these weights."""
