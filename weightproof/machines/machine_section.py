"""The section of a document on a Turing machine: its table, its recurrent network, every step of it, the theorems."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.document.blocks import Block, Code, Heading, Items, Math, Paragraph, Spans, Table, joined
from weightproof.machines.formulas import tex
from weightproof.machines.stepping import NOTHING, Followed, followed
from weightproof.symbolic.simulation.parts import weight
from weightproof.symbolic.simulation.polynomial import Polynomial, Simplex, Values


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
            f"It has {len(rnn.units)} units, and takes {network.every} steps for one of the machine. {network.legend} "
            f"On the word ",
            Code(repr(machine.example)),
            f" the first configuration stands in it at step {network.first(machine.example)}. At every step a unit is ",
            Math(r"\sigma(x) = \min(1, \max(0, x))"),
            " of the sum beside it, in which a unit is what it was at the step before; inputs are 0, but reading ",
            *joined([(Code(repr(token)), " makes ", *_held(_embedded(rnn, token))) for token in rnn.embedding.WE]),
            ".",
        )
    )
    yield Table((("unit",), ("saturated",)), tuple(_unit(rnn, unit) for unit in rnn.units), (0.3, 0.7))
    for about, found in followed(network):
        yield Heading(2, (about,))
        yield from _told(found)


def _unit(rnn: RNN, unit: str) -> tuple[Spans, ...]:
    """What its value is the saturated value of: the row of its weights."""
    row = {**rnn.W_h.weights.get(unit, {}), **rnn.W_x.weights.get(unit, {})}
    parts: list[tuple[str, Polynomial]] = [(name, weight(w)) for name, w in row.items()]
    parts += [("", weight(rnn.W_x.bias[unit]))] if unit in rnn.W_x.bias else []
    told: list[str | Math | Code] = []
    for name, factor in parts:
        sign, size = ("-", Polynomial.number(-1) * factor) if factor.at({}) < 0 else ("+", factor)
        told += [" ", Math(sign), " "] if told else [Math(sign)] if sign == "-" else []
        if not name or size != Polynomial.number(1):
            told.append(Math(tex(size) + (r" \cdot " if name else "")))
        told += [Code(name)] if name else []
    return (Code(unit),), tuple(told) if told else (Math("0"),)


def _told(found: tuple[Followed, ...]) -> Iterator[Block]:
    """Where all of them speak of the same region, it is said once."""
    regions = [each.obligation.region.simplices for each in found]
    shared = regions[0] if regions and all(each == regions[0] for each in regions) else ()
    if shared:
        yield Paragraph(("Whatever these are: ", *_region(shared), "."))
    for each in found:
        yield Heading(3, (each.obligation.name,))
        yield Items(tuple(_items(each, shared)))


def _items(each: Followed, known: tuple[Simplex, ...]) -> Iterator[Spans]:
    obligation = each.obligation
    if obligation.region.simplices != known:
        yield ("Whatever these are: ", *_region(obligation.region.simplices), ".")
    if obligation.tokens:
        yield ("Before: ", *_held(obligation.before), ".")
    for number, step in enumerate(each.steps, start=1):
        yield (f"Step {number} reads ", Code(repr(step.token)), ": ", *_held(step.held), ".")
    again = {atom: values.get(atom, NOTHING) for simplex, values in obligation.inside for atom in simplex.atoms}
    if again:
        put: list[Spans] = [(Math(f"{atom} := {tex(value)}"),) for atom, value in again.items()]
        yield ("These are such numbers, too: ", *joined(put), ".")
    if each.gap is not None:
        yield (f"This does not hold: {each.gap}.",)


def _region(simplices: tuple[Simplex, ...]) -> Spans:
    return joined([_where(simplex) for simplex in simplices])


def _where(simplex: Simplex) -> Spans:
    if len(simplex.atoms) == 1:
        least, most = (tex(Polynomial.number(x)) for [x] in simplex.vertices)
        return (Math(rf"{least} \le {simplex.atoms[0]} \le {most}"),)
    corners = [f"({', '.join(tex(Polynomial.number(x)) for x in point)})" for point in simplex.vertices]
    point = Math(f"({', '.join(simplex.atoms)})")
    return point, " in the convex hull of ", Math(", ".join(corners))


def _embedded(rnn: RNN, token: str) -> Values:
    return {name: weight(value) for name, value in rnn.embedding.WE[token].items()}


def _held(values: Values) -> Spans:
    """Units that hold the same stand together."""
    names: dict[Polynomial, list[str]] = {}
    for unit, value in values.items():
        names.setdefault(value, []).append(unit)
    told: list[Spans] = [
        (*joined([(Code(unit),) for unit in equal], " = "), " = ", Math(tex(x))) for x, equal in names.items()
    ]
    return joined(told, "; ") if told else ("all units are 0",)
