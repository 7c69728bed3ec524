"""`derive` of Turing machines: every step of the recurrent network, as part of a document, as text, as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weightproof.constructions.library import network_of
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.document.blocks import Block, Heading, Paragraph, Plain, Styled
from weightproof.document.tex import fragment
from weightproof.machines.machine_section import derivation
from weightproof.machines.machine_section import section as written
from weightproof.machines.stepping import NOTHING, Followed, followed, region_as_text
from weightproof.proofs.certified import proved
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.quantities.analysis import DERIVATION_SECONDS
from weightproof.proofs.simulation.prove import of_machine
from weightproof.symbolic.simulation.polynomial import Polynomial
from weightproof.symbolic.simulation.recurrent import Values


def section(machine: TuringMachine) -> tuple[tuple[Block, ...], bool]:
    """The section on a machine, and whether all verdicts in it are the expected ones; TimeUp where it takes too long
    to write, when all is proved."""
    results = list(proved(of_machine(machine)))
    blocks = Deadline.after(DERIVATION_SECONDS).during("writing it down", lambda: tuple(written(machine, results)))
    return blocks, all(result.as_expected for result in results)


def payload(argument: str, machine: TuringMachine) -> dict[str, Any]:
    """The JSON: every step behind every obligation; the cases are the steps of the machine."""
    network = network_of(machine)
    found = list(followed(network))
    return {
        "construction": argument,
        "closed_form": None,
        "cases": [
            {"value": _as_text(each.obligation.after), "condition": each.obligation.name}
            for each in found[-1][1]
            if each.gap is None
        ],
        "steps": [step for _, group in found for each in group for step in _steps(each)],
        "latex": fragment(tuple(derivation(network))),
    }


def _steps(each: Followed) -> Iterator[dict[str, Any]]:
    name, obligation = each.obligation.name, each.obligation
    known = region_as_text(obligation.region)
    for number, step in enumerate(each.steps, start=1):
        place = f"{name}, step {number} reads {step.token!r}"
        yield _step("saturated", place, step.arguments, step.held, known)
    for simplex, values in obligation.inside:
        atoms = {atom: Polynomial.atom(atom) for atom in simplex.atoms}
        again = {atom: values.get(atom, NOTHING) for atom in atoms}
        yield _step("again", name, atoms, again, known)
    if each.gap is not None:
        yield _step("none", name, obligation.before, obligation.after, each.gap)


def _step(rule: str, location: str, given: Values, made: Values, condition: str) -> dict[str, Any]:
    before, after = ({row: str(value) for row, value in values.items()} for values in (given, made))
    return {"rule": rule, "location": location, "before": before, "after": after, "condition": condition or None}


def _as_text(values: Values) -> str:
    return "; ".join(f"{unit} = {value}" for unit, value in values.items())


def report(machine: TuringMachine, with_steps: bool) -> Iterator[Plain]:
    """What the network holds behind every obligation; with the steps, behind each of them."""
    network = network_of(machine)
    yield Heading(3, f"{machine.name}: {machine.title}" if machine.title else machine.name)
    yield Paragraph(network.legend)
    for about, found in followed(network):
        yield Heading(3, about)
        for each in found:
            yield Paragraph(each.obligation.name, 1)
            for told, values in _lines(each, with_steps):
                yield Paragraph(f"{told}: {_as_text(values) or '0'}", 2)
            if each.gap is not None:
                yield Paragraph(Styled(f"it does not hold: {each.gap}", "red"), 2)


def _lines(each: Followed, with_steps: bool) -> Iterator[tuple[str, Values]]:
    """What is held at first and at last, and, with the steps, in between; and what is again where it was."""
    if each.steps:
        yield "from", each.obligation.before
    if with_steps:
        for number, step in enumerate(each.steps, start=1):
            yield f"step {number} reads {step.token!r}", step.held
    elif each.steps:
        yield f"after {len(each.steps)} step{'s' * (len(each.steps) > 1)}", each.steps[-1].held
    for simplex, values in each.obligation.inside:
        yield "again", {atom: values.get(atom, NOTHING) for atom in simplex.atoms}
