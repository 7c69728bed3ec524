"""Steps of a recurrent network from states that are known as polynomials, as obligations of an induction."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.machines.rnn import RNN
from weightproof.proofs.solving.polynomials import Fact, script
from weightproof.symbolic.simulation.parts import advanced, arguments
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex, Values

ZERO = Polynomial()


@dataclass(frozen=True)
class Obligation:
    """From `before`, whatever the atoms of the region are, reading the tokens leads to `after`; the values that `after`
    puts in the place of atoms are points of the simplices of `inside` again."""

    name: str
    region: Region
    before: Values
    tokens: tuple[str, ...]
    after: Values
    inside: tuple[tuple[Simplex, Values], ...] = ()

    def gap(self, network: RNN) -> str | None:
        """Where it does not hold of a network; None where it holds."""
        for unit in sorted((self.before.keys() | self.after.keys()) - set(network.units)):
            return f"there is no unit {unit!r}"
        h = self.before
        for token in self.tokens:
            h = advanced(network, h, token, self.region)
        for unit in network.units:
            found, wanted = h.get(unit, ZERO), self.after.get(unit, ZERO)
            if found != wanted:
                return f"unit {unit!r} is {found}, not {wanted}"
        for simplex, values in self.inside:
            if not self.region.holds_in(simplex, values):
                return f"{', '.join(simplex.atoms)} may leave where they were"
        return None

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
        return script(self.name, self.region, goals, self.gap(network) is None, saturated)
