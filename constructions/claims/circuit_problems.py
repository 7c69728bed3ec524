"""Refuses malformed claims about decoders for circuits before they are judged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from reprlib import repr as short
from typing import get_args

from weightproof.constructions.claims.circuits import (
    OF_LAYERS,
    Built,
    Carries,
    Circuital,
    Computes,
    Fits,
    Forgets,
    HasValue,
    LooksUp,
    Numbered,
    OfBits,
    Part,
    PartialSum,
    Phase,
    Place,
    Positions,
    Width,
    Writes,
)
from weightproof.constructions.claims.problems import lines_of, lines_of_slip
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.meaning.validation import ConstructionError
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.problems import formula_problems, scalar_problems

AT_POSITION = ("x", "y", "x_a", "x_b", "c", "B")
BITS = ("id_j", "a_j", "b_j")
ADDRESSES = ("a", "b")
FIELDS = ("id", *ADDRESSES)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "op": ("==", "<=", ">="),
    "products": ("first", "second", "each"),
    "address": ADDRESSES,
}
MOST_LEAST = 16
"""B that a statement may ask for at least."""


def check_circuit_claims(claims: Claims, families: Collection[str]) -> None:
    """Raises ConstructionError at the first thing that is wrong with claims about decoders of these families."""
    for message in _problems(claims, families):
        raise ConstructionError(" ".join(f"{claims.construction}: {message}".split()))


def _problems(claims: Claims, families: Collection[str]) -> Iterator[str]:
    seen: set[str] = set()
    for claim in claims.claims:
        if claim.id in seen:
            yield f"claim {claim.id}: there are two claims of that id"
        seen.add(claim.id)
        yield from (f"claim {claim.id}: {message}" for message in _claim(claim, families))
        for slip in claim.slips:
            yield from lines_of_slip(slip)
            if slip.about not in families:
                yield f"slip {slip.id}: there are no decoders {slip.about!r}"
            yield from (f"slip {slip.id}, correction: {message}" for message in _claim(slip.correction, families))


def _claim(claim: Published, families: Collection[str]) -> Iterator[str]:
    yield from lines_of(claim)
    if claim.under:
        yield "under: conventions are of claims about networks that read words"
    for reading in claim.senses:
        if not isinstance(reading.statement, Circuital):
            yield f"{short(reading)} states nothing about circuits"
        else:
            yield from _common(reading.statement, families)
            yield from _statement(reading.statement)


def _common(said: Circuital, families: Collection[str]) -> Iterator[str]:
    """What fields of the same name may be in every statement."""
    family = getattr(said, "family", None)
    if family is not None and family not in families:
        yield f"there are no decoders {family!r}; there are {', '.join(families)}"
    least = getattr(said, "least", 1)
    if not isinstance(least, int) or not 1 <= least <= MOST_LEAST:
        yield f"least: {short(least)} is no B from 1 to {MOST_LEAST}"
    for name, known in CHOICES.items():
        if (value := getattr(said, name, known[0])) not in known:
            yield f"{name}: {short(value)} is none of {', '.join(known)}"
    if getattr(said, "layer", 1) < 1:
        yield "layer: layers are counted from 1"


def _statement(said: Circuital) -> Iterator[str]:
    match said:
        case Carries(places=places, rows=rows):
            yield from _places(places)
            bits = {place.part for place in places} <= {"query", "key"}
            yield from _formulas(rows, (*AT_POSITION, *BITS) if bits else AT_POSITION)
        case Numbered(numbers=numbers):
            if not set(numbers) <= set(FIELDS):
                yield f"numbers: {short(set(numbers) - set(FIELDS))}; a row has {', '.join(FIELDS)}"
            yield from _formulas(numbers, ("i", *ADDRESSES))
        case Positions(last=last):
            yield from scalar_problems(last, ("N",), "last")
        case Width(width=width):
            yield from scalar_problems(width, ("k",), "width")
        case Fits(greatest=greatest):
            yield from scalar_problems(greatest, ("N",), "greatest")
        case Built(layers=layers, heads=heads, hidden_layers=hidden, units=units):
            if all(number is None for number in (layers, heads, hidden, units)):
                yield "it says nothing of how the decoder is built"
        case PartialSum(phases=phases, value=value, products=products, op=op):
            if products not in ("first", "second", "each") or op not in ("==", "<=", ">="):
                yield f"{short(products)} {short(op)}: write first, second or each, and ==, <= or >="
            if not phases or not set(phases) <= set(get_args(Phase)):
                yield f"phases: {short(phases)} is no choice of {', '.join(get_args(Phase))}"
            yield from scalar_problems(value, ("B",), "value")
        case LooksUp(of=of, here=here, elsewhere=elsewhere):
            if of not in ("score", "power"):
                yield f"of: {short(of)} is neither 'score' nor 'power'"
            yield from _formulas({"here": here, "elsewhere": elsewhere}, ("B",))
        case HasValue(of=of) if not set(of) <= set(get_args(Writes)):
            yield f"of: {short(of)} is no choice of {', '.join(get_args(Writes))}"
        case Forgets(given=given):
            yield from formula_problems(given, ("B", "s", "f"), None, "given")
        case Computes(scale=scale) if scale is not None:
            yield from scalar_problems(scale, ("d_h",), "scale")
        case OfBits(says=says, given=given):
            for name, formula in (("says", says), ("given", given)):
                yield from formula_problems(formula, ("x_a", "x_b", "c"), None, name)
    if getattr(said, "of", True) == ():
        yield "of: it speaks of no position"


def _places(places: tuple[Place, ...]) -> Iterator[str]:
    if not places:
        yield "places: there is none"
    for place in places:
        if place.part not in get_args(Part):
            yield f"places: {short(place.part)} is none of {', '.join(get_args(Part))}"
        elif (place.part in OF_LAYERS) != (place.layer >= 1):
            yield f"places: {place.part!r} {'needs a' if place.part in OF_LAYERS else 'has no'} layer"


def _formulas(rows: Mapping[str, Expression], names: Collection[str]) -> Iterator[str]:
    if not rows:
        yield "it says of nothing what it is"
    for name, formula in rows.items():
        yield from scalar_problems(formula, names, name)
