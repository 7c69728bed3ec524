"""Scalars that are constant once the width and the parameters are known: they have a value, and one of a length that
can be worked with."""

from __future__ import annotations

from collections.abc import Mapping

from constructions.exact import Irrational, Real, Undecided, evaluate, sign
from constructions.expressions import Expression, quoted

Known = Mapping[str, Real | None]
"""Names that a scalar may use, with their values: the width, and the parameters at their defaults; None where there is
none, as for positions."""
MOST_DIGITS = 1_000
"""Of each integer that stands in a value."""


def problem(scalar: Expression, known: Known) -> str | None:
    """What is wrong with the value of a scalar; None where nothing is, or where not all of its names have a value."""
    values = {name: value for name in scalar.names if (value := known.get(name)) is not None}
    if len(values) < len(scalar.names):
        return None
    where = "".join(
        f" at {name} = {value}" for name, value in sorted(values.items()) if not isinstance(value, Irrational)
    )
    try:
        digits = _longest(evaluate(scalar, values)) * 3 // 10
    except Undecided:  # of a divisor, say: no reason to refuse it
        return None
    except ZeroDivisionError:
        return f"{quoted(scalar.source)} has no value{where}: division by zero"
    except ArithmeticError as error:
        return f"{quoted(scalar.source)} has no value{where}: {error}"
    if digits > MOST_DIGITS:
        return f"{quoted(scalar.source)} is a number of some {digits} digits{where}; at most {MOST_DIGITS} are read"
    return None


def is_negative(scalar: Expression, known: Known) -> bool:
    """Whether a scalar without a `problem` is certain to be negative."""
    if any(known.get(name) is None for name in scalar.names):
        return False
    try:
        return sign(evaluate(scalar, {name: value for name in scalar.names if (value := known[name]) is not None})) < 0
    except Undecided:
        return False


def _longest(value: Real) -> int:
    """The bits of the longest integer in a value."""
    if not isinstance(value, Irrational):
        return int(max(value.p.bit_length(), value.q.bit_length()))
    found = [0]
    for monomial, coefficient in (*value.numerator, *value.denominator):
        found.append(_longest(coefficient))
        for generator, exponent in monomial:
            found.append(exponent.bit_length() if isinstance(exponent, int) else _longest(exponent))
            found.append(_longest(generator.argument))
    return max(found)
