"""What can be stated of networks that add, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from flint import fmpq

from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.frozen import Written
from weightproof.constructions.scalars.grammar import expression
from weightproof.proofs.prover import Obligation, Shown
from weightproof.proofs.solving.polynomials import EVERYWHERE, Fact, script
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial, Region


class Frequencies(StrEnum):
    """Of which networks a theorem speaks."""

    ONE = "one frequency, coprime to p"
    SEVERAL = "any set of frequencies without a divisor in common with p"
    ALL = "the frequencies 1 to p-1"
    ANY = "any one frequency from 1 to p-1"


Expected = Literal["proved", "refuted"]


@dataclass(frozen=True)
class Holds:
    """A coordinate behind the last layer, at the position that is read, or where it is empty the output c, is such a
    function of a, b, c, k and p, with one frequency that is any number."""

    name: str
    coordinate: str
    equals: Written[Expression] = Written(expression)

    odd = False
    frequencies = Frequencies.ONE
    expected: Expected = "proved"

    @property
    def statement(self) -> str:
        what = repr(self.coordinate) if self.coordinate else "the output c"
        return f"{what} is {self.equals} for all p, k, a and b"


@dataclass(frozen=True)
class Predicts:
    """The output (a + b) mod p is greater than all others, for all a and b; odd: for odd p alone."""

    name: str
    frequencies: Frequencies
    odd: bool = False
    expected: Expected = "proved"

    @property
    def statement(self) -> str:
        return f"the argmax is (a + b) mod p, alone, for {_moduli(self.odd)}, all a and b, and {self.frequencies.value}"


@dataclass(frozen=True)
class Gap:
    """The least difference of the output (a + b) mod p and the greatest other one, over all a and b, is a function of
    p."""

    name: str
    frequencies: Frequencies
    equals: Written[Expression] = Written(expression)
    odd: bool = False
    expected: Expected = "proved"

    @property
    def statement(self) -> str:
        least = "the least difference of the greatest output and the next one is"
        return f"{least} {self.equals} for {_moduli(self.odd)} and {self.frequencies.value}"


def _moduli(odd: bool) -> str:
    return "every odd p >= 3" if odd else "every p >= 2"


Theorem = Holds | Predicts | Gap


def linear(terms: Iterable[tuple[object, fmpq]]) -> Polynomial:
    """A sum of numbers times what is linearly independent, of which nothing more is known; "" stands for 1. Underivable
    where two terms are written alike."""
    found = [((f"{term}",) if f"{term}" else (), x) for term, x in terms]
    known: dict[tuple[str, ...], fmpq] = dict(found)
    if len(known) < len(found):
        raise Underivable("two terms are written alike")
    return Polynomial.of(known)


Facts = Iterable[Fact]


@dataclass(frozen=True)
class Equal:
    """What is derived, and what it is said to be; of: its name in a message."""

    found: Any
    wanted: Any
    of: str = "it"

    @property
    def gap(self) -> str | None:
        return None if self.found == self.wanted else f"{self.of} is {self.found}, not {self.wanted}"


def required(
    name: str,
    shown: Callable[[], Shown],
    facts: Callable[[], Facts] | None = None,
    region: Region = EVERYWHERE,
) -> Obligation:
    """An obligation by what is looked at; open, too, where that raises Underivable. facts: what it says of the atoms of
    a region, where it speaks of any."""

    def gap() -> object | None:
        try:
            return shown().gap
        except Underivable as error:
            return str(error)

    smt = None if facts is None else lambda: script(name, region, facts(), gap() is None)
    return Obligation(name, gap, smt, shown)
