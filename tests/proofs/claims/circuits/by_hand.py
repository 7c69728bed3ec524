"""What is said of decoders for circuits, tried: they are run by a plain loop that shares with the judges no more than
how a number is rounded, on small circuits and in a few formats."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from flint import fmpq

from weightproof.constructions.circuits.circuit import Circuit, conjunction, inputs_of, negation, values
from weightproof.constructions.claims.circuits import (
    Appends,
    Built,
    Carries,
    Circuital,
    Computes,
    Fits,
    Forgets,
    HasValue,
    LooksUp,
    Numbered,
    OfBits,
    PartialSum,
    Place,
    Positions,
    Width,
)
from weightproof.constructions.library import circuit_network_of
from weightproof.constructions.meaning.schema import Decoder, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import Fixed, FixedPoint, rounded
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import evaluate

FORMATS = tuple(itertools.starmap(FixedPoint, ((2, 0), (3, 1), (3, 0), (4, 0), (5, 2))))
"""In all of which exp(-B) is rounded to 0."""
NOT, AND = negation, conjunction
CIRCUITS = tuple(
    Circuit("tried", inputs, gates)
    for inputs, gates in (
        (1, (NOT(1),)),
        (1, (AND(1, 1),)),
        (1, (NOT(1), NOT(2))),
        (1, (NOT(1), NOT(1), NOT(2))),
        (1, (NOT(1), AND(1, 2), AND(1, 1))),
        (1, (AND(1, 1), NOT(2), AND(2, 1), NOT(1))),
        (2, (AND(1, 2), NOT(3))),
        (2, (NOT(2), AND(3, 1), AND(1, 2))),
    )
)
UNSCALED = Expression("1")
Vector = dict[str, Fixed]


@dataclass
class At:
    """What was computed at a position; products: those of the score of each key, by layer."""

    places: dict[Place, Vector] = field(default_factory=dict)
    products: dict[int, list[list[Fixed]]] = field(default_factory=dict)
    scores: dict[int, list[Fixed]] = field(default_factory=dict)
    token: str | None = None


@dataclass(frozen=True)
class Tried:
    circuit: Circuit
    format: FixedPoint
    word: str
    positions: list[At]
    tokens: list[str]
    """Where a position has no value it is the last one, and has no token."""


def times(rows: Rows, vector: Vector, format: FixedPoint) -> Vector:
    made = {}
    for name, row in rows.items():
        total = number(0, format)
        for column, weight in row.items():
            total = total + number(weight, format) * vector.get(column, number(0, format))
        made[name] = total
    return made


def number(of: object, format: FixedPoint) -> Fixed:
    exact = evaluate(of, {}) if isinstance(of, Expression) else fmpq(of)  # type: ignore[call-overload]
    return rounded(exact, format)


def plus(a: Vector, b: Vector) -> Vector:
    both = dict(a)
    for name, value in b.items():
        both[name] = both[name] + value if name in both else value
    return both


def tried(network: Decoder, circuit: Circuit, format: FixedPoint, word: str, scale: Expression) -> Tried:
    table, tokens, positions = network.table or (), list(word), []
    for i, row in enumerate(table):
        here = At()
        positions.append(here)
        embedded = {name: number(value, format) for name, value in network.embedding.WE[tokens[i]].items()}
        encoded = {name: number(value, format) for name, value in row.items()}
        stream = plus(embedded, encoded)
        here.places |= {Place("embedded"): embedded, Place("table"): encoded, Place("input"): stream}
        for layer, part in enumerate(network.layers, start=1):
            [head] = part.heads
            for name, matrix in (("query", head.W_Q), ("key", head.W_K), ("value", head.W_V)):
                here.places[Place(name, layer)] = times(matrix, stream, format)  # type: ignore[arg-type]
            query, here.products[layer], here.scores[layer] = here.places[Place("query", layer)], [], []
            for seen in positions:
                key = seen.places[Place("key", layer)]
                here.products[layer].append([query[name] * key[name] for name in query])
                factor = rounded(evaluate(scale, {"d_h": fmpq(len(query))}), format)
                here.scores[layer].append(sum(here.products[layer][-1], number(0, format)) * factor)
            powers = [score.exp() for score in here.scores[layer]]
            whole = sum(powers, number(0, format))
            if whole.numerator == 0:
                return Tried(circuit, format, word, positions, tokens)
            for power, seen in zip(powers, positions, strict=True):
                shown = seen.places[Place("value", layer)]
                stream = plus(stream, {name: power / whole * value for name, value in shown.items()})
            here.places[Place("attended", layer)] = stream
            if part.feed_forward is not None:
                first, second = part.feed_forward.first, part.feed_forward.second
                hidden = {
                    name: total if total.sign > 0 else number(0, format)
                    for name, value in times(first.weights, stream, format).items()
                    for total in [value + number(first.bias[name], format)]
                }
                stream = plus(stream, times(second.weights, hidden, format))
            here.places[Place("output", layer)] = stream
        outputs = times(network.readout.W.weights, stream, format)
        here.token = "1" if (outputs["1"] + -outputs["0"]).sign > 0 else "0"
        if i + 1 == len(tokens):
            tokens.append(here.token)
    return Tried(circuit, format, word, positions, tokens)


@functools.cache
def runs(family: str, format: FixedPoint, scale: Expression) -> tuple[Tried, ...]:
    return tuple(
        tried(circuit_network_of(family, circuit, format).network, circuit, format, word, scale)
        for circuit in CIRCUITS
        for word in inputs_of(circuit)
    )


def gates(run: Tried) -> Iterator[tuple[At, int, int, int, dict[str, fmpq]]]:
    """Of each position that writes a gate and has a value: the position, i, the wires, and what formulas are in."""
    for i, here in enumerate(run.positions, start=2):
        if here.token is None or i <= run.circuit.inputs:
            continue
        gate = run.circuit.gates[i - run.circuit.inputs - 1]
        x, x_a, x_b = (run.tokens[wire - 1] == "1" for wire in (i - 1, gate.a, gate.b))
        known = {"x": x, "x_a": x_a, "x_b": x_b, "y": x_a and x_b if gate.kind == "AND" else not x_a}
        exact = {**{name: fmpq(value) for name, value in known.items()}, "B": run.format.greatest}
        yield here, i, gate.a, gate.b, {**exact, "c": fmpq(gate.kind == "AND")}


def binary(number: int, k: int) -> list[int]:
    return [1 if digit == "1" else -1 for digit in f"{number:0{k}b}"[-k:]]


def borne_out(said: Circuital) -> bool:
    """Whether a statement is right wherever it is tried."""
    return all(_facts(said))


def _facts(said: Circuital) -> Iterator[bool]:
    match said:
        case OfBits():
            for bits in itertools.product((0, 1), repeat=3):
                known = dict(zip(("x_a", "x_b", "c"), map(fmpq, bits), strict=True))
                yield not holds(said.given, known, (), ()) or holds(said.says, known, (), ())
        case Forgets():
            for s in range(2, 13):
                for f in range(s):
                    B = fmpq(2 ** (s - 1) - 1, 2**f)
                    if holds(said.given, {"B": B, "s": fmpq(s), "f": fmpq(f)}, (), ()):
                        yield math.exp(-B) <= 2.0 ** -(f + 1)
        case Fits():
            for N in range(1, 70):
                k = next(k for k in range(8) if 2**k >= N)
                yield evaluate(said.greatest, {"N": fmpq(N)}) < 2**k
        case Numbered() | Positions() | Width() | Built():
            for circuit in CIRCUITS:
                yield from _of_decoder(said, circuit, circuit_network_of(said.family, circuit).network)
        case _:
            least = said.least if isinstance(said, Appends | Computes) else 1
            scale = getattr(said, "scale", None) or UNSCALED
            for format in FORMATS:
                for run in runs(said.family, format, scale) if format.greatest >= least else ():
                    yield from _of_run(said, run)


def _of_decoder(said: Circuital, circuit: Circuit, network: Decoder) -> Iterator[bool]:
    table = network.table or ()
    k = max(1, (circuit.wires - 1).bit_length())
    match said:
        case Width():
            yield evaluate(said.width, {"k": fmpq(k)}) == len(network.coordinates)
        case Positions():
            last = evaluate(said.last, {"N": fmpq(circuit.wires)})
            yield list(range(2, len(table) + 2)) == list(range(said.first, int(last) + 1))  # type: ignore[arg-type]
        case Built():
            last = network.layers[-1].feed_forward
            assert last is not None
            found = (len(network.layers), len(network.layers[0].heads), 1, len(last.first.weights))
            printed = (said.layers, said.heads, said.hidden_layers, said.units)
            yield all(p is None or p == f for p, f in zip(printed, found, strict=True))
        case Numbered():
            for i, gate in enumerate(circuit.gates, start=circuit.inputs + 1):
                for name, formula in said.numbers.items():
                    m = evaluate(formula, {"i": fmpq(i), "a": fmpq(gate.a), "b": fmpq(gate.b)})
                    bits = [evaluate(table[i - 2][f"{name} {j}"], {}) for j in range(1, k + 1)]
                    yield 0 <= m < 2**k and bits == binary(int(m), k)  # type: ignore[arg-type,operator]


def _of_run(said: Circuital, run: Tried) -> Iterator[bool]:
    n, right = run.circuit.inputs, ["01"[value] for value in values(run.circuit, run.word)]
    complete = len(run.tokens) == run.circuit.wires
    match said:
        case Computes():
            yield complete and run.tokens == right
        case Appends():
            yield complete
            for i in range(n + 1, len(run.tokens) + 1):
                wire = i + said.ahead
                yield not 1 <= wire <= run.circuit.wires or run.tokens[i - 1] == right[wire - 1]
        case HasValue():
            if not complete:
                i = len(run.positions) + 1
                yield ("input" if i <= n else run.circuit.gates[i - n - 1].kind) not in said.of
        case _:
            yield complete
            for here, i, a, b, known in gates(run):
                yield from _at_gate(said, run, here, i, {"a": a, "b": b}, known)


def _at_gate(
    said: Circuital, run: Tried, here: At, i: int, wires: Mapping[str, int], known: dict[str, fmpq]
) -> Iterator[bool]:
    k, B = max(1, (run.circuit.wires - 1).bit_length()), {"B": run.format.greatest}
    if isinstance(said, Carries):
        numbers = {"id_j": i - 1, "a_j": wires["a"], "b_j": wires["b"]}
        for place, (name, formula) in itertools.product(said.places, said.rows.items()):
            vector = here.places[place]
            if place.part not in ("query", "key"):
                yield _exact(vector.get(name)) == evaluate(formula, known)
                continue
            for j in range(k):
                bits = {each: fmpq(binary(m, k)[j]) for each, m in numbers.items()}
                yield _exact(vector.get(name.replace("j", str(j + 1)))) == evaluate(formula, {**known, **bits})
        return
    for other in range(2, i + 1):
        if isinstance(said, LooksUp):
            score = here.scores[said.layer][other - 2]
            formula = said.here if other == wires[said.address] + said.ahead else said.elsewhere
            yield _exact(score if said.of == "score" else score.exp()) == evaluate(formula, B)
        elif isinstance(said, PartialSum):
            number = wires[said.address]
            yield from _sums(said, here.products[said.layer][other - 2], binary(number, k), binary(other - 1, k), B)


def _sums(
    said: PartialSum, products: list[Fixed], address: list[int], number: list[int], B: dict[str, fmpq]
) -> Iterator[bool]:
    if "first unequal" in said.phases and address == number:
        return
    differs = next((j for j, (x, y) in enumerate(zip(address, number, strict=True)) if x != y), len(address))
    total, printed = None, evaluate(said.value, B)
    for place, product in enumerate(products):
        total = product if total is None else total + product
        phase = "equal" if place // 2 < differs else "first unequal" if place == 2 * differs else "later"
        if phase in said.phases and said.products in ("each", ("first", "second")[place % 2]):
            found = total.value
            yield {"==": found == printed, "<=": found <= printed, ">=": found >= printed}[said.op]


def _exact(number: Fixed | None) -> fmpq:
    return fmpq(0) if number is None else number.value
