"""How a failure length grows with the precision p of a format, u = 2^-p: a power of 1/u, or a multiple of p.

The law of a certificate is read off made-up formats; that of measured lengths off the few formats there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal

from weightproof.constructions.meaning.construction import Construction
from weightproof.numeric.certificate.certificate import ONE_BY_ONE, Margin, certifier, uniform_length
from weightproof.numeric.rounding.formats import FORMATS, Format

Point = tuple[int, int]
"""A precision p in bits, and a length."""

ASYMPTOTIC = range(29, 54, 8)
"""Precisions at which the law of a certificate is read off: smaller ones still show lower orders."""


@dataclass(frozen=True)
class Law:
    """power: length = constant * u^-rate. logarithm: length = constant + rate * p."""

    form: Literal["power", "logarithm"]
    rate: float

    def extended(self, precision: int, length: int, wanted: int) -> int:
        """The length at a wanted precision, given the one at another."""
        if self.form == "logarithm":
            return round(length + self.rate * (wanted - precision))
        return round(length * 2 ** (self.rate * (wanted - precision)))

    def __str__(self) -> str:
        if abs(self.rate) < 0.005:
            return "constant"
        return f"u^-{self.rate:.2f}" if self.form == "power" else f"{self.rate:.2f} log2(1/u)"


def fitted(points: Sequence[Point], form: Literal["power", "logarithm"] | None = None) -> Law | None:
    """The law that fits best by least squares, of the given form or of the better one; None for less than two points.

    Both forms are lines: in the logarithm of the length, and in the length itself. Their residuals are compared as
    shares of the length.
    """
    usable = [(p, length) for p, length in points if length > 0]
    if len({p for p, _ in usable}) < 2:
        return None
    if form is not None:
        return Law(form, _line(usable, form)[0])
    return min((Law(f, _line(usable, f)[0]) for f in ("power", "logarithm")), key=lambda law: _misfit(law, usable))


def _line(points: Sequence[Point], form: str) -> tuple[float, float]:
    """Slope and height, in the logarithm of the length or in the length."""
    return least_squares([(p, log2(length) if form == "power" else float(length)) for p, length in points])


def least_squares(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Slope and height of the line."""
    xs, ys = zip(*points, strict=True)
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a in xs)
    return slope, y - slope * x


def _misfit(law: Law, points: Sequence[Point]) -> float:
    slope, height = _line(points, law.form)
    drawn = [slope * p + height for p, _ in points]
    expected = [2**y if law.form == "power" else y for y in drawn]
    return sum((e / length - 1) ** 2 for e, (_, length) in zip(expected, points, strict=True))


def certified_points(
    construction: Construction,
    margins: Sequence[Margin],
    parameters: Mapping[str, object] | None = None,
    tolerance: object = 0,
) -> list[Point]:
    """The greatest numbers of positions certified in blocks in made-up formats, exponents ranging as in float64.

    From the first number of positions that the uniform bound certifies at all; precisions without one are left out.
    """
    points = []
    for precision in ASYMPTOTIC:
        format = Format(f"{precision} bits", precision, FORMATS["float64"].least, FORMATS["float64"].greatest)
        given = certifier(construction, margins, parameters, format, tolerance)
        start = next((n for n in range(1, ONE_BY_ONE + 3) if given.certifies(n, n)), None)
        if start is not None:
            points.append((precision, uniform_length(given, start)))
    return points
