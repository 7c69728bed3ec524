"""Verdicts on networks that add modulo p: proved of the one whose numbers are names, or refuted by one with numbers.

Members of a `Family` are that one with numbers in the place of names, and nothing else: what is proved of it is true of
all. Any other function may make another network of a number than of a name, and none is proved of it.

Everything that is asked is an equality of sums of waves, or of rational numbers, and settled by exact arithmetic. Where
an obligation stays open, the networks of small moduli are run on all residues; and so are, before a verdict `proved`,
those of the moduli up to CHECKED: a difference there is an internal error, no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from weightproof.constructions.meaning.running import Prediction
from weightproof.constructions.modular.addition import OUTPUT, SUMMANDS, Makes
from weightproof.constructions.modular.family import Family, every_modulus
from weightproof.constructions.scalars.exact import Real
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.modular.instances import misread, other_gap, other_value
from weightproof.proofs.modular.stated import Equal, Facts, Frequencies, Gap, Holds, Predicts, Theorem, linear, required
from weightproof.proofs.prover import Decided, Obligations, settle
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.modular.adding import Pass, forward
from weightproof.symbolic.modular.rotations import Rotation, rotation, rotations
from weightproof.symbolic.modular.waves import Phase, Waves, read, read_phase
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, interval

CHECKED, SEARCHED = 5, 12
"""Moduli up to which networks are run before a proof counts, and to refute."""


def derived(family: Makes) -> Pass:
    """The forward pass of the network whose numbers are names."""
    return forward(family(every_modulus()).network, SUMMANDS)


def decide(family: Makes, theorem: Theorem, searched: int = SEARCHED, deadline: Deadline | None = None) -> Decided:
    """searched: the greatest modulus whose networks are run to refute it."""

    def fails(largest: int) -> Counterexample | None:
        return _fails(family, theorem, largest)

    return settle(obligations(family, theorem), lambda: fails(searched), lambda: fails(CHECKED), deadline)


def obligations(family: Makes, theorem: Theorem) -> Obligations:
    """What there is to show."""
    yield required("the networks of numbers", lambda: Members(family))
    if isinstance(theorem, Holds):
        both = partial(_values, family, theorem)
        yield required("the value", lambda: Equal(*both()), lambda: _equal(*both()))
        return
    turned = _rotation(family)
    yield required("the output", lambda: _turned(family, turned()), lambda: _equal(*_put_back(family, turned())))
    if theorem.frequencies is Frequencies.ANY:
        yield required("frequencies with a divisor in common with p", Divided)
    if theorem.frequencies in (Frequencies.ALL, Frequencies.SEVERAL):
        for named in (("k", "l"), ("k", "l", "m")):
            alike = partial(_alike, family, named, turned)
            yield required(f"the outputs of {len(named)} frequencies", alike)
        yield required("the same for all a - b", lambda: Steady(turned()))
    cosine = Region((interval(ABOVE, 0, 2),), frozenset({ABOVE} if theorem.odd else ()))
    yield required("the factor", lambda: Factor(turned(), theorem.odd), lambda: _factor(turned()), cosine)
    if isinstance(theorem, Gap):
        gap = partial(_gap, theorem)
        yield required("the difference", lambda: Equal(*gap(turned())), lambda: _equal(*gap(turned())))


@dataclass(frozen=True)
class Members:
    """How the networks of numbers are made."""

    family: Makes

    @property
    def gap(self) -> str | None:
        if isinstance(self.family, Family):
            return None
        return "a function makes them, and may make another one of a number than of a name: write a Family of them"


@dataclass(frozen=True)
class Turned:
    """What depends on c in the output c of a network with the frequency k, and the rotation that it is."""

    moving: Waves
    rotation: Rotation
    k: str

    @property
    def gap(self) -> str | None:
        return None if self.rotation.output(self.k) == self.moving else f"it is {self.moving}, no such rotation"


@dataclass(frozen=True)
class Divided:
    """Any frequency, coprime to p or not."""

    gap = "where all frequencies have a divisor in common with p, there are two greatest outputs"


@dataclass(frozen=True)
class Alike:
    """What each of several frequencies adds, and what one alone does."""

    several: Sequence[Rotation]
    alone: Rotation

    @property
    def gap(self) -> str | None:
        others = any(each != self.alone for each in self.several)
        return "frequencies add other rotations than one alone" if others else None


@dataclass(frozen=True)
class Steady:
    """A rotation whose factor is to be the same for all residues."""

    rotation: Rotation

    @property
    def gap(self) -> str | None:
        if self.rotation.varying != 0:
            return "no rule adds up what varies with a - b over several frequencies"
        return None


@dataclass(frozen=True)
class Factor:
    """That of a rotation, for all moduli or odd ones, which is to be positive."""

    rotation: Rotation
    odd: bool

    @property
    def gap(self) -> str | None:
        one = self.rotation
        if one.is_positive(self.odd):
            return None
        return f"{one.steady} + {one.varying}*cos(2*pi*k*(a - b)/p) may be 0 or negative"


ABOVE = "cos(2*pi*k*(a - b)/p) + 1"
"""From 0 to 2, and of odd p not 0."""


def _factor(one: Rotation) -> Facts:
    cosine = Polynomial.atom(ABOVE) - Polynomial.number(1)
    yield ">", Polynomial.number(one.steady) + Polynomial.number(one.varying) * cosine


def _equal(found: Waves | Phase, wanted: Waves | Phase) -> Facts:
    """Of waves and of products of names, whatever numbers these are."""
    match found, wanted:
        case (Waves(), Waves()):
            terms = ((str(Waves.wave(phase)) if phase.terms else "", x) for phase, x in (found - wanted).terms)
            yield "=", linear(terms)
        case (Phase(), Phase()):
            yield "=", linear((str(powers) if powers else "", x) for powers, x in (found - wanted).terms)
        case _:
            raise Underivable(f"{found} and {wanted} are no two of a kind")


def _turned(family: Makes, one: Rotation) -> Turned:
    [k] = every_modulus().frequencies
    return Turned(derived(family).outputs[OUTPUT].with_name(OUTPUT), one, str(k))


def _put_back(family: Makes, one: Rotation) -> tuple[Waves, Waves]:
    found = _turned(family, one)
    return found.moving, one.output(found.k)


def _rotation(family: Makes) -> Callable[[], Rotation]:
    of = every_modulus()
    return lambda: rotation(derived(family).outputs[OUTPUT], of)


def _values(family: Makes, theorem: Holds) -> tuple[Waves, Waves]:
    return _value(derived(family), theorem.coordinate), read(theorem.equals)


def _value(made: Pass, coordinate: str) -> Waves:
    """A coordinate that is absent is 0."""
    return made.steps[-1].output.get(coordinate, Waves()) if coordinate else made.outputs[OUTPUT]


def _alike(family: Makes, named: tuple[str, ...], one: Callable[[], Rotation]) -> Alike:
    of = every_modulus(*named)
    return Alike(rotations(forward(family(of).network, SUMMANDS).outputs[OUTPUT], of), one())


def _gap(theorem: Gap, one: Rotation) -> tuple[Waves | Phase, Waves | Phase]:
    """The difference that is derived, and the one that is stated."""
    if theorem.frequencies is Frequencies.ALL:
        return one.gap_of_all(), read_phase(theorem.equals)
    if theorem.frequencies is not Frequencies.ONE:
        raise Underivable("no rule gives it for several frequencies")
    return one.gap_of_one(theorem.odd), read(theorem.equals)


def _fails(family: Makes, theorem: Theorem, largest: int) -> Counterexample | None:
    match theorem:
        case Holds():
            return other_value(family, _seen(theorem.coordinate), theorem.equals, largest)
        case Predicts():
            return misread(family, theorem.frequencies, theorem.odd, largest)
        case Gap():
            return other_gap(family, theorem.frequencies, theorem.odd, theorem.equals, largest)
    PROVER.refuse("theorem", theorem)


def _seen(coordinate: str) -> Callable[[Prediction, str, str], Real]:
    """That of a run; the frequency is the one of the network."""

    def value(prediction: Prediction, k: str, c: str) -> Real:
        if not coordinate:
            return prediction.outputs[c]
        last = prediction.streams[-1][-1]
        return last[coordinate.removesuffix(" k") + f" {k}"]

    return value
