"""Which circuit and which format are meant: a name, a file, and the values of --param."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from weightproof.circuits.listing import REGULAR
from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork
from weightproof.constructions.circuits.files import find_circuit, written
from weightproof.constructions.circuits.regular import Automaton, accepts, automaton_of, circuit_of, encoded
from weightproof.constructions.library import CIRCUITS, circuit_network_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars.fixed_point import FEWEST_BITS, MOST_BITS, FixedPoint
from weightproof.proofs.circuits.deciding import Sufficient, enough, forgets
from weightproof.proofs.circuits.prove import theorem_of

CIRCUIT, BITS, FRACTION, ALPHABET = "circuit", "bits", "fraction", "alphabet"
DEFAULT = next(iter(CIRCUITS))
"""The family that runs a circuit."""


@dataclass(frozen=True)
class Member:
    """A circuit, by a family, in a format; None is the family's own one. word: its input; accepts: whether a word that
    the circuit is to recognise is in its language, None where it recognises none."""

    argument: str
    family: str
    circuit: Circuit
    format: FixedPoint | None
    word: str
    accepts: bool | None = None

    @property
    def network(self) -> CircuitNetwork:
        return circuit_network_of(self.family, self.circuit, self.format)


def automaton(argument: str, given: Mapping[str, str]) -> Automaton:
    """That of a regular expression, over 0 and 1 unless another alphabet is given."""
    return automaton_of(argument.removeprefix(REGULAR), tuple(given.get(ALPHABET, "01")))


def member(argument: str, given: Mapping[str, str], word: str) -> Member:
    """The one that is meant, with its input; InputError for what is none. word: of a regular language a word, whose
    length says which circuit; else the input itself, whose length that of a circuit in --param has."""
    known = {True: (CIRCUIT, BITS, FRACTION)}.get(argument in CIRCUITS, (BITS, FRACTION))
    known = (ALPHABET, BITS, FRACTION) if argument.startswith(REGULAR) else known
    for name in given:
        if name not in known:
            raise InputError(f"{argument}: no parameter {name!r}; it has {', '.join(known)}")
    if argument.startswith(REGULAR):
        of = automaton(argument, given)
        if not word:
            raise InputError(f"{argument}: the empty word gives the decoder nothing to begin with; give a word")
        circuit = replace(circuit_of(of, len(word)), name=f"{argument}, {len(word)} symbols")
        format = format_of(argument, given)
        return Member(argument, DEFAULT, circuit, format, encoded(of, word), accepts(of, word))
    if argument not in CIRCUITS:
        found = find_circuit(argument)
        assert found is not None
        return Member(argument, DEFAULT, found, format_of(argument, given), word)
    if CIRCUIT not in given:
        raise InputError(
            f"{argument}: say which circuit, as --param {CIRCUIT}='AND(1,2) NOT(3)', or name a file of one"
        )
    circuit = replace(written(given[CIRCUIT], len(word)), name=given[CIRCUIT])
    return Member(argument, argument, circuit, format_of(argument, given), word)


def format_of(argument: str, given: Mapping[str, str]) -> FixedPoint | None:
    """That of bits and fraction; InputError where there is no such format, and where exp(-B) is not rounded to 0, with
    the smallest one of that fraction in which every circuit is computed."""
    if BITS not in given and FRACTION not in given:
        return None
    fraction = _whole(argument, FRACTION, given.get(FRACTION, "0"), 0, MOST_BITS - 1)
    bits = _whole(argument, BITS, given.get(BITS, str(min(fraction + FEWEST_BITS, MOST_BITS))), FEWEST_BITS, MOST_BITS)
    format = FixedPoint(bits, fraction)
    if fraction >= bits:
        raise InputError(f"{argument}: {format.name}, and one is the sign: give more bits")
    if not forgets(format):
        raise InputError(
            f"{argument}: with {format.name} exp(-B) = exp(-{format.greatest}) is not rounded to 0, so that "
            f"what is not looked for has a weight; {_mended(format)}"
        )
    return format


def _mended(format: FixedPoint) -> str:
    """What to give in the stead of a format that is too small."""
    said, fraction = Sufficient(DEFAULT, theorem_of(DEFAULT).LEAST), format.fraction
    for bits in range(format.bits, MOST_BITS + 1):
        if enough(FixedPoint(bits, fraction), said):
            return f"with {fraction} behind the point it takes at least {bits} bits"
    most = next(less for less in reversed(range(fraction)) if enough(FixedPoint(MOST_BITS, less), said))
    return f"with {MOST_BITS} bits no more than {most} may stand behind the point"


def _whole(argument: str, name: str, said: str, least: int, most: int) -> int:
    if not said.strip().isdecimal() or not least <= int(said) <= most:
        raise InputError(f"{argument}: {name} = {said}: give a whole number from {least} to {most}")
    return int(said)
