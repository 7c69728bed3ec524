"""What a vector is said to carry at a position: compared with what is derived, for every gate and all bits."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from weightproof.constructions.circuits.circuit import Gate, conjoins
from weightproof.constructions.circuits.family import Layout
from weightproof.constructions.claims.circuits import Carries, Place
from weightproof.constructions.library import circuits_of
from weightproof.constructions.meaning.schema import Decoder, Embedding
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.circuits.deciding import KINDS, TOKENS
from weightproof.proofs.circuits.widths import ONE_BIT
from weightproof.proofs.claims.circuits.formulas import said
from weightproof.proofs.claims.circuits.runs import DecoderDifference, DecoderRun, entry, exactly, head_of, runs
from weightproof.proofs.claims.circuits.settings import (
    Formats,
    Setting,
    derived,
    heads_gap,
    judged_in_formats,
    layout_gap,
)
from weightproof.proofs.quantities.outcome import NO_VALUE, Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import Arithmetic
from weightproof.symbolic.fixed_point.decoder import BIT, KIND, TOKEN, Step, vector
from weightproof.symbolic.fixed_point.finite import NOTHING, Assignment, Values, applied
from weightproof.symbolic.fixed_point.lookup import at

[BIT_NAME] = ONE_BIT
PER_BIT = frozenset({"query", "key"})
"""The places whose rows are named after bits."""
BEFORE_ATTENTION = frozenset({"embedded", "table", "input"})


def judge_carries(claim: Carries) -> Outcome:
    """Whether vectors are as is said, in every format."""
    return judged_in_formats(claim.family, claim.least, partial(_apart, claim), partial(_seen, claim))


def _apart(claim: Carries, arithmetic: Formats) -> tuple[str, str] | None:
    """Where what is derived is not what is said, and what it is; or why nothing is derived."""
    gap = layout_gap(claim.family)
    if gap is None and not {place.part for place in claim.places} <= BEFORE_ATTENTION:
        gap = heads_gap(claim.family, arithmetic)
    if gap is not None:
        return gap
    family = circuits_of(claim.family)
    network, layout = family.decoder(ONE_BIT), family.layout(ONE_BIT)
    try:
        made = derived(claim.family, arithmetic)
        for place in claim.places:
            values = _place(network, layout, made, place, arithmetic)
            for name, formula in claim.rows.items():
                for known, assignment in _positions(layout):
                    found = values.get(name, NOTHING).at(assignment)
                    if found != said(formula, known, arithmetic):
                        return f"{name!r} of the {_named(place)}", f"{found} where {_told(formula, known)}"
    except Underivable as error:
        return "a step", f"not derived: {error}"
    return None


def _place(network: Decoder, layout: Layout, made: Step, place: Place, arithmetic: Arithmetic) -> Values:
    streams = [made.input, *(layer.output for layer in made.layers)]
    match place.part:
        case "embedded":
            return vector(network, Layout({}, {}, (), {}), arithmetic)
        case "table":
            return vector(replace(network, embedding=Embedding(WE={token: {} for token in TOKENS})), layout, arithmetic)
        case "input":
            return made.input
    head, before = head_of(network, place.layer), streams[place.layer - 1]
    match place.part:
        case "query":
            return applied(head.W_Q, before, arithmetic)
        case "key":
            return applied(head.W_K, before, arithmetic)
        case "value":
            value = applied(head.W_V, before, arithmetic)
            return value if head.W_O is None else applied(head.W_O, value, arithmetic)
        case "attended":
            return made.layers[place.layer - 1].attended
        case "output":
            return streams[place.layer]
    PROVER.refuse("place", place.part)


def _positions(layout: Layout) -> Iterator[tuple[dict[str, int], Assignment]]:
    """Every position as far as a step can tell them apart: what formulas are in, and the values of unknowns."""
    fields = {"id": layout.number, **layout.addresses}
    names = {f"{field}_j": bits[0] for field, bits in fields.items()}
    for kind, token, (a, b), bits in itertools.product(
        KINDS, TOKENS, itertools.product(TOKENS, repeat=2), itertools.product(BIT, repeat=len(names))
    ):
        if not conjoins(kind) and a != b:
            continue
        known = {"x": int(TOKENS[token]), "x_a": int(TOKENS[a]), "x_b": int(TOKENS[b]), "c": int(conjoins(kind))}
        known["y"] = int(Gate(kind, 1, 1)(TOKENS[a], TOKENS[b]))
        known |= dict(zip(names, bits, strict=True))
        assignment: dict[str, object] = {TOKEN: token, KIND: kind, TOKEN + at("a"): a, TOKEN + at("b"): b}
        yield known, {**assignment, **dict(zip(names.values(), bits, strict=True))}


def _told(formula: Expression, known: Mapping[str, int]) -> str:
    used = ", ".join(f"{name} = {value}" for name, value in known.items() if name in formula.names)
    return f"{used} and {formula} is said" if used else f"{formula} is said"


def _named(place: Place) -> str:
    return f"{place.part} of layer {place.layer}" if place.layer else place.part


def _seen(claim: Carries, setting: Setting) -> Iterator[DecoderDifference]:
    """Entries of vectors that are not what is said, of runs."""
    for run in runs(claim.family, setting.format):
        for position, place in itertools.product(range(len(run.produced)), claim.places):
            vector = run.vector(position, place)
            for name, formula, known in _rows(claim, place, run, position):
                printed, found = evaluate(formula, known), entry(vector, name)
                if printed != exactly(found):
                    yield run.apart(f"{name!r} of the {_named(place)}", printed, found, position)
        if run.stopped is not None:
            place = claim.places[-1]
            yield run.apart(f"the {_named(place)}", "a value", f"{NO_VALUE} ({run.stopped})", len(run.produced))


def _rows(
    claim: Carries, place: Place, run: DecoderRun, position: int
) -> Iterator[tuple[str, Expression, dict[str, Real]]]:
    """The entries of a vector with their formulas, bit for bit where they are named after bits."""
    known = run.known(position)
    if place.part not in PER_BIT:
        yield from ((name, formula, known) for name, formula in claim.rows.items())
        return
    for bit, bits in run.bits(position):
        for name, formula in claim.rows.items():
            yield name.replace(BIT_NAME, bit), formula, {**known, **bits}
