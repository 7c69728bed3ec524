"""Theorems for all lengths about networks and languages that finite automata with counts tell."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.automata.cases import Case, cases_of
from weightproof.proofs.automata.flows import alternatives
from weightproof.proofs.automata.formulas import read
from weightproof.proofs.automata.network import Combination, Piece
from weightproof.proofs.automata.runs import Runs
from weightproof.proofs.automata.sentences import Sentence, said_of
from weightproof.proofs.automata.values import NOTHING, Between, scalar
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.refuting.refute import counterexample
from weightproof.proofs.solving.close import Closed, close
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import (
    FALSE,
    Formula,
    Rel,
    conjunction,
    negation,
)
from weightproof.proofs.theorem import PROVER, Compares, Decides, Op
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary

MOST_CUTS = 20
"""How often what a solver says is no path is excluded, of one obligation."""
MOST_WAYS = 64
"""In which a hypothesis holds."""
QUESTION = 1 / 8
"""The share of the work for one question to a solver."""
OTHERWISE: dict[Op, Op] = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Side:
    """The words that a theorem wants, or the others: how their logits are to compare with a number."""

    name: str
    wanted: bool
    op: Op
    number: Between


def sides(construction: Construction, theorem: Decides | Compares) -> Iterator[Side]:
    if isinstance(theorem, Decides):
        rule = PROVER.accepted(construction.encoder.readout.accept)
        for wanted, name in ((True, "accepted"), (False, "rejected")):
            yield Side(name, wanted, cast("Op", rule.op(wanted, theorem.strict)), NOTHING)
        return
    number = scalar(theorem.value, len(construction.encoder.coordinates)).number
    yield Side("of these words", True, theorem.op, number)
    if theorem.only:
        yield Side("of no others", False, OTHERWISE[theorem.op], number)


@dataclass
class Proving:
    """What has been shown, by the kinds of words that it is shown of. accepts, given: of the theorem; accepts by what
    is wanted of words: for True a sentence that follows from it, for False one from which it follows. counterexample: a
    word that refutes it; gap: the obligation that stays open."""

    construction: Construction
    theorem: Decides | Compares
    accepts: dict[bool, Sentence]
    given: Sentence
    deadline: Deadline
    cases: tuple[Case, ...] = ()
    closed: list[Closed] = field(default_factory=list)
    counterexample: Counterexample | None = None
    gap: Closed | None = None

    @property
    def stopped(self) -> bool:
        return self.counterexample is not None or self.gap is not None

    def close(self, case: Case, name: str, way: tuple[Formula, ...], goal: Formula) -> None:
        """Of the words of a case on which some relations hold: that the goal does. What a solver says is no word where
        edges are used that no path leads to; that is excluded, and it is asked again."""
        cuts: list[Formula] = []
        while len(cuts) <= MOST_CUTS and (together := alternatives(cuts, MOST_WAYS)) is not None:
            closed: list[Closed] = []
            for more in together:
                item = _implication(self.construction, case, name, (*way, *more), goal)
                limit = min(self.deadline.seconds * QUESTION, self.deadline.remaining())
                closed.append(self.deadline.during("the solvers", functools.partial(close, item, limit)))
                if closed[-1].evidence is None:
                    break
            else:
                self.closed += closed
                self.gap = None  # what was open before the cuts
                return
            self.gap = closed[-1]
            found = _word(case, closed[-1])
            if not isinstance(found, frozenset):
                self.counterexample = None if found is None else self.replayed(found)
                return
            cuts.append(case.flow.entered(found))

    def words(self) -> Iterator[tuple[str, ...]]:
        """Words, without their markers, of which a solver says that something that was shown speaks of them."""
        for item in self.closed:
            for case in self.cases:
                if item.model is not None and item.obligation.name.startswith(f"{case.name}, "):
                    try:
                        found = case.flow.word(item.model)
                    except Underivable:  # too long to be run
                        continue
                    if isinstance(found, tuple):
                        yield self._unmarked(found)

    def _unmarked(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        network = self.construction.encoder
        return tokens[int(network.begin is not None) : len(tokens) - int(network.end is not None)]

    def replayed(self, tokens: tuple[str, ...]) -> Counterexample | None:
        """A marked word that refutes the theorem, if its run does."""
        return counterexample(self.construction, self.theorem, "".join(self._unmarked(tokens)), {})


def by_automata(construction: Construction, runs: Runs, theorem: Decides | Compares, deadline: Deadline) -> Proving:
    """As far as it comes: to all that has to be shown of all words, to what stays open of it, or to a word that refutes
    it. runs: of the network. Underivable where finite automata do not tell the language."""
    accepts = read(theorem.accepts or construction.language.characterisation)
    both = {wanted: said_of(accepts, wanted) for wanted in (True, False)}
    proving = Proving(construction, theorem, both, said_of(read(theorem.hypothesis), True), deadline)
    sentences = (*proving.accepts.values(), proving.given)
    make = functools.partial(cases_of, construction, runs, sentences)
    proving.cases = deadline.during("the reading as an automaton", lambda: tuple(make()))
    for case in proving.cases:
        for number, piece in enumerate(case.pieces, start=1):
            where = f"logit {number}, " if len(case.pieces) > 1 else ""
            for name, way, goal in _asked(proving, case, piece):
                proving.close(case, f"{case.name}, {where}{name}", way, goal)
                if proving.stopped:
                    return proving
    return proving


def _asked(proving: Proving, case: Case, piece: Piece) -> Iterator[tuple[str, tuple[Formula, ...], Formula]]:
    """What has to be shown of the words of a case, where the logit is that of a piece: by side and way."""
    for side in sides(proving.construction, proving.theorem):
        accepts, given = case.formula(proving.accepts[side.wanted]), case.formula(proving.given)
        spoken_of = conjunction(*case.sums, given, accepts if side.wanted else negation(accepts))
        if spoken_of == FALSE:
            continue
        ways = alternatives((_where(case, piece), spoken_of), MOST_WAYS)
        if ways is None:
            raise Underivable(f"a formula that can hold in more than {MOST_WAYS} ways")
        if proving.construction.encoder.readout.position == "sum":  # no weights are divided out of it
            goal = case.surely(side.op, piece.logit, piece, -side.number)
        else:
            goal = case.surely(side.op, piece.logit + Combination(-side.number), piece)
        for count, way in enumerate(ways, start=1):
            yield f"{side.name}, {count}", way, goal


def _word(case: Case, unclosed: Closed) -> tuple[str, ...] | frozenset[int] | None:
    """The word that a solver found, or what is no part of its path; None where none found one, or did not say which, or
    uses an edge half a time: in the relaxation to reals, where nothing was found in integers in time."""
    models = [answer.model for answer in unclosed.answers if answer.status == "sat" and answer.model]
    found = next((model for model in reversed(models) if case.flow.is_whole(model)), None)
    return None if found is None else case.flow.word(found)


def _implication(
    construction: Construction, case: Case, name: str, hypotheses: tuple[Formula, ...], goal: Formula
) -> Implication:
    vocabulary = Vocabulary.of(construction)
    known = conjunction(*case.flow.balanced, *hypotheses)
    relations = tuple(part for part in getattr(known, "parts", ()) if isinstance(part, Rel))
    context = Context(frozenset(), len(vocabulary.alphabet))
    return Implication(name, vocabulary, context, relations, goal)


def _where(case: Case, piece: Piece) -> Formula:
    """Where the logit may be that of a piece."""
    return conjunction(
        *(case.perhaps(">=" if side > 0 else "<=", combination, piece) for combination, side in piece.where)
    )
