"""What is derived of Turing machines: every step of the recurrent network on every configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weightproof.constructions.library import network_of
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.document.blocks import (
    Block,
    Code,
    Heading,
    Items,
    Math,
    Paragraph,
    Plain,
    Spans,
    Styled,
    Table,
    joined,
)
from weightproof.machines import run_proof, simulation_proof
from weightproof.machines.formulas import held, nonzero, region, tex, typed
from weightproof.proofs.prover import Obligation
from weightproof.proofs.simulation.passages import Followed
from weightproof.proofs.simulation.prove import RUNS, parts_of
from weightproof.reports.explanation import ShownStep, WithTheorems
from weightproof.reports.wording import case
from weightproof.symbolic.simulation.parts import weight
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Simplex, Values

NOTHING = Polynomial()
SHARES = (0.26, 0.31, 0.43)
MORE = "..."
"""Behind the beginning of a name."""


def followed(network: MachineNetwork) -> Iterator[tuple[str, tuple[Followed, ...]]]:
    """Every passage of the theorem that the network runs its machine, with its steps, by what they are about."""
    for about, passages in parts_of(network).items():
        yield about, tuple(each.followed(network.rnn) for each in passages)


def region_as_text(region: Region) -> str:
    """Where its atoms are."""
    return " and ".join(map(_where, region.simplices))


def _where(simplex: Simplex) -> str:
    if len(simplex.atoms) == 1:
        least, most = (x for [x] in simplex.vertices)
        return f"{least} <= {simplex.atoms[0]} <= {most}"
    corners = ", ".join(f"({', '.join(map(str, point))})" for point in simplex.vertices)
    return f"({', '.join(simplex.atoms)}) in the convex hull of {corners}"


def table(machine: TuringMachine) -> Iterator[Block]:
    yield Heading(2, ("The machine",))
    yield Paragraph(
        (
            Code(machine.name),
            " starts in state ",
            Code(machine.start),
            "; the blank is ",
            Code(repr(machine.blank)),
            ". An instruction writes a symbol, moves the head, and names the next state.",
        )
    )
    header: tuple[Spans, ...] = (("state",), *((Code(repr(symbol)),) for symbol in machine.symbols))
    rows: list[tuple[Spans, ...]] = []
    for state, row in machine.table.items():
        found = [row.get(symbol) for symbol in machine.symbols]
        told = ["halts" if each is None else f"{each.write!r} {each.move} {each.state}" for each in found]
        rows.append(((Code(state),), *((Code(each),) for each in told)))
    yield Table(header, tuple(rows))


def derivation(network: MachineNetwork) -> Iterator[Block]:
    """The units, and a heading for each obligation with what the network makes of it; what is left out is 0."""
    rnn, machine = network.rnn, network.machine
    yield Heading(2, ("The recurrent network",))
    yield Paragraph(
        (
            f"It has {len(rnn.units)} units, and takes {network.every} steps for one of the machine. ",
            *case(network.legend),
            " On the word ",
            Code(repr(machine.example)),
            f" the first configuration stands in it at step {network.first(machine.example)}. At every step a unit is ",
            Math(r"\sigma(x) = \min(1, \max(0, x))"),
            " of the sum at its right, in which a unit is what it was at the step before; inputs are 0, but reading ",
            *joined([(Code(repr(token)), " makes ", *held(_embedded(rnn, token))) for token in rnn.embedding.WE]),
            ". A name that ends in ",
            Code(MORE),
            " is the sum of all units whose names begin like that. What units are there for is in words, and proves "
            "nothing.",
        )
    )
    yield Table(
        ("unit", "what it is there for", "saturated"), tuple(_unit(network, unit) for unit in rnn.units), SHARES
    )
    for about, found in followed(network):
        yield Heading(2, (about,))
        yield from _told(found)


def _unit(network: MachineNetwork, unit: str) -> tuple[Spans, ...]:
    """What it is there for, and what its value is the saturated value of: the row of its weights."""
    rnn = network.rnn
    row = {**rnn.W_h.weights.get(unit, {}), **rnn.W_x.weights.get(unit, {})}
    weights = {name: weight(w) for name, w in row.items()}
    parts = [*gathered(weights, (*rnn.units, *rnn.inputs))]
    parts += [("", weight(rnn.W_x.bias[unit]))] if unit in rnn.W_x.bias else []
    told: list[str | Math | Code] = []
    for name, factor in parts:
        sign, size = ("-", Polynomial.number(-1) * factor) if factor.at({}) < 0 else ("+", factor)
        told += [" ", Math(sign), " "] if told else [Math(sign)] if sign == "-" else []
        if not name or size != Polynomial.number(1):
            told.append(Math(tex(size) + (r" \cdot{}" if name else "")))
        told += [Code(name)] if name else []
    return (Code(unit),), case(network.computes[unit]), tuple(told) if told else (Math("0"),)


def gathered(weights: Mapping[str, Polynomial], names: Sequence[str]) -> Iterator[tuple[str, Polynomial]]:
    """The same with one name for several that have the same weight: what they begin with, up to a blank, where these
    are all that begin with it."""
    left = dict(weights)
    while left:
        name, factor = next(iter(left.items()))
        for begins in _beginnings(name):
            group = [each for each in names if each.startswith(begins)]
            if len(group) > 1 and all(left.get(each) == factor for each in group):
                break
        else:
            begins, group = name, [name]
        yield begins if group == [name] else f"{begins}{MORE}", factor
        left = {each: x for each, x in left.items() if each not in group}


def _beginnings(name: str) -> Iterator[str]:
    """Up to each blank that is not between quotes."""
    yield from (name[: k + 1] for k, letter in enumerate(name) if letter == " " and name[:k].count("'") % 2 == 0)


def _told(found: tuple[Followed, ...]) -> Iterator[Block]:
    """Where all of them speak of the same region, it is said once."""
    regions = [each.obligation.region.simplices for each in found]
    shared = regions[0] if regions and all(each == regions[0] for each in regions) else ()
    if shared:
        yield Paragraph(("Whatever these are: ", *region(shared), "."))
    for each in found:
        yield Heading(3, case(each.obligation.name))
        yield Items(tuple(_items(each, shared)))


def _items(each: Followed, known: tuple[Simplex, ...]) -> Iterator[Spans]:
    obligation = each.obligation
    if obligation.region.simplices != known:
        yield ("Whatever these are: ", *region(obligation.region.simplices), ".")
    if obligation.tokens:
        yield ("Before: ", *held(obligation.before), ".")
    for number, step in enumerate(each.steps, start=1):
        yield (f"Step {number} reads ", Code(repr(step.token)), ": ", *held(nonzero(step.held)), ".")
    again = {atom: values.get(atom, NOTHING) for simplex, values in obligation.inside for atom in simplex.atoms}
    if again:
        put: list[Spans] = [(Math(f"{atom} := {tex(value)}"),) for atom, value in again.items()]
        yield ("These are such numbers, too: ", *joined(put), ".")
    if each.gap is not None:
        yield (f"This does not hold: {each.gap}.",)


def _embedded(rnn: RNN, token: str) -> Values:
    return {name: weight(value) for name, value in rnn.embedding.WE[token].items()}


class MachineExplained(WithTheorems):
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

    def proof(self, theorem: str, closed: Sequence[Obligation]) -> Iterator[Block]:
        return run_proof.told(self.network, closed) if theorem == RUNS else simulation_proof.told(closed)

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
        yield ShownStep("saturated", place, typed(step.arguments), typed(step.held), known)
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
            yield f"step {number} reads {step.token!r}", nonzero(step.held)
    elif each.steps:
        yield f"after {len(each.steps)} step{'s' * (len(each.steps) > 1)}", nonzero(each.steps[-1].held)
    for simplex, values in each.obligation.inside:
        yield "again", {atom: values.get(atom, NOTHING) for atom in simplex.atoms}
