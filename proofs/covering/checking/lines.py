"""An activation between two numbers, in balls: a straight line, and how far from that it can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flint import arb

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.interpreter import gelu, sigmoid
from weightproof.constructions.meaning.schema import Activation
from weightproof.proofs.covering.checking.sets import Uncovered
from weightproof.proofs.covering.scope import NotCovered

CHECK = Choices("the check of a certificate", NotCovered)
Line = tuple[arb, arb, arb]
"""slope, least, most: from low to high, least <= f(x) - slope x <= most."""
Bound = Callable[[arb, arb], Line]
FAR, NEARLY, PIECES = arb(40), arb("1e-15"), 64
"""From |x| = FAR on a smooth activation is nearer than NEARLY to its asymptote: 1 - tanh(x) is at most 2 e^-2x,
1 - s(x) and s(-x) at most e^-x with s the sigmoid, and silu and gelu are off by at most x e^-x."""


def line(activation: Activation, low: arb, high: arb) -> Line:
    """Of an activation from low to high, which are no balls but numbers. NotCovered for one that is not known here."""
    return CHECK.of("activation", activation, LINES)(low, high)


def least_of(numbers: Iterable[arb]) -> arb:
    """No more than any of them; Uncovered where one is not known."""
    ends = [x.lower() for x in numbers]
    if not all(end.is_finite() for end in ends):
        raise Uncovered("a number that is not finite")
    return min(ends, key=lambda x: x)


def most_of(numbers: Iterable[arb]) -> arb:
    return -least_of(-x for x in numbers)


def _piecewise(f: Callable[[arb], arb], *corners: int) -> Bound:
    """Of a continuous function that is straight between its corners: what it is off from a line is greatest, and least,
    at ends and corners."""

    def bound(low: arb, high: arb) -> Line:
        inner = [arb(corner) for corner in corners if low < corner < high]
        slope = ((f(high) - f(low)) / (high - low)).mid() if high > low else arb(0)
        if high > low and not inner:
            slope = arb(round(float(slope)))  # what it is there, a whole number
        away = [f(x) - slope * x for x in (low, *inner, high)]
        return slope, least_of(away), most_of(away)

    return bound


def _step(low: arb, high: arb) -> Line:
    return arb(0), arb(int(low > 0)), arb(int(not high <= 0))


def _square(low: arb, high: arb) -> Line:
    """x^2 less the chord is 0 or less between the ends, and least halfway between the two."""
    slope = low + high
    return slope, least_of([-slope * slope / 4]), most_of([low * low - slope * low, high * high - slope * high])


def _smooth(f: Callable[[arb], arb], curvature: str, rises: bool, below: int) -> Bound:
    """Of a function whose second derivative is nowhere greater than the curvature, in absolute value: between two
    points it is off from the line through its values there by at most curvature * distance^2 / 8. Far to the left it is
    near to `below`, far to the right to x, where it `rises`, and else to 1."""

    def bound(low: arb, high: arb) -> Line:
        a, b = (max(-FAR, min(FAR, x)) for x in (low, high))
        width = b - a
        slope = arb(int(rises and low >= FAR))
        if width > 1e-9:
            slope = ((f(b) - f(a)) / width).mid()
        beside = arb(curvature) * (width / PIECES) ** 2 / 8
        known = [(x, f(x), beside) for x in (a + width * k / PIECES for k in range(PIECES + 1))]
        if low < -FAR:
            known += [(x, arb(below), NEARLY) for x in (low, min(high, -FAR))]
        if high > FAR:
            known += [(x, x if rises else arb(1), NEARLY) for x in (max(low, FAR), high)]
        off = [(y - slope * x, size) for x, y, size in known]
        return slope, least_of(x - size for x, size in off), most_of(x + size for x, size in off)

    return bound


LINES: dict[str, Bound] = {
    "relu": _piecewise(lambda x: max(x, arb(0)), 0),
    "saturated-linear": _piecewise(lambda x: max(arb(0), min(arb(1), x)), 0, 1),
    "identity": _piecewise(lambda x: x),
    "abs": _piecewise(abs, 0),
    "step": _step,
    "square": _square,
    # |tanh''| is at most 4/(3 sqrt(3)), |s''| at most 1/(6 sqrt(3)), |silu''| at most 1/2, |gelu''| at most
    # 2/sqrt(2 pi): where that comes from stands in `bounds`.
    "tanh": _smooth(arb.tanh, "0.77", rises=False, below=-1),
    "sigmoid": _smooth(sigmoid, "0.0963", rises=False, below=0),
    "silu": _smooth(lambda x: x * sigmoid(x), "0.5", rises=True, below=0),
    "gelu": _smooth(gelu, "0.798", rises=True, below=0),
}
SLOPES: dict[Activation, tuple[str, str]] = {
    "relu": ("0", "1"),
    "saturated-linear": ("0", "1"),
    "identity": ("1", "1"),
    "abs": ("-1", "1"),
    "tanh": ("0", "1"),
    "sigmoid": ("0", "0.25"),
    "silu": ("-0.1", "1.1"),
    "gelu": ("-0.13", "1.13"),
}
"""Between which numbers (f(x) - f(y))/(x - y) lies, whatever x and y are: where that comes from stands in `bounds`."""
