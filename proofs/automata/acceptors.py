"""Sentences that count nothing, as deterministic finite automata."""

from __future__ import annotations

import functools
from typing import Any

from weightproof.constructions.scalars.values import COMPARISONS
from weightproof.proofs.automata.dfa import DFA, Letter, Shown, explored, joined, some_position
from weightproof.proofs.automata.sentences import (
    END,
    START,
    And,
    Apart,
    Beside,
    Holds,
    Matches,
    Not,
    Placed,
    Residue,
    Sentence,
    Some,
    UpTo,
)
from weightproof.proofs.patterns import FIRST, State, positions


@functools.lru_cache(1 << 10)
def automaton(sentence: Sentence, shown: tuple[Shown, ...], alphabet: frozenset[str]) -> DFA:
    """The automaton of a sentence that counts nothing; names are those of its positions that stand free, of which each
    is one position: the first one that has it. shown: what words are made of, with the properties that it asks for;
    alphabet: the symbols among it."""
    match sentence:
        case Not(part=part):
            return joined((automaton(part, shown, alphabet),), lambda held: not held[0])
        case And(parts=()):
            return explored(shown, (), 0, lambda state, letter: state, lambda state: True)
        case And(parts=parts):
            return joined(tuple(automaton(part, shown, alphabet) for part in parts), all)
        case Some(name=name, body=body, markers=markers):
            here = frozenset(token for token, _ in shown) if markers else alphabet
            inside = automaton(body, shown, alphabet)
            if name not in inside.names:
                inside = joined((inside, explored(shown, (name,), 0, lambda s, _: s, lambda _: True)), all)
            return some_position(inside, name, here)
        case UpTo(mark=mark) | Placed(mark=mark):
            return _has(mark, sentence.property, shown)
        case Beside():
            return _of_sums(sentence, shown)
        case Holds():
            return _holds(sentence, shown, alphabet)
        case Apart():
            return _of_marks(sentence, shown)
        case Matches(pattern=pattern):
            told = positions(pattern)

            def behind(state: State, letter: Letter) -> State:
                return told.after(state, letter[0]) if letter[0] in alphabet else state

            return explored(shown, (), FIRST, behind, told.accepts)
        case Residue(mark=mark, modulus=modulus):

            def after(state: tuple[int, int | None], letter: Letter) -> tuple[int, int | None]:
                position, found = state
                return (position + 1) % modulus, position if found is None and mark in letter[1] else found

            def accepts(state: tuple[int, int | None]) -> bool:
                position, found = state
                place = {START: 0, END: position}.get(mark, found)
                return place is not None and (place + sentence.offset) % modulus in sentence.allowed

            return explored(shown, _names(mark), (0, None), after, accepts)
    raise AssertionError(sentence)  # one that counts


def _names(*marks: str) -> tuple[str, ...]:
    return tuple(sorted({mark for mark in marks if mark not in (START, END)}))


def _has(mark: str, property: str, shown: tuple[Shown, ...]) -> DFA:
    """Whether the mark is one of the positions with the property."""

    def after(state: bool | None, letter: Letter) -> bool | None:
        return property in letter[1] if state is None and mark in letter[1] else state

    return explored(shown, _names(mark), None, after, lambda state: state is True)


def _of_sums(sentence: Beside, shown: tuple[Shown, ...]) -> DFA:
    """By how much the sum is at each of the marks, once it has come."""
    sides = sentence.left, sentence.right
    marks = tuple(side[0].mark for side in sides)
    Levels = tuple[int | None, ...]

    def after(levels: Levels, letter: Letter) -> Levels:
        return tuple(
            sum(each.property in letter[1] for each in side) if level is None and mark in letter[1] else level
            for side, mark, level in zip(sides, marks, levels, strict=True)
        )

    def accepts(levels: Levels) -> bool:
        left, right = levels
        return left is not None and right is not None and sentence.holds(left, right)

    return explored(shown, _names(*marks), (None, None), after, accepts)


def _holds(sentence: Holds, shown: tuple[Shown, ...], alphabet: frozenset[str]) -> DFA:
    """By the tokens before the mark, or by how far the mark is gone; a state that says which is the end of it."""
    mark, offset, symbol = sentence.mark, sentence.offset, sentence.symbol
    if symbol not in alphabet or (mark == START and offset < 0) or (mark == END and offset >= 0):
        return explored(shown, _names(mark), 0, lambda state, _: state, lambda _: False)
    if mark == END:

        def last(state: tuple[str, ...], letter: Letter) -> tuple[str, ...]:
            return (*state, letter[0])[offset:]

        return explored(shown, (), (), last, lambda state: len(state) == -offset and state[0] == symbol)

    def told(true: bool) -> str:
        return "held" if true else "not held"

    def after(state: Any, letter: Letter) -> Any:
        if isinstance(state, str):
            return state
        token, names = letter
        if isinstance(state, tuple):
            if mark not in names:
                return (*state, token)[offset:] if offset < 0 else ()
            if offset < 0:
                return told(len(state) == -offset and state[0] == symbol)
            state = offset
        return told(token == symbol) if state == 0 else state - 1

    first: Any = offset if mark == START else ()
    return explored(shown, _names(mark), first, after, lambda state: state == told(True))


def _of_marks(sentence: Apart, shown: tuple[Shown, ...]) -> DFA:
    """By which mark has come, and how long ago; distances are told apart as far as they matter."""
    left, right, offset, op = sentence.left, sentence.right, sentence.offset, sentence.op
    most = abs(offset) + 1

    def seen(state: Any, mark: str) -> Any:
        which, gone = state
        if which == "both":
            return state
        if which is None:
            return mark, 0
        return "both", gone if which == right else -gone

    def step(state: Any, marks: list[str]) -> Any:
        for mark in marks:
            state = seen(state, mark)
        return state

    def after(state: Any, letter: Letter) -> Any:
        state = step(state, [mark for mark in (left, right) if mark in letter[1]])
        which, gone = state
        return state if which in (None, "both") else (which, min(gone + 1, most))

    def accepts(state: Any) -> bool:
        which, gone = step(state, [mark for mark in (left, right) if mark == END])
        return which == "both" and COMPARISONS[op](_sign(gone + offset))

    first = step((None, 0), [mark for mark in (left, right) if mark == START])
    return explored(shown, _names(left, right), first, after, accepts)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
