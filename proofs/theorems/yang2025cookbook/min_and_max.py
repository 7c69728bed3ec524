"""The least and the greatest of two counts: what is found, case by case, for every word."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Decides

PLACE = "chapter 3, Min and Max"
ONES, ZEROS = "(count('1') - 3/2)/n", "(count('0') - 3/2)/n"
FEWER_ONES, FEWER_ZEROS = "count('1') < count('0')", "count('1') >= count('0')"


def found(id: str, printed: str, equals: str, when: str) -> ClosedForm:
    """What is found, less 3/2 over n."""
    return ClosedForm(Published(f"cookbook/{id}", PLACE, printed, Value(Logit(), equals, when=when)), name=id)


theorems = (
    Decides("recognises", "accepts exactly the words with two of each symbol"),
    found("min, x < y", r"$\min(x, y) = x$ if $x < y$", ONES, FEWER_ONES),
    found("min, x >= y", r"$\min(x, y) = y$ if $x \ge y$", ZEROS, FEWER_ZEROS),
)
greatest = (
    Decides("recognises", "accepts exactly the words with two of one symbol"),
    found("max, x < y", r"$\max(x, y) = y$ if $x < y$", ZEROS, FEWER_ONES),
    found("max, x >= y", r"$\max(x, y) = x$ if $x \ge y$", ONES, FEWER_ZEROS),
)
