"""Passages of a recurrent network: from what its units hold, whatever is not known of it, to what they hold some tokens
later."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.prover import Obligation
from weightproof.proofs.solving.polynomials import Fact, script
from weightproof.symbolic.simulation.parts import arguments
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex, Values

ZERO = Polynomial()


@dataclass(frozen=True)
class Passage:
    """From `before`, whatever the atoms of the region are, reading the tokens leads to `after`; the values that `after`
    puts in the place of atoms are points of the simplices of `inside` again. part: of a proof, which it belongs to."""

    name: str
    region: Region
    before: Values
    tokens: tuple[str, ...]
    after: Values
    inside: tuple[tuple[Simplex, Values], ...] = ()
    part: str = ""

    def of(self, network: RNN) -> Obligation:
        return Obligation(
            self.name,
            lambda: self.followed(network).gap,
            lambda: self.as_smt(network),
            lambda: self.followed(network),
            self.part,
        )

    def followed(self, network: RNN) -> Followed:
        """The steps that a network takes."""
        steps, held = list[Taken](), self.before
        for token in self.tokens:
            given = arguments(network, held, token)
            held = {unit: self.region.saturated(x) for unit, x in given.items()}
            steps.append(Taken(token, given, held))
        return Followed(self, network.units, tuple(steps))

    def as_smt(self, network: RNN) -> str:
        """The steps themselves, of each unit at each, and not only what is derived of them."""
        h, saturated = self.before, dict[str, Polynomial]()
        for number, token in enumerate(self.tokens, start=1):
            x = arguments(network, h, token)
            h = {unit: Polynomial.atom(f"{unit} after {number}") for unit in network.units}
            saturated |= {f"{unit} after {number}": x[unit] for unit in network.units}
        goals: list[Fact] = [("=", h.get(unit, ZERO) - self.after.get(unit, ZERO)) for unit in network.units]
        for simplex, values in self.inside:
            point = {atom: values.get(atom, ZERO) for atom in simplex.atoms}
            goals += ((">=", each) for each in simplex.coordinates(point))
        return script(self.name, self.region, goals, self.followed(network).gap is None, saturated)


@dataclass(frozen=True)
class Taken:
    """A step of a network: what it reads, what its units are the saturated values of, and what they hold then."""

    token: str
    arguments: Values
    held: Values


@dataclass(frozen=True)
class Followed:
    """A passage with the steps that a network of these units takes."""

    obligation: Passage
    units: tuple[str, ...]
    steps: tuple[Taken, ...]

    @property
    def gap(self) -> str | None:
        """Where the passage does not hold of the network; None where it holds."""
        wanted = self.obligation.after
        for unit in sorted((self.obligation.before.keys() | wanted.keys()) - set(self.units)):
            return f"there is no unit {unit!r}"
        held = self.steps[-1].held if self.steps else self.obligation.before
        for unit in self.units:
            if held.get(unit, ZERO) != wanted.get(unit, ZERO):
                return f"unit {unit!r} is {held.get(unit, ZERO)}, not {wanted.get(unit, ZERO)}"
        for simplex, values in self.obligation.inside:
            if not self.obligation.region.holds_in(simplex, values):
                return f"{', '.join(simplex.atoms)} may leave where they were"
        return None
