"""The proof that a recurrent network runs its machine: an induction over the steps of the machine, case by case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.document.blocks import Block, Code, Math, Paragraph, Spans, Styled, Table, joined
from weightproof.machines.formulas import held, nonzero, rational, region, tex
from weightproof.proofs.prover import Obligation
from weightproof.proofs.simulation.passages import Followed
from weightproof.proofs.simulation.prove import held_by
from weightproof.reports.wording import case
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Saturated, Simplex, Values

NOTHING, ONE = Polynomial(), Polynomial.number(1)
SHARES = (0.2, 0.35, 0.15, 0.15, 0.15)


@dataclass(frozen=True)
class Arguments:
    """What units are the saturated values of, in all steps of a passage: how many are numbers, and of the others those
    that are saturated to 0, to 1, or are the value themselves, each with its bounds, None where signs decide."""

    numbers: int
    to_0: tuple[tuple[fmpq, fmpq] | None, ...]
    to_1: tuple[tuple[fmpq, fmpq] | None, ...]
    themselves: tuple[tuple[fmpq, fmpq] | None, ...]
    undecided: int

    @staticmethod
    def of(found: Followed) -> Arguments:
        known = found.obligation.region
        pairs = [(x, step.held[unit]) for step in found.steps for unit, x in step.arguments.items()]
        moving = [(known.bounds(x), held) for x, held in pairs if x.atoms]
        undecided = [bounds for bounds, held in moving if any(isinstance(atom, Saturated) for atom in held.atoms)]
        to_0, to_1 = (tuple(bounds for bounds, held in moving if held == end) for end in (NOTHING, ONE))
        decided = len(to_0) + len(to_1) + len(undecided)
        themselves = tuple(
            bounds
            for bounds, held in moving
            if held not in (NOTHING, ONE) and not any(isinstance(atom, Saturated) for atom in held.atoms)
        )
        assert decided + len(themselves) == len(moving)
        return Arguments(len(pairs) - len(moving), to_0, to_1, themselves, len(undecided))

    @property
    def all(self) -> int:
        return self.numbers + len(self.to_0) + len(self.to_1) + len(self.themselves) + self.undecided


def told(network: MachineNetwork, closed: Sequence[Obligation]) -> Iterator[Block]:
    """By the passages that were followed, in the parts in which the theorem asks for them."""
    parts: dict[str, list[Followed]] = {}
    for each in closed:
        parts.setdefault(each.part, []).append(each.value(Followed))
    (_, halves), (loading, base), (steps, step) = parts.items()
    yield Paragraph(("Proof, by induction over the steps of the machine.",))
    yield from _invariant(network)
    yield from _of_halves(halves)
    yield Paragraph(
        (
            Styled("Base."),
            f" {loading}: {len(base)} cases. In each the network is followed from what its units hold, reading the "
            f"tokens of the case. A unit is ",
            Math(r"\sigma(z) = \min(1, \max(0, z))"),
            "; which of 0, ",
            Math("z"),
            " and 1 that is, the least and the greatest value of ",
            Math("z"),
            f" say. What all {len(network.rnn.units)} units hold then is what the invariant asks of them, or what the "
            f"next case begins with: as polynomials they are the same.",
        )
    )
    yield _cases(base)
    yield from _again(base)
    counted = [Arguments.of(each) for each in (*base, *step)]
    yield Paragraph(
        (
            Styled("Step."),
            f" {steps}: {len(step)} cases, of {_instructions(network)} instructions and "
            f"{_halting(network)} places of the table where there is none. Each is followed for {network.every} steps "
            "of the network, whatever these are: ",
            *_where(step),
            ". What is held then is what the invariant asks of the next configuration; what does not change is left "
            "out.",
        )
    )
    yield _cases(step)
    yield from _again(step)
    undecided = sum(each.undecided for each in counted)
    yield Paragraph(
        (
            f"Of the {sum(each.all for each in counted):,} arguments of units in these cases "
            f"{sum(each.numbers for each in counted):,} are numbers; of all others but {undecided} the bounds above "
            f"say what the unit is, and these {undecided} stay as ",
            Math(r"\sigma(z)"),
            " until the polynomials are compared.",
        )
    )
    yield from _end(network, step)


def _invariant(network: MachineNetwork) -> Iterator[Block]:
    where, values = held_by(network)
    yield Paragraph(
        (
            Styled("Invariant."),
            " On every word, and ",
            Math("k"),
            " steps of the machine behind the first configuration, which is ",
            Math(rf"{network.every} k"),
            " of the network, its units hold of the configuration, which is in the state ",
            Math("q"),
            ", with ",
            Math("x"),
            " and ",
            Math("y"),
            " for its half tapes: ",
            *held(values),
            "; all others hold 0. Whatever these are: ",
            *region(where.simplices),
            ". ",
            *case(network.legend),
        )
    )


def _of_halves(halves: Sequence[Followed]) -> Iterator[Block]:
    """That a number of a half tape with a symbol more is where all of them are."""
    yield Paragraph(
        (
            Styled("Half tapes."),
            " Of all their numbers ",
            *_where(halves),
            f", and that holds with a symbol more on top, too, which is seen of each of the {len(halves)} symbols.",
        )
    )
    rows = [
        (case(each.obligation.name), *_inside(each.obligation.region, simplex, values))
        for each in halves
        for simplex, values in each.obligation.inside
    ]
    yield Table((("case",), ("the number is then",), ("from",), ("to",), ("which leaves",)), rows)


def _inside(known: Region, simplex: Simplex, values: Values) -> tuple[Spans, Spans, Spans, Spans]:
    """The new value of an atom, its bounds, and how far these are from those that it may have."""
    [atom], [[least], [most]] = simplex.atoms, simplex.vertices
    value = values.get(atom, NOTHING)
    bounds = known.bounds(value)
    assert bounds is not None
    low, high = bounds
    left = joined([(Math(rational(low - least)),), (Math(rational(most - high)),)], " below and ")
    return (Math(tex(value)),), (Math(rational(low)),), (Math(rational(high)),), (*left, " above")


def _where(found: Sequence[Followed]) -> Spans:
    """What is known of the atoms, which is the same in all cases."""
    [places] = {each.obligation.region.simplices for each in found}
    return region(places)


def _cases(found: Sequence[Followed]) -> Table:
    header = (("case",), ("held then",), ("0, as",), ("1, as",), (Math("z"), ", as"))
    return Table(header, [_row(each) for each in found], SHARES)


def _row(found: Followed) -> tuple[Spans, ...]:
    passage, of = found.obligation, Arguments.of(found)
    changed = {unit: x for unit, x in nonzero(passage.after).items() if passage.before.get(unit, NOTHING) != x}
    return (
        case(passage.name),
        held(changed) if changed else ("nothing changes",),
        _bound(of.to_0, r"z \le", 1),
        _bound(of.to_1, r"z \ge", 0),
        _between(of.themselves),
    )


def _bound(bounds: Sequence[tuple[fmpq, fmpq] | None], sign: str, end: int) -> Spans:
    """How many there are, and how near the nearest one comes."""
    known = [each[end] for each in bounds if each is not None]
    if not known:
        return (str(len(bounds)),)
    nearest = max(known) if end else min(known)
    return f"{len(bounds)}: ", Math(f"{sign} {rational(nearest) if nearest >= 0 else '-' + rational(-nearest)}")


def _between(bounds: Sequence[tuple[fmpq, fmpq] | None]) -> Spans:
    known = [each for each in bounds if each is not None]
    if not known:
        return (str(len(bounds)),)
    least, most = min(low for low, _ in known), max(high for _, high in known)
    return f"{len(bounds)}: ", Math(rf"{rational(least)} \le z \le {rational(most)}")


def _again(found: Sequence[Followed]) -> Iterator[Block]:
    """That what is put in the place of atoms is where these are."""
    known = [
        (each.obligation.region, simplex, {atom: values.get(atom, NOTHING) for atom in simplex.atoms})
        for each in found
        for simplex, values in each.obligation.inside
    ]
    least = [
        bounds[0]
        for where, simplex, values in known
        for x in simplex.coordinates(values)
        if (bounds := where.bounds(x))
    ]
    yield Paragraph(
        (
            f"What then stands for what is not known is where that has to be, which is seen {len(known)} times: "
            f"its {len(least)} barycentric coordinates are at least ",
            Math(rational(min(least))),
            ".",
        )
    )


def _instructions(network: MachineNetwork) -> int:
    return sum(len(row) for row in network.machine.table.values())


def _halting(network: MachineNetwork) -> int:
    return len(network.machine.table) * len(network.machine.symbols) - _instructions(network)


def _end(network: MachineNetwork, step: Sequence[Followed]) -> Iterator[Block]:
    halting = [each for each in step if each.obligation.after.get(network.halted, NOTHING) == ONE]
    others = [each for each in step if each.obligation.after.get(network.halted, NOTHING) == NOTHING]
    assert (len(halting), len(halting) + len(others)) == (_halting(network), len(step))
    yield Paragraph(
        (
            Styled("End."),
            f" In {len(halting)} of the {len(step)} cases, those without an instruction, ",
            Code(network.halted),
            " becomes 1, and the configuration stays as it is; in the others it becomes 0. So the network holds each "
            "configuration at its step, and says that the machine has halted when it has, and never before.",
        )
    )
