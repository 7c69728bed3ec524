"""What the outputs of a network that adds by rotation come to, and the two rules that say which one is greatest.

The output c is (s + v cos(2 pi k (a-b)/p)) cos(2 pi k (a+b-c)/p), beside what is the same for all c. For whole numbers:

- Of cos(2 pi m/p) the value is 1 where p divides m, and elsewhere at most cos(2 pi/p), which m = 1 attains: m can be
  taken between 1 and p-1, and as it is the same for p-m, between 1 and p/2, where the cosine falls. Where k is coprime
  to p, so is m = k x for all x, and m = 1 for some.
- The least value of cos(2 pi m/p) is -cos(pi/p) for odd p, at m = (p+1)/2, and -1 for even p.
- The sum of cos(2 pi k m/p) over k = 1, ..., p-1 is p - 1 where p divides m and -1 elsewhere: the roots of unity add up
  to 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.modular.addition import OUTPUT, SUMMANDS, Modulus
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.modular.waves import Phase, Waves, cos

ONE = Waves.number(1)


@dataclass(frozen=True)
class Rotation:
    """s and v; see above."""

    steady: fmpq
    varying: fmpq

    def output(self, k: str) -> Waves:
        """The output c."""
        factor = Waves.number(self.steady) + Waves.number(self.varying) * cos(turn(k, 1, -1, 0))
        return factor * cos(turn(k, 1, 1, -1))

    def is_positive(self, odd: bool) -> bool:
        """Whether the factor is positive for all residues, and all p, or all odd ones, as far as these rules say."""
        if self.varying > 0:
            return bool(self.steady >= self.varying if odd else self.steady > self.varying)
        return bool(self.steady + self.varying > 0)

    def least_factor(self, odd: bool) -> Waves:
        """For odd p, or for all; Underivable where odd and even ones have two."""
        if self.varying <= 0:
            return Waves.number(self.steady + self.varying)
        if not odd:
            raise Underivable("the least factor is another one for odd moduli than for even ones")
        return Waves.number(self.steady) - Waves.number(self.varying) * cos(PART)

    def gap_of_one(self, odd: bool) -> Waves:
        """The least by which the greatest output is above all others, with one frequency coprime to p: where the
        factor is least, and the next cosine is. Both are attained at once, as c is free whatever a - b is."""
        return self.least_factor(odd) * (ONE - cos(PART + PART))

    def gap_of_all(self) -> Phase:
        """The least by which the greatest output is above all others with all frequencies 1 to p-1: the sum of their
        cosines is p - 1, or -1."""
        if self.varying != 0:
            raise Underivable("no rule adds up what varies with a - b over all frequencies")
        return Phase.number(self.steady) * Phase.name("p")


PART = Phase.number(1) / Phase.name("p")
"""1/p."""


def turn(k: str, *times: int) -> Phase:
    """2 k (x a + y b + z c)/p, of which a wave is e^(i pi ...)."""
    names = (*SUMMANDS, OUTPUT)
    total = Phase()
    for name, x in zip(names, times, strict=True):
        total = total + Phase.number(2 * x) * Phase.name(name)
    return total * Phase.name(k) * PART


def rotation(output: Waves, modulus: Modulus) -> Rotation:
    """What rotation the output c of a network with one frequency is; Underivable where it is none.

    What is found is put back: it has to be the output, but for what does not depend on c.
    """
    [k] = modulus.frequencies
    moving = output.with_name(OUTPUT)
    halves = dict((moving * Waves.wave(-turn(str(k), 1, 1, -1))).terms)
    found = Rotation(2 * halves.get(Phase(), fmpq(0)), 4 * halves.get(turn(str(k), 1, -1, 0), fmpq(0)))
    if found.output(str(k)) != moving:
        raise Underivable(f"the output {OUTPUT} is {output}, no such rotation")
    if moving.terms == ():
        raise Underivable("all outputs are the same")
    return found


def rotations(output: Waves, modulus: Modulus) -> Sequence[Rotation]:
    """What each frequency adds to the output of a network with several that are names."""
    moving, found = output.with_name(OUTPUT), []
    for k in modulus.frequencies:
        of_k = moving.with_name(str(k))
        found.append(rotation(of_k, Modulus(modulus.p, (k,), modulus.residues)))
        moving = moving - of_k
    if moving.terms:
        raise Underivable(f"the output {OUTPUT} is {output}, no sum of rotations")
    return found
