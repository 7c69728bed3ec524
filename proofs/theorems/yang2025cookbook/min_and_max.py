"""The least and the greatest of two numbers of either sign: what is found, case by case, for every word."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Compares, Decides

PLACE = "chapter 3, Min and Max"
X, Y = "(count('1') - count('0'))/n", "(count('0') - 2)/n"
LESS, NOT_LESS = "count('1') - count('0') < count('0') - 2", "count('1') - count('0') >= count('0') - 2"


def found(id: str, printed: str, equals: str, when: str) -> ClosedForm:
    return ClosedForm(
        Published(f"cookbook/{id}", PLACE, printed, Value(Logit(), equals, when=when)), given="n >= 2", name=id
    )


def of_nothing(equals: int) -> Compares:
    """Of the empty word, where x is 0 and y is -2."""
    return Compares("==", equals, where="n == 1", name="of the empty word")


theorems = (
    Decides("recognises", "accepts exactly the words where both are above 0"),
    found("min, x < y", r"$\min(x, y) = x$ if $x < y$", X, LESS),
    found("min, x >= y", r"$\min(x, y) = y$ if $x \ge y$", Y, NOT_LESS),
    of_nothing(-2),
)
greatest = (
    Decides("recognises", "accepts exactly the words where one is above 0"),
    found("max, x < y", r"$\max(x, y) = y$ if $x < y$", Y, LESS),
    found("max, x >= y", r"$\max(x, y) = x$ if $x \ge y$", X, NOT_LESS),
    of_nothing(0),
)
