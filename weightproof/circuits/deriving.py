"""What is derived of circuits: one step of the decoder, wherever it stands."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from weightproof.circuits import proof
from weightproof.circuits.formulas import scores
from weightproof.constructions.circuits.family import Layout
from weightproof.constructions.circuits.files import find_circuit
from weightproof.constructions.library import CIRCUITS, CIRCUITS_AS_PRINTED, circuit_network_of, circuits_of
from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Block, Heading, Math, Paragraph, Table, Text, joined
from weightproof.proofs.circuits.prove import theorem_of
from weightproof.proofs.circuits.widths import ONE_BIT
from weightproof.proofs.prover import Obligation
from weightproof.reports.explanation import ShownStep, WithTheorems
from weightproof.reports.matrices import matrix, weights
from weightproof.reports.wording import worded
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import ZERO, Arithmetic, EveryFormat, Number, OneFormat
from weightproof.symbolic.fixed_point.decoder import Step, step
from weightproof.symbolic.fixed_point.finite import Finite, Unknown, Values, assignments
from weightproof.symbolic.fixed_point.lookup import LookUp
from weightproof.symbolic.writing.latex import label


class CircuitExplained(WithTheorems):
    """One step of the decoder, wherever it stands, whatever the circuit and its input are: of a family that for numbers
    of one bit, j, in every format, of a circuit its own."""

    brief = "argmax"

    def __init__(self, argument: str) -> None:
        self.argument = argument
        circuit = None if argument in CIRCUITS else find_circuit(argument)
        if circuit is None:
            made = circuits_of(argument)
            self.network, self.layout, self.missing = made.decoder(ONE_BIT), made.layout(ONE_BIT), made.missing
            self.arithmetic: Arithmetic = EveryFormat(theorem_of(argument).LEAST)
        else:
            family = next(name for name in CIRCUITS if name not in CIRCUITS_AS_PRINTED)
            self.network, self.layout = (
                circuit_network_of(family, circuit).network,
                circuits_of(family).layout_of(circuit),
            )
            assert self.network.arithmetic is not None
            self.arithmetic = OneFormat(self.network.arithmetic)
        self.title = f"{argument}: one step of its decoder, in {self.arithmetic.name}"

    @functools.cached_property
    def made(self) -> Step:
        try:
            return step(self.network, self.layout, self.arithmetic)
        except Underivable as error:
            raise InputError(f"{self.argument}: no closed form: {error}") from error

    def opening(self) -> Iterator[Block]:
        yield Heading(1, f"{self.argument}: a Boolean circuit by chain of thought")
        yield Paragraph(worded(f"Numbers: {self.arithmetic.name}. {_meaning(self.layout)}"))

    def weights(self) -> Iterator[Block]:
        """Of a family, beside them, what stands in the rows of its tables, which a circuit has in its own."""
        yield from weights(self.network)
        if self.network.table is None:
            yield from _rows(self.layout, self.missing)

    def blocks(self) -> Iterator[Block]:
        yield Heading(2, "Derivation")
        try:
            made = self.made
        except InputError as error:
            yield Paragraph(f"{error}.")
            return
        for number, layer in enumerate(made.layers, start=1):
            for place, look in enumerate(layer.looks, start=1):
                yield Paragraph((f"Layer {number}, head {place}: ", *scores(look), ". It adds:"))
                yield _tabled(layer.looked)
            if layer.hidden:
                yield Paragraph(f"Layer {number}, hidden units:")
                yield _tabled(layer.hidden)
        yield Paragraph("Outputs, by token; the greatest one is appended:")
        yield _tabled(made.outputs)

    def proof(self, theorem: str, closed: Sequence[Obligation]) -> Iterator[Block]:
        return proof.told(closed)

    @property
    def closed_form(self) -> dict[str, str]:
        return {name: told(value) for name, value in self.made.outputs.items()}

    @property
    def beside(self) -> Mapping[str, Any]:
        return {"numbers": self.arithmetic.name}

    def steps(self) -> Iterator[ShownStep]:
        before: Values = self.made.input
        for number, layer in enumerate(self.made.layers, start=1):
            for place, look in enumerate(layer.looks, start=1):
                scores = {"at the address": sorted(map(str, look.here)), "elsewhere": sorted(map(str, look.elsewhere))}
                where = f"layer {number}, head {place}"
                yield ShownStep("look-up", where, scores, _told(layer.looked), _found(look))
            if layer.hidden:
                yield ShownStep("feed-forward", f"layer {number}", _told(layer.attended), _told(layer.output))
            before = layer.output
        yield ShownStep("argmax", "readout", _told(before), _told(self.made.outputs))


def _meaning(layout: Layout) -> str:
    addresses = " and ".join(repr(address) for address in layout.addresses)
    return (
        f"A position knows its token, its number, the kind of the gate that it writes and the numbers {addresses} of "
        "the wires that this gate reads, each in bits that are -1 or 1."
    )


def _rows(layout: Layout, missing: str) -> Iterator[Block]:
    """What is added at a position of a circuit, by the gate that is written there."""
    numbers = {"the own one": layout.number} | {f"the address {name}": of for name, of in layout.addresses.items()}
    kinds = tuple(dict.fromkeys(kind for row in layout.kinds.values() for kind in row))
    constants = {name: dict.fromkeys(kinds, value) for name, value in layout.constants.items()}
    rows = {**layout.kinds, **constants}
    yield Heading(3, "The rows of the table")
    said = [(f"{what} in ", *joined([(Math(label(name)),) for name in of])) for what, of in numbers.items()]
    yield Paragraph(
        (
            "Added at each position of a circuit. The bits of numbers are -1 or 1: ",
            *joined(said),
            f"; for a wire that a gate does not have, {missing} is looked up. By the gate that is written:",
        )
    )
    yield from matrix("T", schema.rows(rows), tuple(rows), kinds, all_columns=True)


def _found(look: LookUp) -> str:
    here, elsewhere = (", ".join(map(str, sorted(scores))) for scores in (look.here, look.elsewhere))
    return (
        f"the score is {here} at the position with the number {look.field!r} and {elsewhere} at all others, which have "
        "no weight, as their exponential is rounded to 0"
    )


def _tabled(values: Values) -> Table:
    """A column for each unknown, and one for each coordinate that is not 0, a row for each combination."""
    shown = _nonzero(values)
    unknowns = _unknowns(shown.values())
    header: list[Text] = [*(worded(unknown.name) for unknown in unknowns), *(Math(label(name)) for name in shown)]
    rows: list[list[Text]] = [
        [*map(str, assignment.values()), *(worded(str(x.at(assignment))) for x in shown.values())]
        for assignment in assignments(unknowns)
    ]
    return Table(header, rows, (1 / len(header) if header else 1,) * len(header))


def _unknowns(values: Iterable[Finite]) -> tuple[Unknown, ...]:
    return tuple(dict.fromkeys(unknown for value in values for unknown in value.unknowns))


def _nonzero(values: Values) -> dict[str, Finite]:
    return {name: value for name, value in values.items() if not value.is_zero}


def _told(values: Values) -> dict[str, str]:
    return {name: told(value) for name, value in _nonzero(values).items()}


def told(value: Finite) -> str:
    """A number that is a function of unknowns, in a line: where it is not 0."""
    if not value.unknowns:
        return str(value.numbers[0])
    where: dict[Number, list[str]] = {}
    for assignment in assignments(value.unknowns):
        where.setdefault(value.at(assignment), []).append(_where(assignment))
    cases = [f"{number} if {' or '.join(places)}" for number, places in where.items() if number != ZERO]
    return "; ".join((*cases, "else 0"))


def _where(assignment: Mapping[str, object]) -> str:
    return " and ".join(f"{name} = {value}" for name, value in assignment.items())
