"""The proof that a transformer holds the states of a recurrent network: an induction over the steps of its decoder; and
those of the lemmas on the way, which begin from the same input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from flint import fmpq

from weightproof.document.blocks import Block, Math, Paragraph, Spans, Styled, Table, joined
from weightproof.machines.formulas import equations, nonzero, rational, region, tex, vector
from weightproof.proofs.prover import Obligation
from weightproof.proofs.simulation.holding import (
    FIRST_POSITION,
    Anything,
    AtLeast,
    Gap,
    Held,
    Invariant,
    Multiple,
    Positive,
    Within,
    tells_step_0_apart,
)
from weightproof.proofs.simulation.simulates import BASE, OUTPUT, STEPPED, Compared
from weightproof.reports.wording import case, headed, leading
from weightproof.symbolic.simulation.decoder import Look
from weightproof.symbolic.simulation.polynomial import Polynomial
from weightproof.symbolic.writing.latex import label

REASONS = {
    "nothing": "its values are 0",
    "mean": "all scores are the same, so it takes the mean of what it sees",
    "token": "the token of this step has a greater score than all others that are seen",
    "two": "one of two scores is greater, or both are the same, and so are their values",
    "position": "the scores are greatest at the position of this step alone",
}
"""Why a cross head looks where it does; see `symbolic/simulation/decoder.py`."""
MOST = 6
"""Ranges of what is not known that are written out."""


def told(closed: Sequence[Obligation]) -> Iterator[Block]:
    """By what was compared, at each moment of a run."""
    parts: dict[str, list[Compared]] = {}
    for each in closed:
        parts.setdefault(each.part, []).append(each.value(Compared))
    if parts.keys() == {BASE, STEPPED}:
        [base] = parts[BASE]
        yield from _induction(base, parts[STEPPED])
    else:
        yield from _lemma(parts)


def _induction(base: Compared, steps: Sequence[Compared]) -> Iterator[Block]:
    units = [each.coordinate for each in steps[0].comparisons() if each.vector == OUTPUT]
    yield Paragraph(("Proof, by induction over the steps ", Math("t"), " of the decoder."))
    yield Paragraph((Styled("Invariant."), *_invariant(base.invariant, units)))
    first = list(base.comparisons())
    yield Paragraph(
        (
            Styled("Base."),
            " Before the first step all units are 0. In the input of step 0, ",
            *_written("y", first, units),
            ".",
        )
    )
    yield from _bounds("y", base)
    yield Paragraph(
        (
            Styled("Step."),
            f" {len(steps)} moments of a run are told apart. At each the input is what the invariant says, whatever "
            "state it holds; the layers are gone through one after the other, and of what comes out two things are "
            "compared: the output vector ",
            Math("z"),
            " with the next state, ",
            Math(r"\sigma(W_h h + W_x x + b)"),
            " of the state ",
            Math("h"),
            " and of what the token embeds as, ",
            Math("x"),
            "; and the next input ",
            Math("y'"),
            " with what the invariant says of it.",
        )
    )
    for each in steps:
        yield from _moment(each, units)
    names = joined([case(each.name) for each in steps], last=" and ")
    later = "; a state may be put in before every step but step 0" if tells_step_0_apart(base.invariant) else ""
    yield Paragraph(
        (
            Styled("End."),
            " Every step of a run on any word is one of these: ",
            *names,
            f". So at every step the output holds the state of the recurrent network{later}.",
        )
    )


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _invariant(invariant: Invariant, units: Sequence[str]) -> Spans:
    """What the input of step t holds."""
    said: list[Spans] = [
        (_holds(name, held),) for name, held in invariant.items() if held != "0" and not isinstance(held, Anything)
    ]
    unknown: list[Spans] = [
        (Math(_coordinate("y", name)),) for name, held in invariant.items() if isinstance(held, Anything)
    ]
    free: Spans = ("; of ", *joined(unknown), " nothing is said") if unknown else ()
    first = ", ".join(_coordinate("y", unit) for unit in units[:2])
    more = rf", \dots, {_coordinate('y', units[-1])}" if len(units) > 2 else ""
    return (
        " The input ",
        Math("y"),
        " of step ",
        Math("t"),
        f" holds in {_many(len(units), 'coordinate')}, ",
        Math(first + more),
        ", the state behind step ",
        Math("t - 1"),
        ", whatever that is in ",
        Math("[0, 1]"),
        ", and beside it ",
        *joined(said),
        *free,
        "; all other coordinates are 0.",
    )


def _coordinate(vector_: str, name: str) -> str:
    return rf"{vector_}_{{{label(name)}}}"


def _holds(name: str, said: Held) -> Math:
    """What is said of a coordinate of an input."""
    here = _coordinate("y", name)
    match said:
        case str():
            return Math(f"{here} = {_value(said)}")
        case Multiple(factor, of):
            return Math(rf"{here} = {rational(factor)} \cdot {_value(of)}")
        case AtLeast(factor):
            return Math(rf"{here} \ge {rational(factor)} \cdot {tex(Polynomial.atom(FIRST_POSITION))}")
        case Within(most, positive):
            sign = "<" if positive else r"\le"
            return Math(rf"0 {sign} {here} \le {rational(most)}")
        case Positive():
            return Math(f"{here} > 0")
        case Anything():
            return Math(here)
        case other:
            assert_never(other)


def _value(said: str) -> str:
    return said if said.lstrip("-").isdigit() else tex(Polynomial.atom(said))


def _moment(at: Compared, units: Sequence[str]) -> Iterator[Block]:
    comparisons = list(at.comparisons())
    state = [each for each in comparisons if each.vector == OUTPUT]
    following = [each for each in comparisons if each.vector != OUTPUT]
    looks: list[Spans] = [
        (
            f"layer {number}{f', cross head {place}' if len(layer.looks) > 1 else ''}: {REASONS[look.rule]}",
            *_products(look),
        )
        for number, layer in enumerate(at.layers, start=1)
        for place, look in enumerate(layer.looks, start=1)
    ]
    heads: Spans = (" What is looked at: ", *joined(looks, "; "), ".") if looks else ()
    output: Spans = (f" The output is the next state in {_many(len(state), 'unit')}",)
    if len(state) == 1:
        output += (": ", *equations({_coordinate("z", each.coordinate): each.found for each in state}))
    rewritten = sum(each.found != each.wanted for each in state)
    if rewritten:
        output += (f", in {rewritten} of them as ", Math(r"\sigma(x) = \max(0, x) - \max(0, x - 1)"))
    yield Paragraph(
        (
            *leading(at.name),
            *_known(at, units),
            *heads,
            *output,
            ".",
            " In the next input, ",
            *_written("y'", following, units),
            ".",
        )
    )
    yield from _bounds("y'", at)


def _products(look: Look) -> Spans:
    """What the scores are made of, token by token."""
    if not 0 < len(look.products) <= MOST:
        return ()
    products = {rf"q \cdot k_{{{label(token)}}}": x for token, x in look.products.items()}
    return ", of ", *equations(products)


def _written(name: str, compared: Sequence[Gap], units: Sequence[str]) -> Spans:
    """What stands in the coordinates of an input that were compared with a value, but for those of the state."""
    values = {each.coordinate: each.found for each in compared if isinstance(each.wanted, Polynomial)}
    beside = {_coordinate(name, coordinate): x for coordinate, x in values.items() if coordinate not in units}
    shown = equations(nonzero(beside))
    what = _many(len(beside), "coordinate")
    return (f"of {what} beside the state, ", *shown, " and all others are 0") if shown else (f"{what} beside it are 0",)


def _known(at: Compared, units: Sequence[str]) -> Spans:
    """What holds of the atoms that are compared, but that units are from 0 to 1; nothing where that is too long."""
    compared = list(at.comparisons())
    found = {atom for each in compared for atom in each.found.atoms}
    places = [each for each in at.region.simplices if not set(each.atoms) <= {*units}]
    if len(places) > MOST:
        return ()
    signs: list[Spans] = [
        (Math(f"{tex(Polynomial.atom(atom))} {sign} 0"),)
        for atoms, sign in ((at.region.positive, ">"), (at.region.not_negative & found, r"\ge"))
        for atom in sorted(atoms)
    ]
    equal: list[Spans] = [
        (Math(f"{tex(Polynomial.of({monomial: fmpq(1)}))} = {tex(value)}"),)
        for monomial, value in at.region.equal.items()
    ]
    told = joined([part for part in (region(places), *signs, *equal) if part])
    return (" Whatever these are: ", *told, ".") if told else ()


def _bounds(name: str, at: Compared) -> Iterator[Block]:
    """The coordinates of an input of which an invariant only says bounds."""
    bounded = [each for each in at.comparisons() if not isinstance(each.wanted, Polynomial)]
    if bounded:
        header: tuple[Spans, ...] = (("coordinate",), ("it is",), ("so that",), ("the left side is",))
        rows = [
            ((Math(_coordinate(name, each.coordinate)),), (Math(tex(each.found)),), *_bound(each, at))
            for each in bounded
        ]
        yield Table(header, rows)


def _bound(each: Gap, at: Compared) -> tuple[Spans, Spans]:
    """What has to be so, and what its bounds leave, where it is by these that it is."""
    asked, left = list[Spans](), list[Spans]()
    for op, difference in each.facts(at.values):
        sign = ">" if op == ">" else r"\ge"
        asked.append((Math(f"{tex(difference)} {sign} 0"),))
        bounds = at.region.bounds(difference)
        shown = bounds is not None and (bounds[0] > 0 or (op == ">=" and bounds[0] == 0))
        left.append(("at least ", Math(rational(bounds[0]))) if shown and bounds else ("so by signs",))
    return joined(asked), joined(left)


def _lemma(parts: dict[str, list[Compared]]) -> Iterator[Block]:
    """The first network in full, and how many comparisons there are of the others."""
    (first, moments), *others = parts.items()
    yield Paragraph(
        f"Proof, from the input that the invariant of the induction says, at each moment of a run, or of each token. "
        f"Of {first}:"
    )
    for each in moments:
        values = {gap.coordinate: gap.found for gap in each.comparisons()}
        number = _many(len(values), "coordinate")
        yield vector((*headed(each.name), f", {number}: "), "v", values)
    for name, compared in others:
        coordinates = sum(len(list(each.comparisons())) for each in compared)
        yield Paragraph(f"Of {name} the same is compared in {coordinates} coordinates, in {len(compared)} cases.")
