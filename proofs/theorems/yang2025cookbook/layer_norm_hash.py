"""Layer norm hashes of positions, at every length, and what is wrong with them in print.

Of the product of a hash with itself it is proved that it is 4 at least; that it is no more is open, as the engine
compares what stands behind a norm from one side alone.
"""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Compares, Decides

FIRST = Published(
    "cookbook/hash",
    "chapter 4, Table Lookup",
    r"$\sqrt{2} a/\sqrt{a^2 + 1}$",
    Value(Logit(), "sqrt(2)*(n - 1)/sqrt((n - 1)**2 + 1)"),
)
AS_PRINTED = Published(
    "cookbook/hash-as-printed",
    "chapter 4, Table Lookup",
    r"$a/\sqrt{2 a^2 + 2}$",
    Value(Logit(), "(n - 1)/sqrt(2*(n - 1)**2 + 2)"),
)

theorems = (
    Decides("recognises", "accepts exactly the words that are not empty"),
    ClosedForm(FIRST, name="first coordinate"),
    ClosedForm(AS_PRINTED, name="first coordinate, as printed", expected="refuted"),
)
product = (
    Compares(">=", 4, where="n >= 1", name="4 or more"),
    Compares("==", 1, where="n >= 1", name="1, as printed", expected="refuted"),
)
