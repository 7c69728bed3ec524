"""Verdicts on feed-forward networks of threshold units that count, one for each length: proved for a unit whose number
is a name, or refuted by a word.

The input is bits, so that the sum of w x_i is w k, where k is how many of them are 1; unit j, which adds x - w j to it,
is positive iff j < k + x/w, and that is j <= k where 0 < x/w <= 1: j and k are whole numbers. So the units 1 to k are
1, and the second layer is the sum of their weights, which telescopes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flint import fmpq

from weightproof.constructions.languages.samples import words
from weightproof.constructions.modular.counting import UNIT, Counted, Counter, Units, count, counter, odd
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.modular.stated import Equal, Facts, required
from weightproof.proofs.prover import Decided, Obligations, settle
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.modular.alternating import Alternating, is_sum, read, telescoped
from weightproof.symbolic.simulation.polynomial import Polynomial, Region

CHECKED, SEARCHED = 6, 8
"""Lengths of which every word is run before a proof counts, and to refute."""
FIRST_ODD = Alternating.of([((0, 0), fmpq(1, 2)), ((0, 1), fmpq(-1, 2))])
"""[j is odd]."""


@dataclass(frozen=True)
class Compares:
    """Of the first layer."""

    name: str
    statement: str


@dataclass(frozen=True)
class Sums:
    """Of the second layer without its bias."""

    name: str
    statement: str


@dataclass(frozen=True)
class Decides:
    """Of the whole network."""

    name: str
    statement: str


Theorem = Compares | Sums | Decides


def decide(units: Units, theorem: Theorem, deadline: Deadline | None = None) -> Decided:
    """For words of every length."""
    checks = obligations(units, theorem)
    return settle(checks, lambda: fails(units, theorem, SEARCHED), lambda: fails(units, theorem, CHECKED), deadline)


def obligations(units: Units, theorem: Theorem) -> Obligations:
    """What there is to show."""
    yield required("every input has the same positive weight", lambda: Slope(read(units.W_1, UNIT)))
    yield required("unit j is 1 iff j <= k", lambda: _threshold(units), lambda: _both_sides(units), WHOLE)
    if isinstance(theorem, Compares):
        return
    summing = partial(_summing, units)
    yield required("the sum of the second weights telescopes", summing, lambda: _telescopes(units))
    if isinstance(theorem, Sums):
        odd_ones = partial(Equal, wanted=FIRST_ODD, of="the sum of the second weights")
        yield required("it is [k is odd]", lambda: odd_ones(summed(units)), lambda: _zero(summed(units) - FIRST_ODD))
    else:
        yield required("above 0 for odd k, and not above for even k", lambda: _signs(units))


@dataclass(frozen=True)
class Slope:
    """The weight of every input in every unit, a function of the number of the unit."""

    weight: Alternating

    @property
    def gap(self) -> str | None:
        w = self.weight.constant
        return (
            None if w is not None and w > 0 else f"the weight {self.weight} is not the same positive number everywhere"
        )


@dataclass(frozen=True)
class Threshold:
    """Unit j is positive where w k + x + y j is, of the weight w and the bias x + y j."""

    w: fmpq
    x: fmpq
    y: fmpq
    bias: Expression

    @property
    def gap(self) -> str | None:
        if self.y != -self.w or not 0 < self.x / self.w <= 1:
            return f"a bias of {self.bias} beside {self.w} k is not positive just where j <= k"
        return None


@dataclass(frozen=True)
class Summed:
    """The second weight of unit j, and the sum of those of the units 1 to j."""

    weight: Alternating
    total: Alternating

    @property
    def gap(self) -> str | None:
        return None if is_sum(self.total, self.weight) else f"{self.total} is not the sum of {self.weight}"


@dataclass(frozen=True)
class Signs:
    """The sum of the second weights of k units, and the bias that is added: the output."""

    total: Alternating
    bias: fmpq

    @property
    def gap(self) -> str | None:
        """The sum is some constant times [k is odd]: its values are those at 0 and at 1."""
        if self.total != Alternating.number(self.total.at(1)) * FIRST_ODD:
            return f"the sum of the second weights is {self.total}"
        if not (self.odd > 0 and self.bias <= 0):
            return f"for odd k the output is {self.odd}, for even k {self.bias}"
        return None

    @property
    def odd(self) -> fmpq:
        """The output for odd k; for even k it is the bias."""
        return self.total.at(1) + self.bias


AHEAD, BEHIND = map(Polynomial.atom, ("k - j, where that is 0 or more", "j - k - 1, where that is 0 or more"))
WHOLE = Region(not_negative=AHEAD.atoms | BEHIND.atoms)


def _both_sides(units: Units) -> Facts:
    """A unit is positive where k - j >= 0, and is not where it is at most -1."""
    w, affine = slope(units), read(units.b_1, UNIT).affine
    if affine is None:
        raise Underivable(f"the bias {units.b_1} is not affine")
    x, slope_of_j = (Polynomial.number(each) for each in affine)
    j, weight = Polynomial.atom("j"), Polynomial.number(w)
    at_least, less = (weight * (j + d) + slope_of_j * j + x for d in (AHEAD, Polynomial.number(-1) - BEHIND))
    yield ">", at_least
    yield ">=", Polynomial() - less


def _telescopes(units: Units) -> Facts:
    total = summed(units)
    yield from _zero(total - total.before() - read(units.W_2, UNIT))


def _zero(of: Alternating) -> Facts:
    """Whatever j and (-1)^j are."""
    yield "=", Polynomial.of({("(-1)^j",) * sign + ("j",) * degree: x for (degree, sign), x in of.terms})


def slope(units: Units) -> fmpq:
    """The weight w of every input in every unit."""
    w = read(units.W_1, UNIT).constant
    if w is None or w <= 0:
        raise Underivable(f"the weight {units.W_1} is not the same positive number everywhere")
    return w


def _threshold(units: Units) -> Threshold:
    w, affine = slope(units), read(units.b_1, UNIT).affine
    if affine is None:
        raise Underivable(f"a bias of {units.b_1} beside {w} k is not positive just where j <= k")
    return Threshold(w, *affine, units.b_1)


def _summing(units: Units) -> Summed:
    return Summed(read(units.W_2, UNIT), summed(units))


def summed(units: Units) -> Alternating:
    """The sum of the second weights of the units 1 to j."""
    return telescoped(read(units.W_2, UNIT))


def _signs(units: Units) -> Signs:
    total, bias = summed(units), read(units.b_2, UNIT).constant
    if bias is None:
        raise Underivable(f"the bias {units.b_2} is no number")
    return Signs(total, bias)


def fails(units: Units, theorem: Theorem, longest: int) -> Counterexample | None:
    """The shortest word on which it does not hold."""
    for n in range(1, longest + 1):
        if (found := fails_at(counter(units, n), theorem)) is not None:
            return found
    return None


def fails_at(of: Counter, theorem: Theorem) -> Counterexample | None:
    """The same of the words of one length, all of them."""
    for word in words("01", of.n, of.n):
        made = count(of, word)
        note = _wrong(of, theorem, word, made)
        if note is not None:
            return Counterexample(of.name, word, {}, odd(word) == 1, made.y == 1, str(made.logit), note)
    return None


def _wrong(of: Counter, theorem: Theorem, word: str, made: Counted) -> str | None:
    """What is wrong on a word; "" where the note says no more than the decision."""
    k = word.count("1")
    match theorem:
        case Compares():
            for j, unit in enumerate(made.units.values(), start=1):
                if unit != int(k >= j):
                    return f"unit {j} is {unit}, not {int(k >= j)}"
            return None
        case Sums():
            total = made.logit - _number(of.network.second.bias["logit"])
            return None if total == odd(word) else f"the units make {total}, not {odd(word)}"
        case Decides():
            return None if made.y == odd(word) else ""
    PROVER.refuse("theorem", theorem)


def _number(weight: Expression) -> fmpq:
    return read(weight, UNIT).at(0)
