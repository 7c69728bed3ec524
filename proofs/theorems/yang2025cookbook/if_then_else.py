"""One of two counts, as the last symbol says, for every word; and what is wrong with the units in print."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Decides, Expected

RECOGNISES = "accepts exactly the words of which more than half is what is last"
PLACE = "chapter 3, Conditionals"


def first_option(expected: Expected = "proved") -> ClosedForm:
    """x, less 1/2, where p is true."""
    printed = Published(
        "cookbook/if", PLACE, r"$\phi$ if $p$", Value(Logit(), "count('1')/n - 1/2", when="w[n - 1] == '1'")
    )
    return ClosedForm(printed, name="x if p", expected=expected)


def second_option(expected: Expected = "proved") -> ClosedForm:
    """y, less 1/2, where p is false."""
    printed = Published(
        "cookbook/else", PLACE, r"$\psi$ otherwise", Value(Logit(), "count('0')/n - 1/2", when="w[n - 1] != '1'")
    )
    return ClosedForm(printed, name="y otherwise", expected=expected)


theorems = (Decides("recognises", RECOGNISES), first_option(), second_option())
as_printed = as_first_printed = (
    Decides("recognises", RECOGNISES, expected="refuted"),
    first_option("refuted"),
    second_option("refuted"),
)
"""The two have changed places; or both are there, or 1 is there in place of one."""
