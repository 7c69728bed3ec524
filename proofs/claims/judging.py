"""The verdict on each published claim, from the outcomes of its readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from weightproof.constructions.claims import circuits as decoders
from weightproof.constructions.claims import formulas as made
from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.conventions import otherwise
from weightproof.constructions.claims.problems import check_claims
from weightproof.constructions.claims.published import Claims, Published, Reading
from weightproof.constructions.claims.statement import Statement
from weightproof.constructions.claims.stepwise import OfEvery
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import first_right, predicts
from weightproof.constructions.meaning.schema import UnknownChoice
from weightproof.proofs.claims import circuits, simulated, vectors, weights, words
from weightproof.proofs.claims.formulas import always, components, shapes, sums
from weightproof.proofs.claims.formulas.vectors import judge_vectors
from weightproof.proofs.claims.orders import judge_limit, judge_order
from weightproof.proofs.claims.words import Stated
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prove import Proof
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.explanation import Explanation
from weightproof.proofs.quantities.judge import judge
from weightproof.proofs.quantities.outcome import Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.solving.close import confirm
from weightproof.proofs.theorem import Theorem
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary

READING = 20.0
"""Seconds for one reading of a claim, unless others are given."""
VerdictName = Literal["true", "true-under", "false", "ambiguous", "unknown"]
VERDICTS: tuple[VerdictName, ...] = ("true", "true-under", "false", "ambiguous", "unknown")


@dataclass(frozen=True)
class Judged:
    """A reading with its outcome."""

    reading: Reading
    outcome: Outcome

    @property
    def name(self) -> str:
        named = (self.reading.sense, *self.reading.conventions)
        return ", ".join(part for part in named if part is not None) or "as printed"

    @property
    def literal(self) -> bool:
        return not self.reading.conventions

    @property
    def holds(self) -> bool | None:
        return None if isinstance(self.outcome, Open) else isinstance(self.outcome, Holds)

    @property
    def word(self) -> str:
        """The outcome in a word."""
        return {True: "true", False: "false", None: "unknown"}[self.holds]


@dataclass(frozen=True)
class Judgement:
    """A claim with its verdict.

    readings: the literal senses, and what conventions make of them where every sense is refuted. deciding: the one that
    the verdict rests on; of a false claim the last one, which is the most charitable.
    """

    claim: Published
    verdict: VerdictName
    readings: tuple[Judged, ...]
    deciding: Judged

    @property
    def failure(self) -> Fails | None:
        """How print and weights differ, of a claim that is not literally true: of one that is true under a convention,
        how its first literal sense does."""
        if self.verdict in ("true", "unknown"):
            return None
        outcomes = (judged.outcome for judged in (self.deciding, *self.readings))
        return next(outcome for outcome in outcomes if isinstance(outcome, Fails))

    @property
    def difference(self) -> Difference | None:
        return None if self.failure is None else self.failure.difference

    @property
    def derived(self) -> Explanation | None:
        """What the weights say in its stead."""
        return None if self.failure is None else self.failure.derived


def of_outcomes(claim: Published, outcomes: Sequence[Outcome], construction: Construction | None) -> Judgement | None:
    """The judgement whose readings came to that, those under conventions behind the literal ones; None where the claim
    has another number of readings."""
    readings = [*claim.senses]
    if len(outcomes) > len(readings):
        readings += otherwise(claim, construction)
    if not outcomes or len(outcomes) != len(readings):
        return None
    return Judgement(claim, *combined(tuple(map(Judged, readings, outcomes))))


def judge_claims(
    construction: Construction,
    claims: Claims,
    theorems: Sequence[Theorem] = (),
    known: Sequence[Proof] = (),
    timeout: float = READING,
    corrections: Sequence[Published] = (),
) -> Iterator[Judgement]:
    """The judgement of each claim, in their order, and of the corrections, which the slips of some hold.

    theorems: what is stated of the construction, for invariants and margins. known: what was reached for some of them,
    which need not be proved once more. timeout: seconds for one reading of a claim. Raises ConstructionError where a
    claim is malformed.
    """
    check_claims(claims, construction)
    stated = Stated(Analysis(construction, timeout), theorems, known)
    found = [_judgement(stated, claim, timeout) for claim in (*claims.claims, *corrections)]
    confirmed = confirm(stated.analysis.ledger, Vocabulary.of(construction), timeout)
    yield from (found if confirmed.evidence is not None else [_unconfirmed(j, confirmed.reason) for j in found])


def judge_printed(claims: Iterable[Published], timeout: float = READING) -> tuple[Judgement, ...]:
    """The judgement of each claim that is about no single construction, in their order. timeout: as above."""
    return tuple(_judgement(None, claim, timeout) for claim in claims)


def judge_statement(statement: Statement, timeout: float = READING) -> Outcome:
    """What comes of a statement that is about no single construction."""
    return _outcome(None, statement, timeout)


def _judgement(stated: Stated | None, claim: Published, timeout: float) -> Judgement:
    construction = None if stated is None else stated.analysis.construction
    senses = tuple(Judged(read, _outcome(stated, read.statement, timeout)) for read in claim.senses)
    if any(judged.holds is not False for judged in senses):
        return Judgement(claim, *combined(senses))
    others = otherwise(claim, construction)
    conventional = [Judged(read, _outcome(stated, read.statement, timeout)) for read in others]
    return Judgement(claim, *combined((*senses, *conventional)))


def combined(readings: tuple[Judged, ...]) -> tuple[VerdictName, tuple[Judged, ...], Judged]:
    """Literally true: true. Literal senses at odds: ambiguous. All of them refuted, and true under a convention:
    true-under; false, if it is refuted under each. A reading that is open leaves it unknown."""
    senses = [judged for judged in readings if judged.literal]
    verdicts = {judged.holds for judged in senses}
    if verdicts == {True}:
        return "true", readings, senses[0]
    if verdicts >= {True, False}:
        return "ambiguous", readings, next(judged for judged in senses if judged.holds is False)
    if None in verdicts:
        return "unknown", readings, next(judged for judged in senses if judged.holds is None)
    for judged in readings:
        if judged.holds:
            return "true-under", readings, judged
    open_ones = [judged for judged in readings if judged.holds is None]
    return ("unknown", readings, open_ones[0]) if open_ones else ("false", readings, readings[-1])


def _outcome(stated: Stated | None, statement: Statement, timeout: float) -> Outcome:
    """One that is reached in so many seconds, or that it is open."""
    try:
        return Deadline.after(timeout).during("the judgement", lambda: _judged(stated, statement))
    except (Underivable, UnknownChoice) as error:
        return Open(str(error))
    except TimeUp as late:
        return Open(str(late), timed_out=True)


OF_THE_WHOLE = says.Matrix | says.Shape | says.Count | says.Domain | says.Writes | says.Predicts
"""What is judged of a network with all its outputs; all else of one of them, whichever it is if none is named."""


def _of_one_output(stated: Stated, statement: Statement) -> Stated:
    """What a statement about a network that predicts a token or a class speaks of."""
    construction = stated.analysis.construction
    if not predicts(construction) or isinstance(statement, OF_THE_WHOLE):
        return stated
    token = first_right(construction)
    match statement:
        case says.Value(of=says.Logit(token=str(named))) | says.Compares(of=str(named)):
            token = named
    return Stated(stated.analysis.output(token))


Judge = Callable[[Stated, Any], Outcome]


def _of_analysis(judge: Callable[[Analysis, Any], Outcome]) -> Judge:
    return lambda stated, statement: judge(stated.analysis, statement)


OF_NETWORKS: Mapping[type[Statement], Judge] = {
    says.Predicts: words.judge_predicts,
    says.Value: lambda stated, said: stated.value(
        said, (judge if said.tends is None else judge_limit)(stated.analysis, said)
    ),
    says.Vector: _of_analysis(vectors.judge_vector),
    says.Matrix: _of_analysis(weights.judge_matrix),
    says.Shape: _of_analysis(weights.judge_shape),
    says.Count: _of_analysis(weights.judge_count),
    says.Stack: _of_analysis(weights.judge_stack),
    says.Writes: _of_analysis(weights.judge_writes),
    says.Domain: _of_analysis(weights.judge_domain),
    says.Output: _of_analysis(weights.judge_output),
    says.Accepts: words.judge_accepts,
    says.Compares: words.judge_compares,
    says.CrossEntropy: words.judge_cross_entropy,
    says.Constant: _of_analysis(vectors.judge_constant),
    says.Kept: _of_analysis(vectors.judge_kept),
    says.Prefers: _of_analysis(words.judge_prefers),
    says.Order: judge_order,
}
ALONE: Mapping[type[Statement], Callable[[Any], Outcome]] = {
    made.Always: always.judge_always,
    made.OfVectors: judge_vectors,
    made.Shaped: shapes.judge_shaped,
    made.Costs: shapes.judge_costs,
    made.Circular: sums.judge_circular,
    made.Peak: sums.judge_peak,
    made.Adds: sums.judge_sum,
    made.Among: sums.judge_among,
    made.Weighs: sums.judge_weighs,
    made.Shares: sums.judge_shares,
    made.Needs: components.judge_needs,
    made.Takes: components.judge_takes,
    decoders.Carries: circuits.judge_carries,
    decoders.PartialSum: circuits.judge_scores,
    decoders.LooksUp: circuits.judge_scores,
    decoders.Numbered: circuits.judge_numbered,
    decoders.Positions: circuits.judge_positions,
    decoders.Width: circuits.judge_width,
    decoders.Fits: circuits.judge_fits,
    decoders.Built: circuits.judge_built,
    decoders.HasValue: circuits.judge_value,
    decoders.Forgets: circuits.judge_forgets,
    decoders.OfBits: circuits.judge_bits,
    decoders.Appends: circuits.judge_computed,
    decoders.Computes: circuits.judge_computed,
    OfEvery: simulated.judge_every,
}
"""Who judges what is about a construction, and what names all that it is about."""


def _judged(stated: Stated | None, statement: Statement) -> Outcome:
    """TypeError names a statement that nobody judges."""
    kind = type(statement)
    if kind in ALONE:
        return ALONE[kind](statement)
    if kind not in OF_NETWORKS or stated is None:
        raise TypeError(f"{kind.__name__}: no judge of such a statement{'' if stated else ' without a construction'}")
    return OF_NETWORKS[kind](_of_one_output(stated, statement), statement)


def _unconfirmed(judgement: Judgement, reason: str) -> Judgement:
    """What rests on a certificate is open when a solver contradicts a side condition; a word that was run stands."""
    readings = tuple(
        Judged(j.reading, Open(reason) if isinstance(j.outcome, Holds) else j.outcome) for j in judgement.readings
    )
    return Judgement(judgement.claim, *combined(readings))
