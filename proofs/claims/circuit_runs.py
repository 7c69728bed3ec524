"""The decoders for circuits of which claims are made, and where print is wrong about them.

A claim is of the formats of a few arithmetics, in each of which a step is derived once for all claims. What print
has wrong is shown by a circuit, an input and a position, run exactly. Circuits of one input are run: of these every
position is one that appends, and its vectors are known.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from flint import fmpq

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjoins, inputs_of, values
from weightproof.constructions.circuits.family import Family
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.claims.circuits import Place
from weightproof.constructions.languages.notation import run_command
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.meaning.interpreter import (
    Memory,
    NoValue,
    Produced,
    Vector,
    appended,
    apply_rows,
    layer_step,
    numbers,
    valued,
)
from weightproof.constructions.meaning.schema import Decoder, Head
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FEWEST_BITS, Fixed, FixedPoint
from weightproof.constructions.scalars.values import ZERO, Evaluator, in_format
from weightproof.constructions.scalars.values import Number as Exact
from weightproof.proofs.circuits.deciding import forgets, small_circuits, table_gaps
from weightproof.proofs.circuits.prove import theorem_of
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST, block_gaps, row_gaps
from weightproof.proofs.claims.formulas.quotients import Quotient, compared, polynomial, quotient
from weightproof.proofs.prover import settle
from weightproof.proofs.quantities.explanation import explained
from weightproof.proofs.quantities.outcome import Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import TOP, Arithmetic, EveryFormat, Number, OneFormat
from weightproof.symbolic.fixed_point.decoder import Step, step

Formats = EveryFormat | OneFormat
"""The arithmetic of some formats."""


@dataclass(frozen=True)
class Setting:
    """The arithmetic of some formats, and one of them, in which is run what differs."""

    arithmetic: Formats
    format: FixedPoint


def settings(family: str, least: int) -> Iterator[Setting]:
    """Together all formats with B >= least in which exp(-B) is rounded to 0.

    Those with B >= L, the least of the theorem, have one arithmetic. Others are few: where B < L, exp(-B) is more than
    4^-L, and not rounded to 0 if there are 2 L bits behind the point, or more.
    """
    enough = max(least, theorem_of(family).LEAST)
    wide = next(each for bits in itertools.count(FEWEST_BITS) if (each := FixedPoint(bits, 0)).greatest >= enough)
    yield Setting(EveryFormat(enough), wide)
    for fraction in range(2 * enough):
        for bits in itertools.count(max(FEWEST_BITS, fraction + 1)):
            format = FixedPoint(bits, fraction)
            if format.greatest >= enough:
                break
            if format.greatest >= least and forgets(format):
                yield Setting(OneFormat(format), format)


def judged_in_formats(
    family: str,
    apart: Callable[[Formats], tuple[str, str] | None],
    seen: Callable[[Setting], Iterator[Difference]],
) -> Outcome:
    """apart: where what is derived in some formats is not what is said, and what it is; seen: where a run shows it."""
    for setting in settings(family, 1):
        if (gap := apart(setting.arithmetic)) is not None:
            shown = next(seen(setting), None)
            return Open(": ".join(gap)) if shown is None else Fails(explained(": ".join(gap)), shown)
    return Holds(scope(1), Evidence.CERTIFICATE.value)


def scope(least: int) -> str:
    """The scope of what is proved in all of these formats."""
    formats = f"formats with B >= {least}" if least > 1 else "every format"
    return f"up to 2^{WIDEST} wires, all inputs, {formats} in which exp(-B) is rounded to 0"


def scaled(family: str, scale: Expression | None) -> Family:
    """Its decoders with each score multiplied by a formula in d_h, the number of its products; None is their own."""
    made = circuits_of(family)
    if scale is None:
        return made

    def decoder(bits: Sequence[str]) -> Decoder:
        network = made.decoder(bits)
        layers = (replace(layer, heads=tuple(map(with_scale, layer.heads))) for layer in network.layers)
        return replace(network, layers=tuple(layers))

    def with_scale(head: Head) -> Head:
        return replace(head, scale=Expression(re.sub(r"\bd_h\b", str(len(head.W_Q)), scale.source)))

    return replace(made, decoder=decoder)


@functools.cache
def derived(family: str, arithmetic: Formats) -> Step:
    """A step of the decoder; Underivable as in `step`."""
    made = circuits_of(family)
    return step(made.decoder(ONE_BIT), made.layout(ONE_BIT), arithmetic)


@functools.cache
def layout_gap(family: str) -> tuple[str, str] | None:
    """Where a table is not laid out as every derivation takes for granted."""
    made = circuits_of(family)
    for circuit in small_circuits():
        gap = settle(table_gaps(made(circuit), made.layout_of(circuit))).gap
        if gap is not None:
            return f"{circuit.name}, {gap[0]}", gap[1]
    return settle(row_gaps(made)).gap


@functools.cache
def heads_gap(family: str, arithmetic: Formats, scale: Expression | None = None) -> tuple[str, str] | None:
    """Where what is derived of numbers of one bit is not shown of those of every width."""
    made = scaled(family, scale)
    return settle(block_gaps(made.decoder, made.layout, arithmetic)).gap


def value_of(formula: Expression, known: Mapping[str, int], arithmetic: Arithmetic) -> Number:
    """The value of a formula that is linear in B, or a number where B has a value; Underivable for any other."""
    names = {TOP: Quotient.atom(TOP), **{name: Quotient.number(value) for name, value in known.items()}}
    terms = dict(polynomial(quotient(formula, names.__getitem__, compare=compared, bracket=Quotient.number)).terms)
    number, tops = (Fraction(str(terms.pop(of, 0))) for of in ((), (TOP,)))
    if terms:
        raise Underivable(f"{formula} is not linear in {TOP}")
    if isinstance(arithmetic, OneFormat):
        return Number(number + tops * Fraction(str(arithmetic.format.greatest)))
    return Number(number, tops)


MOST_GATES = 3
"""The most gates of the circuits that are run."""


@dataclass(frozen=True)
class DecoderDifference(Difference):
    """Seen in a decoder of a family, which need not be what the claims are listed under."""

    family: str = ""
    evidence: str = "run exactly"

    def command(self, construction: str) -> str:
        """The command line that shows it."""
        assert self.word is not None
        shown = "".join(f" --param {name}={value!r}" for name, value in self.parameters.items())
        return run_command(self.family, self.word, f"{shown} --steps --trace")


def parameters_of(circuit: Circuit, format: FixedPoint | None = None) -> dict[str, str]:
    """The parameters that say which decoder of a family is meant."""
    parameters = {"circuit": listed(circuit.gates)}
    return parameters if format is None else {**parameters, "bits": str(format.bits), "fraction": str(format.fraction)}


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

    def scalars(self, position: int) -> Evaluator:
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
        """The name of each bit of numbers, and its value in the number and the addresses there."""
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
                return self._attended(position, place.layer)
        PROVER.refuse("place", place.part)

    def _attended(self, position: int, number: int) -> Vector:
        layer = self.network.layers[number - 1]
        own = [Memory() for _ in layer.heads]
        for seen in range(position + 1):
            here = valued(layer, self.scalars(seen))
            for head, memory in zip(here.heads, own, strict=True):
                memory.see(head, [self.produced[seen].vectors[number - 1]])
        vector = self.produced[position].vectors[number - 1]
        return layer_step(here, vector, position, own, (), self.scalars(position)).attended

    def _token(self, position: int) -> str:
        return (self.word + "".join(each.token for each in self.produced))[position]

    def _of_head(self, position: int, place: Place) -> Vector:
        head, scalars = head_of(self.network, place.layer), self.scalars(position)
        matrix = {"query": head.W_Q, "key": head.W_K, "value": head.W_V}[place.part]
        made = apply_rows(numbers(matrix, scalars), self.produced[position].vectors[place.layer - 1])
        if place.part == "value" and head.W_O is not None:
            return apply_rows(numbers(head.W_O, scalars), made)
        return made

    def apart(self, what: str, printed: object, found: object, position: int) -> DecoderDifference:
        shown = str(exactly(found)) if isinstance(found, Fixed) else str(found)
        parameters = parameters_of(self.circuit, self.format)
        return DecoderDifference(what, str(printed), shown, self.word, parameters, position, family=self.family)


def signed_bit(number: int, j: int, k: int) -> int:
    """Bit j of k, the first one the most significant; -1 stands for 0."""
    return 2 * (number >> (k - j) & 1) - 1


def head_of(network: Decoder, layer: int) -> Head:
    """The one head of a layer."""
    if layer > len(network.layers) or len(network.layers[layer - 1].heads) != 1:
        raise Underivable(f"there is no layer {layer} of one head")
    return network.layers[layer - 1].heads[0]


def exactly(x: Exact) -> Real:
    """The number that one of a format is."""
    return x.value if isinstance(x, Fixed) else x


def _row(row: Mapping[str, Expression], scalars: Evaluator) -> Vector:
    return {name: scalars(value) for name, value in row.items()}


def runs(family: str, format: FixedPoint) -> Iterator[DecoderRun]:
    """The runs of circuits of one input, by the number of gates."""
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


def entry(vector: Vector, name: str) -> Exact:
    return vector.get(name, ZERO)
