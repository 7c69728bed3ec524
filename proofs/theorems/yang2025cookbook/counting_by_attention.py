"""What uniform attention finds, for every word."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Stream, Value
from weightproof.proofs.theorem import ClosedForm, Decides

PLACE = "chapter 5, No Positional Encoding"
theorems = (
    Decides("recognises", "accepts exactly the words with more 1s than 0s"),
    ClosedForm(
        Published("cookbook/count", PLACE, "$C/(i + 1)$", Value(Stream("#1/(i+1)", 1), "count('1', i)/(i + 1)")),
        name="#1/(i+1) at position i",
    ),
    ClosedForm(
        Published("cookbook/1/(i+1)", PLACE, "$1/(i + 1)$", Value(Stream("1/(i+1)", 1), "1/(i + 1)")),
        name="1/(i+1) at position i",
    ),
)
inverse_length = (
    Decides("recognises", "accepts every word"),
    ClosedForm(Published("cookbook/1/n", PLACE, "$1/n$", Value(Stream("x", 1), "1/n")), name="1/n at position i"),
    ClosedForm(
        Published("cookbook/i/n", PLACE, "$i/n$", Value(Stream("x", 1), "i/n")),
        name="i/n at position i, as printed",
        expected="refuted",
    ),
)
