"""Deterministic finite automata over words of which some positions have names: every letter is a token with the names
of the position that holds it, and with the properties that are known of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from weightproof.constructions.scalars import work
from weightproof.symbolic.algebra.vocabulary import Underivable

Letter = tuple[str, frozenset[str]]
Shown = Letter
"""A letter without names: of all pairs of a token and properties those that there are."""
MOST_STATES = 4_000
STEPS_A_LETTER = 5
"""Of counted work, to find where it leads from a state."""
COMPARED_A_STEP = 10
"""Letters of states, when states are told apart."""


@dataclass(frozen=True)
class DFA:
    """table: by state and by letter, as `letters` numbers them, the next state; the first state is 0."""

    shown: tuple[Shown, ...]
    names: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    accepting: frozenset[int]

    @cached_property
    def numbers(self) -> dict[Letter, int]:
        return {letter: number for number, letter in enumerate(letters(self.shown, self.names))}

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names).union(*(properties for _, properties in self.shown))

    def after(self, state: int, letter: Letter) -> int:
        """The next state; names that it does not know say nothing to it."""
        token, names = letter
        return self.table[state][self.numbers[token, names & self._known]]

    def before_accepting(self, accepted: frozenset[int], letter: Letter) -> frozenset[int]:
        """The states from which a letter leads to one of these."""
        token, names = letter
        number = self.numbers[token, names & self._known]
        return frozenset(state for state, row in enumerate(self.table) if row[number] in accepted)


def letters(shown: tuple[Shown, ...], names: tuple[str, ...]) -> tuple[Letter, ...]:
    subsets = (itertools.combinations(names, size) for size in range(len(names) + 1))
    named = [frozenset(each) for some in subsets for each in some]
    return tuple((token, properties | each) for token, properties in shown for each in named)


def explored(
    shown: tuple[Shown, ...],
    names: tuple[str, ...],
    first: Hashable,
    after: Callable[[Any, Letter], Hashable],
    accepts: Callable[[Any], bool],
) -> DFA:
    """The least automaton of the states that are reached. Underivable where they are more than MOST_STATES."""
    numbers: dict[Hashable, int] = {first: 0}
    found, table = [first], list[tuple[int, ...]]()
    alphabet = letters(shown, names)
    for state in found:  # grows while it is gone through
        row = []
        work.spend(len(alphabet) * STEPS_A_LETTER)
        for letter in alphabet:
            behind = after(state, letter)
            if behind not in numbers:
                numbers[behind] = len(found)
                found.append(behind)
                if len(found) > MOST_STATES:
                    raise Underivable(f"an automaton of more than {MOST_STATES} states")
            row.append(numbers[behind])
        table.append(tuple(row))
    return _least(shown, names, table, [bool(accepts(state)) for state in found])


def _least(shown: tuple[Shown, ...], names: tuple[str, ...], table: list[tuple[int, ...]], accepts: list[bool]) -> DFA:
    """States that nothing tells apart as one, by refinement (Moore 1956)."""
    classes, count = [int(accepted) for accepted in accepts], len(set(accepts))
    while True:
        seen: dict[Hashable, int] = {}
        refined = [
            seen.setdefault((own, *(classes[behind] for behind in row)), len(seen))
            for own, row in zip(classes, table, strict=True)
        ]
        work.spend(len(table) * len(table[0]) // COMPARED_A_STEP)
        if len(seen) == count:
            break
        classes, count = refined, len(seen)
    rows = {refined[state]: tuple(refined[behind] for behind in row) for state, row in enumerate(table)}
    accepting = frozenset(refined[state] for state, accepted in enumerate(accepts) if accepted)
    return DFA(shown, names, tuple(rows[number] for number in range(len(seen))), accepting)


def joined(parts: tuple[DFA, ...], accepts: Callable[[tuple[bool, ...]], bool]) -> DFA:
    """The words of which it is true, by which of the parts accept them. The parts are of the same letters."""
    names = tuple(sorted({name for part in parts for name in part.names}))
    return explored(
        parts[0].shown,
        names,
        (0,) * len(parts),
        lambda states, letter: tuple(part.after(s, letter) for part, s in zip(parts, states, strict=True)),
        lambda states: accepts(tuple(s in part.accepting for part, s in zip(parts, states, strict=True))),
    )


def some_position(body: DFA, name: str, tokens: frozenset[str]) -> DFA:
    """The words with a position, which holds one of these tokens, that the body is true of where the name is its."""
    rest = tuple(each for each in body.names if each != name)

    def after(states: frozenset[tuple[int, bool]], letter: Letter) -> frozenset[tuple[int, bool]]:
        token, names = letter
        behind = {(body.after(state, (token, names)), placed) for state, placed in states}
        if token in tokens:
            behind |= {(body.after(state, (token, names | {name})), True) for state, placed in states if not placed}
        return frozenset(behind)

    return explored(
        body.shown,
        rest,
        frozenset({(0, False)}),
        after,
        lambda states: any(placed and state in body.accepting for state, placed in states),
    )
