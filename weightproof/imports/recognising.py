"""Short expressions near a floating-point number: 1/3, 1/sqrt(5), log(2)/2.

What is recognised is a guess, and stands in a list with its difference; it is made only where the user asks for it.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate

LARGEST_PART = 12
"""Numerators and denominators beside a root or a logarithm."""
WIDEST = 8
"""Roots beside a logarithm are of less."""
SIMPLE = 1 << 10
"""A dyadic number whose numerator and denominator are at most this is short as it is."""
NEAR = 2.0
"""Distances of neighbouring numbers of the format that a number and its expression may be apart, relative to it."""
LOOKED_UP = 8 * 2.0**-53
"""The relative error of a value in the table is less: a logarithm, within one distance of neighbours, a root and three
operations that are rounded make six eighths of it."""


@dataclass(frozen=True)
class Recognised:
    """A number of the module, the expression that stands for it, the number less the expression, and where it
    stands."""

    value: float
    expression: str
    difference: float
    place: str


def recognised(value: float, precision: float, place: str) -> Recognised | None:
    """The shortest expression within NEAR distances of neighbours of a number; None where there is none, or where the
    number is short itself. precision: that distance, relative to the number."""
    exact = Fraction(value)
    if max(abs(exact.numerator), exact.denominator) <= SIMPLE:
        return None
    size, room, table = abs(value), NEAR * precision * abs(value), _table()
    window = room + LOOKED_UP * size
    start = bisect_left(table, (size - window, ""))
    found = []
    for near, text in table[start:]:
        if near > size + window:
            break
        beyond = arb(fmpq(abs(exact.numerator), exact.denominator)) - ball(evaluate(Expression(text), {}))
        if abs(beyond) <= room:
            found.append((len(text), abs(float(beyond.mid())), text, float(beyond.mid())))
    if not found:
        return None
    _, _, text, apart = min(found)
    return Recognised(value, f"-{text}" if value < 0 else text, -apart if value < 0 else apart, place)


@functools.cache
def _table() -> list[tuple[float, str]]:
    """All expressions with their values, in order: fractions, powers of ten, fractions of roots, of logarithms, and of
    their products, as a scale makes them that is folded into a weight."""
    found: dict[str, float] = {}
    for q in range(1, 101):
        for p in range(1, 101):
            if math.gcd(p, q) == 1:
                found[_text(p, q, "")] = p / q
    found |= {f"1/{10**power}": float(Fraction(1, 10**power)) for power in range(3, 13)}
    roots = {f"sqrt({k})": math.sqrt(k) for k in range(2, 67) if all(k % (f * f) for f in range(2, 9))}
    logarithms = {f"log({k})": math.log(k) for k in (2, 3, 5, 6, 7, 10)}  # of no powers: log(8) is 3*log(2)
    folded = {
        f"{root}*{name}": size * value
        for root, size in roots.items()
        for name, value in logarithms.items()
        if size < math.sqrt(WIDEST)
    }
    for name, value in (roots | logarithms | folded).items():
        for q in range(1, LARGEST_PART + 1):
            for p in range(1, LARGEST_PART + 1):
                if math.gcd(p, q) == 1:
                    found[_text(p, q, name)] = p * value / q
                    if name not in folded:
                        found[_under(p, q, name)] = p / (q * value)
    return sorted((value, text) for text, value in found.items())


def _text(p: int, q: int, factor: str) -> str:
    over = factor if factor and p == 1 else f"{p}*{factor}" if factor else str(p)
    return over if q == 1 else f"{over}/{q}"


def _under(p: int, q: int, factor: str) -> str:
    return f"{p}/{factor}" if q == 1 else f"{p}/({q}*{factor})"
