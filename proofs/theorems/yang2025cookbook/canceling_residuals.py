"""A part that replaces what it reads, and a difference, for every word."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Decides

DIFFERENCE = Published(
    "cookbook/difference",
    "chapter 3, Addition and Subtraction",
    "$x - y$, whatever the signs are",
    Value(Logit(), "(count('1') - 2*count('0') + 2)/n"),
)

theorems = (Decides("recognises", "accepts exactly the words where both numbers are above 0"),)
difference = (
    Decides("recognises", "accepts exactly the words where the difference is above 0"),
    ClosedForm(DIFFERENCE, name="difference"),
)
