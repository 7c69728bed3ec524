"""What is derived of Turing machines: every step of the recurrent network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weightproof.constructions.library import network_of
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.document.blocks import Block, Heading, Paragraph, Plain, Styled
from weightproof.machines.machine_section import derivation, table
from weightproof.machines.stepping import NOTHING, Followed, followed, region_as_text
from weightproof.reports.explanation import Explanation, ShownStep
from weightproof.symbolic.simulation.polynomial import Values


class MachineExplained(Explanation):
    """What the recurrent network of a Turing machine holds behind every obligation, and every step before it; the
    cases are the steps of the machine."""

    def __init__(self, machine: TuringMachine) -> None:
        self.machine, self.network = machine, network_of(machine)
        self.title = f"{machine.name}: {machine.title}" if machine.title else machine.name

    def opening(self) -> Iterator[Block]:
        yield Heading(1, self.machine.title or self.machine.name)
        yield from table(self.machine)

    def blocks(self) -> Iterator[Block]:
        return derivation(self.network)

    @property
    def cases(self) -> list[dict[str, Any]]:
        [*_, (_, last)] = followed(self.network)
        return [
            {"value": _as_text(each.obligation.after), "condition": each.obligation.name}
            for each in last
            if each.gap is None
        ]

    def steps(self) -> Iterator[ShownStep]:
        for _, group in followed(self.network):
            for each in group:
                yield from _steps(each)

    def text(self, with_steps: bool) -> Iterator[Plain]:
        """What the network holds behind every obligation; with the steps, behind each of them."""
        yield Heading(3, self.title)
        yield Paragraph(self.network.legend)
        for about, found in followed(self.network):
            yield Heading(3, about)
            for each in found:
                yield Paragraph(each.obligation.name, 1)
                for told, values in _lines(each, with_steps):
                    yield Paragraph(f"{told}: {_as_text(values) or '0'}", 2)
                if each.gap is not None:
                    yield Paragraph(Styled(f"it does not hold: {each.gap}", "red"), 2)


def _steps(each: Followed) -> Iterator[ShownStep]:
    name, obligation = each.obligation.name, each.obligation
    known = region_as_text(obligation.region) or None
    for number, step in enumerate(each.steps, start=1):
        place = f"{name}, step {number} reads {step.token!r}"
        yield ShownStep("saturated", place, _texts(step.arguments), _texts(step.held), known)
    for simplex, values in obligation.inside:
        again = {atom: values.get(atom, NOTHING) for atom in simplex.atoms}
        yield ShownStep("again", name, {atom: atom for atom in simplex.atoms}, _texts(again), known)
    if each.gap is not None:
        yield ShownStep("none", name, _texts(obligation.before), _texts(obligation.after), each.gap)


def _texts(values: Values) -> dict[str, str]:
    return {row: str(value) for row, value in values.items()}


def _as_text(values: Values) -> str:
    return "; ".join(f"{unit} = {value}" for unit, value in values.items())


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
