"""Proves or refutes theorems: derivation, obligations, evidence, counterexamples."""

from __future__ import annotations

import functools
import importlib
import itertools
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from constructions.interpreter import InputError, mark
from constructions.library import BUILT_IN
from constructions.schema import Construction, Encoder
from proofs.bounded import bounded
from proofs.close import Closed, close, confirm
from proofs.critical import search_critical
from proofs.direct import direct
from proofs.family import attained
from proofs.induction import by_induction
from proofs.judge import judge
from proofs.least import NoWord, unattained
from proofs.obligation import Obligation, to_smt
from proofs.refute import search, witness
from proofs.search import FIRST_SEARCH, SECONDS, last_search, late
from proofs.solver_process import versions
from proofs.spot import Wall
from proofs.theorem import ClosedForm, Decides, Margin, OnWords, Theorem, hypotheses
from proofs.verdict import Counterexample, Evidence, Proved, Refuted, Result, Unknown, Verdict
from proofs.wellformed import check
from symbolic.derivation import Derivation
from symbolic.forward import derive
from symbolic.linear import Context
from symbolic.vocabulary import Underivable


def theorems_of(name: str) -> tuple[Theorem, ...]:
    """The theorems about a built-in construction; InputError if there is none of that name."""
    if name not in BUILT_IN:
        raise InputError(f"unknown construction {name!r}; there are {', '.join(BUILT_IN)} (or name a FILE.py)")
    module = importlib.import_module(f"proofs.theorems.{name.replace('-', '_')}")
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
    timeout: float = 20.0,
    smt_directory: Path | None = None,
) -> Iterator[Result]:
    """The results of the theorems, one after the other; `theorems` None are the default ones.

    timeout: seconds for one question to a solver. smt_directory: where every obligation is written as SMT-LIB 2.
    Raises InputError before the first one where a theorem is malformed.
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
    timeout: float = 20.0,
    smt_directory: Path | None = None,
    derivation: Derivation | None = None,
) -> Iterator[Proof]:
    """As `prove`, with the obligations; derivation: that of the construction, where it is known already."""
    wanted = default_theorems(construction) if theorems is None else theorems
    check(construction, wanted)
    derived = functools.cache(lambda: _derive(construction) if derivation is None else derivation)
    wall = Wall(construction)
    for theorem in wanted:
        begin = time.monotonic()
        verdict, closed = _verdict(construction, theorem, derived, timeout)
        if isinstance(verdict, Proved):
            found = derived()
            assert isinstance(found, Derivation)
            wall.require(theorem, found)
        if smt_directory is not None:
            _export(smt_directory, construction, theorem, closed)
        result = _result(construction, theorem, verdict, closed, time.monotonic() - begin)
        yield Proof(theorem, result, tuple(closed))


def _derive(construction: Construction) -> Derivation | Underivable:
    try:
        return derive(construction)
    except Underivable as error:
        return error


def _verdict(
    construction: Construction, theorem: Theorem, derived: Callable[[], Derivation | Underivable], timeout: float
) -> tuple[Verdict, list[Closed]]:
    if not isinstance(construction.network, Encoder) or construction.network.readout.accept == "argmax":
        return Unknown("only encoders that read out a logit can be proved so far"), []
    if isinstance(theorem, ClosedForm):
        return _judged(construction, theorem, derived(), timeout)
    early = search(construction, theorem, FIRST_SEARCH)
    if early is None and isinstance(theorem, Margin):
        short = unattained(construction, theorem, min(FIRST_SEARCH, last_search(construction)))
        if short is not None:
            return _of_short_words(theorem, short), []
    if early is not None and len(early.word) < 2:
        return Refuted(early), []
    derivation = derived()
    if early is not None:
        return Refuted(_shorter(construction, theorem, derivation, len(early.word)) or early), []
    if isinstance(derivation, Underivable):
        found = late(construction, theorem, None)
        return _found(theorem, found, Unknown(f"no closed form: {derivation}")), []
    words = derivation.vocabulary.words()
    try:
        closed = _close_all(obligations(derivation, theorem, words), timeout)
        closed.append(confirm(derivation.facts | words.ledger, derivation.vocabulary, timeout))
        undecided = next((_unknown(c) for c in closed if c.evidence is None), None)
    except Underivable as error:
        closed, undecided = [], Unknown(str(error))
    if undecided is None:
        return _proved(construction, theorem, closed), closed
    return _found(theorem, late(construction, theorem, derivation), undecided), closed


def _found(theorem: OnWords, found: Counterexample | NoWord | None, undecided: Unknown) -> Verdict:
    return undecided if found is None else _of_short_words(theorem, found)


def _unknown(unclosed: Closed) -> Unknown:
    return Unknown(unclosed.reason, unclosed.obligation.name, unclosed.timed_out)


def _judged(
    construction: Construction, theorem: ClosedForm, derivation: Derivation | Underivable, timeout: float
) -> tuple[Verdict, list[Closed]]:
    if isinstance(derivation, Underivable):
        return Unknown(f"no closed form: {derivation}"), []
    words = derivation.vocabulary.words()
    verdict = judge(construction, derivation, theorem, words)
    confirmed = confirm(derivation.facts | words.ledger, derivation.vocabulary, timeout)
    if isinstance(verdict, Proved) and confirmed.evidence is None:
        return _unknown(confirmed), [confirmed]
    return verdict, [confirmed]


def _shorter(
    construction: Construction, theorem: OnWords, derivation: Derivation | Underivable, length: int
) -> Counterexample | None:
    """A counterexample shorter than `length`, at parameter values that were not among the sampled ones."""
    if isinstance(derivation, Underivable):
        return None
    return search_critical(construction, theorem, derivation, length - 1, time.monotonic() + SECONDS / 4)


def obligations(derivation: Derivation, theorem: OnWords, words: Context) -> Iterable[Obligation]:
    """What has to be shown for a theorem, by the strategy that its shape asks for; words: what holds of every word."""
    if isinstance(theorem, Decides) and theorem.up_to is not None:
        return bounded(derivation, theorem, words)
    strategy = direct if theorem.invariant is None else by_induction
    on_words = strategy(derivation, theorem, words)
    if isinstance(theorem, Margin) and theorem.attained is not None:
        return itertools.chain(on_words, attained(derivation, theorem, words))
    return on_words


def _close_all(items: Iterable[Obligation], timeout: float) -> list[Closed]:
    """Closes obligations until one stays open."""
    result = []
    for item in items:
        result.append(close(item, timeout))
        if result[-1].evidence is None:
            break
    return result


def _proved(construction: Construction, theorem: OnWords, closed: list[Closed]) -> Verdict:
    if witness(construction, theorem) is None:
        return Unknown("no word up to length 6 satisfies the hypothesis: the theorem may be vacuous")
    if not any(item.model for item in closed):
        return Unknown("no obligation has hypotheses that were shown to be satisfiable: the proof may be vacuous")
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


def _of_short_words(theorem: OnWords, found: Counterexample | NoWord) -> Verdict:
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
