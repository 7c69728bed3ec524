"""All words by kind, as far as finite automata tell: what a network reads out of them, and which sentences about them
are true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.values import COMPARISONS
from weightproof.proofs.automata.acceptors import automaton
from weightproof.proofs.automata.dfa import DFA, Letter
from weightproof.proofs.automata.flows import Flow, rational
from weightproof.proofs.automata.network import Combination, Piece, share_of
from weightproof.proofs.automata.placing import placed
from weightproof.proofs.automata.runs import Edge, Runs
from weightproof.proofs.automata.sentences import (
    And,
    Compared,
    Congruent,
    Not,
    Number,
    Placed,
    Sentence,
    UpTo,
    counted_up_to,
    is_regular,
    properties,
)
from weightproof.proofs.automata.tallies import Comparison, compared, told_at_ends
from weightproof.proofs.automata.values import NOTHING, Between
from weightproof.proofs.solving.logic import FALSE, TRUE, Formula, conjunction, disjunction, negation, relation

NO_PROPERTY: frozenset[str] = frozenset()
MOST_TRIED = 5_000
"""Of the positions of words, by node and sums, to find a shortest one."""
KNOWN = 3
"""Marks before those of numbers: the share, the pieces, the properties."""


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

    def named(self, about: str) -> Case:
        """As one of the kinds of words of something."""
        return replace(self, name=f"{about}: {self.name}")

    @cached_property
    def shortest(self) -> tuple[str, ...] | None:
        """The tokens of a shortest one of these words; None where it takes long to find one."""
        runs, leaving = self.flow.runs, defaultdict[int, list[Edge]](list)
        for edge in runs.edges:
            leaving[edge.source].append(edge)
        nothing = (0,) * len(runs.edges[0].tallies)
        reached: dict[tuple[int, tuple[int, ...]], tuple[str, ...]] = {(start, nothing): () for start in runs.starts}
        todo = [*reached]
        for node, totals in todo:  # grows while it is gone through
            if node in runs.ends or len(todo) > MOST_TRIED:
                return reached[node, totals] if node in runs.ends else None
            for edge in leaving[node]:
                added = tuple(total + tally.step for total, tally in zip(totals, edge.tallies, strict=True))
                allowed = all(tally.allows(total) for total, tally in zip(added, edge.tallies, strict=True))
                if allowed and (edge.target, added) not in reached:
                    reached[edge.target, added] = (*reached[node, totals], edge.token)
                    todo.append((edge.target, added))
        return None

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
                steps = {
                    edge: sum((f * int(self._counts(edge, each)) for each, f in numbers), length)
                    for edge in self.flow.uses
                }
                sign = told_at_ends(self.flow.runs, Comparison(steps.__getitem__, -constant))
                if sign is not None:
                    return TRUE if COMPARISONS[op](sign) else FALSE
                return relation(op, self.flow.total(steps.__getitem__) + rational(constant))
        raise AssertionError(sentence)

    @cached_property
    def sums(self) -> tuple[Formula, ...]:
        """What is said of sums at the last position, which are over all of the word."""
        runs = self.flow.runs
        [ending] = {tuple((t.least, t.most) for t in edge.tallies) for edge in runs.edges if runs.is_last(edge)}
        found = list[Formula]()
        for place, (least, most) in enumerate(ending):
            steps = {edge: fmpq(edge.tallies[place].step) for edge in self.flow.uses}
            total = self.flow.total(steps.__getitem__)
            if least is not None and least == most:
                found.append(relation("==", total - least))
                continue
            found += [relation(">=", total - least)] if least is not None else []
            found += [relation("<=", total - most)] if most is not None else []
        return tuple(each for each in dict.fromkeys(found) if each != TRUE)

    def _counts(self, edge: Edge, number: Number) -> bool:
        return bool(edge.marks[self.numbers[number]])

    def surely(self, op: str, combination: Combination, piece: Piece, more: Between = NOTHING) -> Formula:
        """What is enough for a combination, times the weights of all positions, and a number more to compare so with
        0."""
        if op in ("<", "<="):
            mirrored = {"<": ">", "<=": ">="}[op]
            return self.surely(mirrored, combination.scaled(Between.exactly(-1)), piece, -more)
        if op == "==":
            return conjunction(*(self.surely(each, combination, piece, more) for each in (">=", "<=")))
        if op == "!=":
            return disjunction(*(self.surely(each, combination, piece, more) for each in (">", "<")))
        if not combination.factors:  # the weights of all are more than 0
            found = combination.constant + more
            return TRUE if found.sign == 1 or (op == ">=" and found.low >= 0) else FALSE
        given = {edge: combination.on(share_of(edge, piece)) for edge in self.flow.uses}
        total = self.flow.total(lambda edge: given[edge].low) + rational(more.low)
        above = [edge for edge in given if given[edge].above]
        if op == ">=" or not above:
            return relation(op, total)
        used = self.flow.total(lambda edge: fmpq(int(given[edge].above)))
        return disjunction(relation(">", total), conjunction(relation(">=", total), relation(">=", used - 1)))

    def perhaps(self, op: str, combination: Combination, piece: Piece) -> Formula:
        """What is true where a combination is at least 0, or at most."""
        if op == "<=":
            return self.perhaps(">=", combination.scaled(Between.exactly(-1)), piece)
        if not combination.factors:
            return relation(">=", rational(combination.constant.high))
        given = {edge: combination.on(share_of(edge, piece)) for edge in self.flow.uses}
        return relation(">=", self.flow.total(lambda edge: given[edge].high))


def cases_of(construction: Construction, runs: Runs, sentences: tuple[Sentence, ...]) -> Iterator[Case]:
    """runs: of the network; sentences: about its words. Underivable where they take too many states."""
    alphabet = frozenset(construction.language.alphabet)
    runs = runs.remembering(
        None,
        lambda pieces, edge: edge.marks[1] or pieces,
        lambda edge, _, pieces: replace(edge, marks=(edge.marks[0], pieces, NO_PROPERTY)),
    )
    numbers: dict[Number, int] = {}

    def counting(some: Iterable[Number]) -> Runs:
        counted = runs
        for number in dict.fromkeys(some):
            if number not in numbers:
                numbers[number] = KNOWN + len(numbers)
                counted = _counted(counted, number, _automaton(runs, number.body, alphabet), alphabet)
        return counted

    for each in dict.fromkeys(each for sentence in sentences for each in counted_up_to(sentence)):
        runs = counting(number for number, _ in (each.numbers if isinstance(each, Placed) else each.said.numbers))
        runs = _with_place(runs, each, numbers) if isinstance(each, Placed) else _with_property(runs, each, numbers)
    runs = counting(number for sentence in sentences for number in _numbers(sentence))
    leaves = [*dict.fromkeys(leaf for sentence in sentences for leaf in _leaves(sentence))]
    for leaf in leaves:
        if isinstance(leaf, Congruent):
            runs = _modulo(runs, leaf, numbers)
        else:
            runs = _told(runs, _automaton(runs, leaf, alphabet))
    runs = _apart_at_ends(runs, KNOWN + len(numbers))
    last = {edge.marks[-1] for edge in runs.edges if runs.is_last(edge)}
    for count, ending in enumerate(sorted(last, key=str), start=1):
        assert isinstance(ending, tuple)
        kept = tuple(edge for edge in runs.edges if not runs.is_last(edge) or edge.marks[-1] == ending)
        some = Runs(kept, runs.starts, runs.ends).merged()
        pieces, _, *told = ending
        yield Case(f"words of kind {count}", Flow(some), pieces, dict(zip(leaves, told, strict=True)), numbers)


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


def _automaton(runs: Runs, sentence: Sentence, alphabet: frozenset[str]) -> DFA:
    """Over the letters that these runs have, as far as the sentence asks for properties."""
    asked = properties(sentence)
    shown = ((token, known & asked) for token, known in map(_letter, runs.edges))
    return automaton(sentence, tuple(dict.fromkeys(shown)), alphabet)


def _letter(edge: Edge) -> Letter:
    """A position as the automata of sentences see it."""
    properties = edge.marks[2]
    assert isinstance(properties, frozenset)
    return edge.token, properties


def _told(runs: Runs, sentence: DFA) -> Runs:
    """With one more mark: whether the sentence is true of the word up to that position."""

    def after(state: int, edge: Edge) -> int:
        return sentence.after(state, _letter(edge))

    return runs.remembering(
        0, after, lambda edge, _, state: replace(edge, marks=(*edge.marks, state in sentence.accepting))
    )


def _counted(runs: Runs, number: Number, body: DFA, alphabet: frozenset[str]) -> Runs:
    """With one more mark: whether a position is one of the number."""
    runs = runs.foreseeing(
        body.accepting,
        lambda accepted, edge: body.before_accepting(accepted, _letter(edge)),
        lambda edge, accepted, _: replace(edge, marks=(*edge.marks, accepted)),
    )

    def seen(edge: Edge, state: int, _: int) -> Edge:
        here = number.markers or edge.token in alphabet
        token, properties = _letter(edge)
        accepted = edge.marks[-1]
        assert isinstance(accepted, frozenset)
        counts = here and body.after(state, (token, properties | {number.name})) in accepted
        return replace(edge, marks=(*edge.marks[:-1], counts))

    return runs.remembering(0, lambda state, edge: body.after(state, _letter(edge)), seen)


def _with_property(runs: Runs, of: UpTo, numbers: dict[Number, int]) -> Runs:
    """With one more property, of the positions of which it is true."""
    said = of.said

    def counted(edge: Edge, some: Container[Number]) -> fmpq:
        return sum((f for number, f in said.numbers if number in some and edge.marks[numbers[number]]), fmpq(0))

    def own(edge: Edge) -> fmpq:
        """What it adds, but not for itself."""
        return counted(edge, of.before)

    def step(edge: Edge) -> fmpq:
        return counted(edge, {number for number, _ in said.numbers}) + said.length

    def marked(edge: Edge, holds: bool) -> Edge:
        return _marked(edge, {of.property} if holds else NO_PROPERTY)

    start = said.constant - said.length  # the mark is the number of positions up to it and with it, but for one
    if isinstance(said, Congruent):

        def residue(edge: Edge, before: int) -> int:
            return int((before + step(edge)).p) % said.modulus

        def allowed(edge: Edge, _: int, up_to: int) -> Edge:
            return marked(
                replace(edge, marks=(*edge.marks, None)), int((up_to - own(edge)).p) % said.modulus in said.allowed
            )

        return runs.remembering(int(start.p) % said.modulus, lambda before, edge: residue(edge, before), allowed)
    owns = tuple(dict.fromkeys(own(edge) for edge in runs.edges))
    runs = compared(runs, [Comparison(step, each - start) for each in owns])

    def told(edge: Edge) -> Edge:
        sign = cast("tuple[int, ...]", edge.marks[-1])[owns.index(own(edge))]
        return marked(edge, COMPARISONS[said.op](sign))

    return runs.changed(told).merged()


def _with_place(runs: Runs, of: Placed, numbers: dict[Number, int]) -> Runs:
    """With more properties, of the positions: of how they compare with what is said."""

    def step(edge: Edge) -> fmpq:
        return sum((f for number, f in of.numbers if edge.marks[numbers[number]]), of.length)

    def told(edge: Edge) -> Edge:
        sign = cast("int", edge.marks[-1])
        return _marked(edge, {of.named(op) for op, holds in COMPARISONS.items() if holds(sign)})

    return placed(runs, step, of.constant).changed(told).merged()


def _marked(edge: Edge, more: Set[str]) -> Edge:
    """With more properties in place of the last mark."""
    *marks, _ = edge.marks
    marks[2] = cast("frozenset[str]", marks[2]) | more
    return replace(edge, marks=tuple(marks))


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
        sums = tuple((tally.least, tally.most) for tally in edge.tallies)
        ending = (edge.marks[1], sums, *edge.marks[kept:]) if runs.is_last(edge) else None
        return replace(edge, marks=(edge.marks[0], None, NO_PROPERTY, *edge.marks[KNOWN:kept], ending))

    return runs.changed(change).merged()
