"""Formulas at numbers: what is false is false at some, and has been evaluated there exactly."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flint import fmpq

from weightproof.constructions.claims.formulas import Numbers
from weightproof.constructions.scalars.exact import Real, Undecided, enclosure
from weightproof.constructions.scalars.expressions import COMPARE, Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.quantities.outcome import NO_VALUE, Evaluated, Fails
from weightproof.proofs.quantities.told import Told, told

SAMPLES: Mapping[Numbers, tuple[fmpq, ...]] = {
    "real": (fmpq(1), fmpq(2), fmpq(0), fmpq(-1), fmpq(1, 2)),
    "positive": (fmpq(1, 100), fmpq(1), fmpq(2), fmpq(1, 2)),
    "fraction": (fmpq(1, 4), fmpq(1, 2), fmpq(1), fmpq(0)),
    "integer": tuple(map(fmpq, (0, 1, 2, 3, 4, 5, -1, -2))),
    "natural": tuple(map(fmpq, range(1, 7))),
}
"""The numbers that are tried, in this order."""
MOST_COMBINATIONS = 20_000
"""Combinations of numbers that are tried."""


def tried(over: Mapping[str, Numbers]) -> Iterator[dict[str, Real]]:
    """Combinations of numbers, the first ones of each name first."""
    choices = [SAMPLES[kind] for kind in over.values()]
    for values in itertools.islice(itertools.product(*choices), MOST_COMBINATIONS):
        yield dict(zip(over, values, strict=True))


def is_true(says: Expression, names: dict[str, Real]) -> bool:
    """Whether a formula is true; ArithmeticError where it has no value."""
    return bool(evaluate(says, names) != 0)


def sides(says: Expression) -> tuple[Expression, str, Expression] | None:
    """The two sides of a comparison and what stands between them; None for any other formula."""
    match says.tree:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return Expression(ast.unparse(left)), COMPARE[type(op)], Expression(ast.unparse(right))
    return None


def refuted(says: Expression, names: dict[str, Real], shown: Mapping[str, Any] | None = None) -> Fails | None:
    """How a formula fails at these numbers; None where it does not, or where that is not decided.

    shown: what is told of the place, where it is not these numbers.
    """
    place = {name: written(value) for name, value in (names if shown is None else shown).items()}
    try:
        if is_true(says, names):
            return None
    except Undecided:
        return None
    except ArithmeticError:
        return Fails(told(NO_VALUE), Evaluated(says.source, "true", NO_VALUE, parameters=place))
    two = sides(says)
    if two is None:
        return Fails(told("it is false"), Evaluated(says.source, "true", "false", parameters=place))
    left, op, right = two
    wanted, found = (evaluate(side, names) for side in (right, left))
    printed = text(wanted) if op == "==" else f"{op} {text(wanted)}"
    return Fails(told_number(found), Evaluated(left.source, printed, text(found), parameters=place))


def told_number(value: Real) -> Told:
    return told(Expression(str(value)) if isinstance(value, fmpq) else text(value))


def written(value: Any) -> str:
    """A number, or the entries of a vector."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"({', '.join(map(written, value))})"
    return value if isinstance(value, str) else text(value)


def text(value: Real) -> str:
    """A rational number, or the first digits of a number."""
    return str(value) if isinstance(value, fmpq) else f"{enclosure(value).str(12, radius=False)}..."
