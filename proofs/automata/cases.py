"""All words by kind, as far as finite automata tell: what a network reads out of them, and which sentences about them
are true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.automata.acceptors import automaton
from weightproof.proofs.automata.dfa import DFA
from weightproof.proofs.automata.flows import Flow, rational
from weightproof.proofs.automata.network import Combination, Piece, share_of
from weightproof.proofs.automata.runs import Edge, Runs
from weightproof.proofs.automata.sentences import And, Compared, Congruent, Not, Number, Sentence, is_regular
from weightproof.proofs.solving.logic import FALSE, TRUE, Formula, conjunction, negation, relation


@dataclass(frozen=True)
class Case:
    """The words of a kind: the logit has the same pieces, and of the sentences that an automaton decides
    each is true or not. flow: of these words alone. numbers: at which of the marks of an edge it says whether it counts
    for one."""

    name: str
    flow: Flow
    pieces: tuple[Piece, ...]
    truths: dict[Sentence, bool]
    numbers: dict[Number, int]

    @cached_property
    def shortest(self) -> tuple[str, ...]:
        """The tokens of a shortest one of these words."""
        runs, leaving = self.flow.runs, defaultdict[int, list[Edge]](list)
        for edge in runs.edges:
            leaving[edge.source].append(edge)
        reached: dict[int, tuple[str, ...]] = dict.fromkeys(sorted(runs.starts), ())
        todo = [*reached]
        for node in todo:  # grows while it is gone through
            if node in runs.ends:
                return reached[node]
            for edge in leaving[node]:
                if edge.target not in reached:
                    reached[edge.target] = (*reached[node], edge.token)
                    todo.append(edge.target)
        raise AssertionError("there is no such word")

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

    def ends(self, combination: Combination) -> tuple[sympy.Expr, sympy.Expr]:
        """What is no more than a combination times the weights of all positions, and what is no less."""
        if not combination.factors:  # the weights of all are more than 0
            return rational(combination.constant.low), rational(combination.constant.high)
        given = {edge: combination.on(share_of(edge)) for edge in self.flow.uses}
        return self.flow.total(lambda edge: given[edge].low), self.flow.total(lambda edge: given[edge].high)


def cases_of(construction: Construction, runs: Runs, sentences: tuple[Sentence, ...]) -> Iterator[Case]:
    """runs: of the network; sentences: about its words. Underivable where they take too many states."""
    network = construction.encoder
    alphabet = frozenset(construction.language.alphabet)
    tokens = (*construction.language.alphabet, *dict.fromkeys(network.markers))
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
        yield Case(f"words of kind {count}", Flow(some), ending[0], truths, numbers)


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
