"""The least and the greatest of two numbers of either sign: what is found, case by case, for every word."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Decides

PLACE = "chapter 3, Min and Max"
X, Y = "(count('1') - count('0'))/n", "(count('0') - 2)/n"


def x_is(op: str) -> str:
    """How x compares with y."""
    return f"count('1') - count('0') {op} count('0') - 2"


def found(id: str, printed: str, equals: str, when: str) -> ClosedForm:
    return ClosedForm(Published(f"cookbook/{id}", PLACE, printed, Value(Logit(), equals, when=when)), name=id)


theorems = (
    Decides("recognises", "accepts exactly the words where both are above 0"),
    found("min, x <= y", r"$\min(x, y) = x$ if $x \le y$", X, x_is("<=")),
    found("min, x > y", r"$\min(x, y) = y$ if $x > y$", Y, x_is(">")),
)
greatest = (
    Decides("recognises", "accepts exactly the words where one is above 0"),
    found("max, x < y", r"$\max(x, y) = y$ if $x < y$", Y, x_is("<")),
    found("max, x >= y", r"$\max(x, y) = x$ if $x \ge y$", X, x_is(">=")),
)
