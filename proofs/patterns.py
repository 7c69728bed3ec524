"""Regular expressions as automata whose states are sets of their symbols (Glushkov, Russian Mathematical Surveys 16,
1961).

The interpreter matches words in another way, by what is left of an expression; neither knows of the other.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass, replace

from weightproof.constructions.scalars.patterns import Either, One, Pattern, Repeated, Then, pattern

State = frozenset[int]
"""The symbols of the expression that the last one of the word may have been, by their numbers."""
START = -1
FIRST: State = frozenset({START})
"""Before the first symbol."""


@dataclass(frozen=True)
class _Part:
    """Of a part of an expression: the symbols that words of it may begin with, and end with; whether it has the empty
    word."""

    first: State = frozenset()
    last: State = frozenset()
    empty: bool = True


FIRST_OF, LAST_OF = operator.attrgetter("first"), operator.attrgetter("last")


class Positions:
    """A regular expression, its repetitions written out, by which of its symbols may follow which."""

    def __init__(self, of: Pattern) -> None:
        self._symbols: list[One] = []
        self._follows: dict[int, set[int]] = {}
        whole = self._read(of)
        self._follows[START] = set(whole.first)
        self._ends = whole.last | (FIRST if whole.empty else frozenset())

    def _read(self, of: Pattern) -> _Part:
        match of:
            case One():
                self._symbols.append(of)
                own = frozenset({len(self._symbols) - 1})
                self._follows[len(self._symbols) - 1] = set()
                return _Part(own, own, False)
            case Then(parts=parts):
                return functools.reduce(self._then, map(self._read, parts), _Part())
            case Either(parts=parts):
                some = [self._read(part) for part in parts]
                first, last = (frozenset[int]().union(*map(ends, some)) for ends in (FIRST_OF, LAST_OF))
                return _Part(first, last, any(each.empty for each in some))
            case Repeated(part=part, least=least, most=None):
                times = max(least, 1)
                some = [self._read(part) for _ in range(times)]
                self._join(some[-1].last, some[-1].first)
            case Repeated(part=part, least=least, most=int(most)):
                some = [self._read(part) for _ in range(most)]
            case _:
                raise TypeError(of)
        copies = (each if place < least else replace(each, empty=True) for place, each in enumerate(some))
        return functools.reduce(self._then, copies, _Part())

    def _join(self, last: State, first: State) -> None:
        for place in last:
            self._follows[place] |= first

    def _then(self, left: _Part, right: _Part) -> _Part:
        self._join(left.last, right.first)
        return _Part(
            left.first | right.first if left.empty else left.first,
            left.last | right.last if right.empty else right.last,
            left.empty and right.empty,
        )

    def after(self, state: State, symbol: str) -> State:
        """The state behind one more symbol."""
        return frozenset(
            behind for place in state for behind in self._follows[place] if self._symbols[behind].takes(symbol)
        )

    def accepts(self, state: State) -> bool:
        """Whether the word matches that led to a state."""
        return not state.isdisjoint(self._ends)


@functools.lru_cache(1 << 8)
def positions(text: str) -> Positions:
    """Of a regular expression as formulas have it."""
    return Positions(pattern(text))
