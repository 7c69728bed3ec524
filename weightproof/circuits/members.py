"""A member of a family of decoders, a circuit in a format: which one is meant by a name, a file and the values of
--param, and what `show` says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from weightproof.circuits.listing import REGULAR, listed_circuit
from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork
from weightproof.constructions.circuits.files import find_circuit, listed, written
from weightproof.constructions.circuits.regular import Automaton, accepts, automaton_of, circuit_of, encoded
from weightproof.constructions.library import CIRCUITS, CIRCUITS_AS_PRINTED, circuit_network_of, circuits_of
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import plain
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.fixed_point import FEWEST_BITS, MOST_BITS, FixedPoint
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text, pairs
from weightproof.proofs.circuits.deciding import BITS as MOST_TABLED
from weightproof.proofs.circuits.deciding import Sufficient, enough, forgets, formats
from weightproof.proofs.circuits.prove import theorem_of
from weightproof.results import Shown

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


@dataclass(frozen=True, repr=False)
class ShownCircuit(Shown):
    """A circuit, with the decoder that computes it in a format."""

    member: Member

    @property
    def data(self) -> dict[str, Any]:
        circuit = self.member.circuit
        gates = [{"kind": gate.kind, "a": gate.a, "b": gate.b} for gate in circuit.gates]
        network = plain(self.member.network.network)
        return {**listed_circuit(circuit), "gates": gates, "outputs": list(circuit.outputs), "network": network}

    def report(self) -> Iterator[Plain]:
        """Its gates, and its decoder's size."""
        circuit, network = self.member.circuit, self.member.network.network
        yield Heading(3, f"{circuit.name}{f': {circuit.title}' if circuit.title else ''}")
        outputs = ", ".join(map(str, circuit.outputs)) or "none"
        yield Paragraph(f"Wires 1 to {circuit.inputs} are the inputs; outputs are {outputs}.")
        if circuit.gates:
            numbered = enumerate(circuit.gates, start=circuit.inputs + 1)
            rows = [[str(number), listed((gate,))] for number, gate in numbered]
            yield Table(("wire", "gate"), rows, right=frozenset({"wire"}))
        assert network.arithmetic is not None
        yield Paragraph(
            f"Its decoder has {len(network.layers)} layers, {len(network.coordinates)} coordinates and numbers of "
            f"{network.arithmetic.name}."
        )


@dataclass(frozen=True, repr=False)
class ShownCircuits(Shown):
    """A family of decoders for circuits, by its parts and its formats."""

    family: str

    @property
    def data(self) -> dict[str, Any]:
        table = [
            {
                "bits": format.bits,
                "fraction": format.fraction,
                "greatest": str(format.greatest),
                "exp_rounded_to_0": forgets(format),
                "computes_every_circuit": _computes(self.family, format),
            }
            for format in formats()
        ]
        return {"name": self.family, "formats": table}

    def report(self) -> Iterator[Plain]:
        theorem = theorem_of(self.family)
        yield Heading(3, f"{self.family}: a Boolean circuit by chain of thought")
        yield Paragraph("The decoder for numbers of one bit, j; others have these rows for each of their bits.")
        yield from _parts(circuits_of(self.family).decoder(("j",)))
        yield Heading(
            3, f"In which formats of up to {MOST_TABLED} bits it computes every circuit: B, the greatest number, below"
        )
        columns = [f"{fraction} behind" for fraction in range(MOST_TABLED)]
        cells: list[list[Text]] = []
        for bits in range(2, MOST_TABLED + 1):
            row: list[Text] = [f"{bits} bits"]
            for format in (each for each in formats() if each.bits == bits):
                good = _computes(self.family, format)
                small = "B < 3" if format.greatest < theorem.LEAST else "no"
                mark = "yes" if good else small if forgets(format) else "exp"
                row.append(Styled(f"{format.greatest} {mark}", "green" if good else "yellow"))
            cells.append([*row, *[""] * (MOST_TABLED + 1 - len(row))])
        yield Table(("", *columns), cells)
        every = "no: NOT has no value" if self.family in CIRCUITS_AS_PRINTED else "yes: every circuit"
        yield Paragraph(f"{every}; B < 3: the sum of a unit saturates; exp: exp(-B) is not rounded to 0.")


def _computes(family: str, format: FixedPoint) -> bool:
    """Whether it computes every circuit in a format, by the theorems about it."""
    return family not in CIRCUITS_AS_PRINTED and enough(format, Sufficient(family, theorem_of(family).LEAST))


def _parts(network: Decoder) -> Iterator[Plain]:
    for number, layer in enumerate(network.layers, start=1):
        for place, head in enumerate(layer.heads, start=1):
            yield Paragraph(f"layer {number}, head {place}: softmax of q.k, causal", 1)
            yield pairs([(part, _matrix(getattr(head, part))) for part in ("W_Q", "W_K", "W_V")], 2)
        if layer.feed_forward is not None:
            yield Paragraph(f"layer {number}, feed-forward network: W2 ReLU(W1 x + b1)", 1)
            first, second = layer.feed_forward.first, layer.feed_forward.second
            bias = ", ".join(f"{name}: {value}" for name, value in first.bias.items())
            yield pairs([("W1", _matrix(first.weights)), ("b1", bias), ("W2", _matrix(second.weights))], 2)
    yield Paragraph("readout: the token of the greatest output", 1)
    yield pairs([("W", _matrix(network.readout.W.weights))], 2)


def _matrix(rows: Mapping[str, Mapping[str, object]]) -> str:
    return "; ".join(
        f"{name} from {', '.join(f'{weight} {column}' for column, weight in row.items())}" for name, row in rows.items()
    )
