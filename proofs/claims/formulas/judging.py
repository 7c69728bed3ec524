"""The verdict on each claim that is about no network in particular."""

from __future__ import annotations

from collections.abc import Iterator

from weightproof.constructions.claims.conventions import literal
from weightproof.constructions.claims.formulas import (
    Adds,
    Always,
    Among,
    Circular,
    Costs,
    Formulaic,
    OfVectors,
    Peak,
    Shaped,
)
from weightproof.constructions.claims.published import Published
from weightproof.proofs.claims.formulas.always import judge_always
from weightproof.proofs.claims.formulas.shapes import judge_costs, judge_shape
from weightproof.proofs.claims.formulas.sums import judge_among, judge_sum
from weightproof.proofs.claims.formulas.vectors import judge_vectors
from weightproof.proofs.claims.formulas.waves import judge_circular, judge_peak
from weightproof.proofs.claims.judging import Judged, Judgement, combined
from weightproof.proofs.quantities.outcome import Open, Outcome
from weightproof.symbolic.algebra.vocabulary import Underivable


def judge_formulas(claims: tuple[Published, ...]) -> Iterator[Judgement]:
    """The judgement of each claim, in their order."""
    for claim in claims:
        readings = []
        for read in literal(claim):
            assert isinstance(read.statement, Formulaic)
            readings.append(Judged(read, judge_formula(read.statement)))
        yield Judgement(claim, *combined(tuple(readings)))


def judge_formula(said: Formulaic) -> Outcome:
    """What comes of a statement."""
    try:
        return _judged(said)
    except Underivable as error:
        return Open(str(error))


def _judged(said: Formulaic) -> Outcome:
    match said:
        case Always():
            return judge_always(said)
        case OfVectors():
            return judge_vectors(said)
        case Shaped():
            return judge_shape(said)
        case Costs():
            return judge_costs(said)
        case Circular():
            return judge_circular(said)
        case Peak():
            return judge_peak(said)
        case Adds():
            return judge_sum(said)
        case Among():
            return judge_among(said)
    raise TypeError(said)
