"""Sums of waves e^(i pi x) with rational coefficients, where x is a formal phase: exact, and without SymPy.

A phase is a sum of rational multiples of products of names and their inverses, as 2 a k/p. Products of waves add their
phases up, and e^(i pi) = -1; so an equality of two sums of waves is true whatever numbers the names stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any

from flint import fmpq

from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.expressions import Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.symbolic.algebra.vocabulary import Underivable

Powers = tuple[tuple[str, int], ...]
"""Name and exponent, in alphabetical order, none of them 0."""
HALF = fmpq(1, 2)


@dataclass(frozen=True)
class Phase:
    """terms: product of powers of names, and its coefficient, none of them 0, in order."""

    terms: tuple[tuple[Powers, fmpq], ...] = ()

    @staticmethod
    def of(terms: Iterable[tuple[Powers, fmpq]]) -> Phase:
        found: dict[Powers, fmpq] = {}
        for powers, x in terms:
            found[powers] = found.get(powers, fmpq(0)) + x
        return Phase(tuple(sorted((powers, x) for powers, x in found.items() if x != 0)))

    @staticmethod
    def number(value: fmpq | int) -> Phase:
        return Phase.of([((), fmpq(value))])

    @staticmethod
    def name(name: str) -> Phase:
        return Phase.of([(((name, 1),), fmpq(1))])

    def __add__(self, other: Phase) -> Phase:
        return Phase.of((*self.terms, *other.terms))

    def __neg__(self) -> Phase:
        return Phase.of((powers, -x) for powers, x in self.terms)

    def __sub__(self, other: Phase) -> Phase:
        return self + -other

    def __mul__(self, other: Phase) -> Phase:
        return Phase.of((_product(left, right), x * y) for left, x in self.terms for right, y in other.terms)

    def __truediv__(self, other: Phase) -> Phase:
        if len(other.terms) != 1:
            raise Underivable(f"division by {other}, which is no product")
        [(powers, x)] = other.terms
        return self * Phase.of([(tuple((name, -exponent) for name, exponent in powers), 1 / x)])

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for powers, _ in self.terms for name, _ in powers)

    def among(self, name: str) -> Phase:
        """Its terms with that name."""
        return Phase(tuple((powers, x) for powers, x in self.terms if any(each == name for each, _ in powers)))

    @property
    def factored(self) -> tuple[tuple[Powers, fmpq], Phase]:
        """A term, and a phase, of which it is the product: the term is made of what all of its terms have in common."""
        names = sorted(self.names)
        least = {name: min(dict(powers).get(name, 0) for powers, _ in self.terms) for name in names}
        common = tuple((name, exponent) for name, exponent in least.items() if exponent)
        above = gcd(*(int(x.p) for _, x in self.terms))
        below = lcm(*(int(x.q) for _, x in self.terms))
        factor = fmpq(above or 1, below)
        return (common, factor), self / Phase(((common, factor),))

    def __str__(self) -> str:
        """The phase as it stands before pi: 2*k*(a + b - c)/p."""
        (powers, x), rest = self.factored
        if len(rest.terms) == 1:
            return _fraction(self.terms[0][1], self.terms[0][0], "")
        return _fraction(x, powers, _sum((y, _fraction(fmpq(1), inner, "")) for inner, y in rest.terms))


def _fraction(x: fmpq, powers: Powers, inner: str) -> str:
    above = [name for name, exponent in powers for _ in range(exponent)]
    below = [name for name, exponent in powers for _ in range(-exponent)]
    factors = [*above, *([f"({inner})"] if inner else [])]
    number = "" if abs(x.p) == 1 and factors else str(abs(x.p))
    divisor = "".join(f"/{each}" for each in (*below, *([str(x.q)] if x.q != 1 else [])))
    return ("-" if x < 0 else "") + "*".join(filter(None, (number, *factors))) + divisor


def _product(left: Powers, right: Powers) -> Powers:
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted((name, exponent) for name, exponent in exponents.items() if exponent))


def _sum(terms: Iterable[tuple[fmpq, str]]) -> str:
    parts = []
    for x, text in terms:
        shown = "" if text == "1" else text
        sign = "-" if x == -1 and shown else "" if x == 1 and shown else f"{x}*" if shown else str(x)
        parts.append(sign + shown)
    return " + ".join(parts).replace("+ -", "- ") or "0"


STEPS_A_TERM = 3
"""Of counted work, for each term of a product."""


@dataclass(frozen=True)
class Waves:
    """terms: phase x, without a rational part outside [0, 1), and the coefficient of e^(i pi x), none of them 0."""

    terms: tuple[tuple[Phase, fmpq], ...] = ()

    @staticmethod
    def of(terms: Iterable[tuple[Phase, fmpq]]) -> Waves:
        found: dict[Phase, fmpq] = {}
        for phase, x in terms:
            shift = dict(phase.terms).get((), fmpq(0))
            whole = int(shift.p // shift.q)
            place = phase - Phase.number(whole)
            found[place] = found.get(place, fmpq(0)) + (-x if whole % 2 else x)
        return Waves(tuple(sorted(((p, x) for p, x in found.items() if x != 0), key=lambda term: term[0].terms)))

    @staticmethod
    def number(value: fmpq | int) -> Waves:
        return Waves.of([(Phase(), fmpq(value))])

    @staticmethod
    def wave(phase: Phase) -> Waves:
        """e^(i pi x)."""
        return Waves.of([(phase, fmpq(1))])

    def __add__(self, other: Waves) -> Waves:
        return Waves.of((*self.terms, *other.terms))

    def __neg__(self) -> Waves:
        return Waves.of((phase, -x) for phase, x in self.terms)

    def __sub__(self, other: Waves) -> Waves:
        return self + -other

    def __mul__(self, other: Waves) -> Waves:
        work.spend(STEPS_A_TERM * (1 + len(self.terms) * len(other.terms)))
        return Waves.of((left + right, x * y) for left, x in self.terms for right, y in other.terms)

    @property
    def constant(self) -> fmpq | None:
        """Its value, where it is a rational number in this form."""
        known = dict(self.terms)
        return known.get(Phase(), fmpq(0)) if known.keys() <= {Phase()} else None

    def with_name(self, name: str) -> Waves:
        """The waves whose phases have a name."""
        return Waves(tuple((phase, x) for phase, x in self.terms if name in phase.names))

    @property
    def parts(self) -> tuple[tuple[fmpq, str, Phase], ...]:
        """Coefficient, "cos", "sin", "exp" for a wave alone or "" for a number, and phase, of which it is the sum."""
        rest, parts = self, []
        while rest.terms:
            phase, x = rest.terms[-1]
            shift = dict(phase.terms).get((), fmpq(0))
            bare = phase - Phase.number(HALF) if shift == HALF else phase
            factor, function, made = (-2 * x, "sin", sin(bare)) if shift == HALF else (2 * x, "cos", cos(phase))
            less = rest - Waves.number(factor) * made
            if not phase.terms:
                factor, function, less = x, "", rest - Waves.number(x)
            elif len(less.terms) != len(rest.terms) - 2:
                factor, function, bare, less = x, "exp", phase, rest - Waves.of([(phase, x)])
            leading = bare.terms[0][1] if bare.terms else fmpq(1)
            if leading < 0 and function in ("cos", "sin"):  # the first residue stands with a plus
                factor, bare = (-factor if function == "sin" else factor), -bare
            parts.append((factor, function, bare))
            rest = less
        return tuple(reversed(parts))

    def __str__(self) -> str:
        return _sum((x, _function(function, phase)) for x, function, phase in self.parts)


def _function(function: str, phase: Phase) -> str:
    if not function:
        return ""
    inside = f"i*pi*{phase}" if function == "exp" else _times_pi(phase)
    return f"{function}({inside})"


def _times_pi(phase: Phase) -> str:
    """2*pi*k*(a + b - c)/p."""
    text = str(phase)
    number = re.match(r"-?\d+(?=[*/]|$)", text)
    return f"{number[0]}*pi{text[number.end() :]}" if number else f"pi*{text}"


def cos(phase: Phase) -> Waves:
    """cos(pi x)."""
    return Waves.of([(phase, HALF), (-phase, HALF)])


def sin(phase: Phase) -> Waves:
    """sin(pi x) = cos(pi (x - 1/2))."""
    return cos(phase - Phase.number(HALF))


@dataclass(frozen=True)
class _Read:
    """A number that is being read: a phase, or waves."""

    value: Phase | Waves

    @property
    def waves(self) -> Waves:
        if isinstance(self.value, Waves):
            return self.value
        if self.value.names:
            raise Underivable(f"{self.value} stands outside a cosine")
        return Waves.of([(Phase(), x) for _, x in self.value.terms])

    def _with(self, other: _Read, operation: str) -> _Read:
        if isinstance(self.value, Phase) and isinstance(other.value, Phase):
            return _Read(getattr(self.value, operation)(other.value))
        if operation != "__truediv__":
            return _Read(getattr(self.waves, operation)(other.waves))
        divisor = other.waves.constant
        if divisor is None or divisor == 0:
            raise Underivable(f"division by {other.value}")
        return _Read(self.waves * Waves.number(1 / divisor))

    def __add__(self, other: _Read) -> _Read:
        return self._with(other, "__add__")

    def __sub__(self, other: _Read) -> _Read:
        return self._with(other, "__sub__")

    def __mul__(self, other: _Read) -> _Read:
        return self._with(other, "__mul__")

    def __truediv__(self, other: _Read) -> _Read:
        return self._with(other, "__truediv__")

    def __neg__(self) -> _Read:
        return _Read(-self.value)


def read(weight: Expression, names: Mapping[str, int] | None = None) -> Waves:
    """What a weight stands for, its names any numbers, but for those that are given; Underivable where it is no sum of
    waves."""
    return _read(weight, names or {}).waves


def read_phase(scalar: Expression) -> Phase:
    """A scalar without waves, its names any numbers."""
    found = _read(scalar, {}).value
    if not isinstance(found, Phase):
        raise Underivable(f"{scalar} has waves")
    return found


def _read(weight: Expression, known: Mapping[str, int]) -> _Read:

    def function(which: str, argument: _Read) -> _Read:
        if which not in ("cospi", "sinpi") or not isinstance(argument.value, Phase):
            raise Underivable(f"{which} of {argument.value} is no sum of waves")
        return _Read((cos if which == "cospi" else sin)(argument.value))

    def refused(*_: Any) -> Any:
        raise Underivable(f"{weight} is no sum of waves")

    def power(base: _Read, exponent: _Read) -> _Read:
        times = exponent.waves.constant
        if times is None or times.q != 1 or not 0 <= times <= 8:
            return refused()
        result = _Read(Phase.number(1))
        for _ in range(int(times.p)):
            result = result * base
        return result

    meaning = meaning_of_part(
        refused,
        number=lambda value: _Read(Phase.number(value)),
        name=lambda name: _Read(Phase.number(known[name]) if name in known else Phase.name(name)),
        function=function,
        power=power,
    )
    found: _Read = fold(weight.tree, meaning)
    return found
