"""Steps of a recurrent network from states that are known as polynomials, as obligations of an induction."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.machines.rnn import RNN
from weightproof.symbolic.machines.polynomial import Polynomial, Region, Simplex
from weightproof.symbolic.machines.recurrent import Values, advanced

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
