"""Where print is wrong about decoders for circuits: a circuit, an input and a position, run exactly.

Circuits of one input are run: of these every position is one that appends, and its vectors are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjoins, inputs_of, values
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.claims.circuits import Place
from weightproof.constructions.languages.notation import run_command
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.meaning.interpreter import (
    NoValue,
    Produced,
    Vector,
    add,
    appended,
    apply_rows,
    attention_weights,
    mean,
    numbers,
    score,
)
from weightproof.constructions.meaning.schema import Decoder, Head
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import Fixed, FixedPoint, in_format
from weightproof.constructions.scalars.numbers import ZERO, Number, Scalars
from weightproof.proofs.circuits.deciding import small_circuits
from weightproof.proofs.quantities.outcome import Difference
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import TOP

MOST_GATES = 3
"""Of the circuits that are run."""


@dataclass(frozen=True)
class DecoderDifference(Difference):
    """Seen in a decoder of a family, which need not be what the claims are listed under."""

    family: str = ""
    evidence: str = "run exactly"

    def command(self, construction: str) -> str:
        """The command line that shows it."""
        assert self.word is not None
        given = "".join(f" --param {name}={value!r}" for name, value in self.parameters.items())
        return run_command(self.family, self.word, f"{given} --steps --trace")


def given(circuit: Circuit, format: FixedPoint | None = None) -> dict[str, str]:
    """The parameters that say which decoder of a family is meant."""
    said = {"circuit": listed(circuit.gates)}
    return said if format is None else {**said, "bits": str(format.bits), "fraction": str(format.fraction)}


@dataclass(frozen=True)
class DecoderRun:
    """A decoder on an input, up to the first position that has no value: `stopped` says why, if one has none."""

    family: str
    circuit: Circuit
    format: FixedPoint
    network: Decoder
    word: str
    produced: tuple[Produced, ...]
    stopped: str | None

    @cached_property
    def wires(self) -> list[int]:
        """Their values, that of wire number w at index w - 1."""
        return [int(value) for value in values(self.circuit, self.word)]

    def scalars(self, position: int) -> Scalars:
        names: dict[str, Real] = {"d": fmpq(len(self.network.coordinates))}
        return in_format(self.format, {**names, "i": fmpq(position), "n": fmpq(position + 1)})

    def gate(self, position: int) -> Gate:
        return self.circuit.gates[position]

    def wire(self, position: int, address: str) -> int:
        """The number of the wire that the gate reads which is written there."""
        return {"a": self.gate(position).a, "b": self.gate(position).b}[address]

    def known(self, position: int) -> dict[str, Real]:
        """What formulas are in."""
        gate = self.gate(position)
        a, b = (self._token(wire - 1) == "1" for wire in (gate.a, gate.b))
        known: dict[str, int] = {"x_a": a, "x_b": b, "y": gate(a, b), "c": conjoins(gate.kind)}
        known["x"] = int(self._token(position))
        return {**{name: fmpq(value) for name, value in known.items()}, TOP: self.format.greatest}

    def bits(self, position: int) -> Iterator[tuple[str, dict[str, Real]]]:
        """Of each bit of numbers its name, and its value in the number and the addresses there."""
        gate, k = self.gate(position), len(circuits_of(self.family).layout_of(self.circuit).number)
        numbers = {"id": position + 1, "a": gate.a, "b": gate.b}
        for j in range(1, k + 1):
            yield str(j), {f"{name}_j": fmpq(signed_bit(number, j, k)) for name, number in numbers.items()}

    def vector(self, position: int, place: Place) -> Vector:
        """The exact vector at a place; Underivable where there is none."""
        if place.layer:
            head_of(self.network, place.layer)
        scalars, vectors = self.scalars(position), self.produced[position].vectors
        match place.part:
            case "embedded":
                return _row(self.network.embedding.WE[self._token(position)], scalars)
            case "table":
                return _row((self.network.table or ())[position], scalars)
            case "input":
                return vectors[0]
            case "output":
                return vectors[place.layer]
            case "query" | "key" | "value":
                return self._of_head(position, place)
            case "attended":
                return self._attended(position, place, vectors)
        PROVER.refuse("place", place.part)

    def _attended(self, position: int, place: Place, vectors: Sequence[Vector]) -> Vector:
        scalars = self.scalars(position)
        attended, layer = vectors[place.layer - 1], self.network.layers[place.layer - 1]
        assert layer.attention_residual
        for head in layer.heads:
            keys, shown = (
                [self._of_head(seen, Place(part, place.layer), head) for seen in range(position + 1)]
                for part in ("key", "value")
            )
            query = self._of_head(position, Place("query", place.layer), head)
            scale = scalars(head.scale)
            weights = attention_weights(head, [scale * score(head, query, key) for key in keys])
            attended = add(mean(weights, shown), attended)
        return attended

    def _token(self, position: int) -> str:
        return (self.word + "".join(each.token for each in self.produced))[position]

    def _of_head(self, position: int, place: Place, head: Head | None = None) -> Vector:
        head = head or head_of(self.network, place.layer)
        scalars = self.scalars(position)
        matrix = {"query": head.W_Q, "key": head.W_K, "value": head.W_V}[place.part]
        made = apply_rows(numbers(matrix, scalars), self.produced[position].vectors[place.layer - 1])
        if place.part == "value" and head.W_O is not None:
            return apply_rows(numbers(head.W_O, scalars), made)
        return made

    def apart(self, what: str, printed: object, found: object, position: int) -> DecoderDifference:
        shown = str(exactly(found)) if isinstance(found, Fixed) else str(found)
        parameters = given(self.circuit, self.format)
        return DecoderDifference(what, str(printed), shown, self.word, parameters, position, family=self.family)


def signed_bit(number: int, j: int, k: int) -> int:
    """Bit j of k, the first one the most significant; -1 stands for 0."""
    return 2 * (number >> (k - j) & 1) - 1


def head_of(network: Decoder, layer: int) -> Head:
    """The one head of a layer."""
    if layer > len(network.layers) or len(network.layers[layer - 1].heads) != 1:
        raise Underivable(f"there is no layer {layer} of one head")
    return network.layers[layer - 1].heads[0]


def exactly(x: Number) -> Real:
    """The number that one of a format is."""
    return x.value if isinstance(x, Fixed) else x


def _row(row: Mapping[str, Expression], scalars: Scalars) -> Vector:
    return {name: scalars(value) for name, value in row.items()}


def runs(family: str, format: FixedPoint) -> Iterator[DecoderRun]:
    """Those of circuits of one input, by the number of gates."""
    for circuit in small_circuits(1, MOST_GATES):
        network = circuit_network_of(family, circuit, format).network
        for word in inputs_of(circuit):
            produced: list[Produced] = []
            stopped = None
            try:
                produced.extend(appended(network, word, {}))
            except NoValue as error:
                stopped = str(error)
            yield DecoderRun(family, circuit, format, network, word, tuple(produced), stopped)


def entry(vector: Vector, name: str) -> Number:
    return vector.get(name, ZERO)
