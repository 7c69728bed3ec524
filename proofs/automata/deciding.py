"""Theorems for all lengths about networks and languages that finite automata with counts tell."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.automata.dfa import DFA
from weightproof.proofs.automata.flows import Flow, alternatives, rational
from weightproof.proofs.automata.network import Combination, Piece, share_of
from weightproof.proofs.automata.runs import Edge, Runs
from weightproof.proofs.automata.sentences import (
    And,
    Compared,
    Congruent,
    Not,
    Number,
    Sentence,
    automaton,
    is_regular,
)
from weightproof.proofs.automata.sentences import read as read_sentence
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.refuting.refute import counterexample
from weightproof.proofs.solving.close import Closed, close
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import (
    FALSE,
    TRUE,
    Formula,
    Rel,
    conjunction,
    disjunction,
    negation,
    relation,
)
from weightproof.proofs.theorem import PROVER, Decides
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary

MOST_CUTS = 20
"""How often what a solver says is no path is excluded, in one obligation."""
MOST_WAYS = 64
"""In which a hypothesis holds."""
QUESTION = 1 / 8
"""The share of the work for one question to a solver."""


@dataclass(frozen=True)
class Case:
    """The words that end in the same way: the logit has the same pieces, and of the sentences that an automaton decides
    each is true or not. flow: of these words alone. numbers: at which of the marks of an edge it says whether it counts
    for one."""

    name: str
    flow: Flow
    pieces: tuple[Piece, ...]
    truths: dict[Sentence, bool]
    numbers: dict[Number, int]

    def formula(self, sentence: Sentence) -> Formula:
        """What a sentence says of the uses of edges."""
        if sentence in self.truths:
            return TRUE if self.truths[sentence] else FALSE
        match sentence:
            case Not(part=part):
                return negation(self.formula(part))
            case And(parts=parts):
                return conjunction(*map(self.formula, parts))
            case Compared(numbers=numbers, length=length, constant=constant, op=op):
                total = self.flow.total(
                    lambda edge: sum((f * int(self._counts(edge, each)) for each, f in numbers), fmpq(0)) + length
                )
                return relation(op, total + rational(constant))
        raise AssertionError(sentence)

    def _counts(self, edge: Edge, number: Number) -> bool:
        return bool(edge.marks[self.numbers[number]])

    def ends(self, combination: Combination) -> tuple[Any, Any]:
        """What is no more than a combination times the weights of all positions, and what is no less."""
        if not combination.factors:  # the weights of all are more than 0
            return rational(combination.constant.low), rational(combination.constant.high)
        given = {edge: combination.on(share_of(edge)) for edge in self.flow.uses}
        return self.flow.total(lambda edge: given[edge].low), self.flow.total(lambda edge: given[edge].high)


def by_automata(
    construction: Construction, runs: Runs, theorem: Decides, deadline: Deadline, closed: list[Closed]
) -> Counterexample | None:
    """Closes what has to be shown of all words, up to the first that stays open; or a word that refutes it. runs: of
    the network. Underivable where finite automata do not tell the language."""
    for case in deadline.during("the reading as an automaton", lambda: [*_cases(construction, runs, theorem)]):
        for piece, wanted in itertools.product(case.pieces, (True, False)):
            found = _closed(construction, theorem, case, piece, wanted, deadline, closed)
            if found is not None or (closed and closed[-1].evidence is None):
                return found
    return None


def _cases(construction: Construction, runs: Runs, theorem: Decides) -> Iterator[Case]:
    network = construction.encoder
    alphabet = frozenset(construction.language.alphabet)
    tokens = (*construction.language.alphabet, *dict.fromkeys(network.markers))
    sentences = [_accepted(construction, theorem), _given(theorem)]
    runs = runs.remembering(
        None,
        lambda pieces, edge: edge.marks[1] or pieces,
        lambda edge, _, pieces: replace(edge, marks=(edge.marks[0], pieces)),
    )
    numbers: dict[Number, int] = {}
    for number in dict.fromkeys(each for sentence in sentences for each in _numbers(sentence)):
        numbers[number] = 2 + len(numbers)
        runs = _counted(runs, number, automaton(number.body, tokens, alphabet), alphabet)
    leaves = [*dict.fromkeys(leaf for sentence in sentences for leaf in _leaves(sentence))]
    for leaf in leaves:
        if isinstance(leaf, Congruent):
            runs = _modulo(runs, leaf, numbers)
        else:
            runs = _told(runs, automaton(leaf, tokens, alphabet))
    runs = _apart_at_ends(runs, 2 + len(numbers))
    last = {edge.marks[-1] for edge in runs.edges if runs.is_last(edge)}
    for count, ending in enumerate(sorted(last, key=str), start=1):
        assert isinstance(ending, tuple)
        kept = tuple(edge for edge in runs.edges if not runs.is_last(edge) or edge.marks[-1] == ending)
        some = Runs(kept, runs.starts, runs.ends).merged()
        truths = dict(zip(leaves, ending[1:], strict=True))
        yield Case(f"words that end in way {count}", Flow(some), ending[0], truths, numbers)


def _accepted(construction: Construction, theorem: Decides) -> Sentence:
    return read_sentence(theorem.accepts or construction.language.characterisation)


def _given(theorem: Decides) -> Sentence:
    return read_sentence(theorem.hypothesis)


def _numbers(sentence: Sentence) -> Iterator[Number]:
    match sentence:
        case Not(part=part):
            yield from _numbers(part)
        case And(parts=parts):
            for part in parts:
                yield from _numbers(part)
        case Compared(numbers=numbers) | Congruent(numbers=numbers):
            yield from (number for number, _ in numbers)


def _leaves(sentence: Sentence) -> Iterator[Sentence]:
    """The largest parts that a finite automaton decides."""
    if is_regular(sentence) or isinstance(sentence, Congruent):
        yield sentence
        return
    match sentence:
        case Not(part=part):
            yield from _leaves(part)
        case And(parts=parts):
            for part in parts:
                yield from _leaves(part)


def _told(runs: Runs, sentence: DFA) -> Runs:
    """With one more mark: whether the sentence is true of the word up to that position."""

    def after(state: int, edge: Edge) -> int:
        return sentence.after(state, (edge.token, frozenset()))

    return runs.remembering(
        0, after, lambda edge, _, state: replace(edge, marks=(*edge.marks, state in sentence.accepting))
    )


def _counted(runs: Runs, number: Number, body: DFA, alphabet: frozenset[str]) -> Runs:
    """With one more mark: whether a position is one of the number."""
    names = frozenset({number.name})
    runs = runs.foreseeing(
        body.accepting,
        lambda accepted, edge: body.before_accepting(accepted, edge.token),
        lambda edge, accepted, _: replace(edge, marks=(*edge.marks, accepted)),
    )

    def seen(edge: Edge, state: int, _: int) -> Edge:
        here = number.markers or edge.token in alphabet
        accepted = edge.marks[-1]
        assert isinstance(accepted, frozenset)
        counts = here and body.after(state, (edge.token, names)) in accepted
        return replace(edge, marks=(*edge.marks[:-1], counts))

    return runs.remembering(0, lambda state, edge: body.after(state, (edge.token, frozenset())), seen)


def _modulo(runs: Runs, sentence: Congruent, numbers: dict[Number, int]) -> Runs:
    """With one more mark: whether the sum up to that position is one of the residues."""

    def after(residue: int, edge: Edge) -> int:
        parts = (int(factor.p) for number, factor in sentence.numbers if edge.marks[numbers[number]])
        return int(residue + sum(parts) + int(sentence.length.p)) % sentence.modulus

    return runs.remembering(
        int(sentence.constant.p) % sentence.modulus,
        after,
        lambda edge, _, residue: replace(edge, marks=(*edge.marks, residue in sentence.allowed)),
    )


def _apart_at_ends(runs: Runs, kept: int) -> Runs:
    """With what is known of a word at its last position as the last mark, and nowhere else."""

    def change(edge: Edge) -> Edge:
        ending = (edge.marks[1], *edge.marks[kept:]) if runs.is_last(edge) else None
        return replace(edge, marks=(edge.marks[0], None, *edge.marks[2:kept], ending))

    return runs.changed(change).merged()


def _closed(
    construction: Construction,
    theorem: Decides,
    case: Case,
    piece: Piece,
    wanted: bool,
    deadline: Deadline,
    closed: list[Closed],
) -> Counterexample | None:
    """Of the words of a case that are to be accepted, or not."""
    accepts = case.formula(_accepted(construction, theorem))
    side = conjunction(case.formula(_given(theorem)), accepts if wanted else negation(accepts))
    if side == FALSE:
        return None
    goal, where = _goal(construction, theorem, case, piece, wanted), _where(case, piece)
    vocabulary = Vocabulary.of(construction)
    ways = alternatives((where, side), MOST_WAYS)
    if ways is None:
        raise Underivable(f"a formula that can hold in more than {MOST_WAYS} ways")
    for count, way in enumerate(ways, start=1):
        name = f"{case.name}, {'accepted' if wanted else 'rejected'}, {count}"
        found = _in_one_way(construction, theorem, case, name, (way, goal), vocabulary, deadline, closed)
        if found is not None or (closed and closed[-1].evidence is None):
            return found
    return None


def _in_one_way(
    construction: Construction,
    theorem: Decides,
    case: Case,
    name: str,
    shown: tuple[tuple[Formula, ...], Formula],
    vocabulary: Vocabulary,
    deadline: Deadline,
    closed: list[Closed],
) -> Counterexample | None:
    way, goal = shown
    cuts: list[Formula] = []
    for _ in range(MOST_CUTS):
        again = alternatives(cuts, MOST_WAYS)
        if again is None:
            break
        tried: Closed | None = None
        for more in again:
            item = _implication(case, name, (*way, *more), goal, vocabulary)
            limit = min(deadline.seconds * QUESTION, deadline.remaining())
            tried = deadline.during("the solvers", functools.partial(close, item, limit))
            if tried.evidence is None:
                break
            closed.append(tried)
        assert tried is not None
        if tried.evidence is not None:
            return None
        models = [answer.model for answer in tried.answers if answer.status == "sat"]
        if goal == FALSE and not models:
            break
        found = case.flow.word(models[-1]) if models else frozenset[int]()
        if isinstance(found, tuple):
            refuted = counterexample(construction, theorem, "".join(_symbols(construction, found)), {})
            if refuted is not None:
                return refuted
            break
        if not found:
            break
        cuts.append(case.flow.entered(found))
    assert tried is not None
    closed.append(tried)
    return None


def _symbols(construction: Construction, tokens: tuple[str, ...]) -> tuple[str, ...]:
    network = construction.encoder
    return tokens[int(network.begin is not None) : len(tokens) - int(network.end is not None)]


def _implication(
    case: Case, name: str, hypotheses: tuple[Formula, ...], goal: Formula, vocabulary: Vocabulary
) -> Implication:
    parts = conjunction(case.flow.balanced, *hypotheses)
    relations = tuple(part for part in parts.parts if isinstance(part, Rel))  # type: ignore[union-attr]
    context = Context(frozenset(), len(vocabulary.alphabet))
    return Implication(name, vocabulary, context, relations, goal)


def _where(case: Case, piece: Piece) -> Formula:
    """Where the logit may be that of a piece."""
    conditions = []
    for combination, side in piece.where:
        low, high = case.ends(combination)
        conditions.append(relation(">=", high) if side > 0 else relation("<=", low))
    return conjunction(*conditions)


def _goal(construction: Construction, theorem: Decides, case: Case, piece: Piece, wanted: bool) -> Formula:
    """That the logit has the sign that it is to have."""
    low, high = case.ends(piece.logit)
    op = PROVER.accepted(construction.encoder.readout.accept).op(wanted, theorem.strict)
    match op:
        case ">" | ">=":
            return relation(op, low)
        case "<" | "<=":
            return relation(op, high)
        case "==":
            return conjunction(relation(">=", low), relation("<=", high))
    return disjunction(relation(">", low), relation("<", high))
