"""What has to hold so that a decoder appends the value of every gate of a circuit, as obligations.

Three things together: each row of the table is laid out as said, and each address in it is the number of one position
that is seen; each head finds the position with its address; and of the two values that are found the token of the gate
is made. Then, by induction over the steps, every token is the value of its wire, whatever the input is.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from flint import fmpq

from weightproof.constructions.circuits.circuit import (
    Circuit,
    CircuitNetwork,
    Gate,
    conjoins,
    conjunction,
    inputs_of,
    negation,
    values,
)
from weightproof.constructions.circuits.family import Family, Layout, every_circuit
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.library import circuit_network_of, circuits_of
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FEWEST_BITS, FixedPoint, rounded
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prover import Decided, Obligations, checked, first, seen, settle
from weightproof.proofs.solving.polynomials import script
from weightproof.proofs.verdict import Counterexample, WrongStep
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import Arithmetic, EveryFormat, Number, OneFormat
from weightproof.symbolic.fixed_point.decoder import KIND, TOKEN, Step, step
from weightproof.symbolic.fixed_point.lookup import at
from weightproof.symbolic.simulation.polynomial import Polynomial, Region

TABLE, HEADS, GATES, FORMATS = "table", "heads", "gates", "formats"
"""The parts of the proof for a circuit, and that of one that goes through formats."""
KINDS: tuple[Literal["NOT", "AND"], ...] = ("NOT", "AND")
TOKENS: Mapping[str, bool] = {"0": False, "1": True}
ZERO = fmpq(0)
FEW_INPUTS, FEW_GATES = 3, 2
"""Of the circuits that are run to refute."""


def table_gaps(network: CircuitNetwork, layout: Layout) -> Obligations:
    """Of each position: its row is laid out for the gate that it writes, and its addresses are numbers of positions
    that it sees; for a gate those of the wires that it reads."""
    table, circuit = network.network.table or (), network.circuit
    if len(table) != circuit.wires - 1:
        yield checked(
            "the table", f"it has {len(table)} rows; {circuit.wires - 1} positions append the values of all gates"
        )
        return
    numbers: dict[Bits, int] = {}
    for position, row in enumerate(table):
        values = {name: _value(weight) for name, weight in row.items()}
        number, name = _bits(values, layout.number), f"row {position}"
        if number in numbers:
            yield checked(name, f"position {position} has the number of position {numbers[number]}")
            return
        numbers[number] = position
        yield seen(name, _laid_out(position, values, _written(circuit, position), layout, numbers), TABLE)


def _written(circuit: Circuit, position: int) -> Gate | None:
    """The gate that a position writes; None of positions before the last symbol of the input."""
    return circuit.gates[position + 1 - circuit.inputs] if position + 1 >= circuit.inputs else None


@dataclass(frozen=True)
class LaidOut:
    """The row of a position. gate: what it writes, if anything; misplaced: the first coordinate that is not what it may
    be, and its value; found: of each address, the position that has this number, None where none has that is seen."""

    position: int
    gate: Gate | None
    misplaced: tuple[str, fmpq] | None
    found: Mapping[str, int | None]

    @property
    def gap(self) -> str | None:
        if self.misplaced is not None:
            name, value = self.misplaced
            return f"{name!r} is {value}"
        reads = (None, None) if self.gate is None else (self.gate.a, self.gate.b)
        for (address, found), wire in zip(self.found.items(), reads, strict=True):
            if found is None:
                return f"the address {address!r} is the number of no position that is seen"
            if wire is not None and found != wire - 1:
                return f"the address {address!r} is the number of position {found}, not of wire {wire}"
        return None


def _laid_out(
    position: int, row: Mapping[str, fmpq], gate: Gate | None, layout: Layout, numbers: Mapping[Bits, int]
) -> LaidOut:
    found = {address: numbers.get(_bits(row, names)) for address, names in layout.addresses.items()}
    return LaidOut(position, gate, _misplaced(row, gate, layout), found)


def _misplaced(row: Mapping[str, fmpq], gate: Gate | None, layout: Layout) -> tuple[str, fmpq] | None:
    bits = dict.fromkeys(name for names in (layout.number, *layout.addresses.values()) for name in names)
    for name in dict.fromkeys((*row, *bits, *layout.constants, *layout.kinds)):
        value = row.get(name, ZERO)
        if name in bits:
            allowed = value == 1 or value == -1
        elif name in layout.constants:
            allowed = value == layout.constants[name]
        elif name in layout.kinds:
            kinds = layout.kinds[name]
            allowed = any(value == kinds[kind] for kind in (kinds if gate is None else (gate.kind,)))
        else:
            allowed = value == 0
        if not allowed:
            return name, value
    return None


Bits = tuple[bool, ...]
"""Of a number; a bit that is set is 1, and one that is not is -1, which is checked of each row."""


def _bits(row: Mapping[str, fmpq], names: Sequence[str]) -> Bits:
    return tuple(row.get(name, ZERO) == 1 for name in names)


@functools.lru_cache(1 << 10)
def _value(weight: Expression) -> fmpq:
    return evaluate(weight, {})


def step_gaps(network: Decoder, layout: Layout, arithmetic: Arithmetic) -> Obligations:
    """The heads find what they look for, and the outputs are greatest, alone, at the value of the gate."""
    try:
        made = step(network, layout, arithmetic)
    except Underivable as error:
        yield checked("heads", f"not derived: {error}")
        return
    yield seen("heads", Found(made), HEADS)
    yield from gate_gaps(made, arithmetic)


@dataclass(frozen=True)
class Found:
    """What is made at a step; `step` derives it only where every head finds what it looks for."""

    made: Step
    gap = None


@dataclass(frozen=True)
class Ahead:
    """By how much the output of the right token is ahead of the others, with the signs of that, at a gate of that kind
    with these values of its wires, behind a token."""

    gate: Gate
    a: str
    b: str
    token: str
    right: str
    ahead: Mapping[str, Number]
    signs: Mapping[str, int]

    @property
    def gap(self) -> str | None:
        wrong = [other for other, sign in self.signs.items() if sign <= 0]
        return f"the output of {wrong[0]!r} is not below that of {self.right!r}" if wrong else None


def gate_gaps(made: Step, arithmetic: Arithmetic) -> Obligations:
    """Of each kind of gate and all values of the wires that it reads; those of a NOT are one."""
    unknowns = {unknown for value in made.outputs.values() for unknown in value.unknowns}
    known = {TOKEN, KIND, TOKEN + at("a"), TOKEN + at("b")}
    for unknown in unknowns:
        if unknown.name not in known:
            yield checked("gates", f"an output depends on {unknown.name!r}")
            return
    for kind, (a, b), token in itertools.product(KINDS, itertools.product(TOKENS, repeat=2), TOKENS):
        if not conjoins(kind) and a != b:
            continue
        gate = Gate(kind, 1, 1)
        right = "1" if gate(TOKENS[a], TOKENS[b]) else "0"
        assignment = {TOKEN: token, KIND: kind, TOKEN + at("a"): a, TOKEN + at("b"): b}
        outputs = {name: value.at(assignment) for name, value in made.outputs.items()}
        name = f"{kind} of {a}, {b} behind {token}"
        try:
            ahead = {
                other: arithmetic.plus(outputs[right], arithmetic.minus(output))
                for other, output in outputs.items()
                if other != right
            }
            signs = {other: arithmetic.sign(over) for other, over in ahead.items()}
        except Underivable as error:
            yield checked(name, str(error))
            continue
        found = Ahead(gate, a, b, token, right, ahead, signs)
        facts = [(">", _in_terms_of_b(over, arithmetic)) for over in ahead.values()]
        yield seen(name, found, GATES, partial(script, name, ABOVE_LEAST, facts, found.gap is None))


ABOVE = "B less the least one"
ABOVE_LEAST = Region(not_negative=frozenset({ABOVE}))


def _in_terms_of_b(number: Number, arithmetic: Arithmetic) -> Polynomial:
    least = Polynomial.number(arithmetic.least) if isinstance(arithmetic, EveryFormat) else Polynomial()
    rational, tops = (Polynomial.number(fmpq(x.numerator, x.denominator)) for x in (number.number, number.tops))
    return rational + tops * (least + Polynomial.atom(ABOVE))


def obligations(network: CircuitNetwork, layout: Layout) -> Obligations:
    """What there is to show of the decoder of a circuit."""
    format = network.network.arithmetic
    assert format is not None
    return itertools.chain(table_gaps(network, layout), step_gaps(network.network, layout, OneFormat(format)))


def decide(network: CircuitNetwork, layout: Layout, deadline: Deadline | None = None) -> Decided:
    """Whether the decoder of a circuit appends the values of all gates, on every input."""
    refuting = (diverges(network, word) for word in inputs_of(network.circuit))
    check = (diverges(network, word, CHECKED_GATES) for word in inputs_of(network.circuit))
    return settle(
        obligations(network, layout),
        lambda: first(itertools.islice(refuting, MOST_RUNS)),
        lambda: first(itertools.islice(check, CHECKED_RUNS)),
        deadline,
    )


MOST_RUNS, CHECKED_RUNS = 1 << 8, 4
"""Inputs that are run to refute, and before a proof counts."""
CHECKED_GATES = 64
"""The first gates, which are run before a proof counts: a step looks at all before it, so a run takes the square."""


def diverges(network: CircuitNetwork, word: str, gates: int | None = None) -> Counterexample | None:
    """The first step at which the decoder appends another token than the value of the gate, run exactly; gates: how
    many of the first are run, all where it is None."""
    circuit = network.circuit
    wanted = values(circuit, word)[circuit.inputs :]
    steps = zip(appended(network.network, word, {}), wanted, strict=True)
    step = 0
    try:
        for step, (produced, value) in enumerate(itertools.islice(steps, gates)):
            if produced.token != str(int(value)):
                return _divergence(network, word, step, str(int(value)), produced.token)
    except NoValue as error:
        return _divergence(network, word, step, str(int(wanted[step])), f"no value ({error})")
    return None


def _divergence(network: CircuitNetwork, word: str, step: int, expected: str, found: str) -> Counterexample:
    gate = f"gate {network.circuit.inputs + step + 1}"
    return Counterexample.at(WrongStep(step, gate, expected, found), network.name, word)


def small_circuits(inputs: int = FEW_INPUTS, gates: int = FEW_GATES) -> Iterator[Circuit]:
    """By the number of gates, then of inputs."""
    for number in range(1, gates + 1):
        for width in range(1, inputs + 1):
            yield from every_circuit(width, number)


BITS = 8
"""Of the widest format that is gone through."""
TRIED = Circuit("a NAND of two", 2, (conjunction(1, 2), negation(3)))
"""Of whose decoder, in each format, heads and gates are derived."""


@dataclass(frozen=True)
class Sufficient:
    """A family, and the B from which on it is said to compute every circuit."""

    family: str
    least: int


def formats(bits: int = BITS) -> Iterator[FixedPoint]:
    """All formats of so many bits at most, but for those without a bit before the point and the sign."""
    for total in range(FEWEST_BITS, bits + 1):
        for fraction in range(total):
            yield FixedPoint(total, fraction)


def forgets(format: FixedPoint) -> bool:
    """Whether exp(-B) is rounded to 0: the assumption of the proof of theorem 3.4."""
    return rounded(-format.greatest, format).exp().sign == 0


def enough(format: FixedPoint, said: Sufficient) -> bool:
    """Whether the decoder computes every circuit in it, as is said."""
    return format.greatest >= said.least and forgets(format)


def format_gaps(said: Sufficient) -> Obligations:
    """Of each format: it is one of those of the theorem and its heads and gates are derived anew, or else some circuit
    is computed wrong, run exactly."""
    for format in formats():
        yield seen(format.name, _tried(format, said), FORMATS)


@dataclass(frozen=True)
class Tried:
    """A format. enough: whether it is said that its decoders compute every circuit, and open: what of heads and gates
    is not shown then; wrong: a circuit that is computed wrong, where it is not said."""

    format: FixedPoint
    enough: bool
    open: str | None
    wrong: Counterexample | None

    @property
    def gap(self) -> str | None:
        if self.enough:
            return self.open
        return None if self.wrong is not None else "no small circuit is computed wrong"


def _tried(format: FixedPoint, said: Sufficient) -> Tried:
    if not enough(format, said):
        return Tried(format, False, None, wrong_circuit(said.family, format))
    network = circuit_network_of(said.family, TRIED, format)
    gaps = step_gaps(network.network, circuits_of(said.family).layout_of(TRIED), OneFormat(format))
    still_open = next((f"{each.name}: {each.gap()}" for each in gaps if each.gap() is not None), None)
    return Tried(format, True, still_open, None)


def wrong_circuit(family: str, format: FixedPoint | None = None, made: Family | None = None) -> Counterexample | None:
    """A circuit, with an input and a step, that the decoder computes wrong in a format: a small one, or a NOT of the
    first of many inputs that are all otherwise, each of which keeps a little weight.

    made: decoders that stand for those of the family.
    """
    made = circuits_of(family) if made is None else made
    small = ((circuit, word) for circuit in small_circuits() for word in inputs_of(circuit))
    for circuit, word in itertools.chain(small, () if format is None else _long(format)):
        found = diverges(made(circuit, format), word)
        if found is not None:
            given = {} if format is None else {"bits": str(format.bits), "fraction": str(format.fraction)}
            return replace(found, construction=family, parameters={"circuit": listed(circuit.gates), **given})
    return None


def _long(format: FixedPoint) -> Iterator[tuple[Circuit, str]]:
    """As many inputs as it takes units of weight to outweigh 1, and more."""
    for inputs in (2**format.fraction, 2 ** (format.fraction + 1)):
        for one, others in ("10", "01"):
            yield Circuit("a NOT of the first", inputs, (negation(1),)), one + others * (inputs - 1)
