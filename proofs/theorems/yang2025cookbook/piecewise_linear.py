"""A piecewise linear function of how many 1s there are, piece by piece, for every word."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Compares, Decides, Expected

RECOGNISES = "accepts exactly where f of the number of 1s is above 0"
PIECES = {
    "first piece": ("(2*count('1') - 3)/n", "count('1') >= 1 and count('1') <= 2"),
    "second piece": ("(5 - 2*count('1'))/n", "count('1') >= 2 and count('1') <= 4"),
    "third piece": ("(count('1') - 7)/n", "count('1') >= 4"),
}


def pieces(expected: Expected = "proved") -> tuple[ClosedForm, ...]:
    """f over n, between two points and beyond the last ones."""
    printed = r"$y_k + m_k (x - x_k)$ for $x_k \le x \le x_{k+1}$"
    return tuple(
        ClosedForm(
            Published(
                f"cookbook/{name}",
                "chapter 3, Continuous Piecewise Linear Functions",
                printed,
                Value(Logit(), equals, when=when),
            ),
            name=name,
            expected=expected,
        )
        for name, (equals, when) in PIECES.items()
    )


theorems = (
    Decides("recognises", RECOGNISES),
    *pieces(),
    Compares("==", "-3/n", where="count('1') == 0", name="first piece at 0"),
)
as_first_printed = (Decides("recognises", RECOGNISES, expected="refuted"), *pieces("refuted"))
