"""Proves or refutes theorems, one after the other: what was reached, what it rests on, and how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import predicts
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.automata.cases import Case
from weightproof.proofs.covering.certificate import Certificate, Positions, written
from weightproof.proofs.deadline import TIMEOUT, Deadline, TimeUp
from weightproof.proofs.deciding import decide, require_true
from weightproof.proofs.kernel.coq import Rejected
from weightproof.proofs.kernel.coq import check as check_by_kernel
from weightproof.proofs.kernel.settling import settled as settled_by_kernel
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.next_token.deciding import predicted
from weightproof.proofs.prover import Obligation, Obligations, Provable, Reached, checked, settled
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.solving.close import Closed
from weightproof.proofs.solving.implication import to_smt
from weightproof.proofs.strategies.appending import by_case
from weightproof.proofs.theorem import (
    NEVER,
    AboutLogits,
    Appends,
    ClosedForm,
    Decides,
    Predicts,
    Theorem,
    hypotheses,
)
from weightproof.proofs.verdict import NOWHERE, Certified, Checked, Folders, Proved, Refuted, Result, Unchecked, Unknown
from weightproof.proofs.wellformed import check


def default_theorems(construction: Construction) -> tuple[Theorem, ...]:
    """That the network recognises its language, or predicts the right tokens."""
    if predicts(construction):
        return (Predicts("predicts", f"predicts the right output of {construction.language.name}"),)
    return (Decides("recognises", f"accepts exactly the words of {construction.language.name}"),)


def prove(
    construction: Construction,
    theorems: Sequence[Theorem] | None = None,
    *,
    timeout: float = TIMEOUT,
    folders: Folders = NOWHERE,
) -> Iterator[Result]:
    """The results of the theorems, one after the other; `theorems` None are the default ones.

    timeout: seconds for all of a theorem; the derivation counts for the theorem that asks for it first.
    folders: where every obligation is written as SMT-LIB 2, and every proof that can be as one that the kernel of Coq
    checks; results say what came of it. Raises InputError before the first one where a theorem is malformed.
    """
    for proof in proofs(construction, theorems, timeout=timeout, folders=folders):
        yield proof.result


@dataclass(frozen=True)
class Proof:
    """A theorem with the invariant that was tried last, what was reached, and the obligations that it was taken apart
    into, as far as they were tried; exactly: those that exact arithmetic closed one after the other; cases: the kinds
    of words that finite automata tell apart, of a proof by these."""

    theorem: Theorem
    result: Result
    closed: tuple[Closed, ...]
    exactly: tuple[Obligation, ...] = ()
    cases: tuple[Case, ...] = ()


def proofs(
    construction: Construction,
    theorems: Sequence[Theorem] | None = None,
    *,
    timeout: float = TIMEOUT,
    folders: Folders = NOWHERE,
    analysis: Analysis | None = None,
) -> Iterator[Proof]:
    """As `prove`, with the obligations. analysis: what was derived of the construction, and run, before."""
    wanted = default_theorems(construction) if theorems is None else theorems
    check(construction, wanted)
    known = Analysis(construction) if analysis is None else analysis
    for result, reached in settled([_bound(known, each) for each in wanted], timeout, folders):
        assert isinstance(reached, _Tried)
        yield Proof(reached.theorem, result, reached.closed, reached.exactly, reached.cases)


@dataclass(frozen=True)
class _Tried(Reached):
    """theorem, closed, cases: as in `Proof`; covered: of a proof by covering, the sets of words."""

    theorem: Theorem = field(kw_only=True)
    closed: tuple[Closed, ...] = ()
    covered: tuple[Positions, ...] = ()
    cases: tuple[Case, ...] = ()


def _bound(analysis: Analysis, theorem: Theorem) -> _OfConstruction:
    construction = analysis.construction
    accepts = str(theorem.accepts) if isinstance(theorem, Decides) and theorem.accepts is not None else None
    predicts = None
    if isinstance(theorem, Predicts) and theorem.where is not None:
        predicts = {token: str(theorem.where.get(token, NEVER)) for token in construction.language.labels}
    return _OfConstruction(
        construction.name,
        theorem.name,
        theorem.statement,
        analysis,
        theorem,
        expected=theorem.expected,
        given=hypotheses(theorem),
        accepts=accepts,
        predicts=predicts,
    )


@dataclass(frozen=True)
class _OfConstruction(Provable):
    """A theorem about a construction: obligations are found by its shape, and closed by certificates and solvers."""

    analysis: Analysis
    theorem: Theorem

    def reached(self, deadline: Deadline) -> _Tried:
        found: Expression | None = None
        shown, exactly, covered = self.theorem, tuple[Obligation, ...](), tuple[Positions, ...]()
        cases = tuple[Case, ...]()
        if isinstance(self.theorem, Predicts):
            verdict, closed, covered, cases = predicted(self.analysis, self.theorem, deadline.seconds)
        else:
            verdict, tried = decide(self.analysis, self.theorem, deadline.seconds)
            shown, closed, found = tried.theorem, tuple(tried.closed), tried.found
            exactly, covered, cases = tried.exactly, tried.covered, tried.cases
            if isinstance(verdict, Proved) and not verdict.from_words and isinstance(self.theorem, AboutLogits):
                undecided = _undecided(self.analysis, self.theorem)
                verdict = verdict if undecided is None else undecided
        return _Tried(
            verdict,
            dict(Counter(str(item.evidence or "open") for item in closed)),
            tuple(answer for item in closed for answer in item.answers),
            str(found) if isinstance(verdict, Proved) and found is not None else None,
            exactly=exactly,
            theorem=shown,
            closed=closed,
            covered=covered,
            cases=cases,
        )

    def formulas(self, reached: Reached) -> tuple[Obligations, str]:
        assert isinstance(reached, _Tried)
        if isinstance(reached.theorem, Appends) and not reached.cases:
            return by_case(self.analysis.construction, reached.theorem), ""
        match reached.closed, reached.verdict:
            case (), Proved(covered=None):
                return (), "every word was run, and no solver is asked"
            case (), Proved():
                return (), "intervals decide every word, and no solver is asked"
            case (), Refuted():
                return (), "a word refutes it, before there is anything to prove"
            case (), _:
                return (), "no obligation was reached"
        return map(_as_obligation, reached.closed), ""

    def kernel(self, reached: Reached, folder: Path, deadline: Deadline) -> Checked | Unchecked:
        if not isinstance(self.theorem, AboutLogits):
            return Unchecked(written=False, reason="theorems that do not speak of a logit")
        assert isinstance(reached, _Tried)
        theorem, written = reached.theorem, False
        assert isinstance(theorem, AboutLogits)
        if reached.invariant is not None and not isinstance(theorem, ClosedForm):  # the one that was found
            theorem = replace(theorem, invariant=Expression(reached.invariant))
        try:
            found = deadline.during(
                "the writing of the proof",
                lambda: settled_by_kernel(self.analysis.construction, theorem, reached.verdict),
            )
            written = True
            return deadline.during("the check by Coq", lambda: check_by_kernel(found, folder))
        except (Unwritten, Rejected, TimeUp) as error:
            return Unchecked(written=written, reason=" ".join(str(error).split()))

    def certified(self, reached: Reached, path: Path) -> Certified:
        assert isinstance(reached, _Tried)
        if not reached.covered:
            return super().certified(reached, path)
        construction = self.analysis.construction
        found = Certificate(construction.name, digest(construction), self.name, reached.covered)
        return Certified(str(path), written(found, path))


def _as_obligation(item: Closed) -> Obligation:
    smt = partial(to_smt, item.obligation, integers=True, closed=item.evidence is not None)
    return checked(item.obligation.name, item.reason or None, smt)


RUNS = 30.0
"""Seconds of counted work for the runs that a proof is held against: most take one."""


def _undecided(analysis: Analysis, theorem: AboutLogits) -> Unknown | None:
    """As `require_true`, unless the time is up."""
    try:
        runs = Deadline.after(RUNS)
        return runs.during("the runs that the proof is held against", lambda: require_true(analysis, theorem))
    except TimeUp as error:
        return Unknown(str(error), timed_out=True)
