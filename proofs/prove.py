"""Proves or refutes theorems: derivation, obligations, evidence, counterexamples."""

from __future__ import annotations

import contextlib
import functools
import importlib
import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weightproof.constructions.library import module_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import mark
from weightproof.constructions.meaning.schema import Encoder
from weightproof.proofs.attempt import Attempt, attempt
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.judge import judge
from weightproof.proofs.refuting.critical import search_critical
from weightproof.proofs.refuting.least import NoWord, unattained
from weightproof.proofs.refuting.refute import search
from weightproof.proofs.refuting.search import FIRST_SEARCH, last_search, late
from weightproof.proofs.refuting.witness import witness
from weightproof.proofs.solving.close import SIDE_CONDITIONS, Closed, close, confirm
from weightproof.proofs.solving.obligation import Obligation, to_smt
from weightproof.proofs.solving.solver_process import versions
from weightproof.proofs.spot import Wall
from weightproof.proofs.strategies.bounded import bounded
from weightproof.proofs.strategies.direct import direct
from weightproof.proofs.strategies.family import attained
from weightproof.proofs.strategies.induction import by_induction
from weightproof.proofs.theorem import ClosedForm, Decides, Margin, OnWords, Theorem, hypotheses
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Result, Unknown, Verdict
from weightproof.proofs.wellformed import check
from weightproof.symbolic.algebra.linear import Context, Fact
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

TIMEOUT = 30.0
"""Seconds for all of a theorem."""
EARLY, PROVING, SEARCHING, QUESTION = 1 / 6, 2 / 3, 2 / 5, 1 / 4
"""The share of that time after which the first search gives way to the derivation, and the proof to the last search;
that which the last search takes at most; and that for one question to a solver."""


def theorems_of(name: str) -> tuple[Theorem, ...]:
    """The theorems about a built-in construction; InputError if there is none of that name."""
    module = importlib.import_module(f"weightproof.proofs.theorems.{module_of(name)}")
    theorems: tuple[Theorem, ...] = module.theorems
    return theorems


def margins_of(name: str) -> tuple[Margin, ...]:
    """The margins that are stated of a built-in construction; InputError if there is none of that name."""
    return tuple(theorem for theorem in theorems_of(name) if isinstance(theorem, Margin))


def default_theorems(construction: Construction) -> tuple[Theorem, ...]:
    """That the network recognises its language, and every closed form that is claimed."""
    recognises = Decides("recognises", f"accepts exactly the words of {construction.language.name}")
    return (recognises, *(ClosedForm(claim) for claim in construction.claims))


def prove(
    construction: Construction,
    theorems: Sequence[Theorem] | None = None,
    *,
    timeout: float = TIMEOUT,
    smt_directory: Path | None = None,
) -> Iterator[Result]:
    """The results of the theorems, one after the other; `theorems` None are the default ones.

    timeout: seconds for all of a theorem; the derivation counts for the theorem that asks for it first.
    smt_directory: where every obligation is written as SMT-LIB 2. Raises InputError before the first one where a
    theorem is malformed.
    """
    for proof in proofs(construction, theorems, timeout=timeout, smt_directory=smt_directory):
        yield proof.result


@dataclass(frozen=True)
class Proof:
    """A theorem, what was reached, and the obligations that it was taken apart into, as far as they were tried."""

    theorem: Theorem
    result: Result
    closed: tuple[Closed, ...]


def proofs(
    construction: Construction,
    theorems: Sequence[Theorem] | None = None,
    *,
    timeout: float = TIMEOUT,
    smt_directory: Path | None = None,
    derivation: Attempt | None = None,
    wall: Wall | None = None,
) -> Iterator[Proof]:
    """As `prove`, with the obligations; derivation: that of the construction, where it was attempted already; wall: the
    one of the construction, where there is one already."""
    wanted = default_theorems(construction) if theorems is None else theorems
    check(construction, wanted)
    wall = Wall(construction) if wall is None else wall
    known: list[Attempt] = [] if derivation is None else [derivation]

    def derived(deadline: Deadline) -> Attempt:
        if not known:
            known.append(attempt(construction, deadline))
        return known[0]

    for theorem in wanted:
        begin = time.monotonic()
        verdict, closed = _verdict(construction, theorem, derived, timeout)
        if isinstance(verdict, Proved):
            [derived_form] = known
            assert isinstance(derived_form, Derivation)
            wall.require(theorem, derived_form)
        if smt_directory is not None:
            _export(smt_directory, construction, theorem, closed)
        result = _result(construction, theorem, verdict, closed, time.monotonic() - begin)
        yield Proof(theorem, result, tuple(closed))


Derived = Callable[[Deadline], Attempt]


def _verdict(
    construction: Construction, theorem: Theorem, derived: Derived, timeout: float
) -> tuple[Verdict, list[Closed]]:
    """What is reached in time, and the obligations that were tried."""
    if not isinstance(construction.network, Encoder) or construction.network.readout.accept == "argmax":
        return Unknown("only encoders that read out a logit can be proved so far"), []
    closed: list[Closed] = []
    deadline = Deadline.after(timeout)
    try:
        if isinstance(theorem, ClosedForm):
            return _judged(construction, theorem, derived(deadline), deadline, closed), closed
        return _of_words(construction, theorem, derived, deadline, closed), closed
    except TimeUp as error:
        return Unknown(str(error), timed_out=True), closed


def _of_words(
    construction: Construction, theorem: OnWords, derived: Derived, deadline: Deadline, closed: list[Closed]
) -> Verdict:
    """The verdict; the obligations that are tried go to `closed`."""
    proving = deadline.share(PROVING)
    try:
        early = deadline.share(EARLY).during("the search for a word", lambda: _early(construction, theorem))
    except TimeUp:
        early = None
    if isinstance(early, Unknown | Refuted):
        return early
    if early is not None and len(early.word) < 2:
        return Refuted(early)
    derivation = derived(proving)
    if early is not None:
        return Refuted(_shorter(construction, theorem, derivation, len(early.word), deadline) or early)
    if isinstance(derivation, Underivable | TimeUp):
        undecided = _no_closed_form(derivation)
    else:
        open_one = _undecided(derivation, theorem, proving, closed)
        if open_one is None:
            conclude = functools.partial(_proved, construction, theorem, derivation, closed)
            return deadline.during("the search for a word", conclude)
        undecided = open_one
    return _late(construction, theorem, derivation, deadline, undecided)


def _early(construction: Construction, theorem: OnWords) -> Counterexample | Refuted | Unknown | None:
    """What the shortest words say, before anything is derived."""
    early = search(construction, theorem, FIRST_SEARCH)
    if early is None and isinstance(theorem, Margin):
        short = unattained(construction, theorem, min(FIRST_SEARCH, last_search(construction)))
        if short is not None:
            return _of_short_words(theorem, short)
    return early


def _undecided(derivation: Derivation, theorem: OnWords, deadline: Deadline, closed: list[Closed]) -> Unknown | None:
    """Why there is no proof, or None where every obligation is closed."""
    words = derivation.vocabulary.words()
    try:
        _close_all(obligations(derivation, theorem, words), deadline, closed)
        facts = derivation.facts | words.ledger
        closed.append(_confirmed(facts, derivation, deadline))
    except Underivable as error:
        closed.clear()
        return Unknown(str(error))
    except TimeUp as error:
        return Unknown(str(error), timed_out=True)
    return next((_unknown(c) for c in closed if c.evidence is None), None)


def _confirmed(facts: Iterable[Fact], derivation: Derivation, deadline: Deadline) -> Closed:
    limit = deadline.left() / 3  # two solvers are asked, and no answer from either is an answer
    return deadline.during("the solvers", lambda: confirm(facts, derivation.vocabulary, limit))


def _late(
    construction: Construction, theorem: OnWords, derivation: Attempt, deadline: Deadline, undecided: Unknown
) -> Verdict:
    """What longer words say where there is no proof."""
    derived = derivation if isinstance(derivation, Derivation) else None
    seconds = min(deadline.left(), deadline.seconds * SEARCHING)
    found: list[Counterexample | NoWord] = []  # what came before the time was up stays
    with contextlib.suppress(TimeUp):  # that nothing else did says nothing
        deadline.during("the search for a word", lambda: found.extend(late(construction, theorem, derived, seconds)))
    return _of_short_words(theorem, found[-1]) if found else undecided


def _no_closed_form(reason: Underivable | TimeUp) -> Unknown:
    return Unknown(f"no closed form: {reason}", timed_out=isinstance(reason, TimeUp))


def _unknown(unclosed: Closed) -> Unknown:
    return Unknown(unclosed.reason, unclosed.obligation.name, unclosed.timed_out)


def _judged(
    construction: Construction,
    theorem: ClosedForm,
    derivation: Attempt,
    deadline: Deadline,
    closed: list[Closed],
) -> Verdict:
    if isinstance(derivation, Underivable | TimeUp):
        return _no_closed_form(derivation)
    words = derivation.vocabulary.words()
    verdict = deadline.during("the comparison", lambda: judge(construction, derivation, theorem, words))
    confirmed = _confirmed(derivation.facts | words.ledger, derivation, deadline)
    closed.append(confirmed)
    return _unknown(confirmed) if isinstance(verdict, Proved) and confirmed.evidence is None else verdict


def _shorter(
    construction: Construction,
    theorem: OnWords,
    derivation: Attempt,
    length: int,
    deadline: Deadline,
) -> Counterexample | None:
    """A counterexample shorter than `length`, at parameter values that were not among the sampled ones."""
    if not isinstance(derivation, Derivation):
        return None
    try:
        return deadline.during(
            "the search for a word",
            lambda: search_critical(construction, theorem, derivation, length - 1, deadline.end),
        )
    except TimeUp:
        return None


def obligations(derivation: Derivation, theorem: OnWords, words: Context) -> Iterable[Obligation]:
    """What has to be shown for a theorem, by the strategy that its shape asks for; words: what holds of every word."""
    if isinstance(theorem, Decides) and theorem.up_to is not None:
        return bounded(derivation, theorem, words)
    strategy = direct if theorem.invariant is None else by_induction
    on_words = strategy(derivation, theorem, words)
    if isinstance(theorem, Margin) and theorem.attained is not None:
        return itertools.chain(on_words, attained(derivation, theorem, words))
    return on_words


def _close_all(items: Iterable[Obligation], deadline: Deadline, closed: list[Closed]) -> None:
    """Closes obligations until one stays open."""
    each = iter(items)
    while (item := deadline.during("the proof", lambda: next(each, None))) is not None:
        timeout = min(deadline.left(), deadline.seconds * QUESTION)
        closed.append(deadline.during("the solvers", functools.partial(close, item, timeout)))
        if closed[-1].evidence is None:
            return


def _proved(construction: Construction, theorem: OnWords, derivation: Derivation, closed: list[Closed]) -> Verdict:
    if witness(construction, theorem, derivation, closed) is None:
        return Unknown("no word was found that satisfies the hypothesis: the theorem may be vacuous")
    if all(item.vacuous for item in closed if item.obligation.name != SIDE_CONDITIONS):
        return Unknown("no obligation has hypotheses that can be satisfied: the proof is vacuous")
    order = list(Evidence)
    weakest = max((c.evidence for c in closed if c.evidence is not None), key=order.index)
    if isinstance(theorem, Decides) and theorem.up_to is not None:
        return Proved(f"n <= {theorem.up_to}", Evidence.BOUNDED)
    if isinstance(theorem, Margin) and theorem.value is not None and theorem.attained is None:
        return _attained_on_short_words(construction, theorem, weakest)
    return Proved("all lengths", weakest)


def _attained_on_short_words(construction: Construction, theorem: Margin, evidence: Evidence) -> Verdict:
    """The verdict on a margin whose bound is proved, and of which no words are named that attain it."""
    longest = last_search(construction)
    found = unattained(construction, theorem, longest)
    if found is not None:
        return _of_short_words(theorem, found)
    assert isinstance(construction.network, Encoder)
    return Proved(f"all lengths, attained up to n = {len(mark(construction.network, '?' * longest))}", evidence)


def _of_short_words(theorem: OnWords, found: Counterexample | NoWord) -> Refuted | Unknown:
    if isinstance(found, Counterexample):
        return Refuted(found)
    assert isinstance(theorem, Margin)
    values = "".join(f", {name} = {value}" for name, value in found.parameters.items())
    return Unknown(f"there are no {theorem.side} words of {found.positions} positions{values}: narrow the case")


def _result(
    construction: Construction, theorem: Theorem, verdict: Verdict, closed: list[Closed], seconds: float
) -> Result:
    answers = [answer for item in closed for answer in item.answers]
    numbers = versions()
    used = [solver for solver in numbers if any(a.solver == solver and a.status == "unsat" for a in answers)]
    return Result(
        construction=construction.name,
        theorem=theorem.name,
        statement=theorem.statement,
        given=hypotheses(theorem),
        accepts=str(theorem.accepts) if isinstance(theorem, Decides) and theorem.accepts is not None else None,
        verdict=verdict,
        expected=theorem.expected,
        solvers=tuple(f"{solver} {numbers[solver]}" for solver in used),
        obligations=dict(Counter(str(item.evidence or "open") for item in closed)),
        seconds=seconds,
        solver_seconds=sum(answer.seconds for answer in answers),
    )


def _export(directory: Path, construction: Construction, theorem: Theorem, closed: list[Closed]) -> None:
    for number, item in enumerate(closed, start=1):
        stem = re.sub(r"[^A-Za-z0-9-]+", "-", f"{construction.name}-{theorem.name}-{number:02}-{item.obligation.name}")
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"{stem}.smt2").write_text(to_smt(item.obligation, integers=True), encoding="utf-8")
