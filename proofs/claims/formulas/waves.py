"""Claims about cosines and sines: of angles, by their exponentials; of frequencies, by remainders."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from flint import fmpq

from weightproof.constructions.claims.formulas import Circular, Peak, Wave, Waves
from weightproof.proofs.claims.formulas.exactly import told_number
from weightproof.proofs.quantities.outcome import Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence

HOLDS = Holds("all angles", Evidence.CERTIFICATE.value)
Gaussian = tuple[fmpq, fmpq]
"""Real and imaginary part."""
Powers = tuple[int, ...]
"""The exponents of e^(i angle), for each angle."""
POINTS: tuple[Gaussian, ...] = tuple(
    ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in map(fmpq, (1, 2, 0, 3), (2, 3, 1, 4))
)
"""Cosine and sine of a few angles: rational points of the circle, by half the angle's tangent."""


def judge_circular(said: Circular) -> Outcome:
    """Sums of products of exponentials of angles are equal for all angles where their coefficients are; where these
    differ, they do at some angles, and rational cosines and sines show it."""
    names = sorted(
        {angle for side in (said.left, said.right) for _, product in side for wave in product for angle in wave.angles}
    )
    if _expanded(said.left, names) == _expanded(said.right, names):
        return HOLDS
    for points in itertools.product(POINTS, repeat=len(names)):
        at = dict(zip(names, points, strict=True))
        left, right = _value(said.left, at), _value(said.right, at)
        if left != right:
            place = {f"cos({name})": str(c) for name, (c, _) in at.items()}
            place |= {f"sin({name})": str(s) for name, (_, s) in at.items()}
            return Fails(told_number(left), Evaluated("the left side", str(right), str(left), parameters=place))
    return Open("they differ as polynomials in exponentials, but at none of a few angles")


def _times(a: Gaussian, b: Gaussian) -> Gaussian:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _expanded(waves: Waves, names: list[str]) -> dict[Powers, Gaussian]:
    """cos x = (e^(ix) + e^(-ix))/2, sin x = (e^(ix) - e^(-ix))/(2i)."""
    total: dict[Powers, Gaussian] = {}
    for coefficient, product in waves:
        found: dict[Powers, Gaussian] = {(0,) * len(names): (fmpq(coefficient), fmpq(0))}
        for wave in product:
            up = tuple(wave.angles.get(name, 0) for name in names)
            half = fmpq(1, 2)
            parts = ((up, (half, fmpq(0))), (tuple(-k for k in up), (half, fmpq(0))))
            if PROVER.of("wave", wave.function, {"cos": False, "sin": True}):
                parts = ((up, (fmpq(0), -half)), (tuple(-k for k in up), (fmpq(0), half)))
            grown: dict[Powers, Gaussian] = {}
            for (powers, value), (more, factor) in itertools.product(found.items(), parts):
                _add(grown, tuple(a + b for a, b in zip(powers, more, strict=True)), _times(value, factor))
            found = grown
        for powers, value in found.items():
            _add(total, powers, value)
    return {powers: value for powers, value in total.items() if value != (0, 0)}


def _add(total: dict[Powers, Gaussian], powers: Powers, value: Gaussian) -> None:
    before = total.get(powers, (fmpq(0), fmpq(0)))
    total[powers] = (before[0] + value[0], before[1] + value[1])


def _value(waves: Waves, at: Mapping[str, Gaussian]) -> fmpq:
    total = fmpq(0)
    for coefficient, product in waves:
        value = fmpq(coefficient)
        for wave in product:
            value *= _wave(wave, at)
        total += value
    return total


def _wave(wave: Wave, at: Mapping[str, Gaussian]) -> fmpq:
    """By turning the point (1, 0), once for every multiple of an angle."""
    point: Gaussian = (fmpq(1), fmpq(0))
    for name, times in wave.angles.items():
        c, s = at[name]
        for _ in range(abs(times)):
            point = _times(point, (c, s if times > 0 else -s))
    return PROVER.of("wave", wave.function, {"cos": point[0], "sin": point[1]})


def judge_peak(said: Peak) -> Outcome:
    """cos(2 pi k x/m) is 1 where m divides k x, and less elsewhere. So the sum is greatest at the multiples of m, and
    just there if no frequency alone has it elsewhere; k and x count by their remainders."""
    m = said.modulus
    for k in range(m):
        if k % m in said.without:
            continue
        for x in range(1, m):
            if k * x % m == 0:
                place = {"k": str(k or m), "x": str(x)}
                what = f"cos(2 pi k x/{m})"
                return Fails(told_number(fmpq(1)), Evaluated(what, "less than 1", "1", parameters=place))
    chosen = m - len({k % m for k in said.without})
    return Holds("all frequencies", Evidence.CERTIFICATE.value) if chosen else Open("there is no such frequency")
