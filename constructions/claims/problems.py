"""Refuses malformed claims before they are judged, naming the construction and the claim."""

from __future__ import annotations

from collections.abc import Iterator
from reprlib import repr as short
from typing import get_args

from weightproof.constructions.claims.conventions import under
from weightproof.constructions.claims.published import Claims, Convention, Published, Reading, Slip
from weightproof.constructions.claims.statement import Statement, Topic, choice_problems
from weightproof.constructions.claims.statements import Accepts, Constant, CrossEntropy, OfNetwork, Order
from weightproof.constructions.meaning.construction import Construction, after
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.outputs import predicts
from weightproof.constructions.meaning.schema import Encoder

OF_A_LOGIT = Accepts | CrossEntropy | Constant | Order


def check_claims(claims: Claims, about: Construction | Topic) -> None:
    """Raises ConstructionError at the first thing that is wrong with the claims."""
    name = about.name if isinstance(about, Construction) else claims.construction
    for message in _problems(claims, about):
        raise ConstructionError(" ".join(f"{name}: {message}".split()))


def _problems(claims: Claims, about: Construction | Topic) -> Iterator[str]:
    if isinstance(about, Construction) and not isinstance(about.network, Encoder):
        yield "claims are judged of encoders only"
    if not isinstance(claims.repair, str) or not (claims.repair.isprintable()):
        yield f"repair {short(claims.repair)} is no line of text"
    if isinstance(about, Construction) and (name := after(claims.construction, claims.transforms)) != about.name:
        yield f"its claims are about {name!r}"
    if isinstance(about, Topic) and claims.construction not in about.names:
        yield f"its claims are about none of {', '.join(about.names)}"
    seen: set[str] = set()
    for number, claim in enumerate(claims.claims):
        yield from (f"claims[{number}]{message}" for message in _no_claim(claim))
        if claim.id in seen:
            yield f"claim {claim.id}: there are two claims of that id"
        seen.add(claim.id)
        yield from (f"claim {claim.id}: {message}" for message in _claim(claim, about))


def claim_problems(claim: Published, construction: Construction) -> Iterator[str]:
    """What is wrong with a single claim about an encoder that reads out a logit."""
    yield from (f"claim{message}" for message in _no_claim(claim))
    yield from (f"claim {claim.id}: {message}" for message in _claim(claim, construction))


def _no_claim(claim: object) -> Iterator[str]:
    if isinstance(claim, str):
        yield f" is the heading {short(claim)}, below which there is no claim"
    elif not isinstance(claim, Published):
        yield f" is {short(claim)}, not a Published"
    elif not isinstance(claim.id, str) or not claim.id.strip() or not claim.id.isprintable():
        yield f": id {short(claim.id)} is no line of text"


def _claim(claim: Published, about: Construction | Topic) -> Iterator[str]:
    for field in ("place", "printed"):
        text = getattr(claim, field)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            yield f"{field} {short(text)} is no line of text"
    if claim.printed.count("$") % 2:
        yield "printed: a formula is not closed by a dollar sign"
    if not claim.senses:
        yield "it has no reading"
    if len(claim.senses) > 1 and len({getattr(each, "sense", None) for each in claim.senses} - {None}) < len(
        claim.senses
    ):
        yield "there is more than one literal reading: tell them apart by their sense"
    kind, noun = (OfNetwork, "a construction") if isinstance(about, Construction) else (about.kind, about.noun)
    for reading in claim.senses:
        if not isinstance(reading, Reading):
            yield f"{short(reading)} is no reading"
        if reading.conventions:
            yield f"{short(reading)} is no literal reading: write its conventions below it, with Under"
        if not isinstance(reading.statement, Statement):
            yield f"a reading states {short(reading.statement)}, which is no statement"
        if not isinstance(reading.statement, kind):
            yield f"{short(reading)} states nothing about {noun}"
        if getattr(reading.statement, "padded", False):
            yield "a literal reading is padded: write under=(('padding',),)"
        if isinstance(about, Construction) and predicts(about) and isinstance(reading.statement, OF_A_LOGIT):
            said = type(reading.statement).__name__
            yield f"a network that predicts a token or a class has no logit, of which {said} speaks"
        yield from choice_problems(reading.statement)
        yield from reading.statement.problems(about)
    yield from _conventions(claim, about)
    for slip in claim.slips:
        yield from _slip(slip, about)


def _conventions(claim: Published, about: Construction | Topic) -> Iterator[str]:
    if not isinstance(claim.under, tuple):
        yield f"under is {short(claim.under)}, not a tuple of combinations of conventions"
    for conventions in claim.under:
        if not isinstance(conventions, tuple) or not conventions:
            yield f"under: {short(conventions)} is no combination of conventions; write ('padding',), say"
        for convention in conventions:
            if convention not in get_args(Convention):
                yield f"under: {short(convention)} is none of the conventions {', '.join(get_args(Convention))}"
        construction = about if isinstance(about, Construction) else None
        if all(under(reading.statement, conventions, construction) is None for reading in claim.senses):
            yield f"under: {' and '.join(conventions)} leaves the statement what it is"


def _slip(slip: Slip, about: Construction | Topic) -> Iterator[str]:
    if not isinstance(slip, Slip):
        yield f"slip is {short(slip)}, not a Slip"
    for field in ("id", "about", "cause"):
        text = getattr(slip, field)
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            yield f"slip: {field} {short(text)} is no line of text"
    if isinstance(about, Topic) and slip.about not in about.names:
        yield f"slip {slip.id}: {slip.about!r} is none of {', '.join(about.names)}"
    if isinstance(about, Topic) or after(slip.about, slip.transforms) == about.name:
        yield from (f"slip {slip.id}, correction: {message}" for message in _claim(slip.correction, about))
