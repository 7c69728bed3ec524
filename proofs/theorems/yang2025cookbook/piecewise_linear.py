"""A piecewise linear function of how many more 1s there are than 0s, piece by piece, for every word."""

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.proofs.theorem import ClosedForm, Decides, Expected

RECOGNISES = "accepts exactly where f of how many more 1s there are is above 0"
X = "(count('1') - count('0'))"
PIECES = {
    "first piece": (f"(2*{X} + 1)/n", f"{X} <= 0"),
    "second piece": (f"(1 - 2*{X})/n", f"{X} >= 0 and {X} <= 2"),
    "third piece": (f"({X} - 5)/n", f"{X} >= 2"),
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


theorems = (Decides("recognises", RECOGNISES), *pieces())
as_first_printed = (Decides("recognises", RECOGNISES, expected="refuted"), *pieces("refuted"))
