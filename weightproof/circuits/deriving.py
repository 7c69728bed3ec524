"""`derive` of circuits: one step of the decoder, wherever it stands, as part of a document, as text, as data."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from weightproof.constructions.circuits.family import Layout
from weightproof.constructions.circuits.files import find_circuit
from weightproof.constructions.library import CIRCUITS, CIRCUITS_AS_PRINTED, circuit_network_of, circuits_of
from weightproof.constructions.meaning.schema import Decoder
from weightproof.document.blocks import Block, Heading, Paragraph, Plain, Table, pairs
from weightproof.document.tex import fragment
from weightproof.machines.formulas import theorems
from weightproof.proofs.certified import proved
from weightproof.proofs.circuits.prove import of_circuit, of_family, theorem_of
from weightproof.proofs.circuits.widths import ONE_BIT
from weightproof.proofs.verdict import Result
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import ZERO, Arithmetic, EveryFormat, Number, OneFormat
from weightproof.symbolic.fixed_point.decoder import Step, step
from weightproof.symbolic.fixed_point.finite import Finite, Unknown, Values, assignments
from weightproof.symbolic.fixed_point.lookup import LookUp

WIDTHS = (0.2, 0.4, 0.4)
"""Shares of the columns of the table of theorems."""


def _subject(argument: str) -> tuple[Decoder, Layout, Arithmetic]:
    """Of a family the decoder for numbers of one bit, j, in every format; of a circuit its own."""
    circuit = None if argument in CIRCUITS else find_circuit(argument)
    if circuit is None:
        made = circuits_of(argument)
        return made.decoder(ONE_BIT), made.layout(ONE_BIT), EveryFormat(theorem_of(argument).LEAST)
    family = next(name for name in CIRCUITS if name not in CIRCUITS_AS_PRINTED)
    network = circuit_network_of(family, circuit).network
    assert network.arithmetic is not None
    return network, circuits_of(family).layout_of(circuit), OneFormat(network.arithmetic)


def section(argument: str) -> tuple[tuple[Block, ...], bool]:
    """The section on a family or a circuit, and whether all verdicts in it are the expected ones."""
    results = list(_results(argument))
    return (*derivation(argument), *theorems(results, WIDTHS)), all(result.as_expected for result in results)


def _results(argument: str) -> Iterator[Result]:
    circuit = None if argument in CIRCUITS else find_circuit(argument)
    return proved(of_family(argument) if circuit is None else of_circuit(circuit))


def derivation(argument: str) -> Iterator[Block]:
    """What stands where at a position, whatever the circuit and its input are."""
    network, layout, arithmetic = _subject(argument)
    yield Heading(1, (f"{argument}: a Boolean circuit by chain of thought",))
    yield Paragraph((f"Numbers: {arithmetic.name}. {_meaning(layout)}",))
    try:
        made = step(network, layout, arithmetic)
    except Underivable as error:
        yield Paragraph((f"There is no closed form: {error}.",))
        return
    for number, layer in enumerate(made.layers, start=1):
        for place, look in enumerate(layer.looks, start=1):
            yield Paragraph((f"Layer {number}, head {place}: {_found(look)}. It adds:",))
            yield from _tabled(layer.looked)
        if layer.hidden:
            yield Paragraph((f"Layer {number}, hidden units:",))
            yield from _tabled(layer.hidden)
    yield Paragraph(("Outputs, by token; the greatest one is appended:",))
    yield from _tabled(made.outputs)


def _meaning(layout: Layout) -> str:
    addresses = " and ".join(repr(address) for address in layout.addresses)
    return (
        f"A position knows its token, its number, the kind of the gate that it writes and the numbers {addresses} of "
        "the wires that this gate reads, each in bits that are -1 or 1."
    )


def _found(look: LookUp) -> str:
    here, elsewhere = (", ".join(map(str, sorted(scores))) for scores in (look.here, look.elsewhere))
    return (
        f"the score is {here} at the position with the number {look.field!r} and {elsewhere} at all others, which have "
        "no weight, as their exponential is rounded to 0"
    )


def _tabled(values: Values) -> Iterator[Table]:
    """A column for each unknown, and one for each coordinate that is not 0, a row for each combination."""
    shown = _nonzero(values)
    unknowns = _unknowns(shown.values())
    header = (*(unknown.name for unknown in unknowns), *shown)
    rows = tuple(
        tuple((text,) for text in (*map(str, assignment.values()), *(str(x.at(assignment)) for x in shown.values())))
        for assignment in assignments(unknowns)
    )
    share = 1 / len(header) if header else 1
    yield Table(tuple((name,) for name in header), rows, (share,) * len(header))


def _unknowns(values: Iterable[Finite]) -> tuple[Unknown, ...]:
    return tuple(dict.fromkeys(unknown for value in values for unknown in value.unknowns))


def _nonzero(values: Values) -> dict[str, Finite]:
    return {name: value for name, value in values.items() if not value.is_zero}


def payload(argument: str) -> dict[str, Any]:
    """The JSON: every part of a step."""
    network, layout, arithmetic = _subject(argument)
    made = step(network, layout, arithmetic)
    return {
        "construction": argument,
        "numbers": arithmetic.name,
        "closed_form": {name: told(value) for name, value in made.outputs.items()},
        "cases": None,
        "steps": list(_steps(made)),
        "latex": fragment(tuple(derivation(argument))),
    }


def _steps(made: Step) -> Iterator[dict[str, Any]]:
    before: Values = made.input
    for number, layer in enumerate(made.layers, start=1):
        for place, look in enumerate(layer.looks, start=1):
            scores = {"at the address": sorted(map(str, look.here)), "elsewhere": sorted(map(str, look.elsewhere))}
            yield _step("look-up", f"layer {number}, head {place}", scores, _told(layer.looked), _found(look))
        if layer.hidden:
            yield _step("feed-forward", f"layer {number}", _told(layer.attended), _told(layer.output), None)
        before = layer.output
    yield _step("argmax", "readout", _told(before), _told(made.outputs), None)


def _step(rule: str, location: str, before: Any, after: Any, condition: str | None) -> dict[str, Any]:
    return {"rule": rule, "location": location, "before": before, "after": after, "condition": condition}


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


def report(argument: str, with_steps: bool) -> Iterator[Plain]:
    """The outputs; with the steps, every part of one."""
    network, layout, arithmetic = _subject(argument)
    yield Heading(3, f"{argument}: one step of its decoder, in {arithmetic.name}")
    try:
        made = step(network, layout, arithmetic)
    except Underivable as error:
        yield Paragraph(f"no closed form: {error}", 1)
        return
    for each in itertools.chain(_steps(made)):
        if with_steps or each["rule"] == "argmax":
            yield Paragraph(f"{each['location']}: {each['rule']}", 1)
            if each["condition"] is not None:
                yield Paragraph(each["condition"], 2)
            yield pairs(each["after"].items(), 2)
