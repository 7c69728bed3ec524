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
    Needs,
    OfVectors,
    Peak,
    Shaped,
    Shares,
    Takes,
    Weighs,
)
from weightproof.constructions.claims.published import Published
from weightproof.proofs.claims.formulas.always import judge_always
from weightproof.proofs.claims.formulas.components import judge_needs, judge_takes
from weightproof.proofs.claims.formulas.shapes import judge_costs, judge_shape
from weightproof.proofs.claims.formulas.subsets import judge_shares, judge_weighs
from weightproof.proofs.claims.formulas.sums import judge_among, judge_sum
from weightproof.proofs.claims.formulas.vectors import judge_vectors
from weightproof.proofs.claims.formulas.waves import judge_circular, judge_peak
from weightproof.proofs.claims.judging import READING, Judged, Judgement, combined, in_time
from weightproof.proofs.quantities.outcome import Outcome


def judge_formulas(claims: tuple[Published, ...], timeout: float = READING) -> Iterator[Judgement]:
    """The judgement of each claim, in their order; timeout: seconds for one reading."""
    for claim in claims:
        readings = []
        for read in literal(claim):
            assert isinstance(read.statement, Formulaic)
            readings.append(Judged(read, judge_formula(read.statement, timeout)))
        yield Judgement(claim, *combined(tuple(readings)))


def judge_formula(said: Formulaic, timeout: float = READING) -> Outcome:
    """What comes of a statement."""
    return in_time(timeout, lambda: _judged(said))


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
        case Weighs():
            return judge_weighs(said)
        case Shares():
            return judge_shares(said)
        case Needs():
            return judge_needs(said)
        case Takes():
            return judge_takes(said)
    raise TypeError(said)
