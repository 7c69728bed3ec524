"""Regular expressions of whole words: the syntax that formulas share with Python's `re`, and which words match.

What Python would read as something else than symbols, classes, groups, choices and repetitions is refused. Words are
matched by partial derivatives (Antimirov, Theoretical Computer Science 155, 1996): what may be left to match after a
symbol is a set of at most as many expressions as the pattern has symbols, so that no word takes more than its length
times that, where a search that goes back may never end.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from weightproof.constructions.scalars import work

MOST_SYMBOLS = 500
"""Of a pattern, repetitions written out."""
DEEPEST = 50
STEPS_A_RESIDUE = 5
"""Of counted work, for each expression that may be left, and each symbol that is read."""


class PatternError(ValueError):
    """A text that is no regular expression of those that are read; one line that says where and why."""


@dataclass(frozen=True)
class One:
    """A symbol, which is one of these, or if `but`, none of these."""

    symbols: frozenset[str]
    but: bool = False

    def takes(self, symbol: str) -> bool:
        return (symbol in self.symbols) != self.but


@dataclass(frozen=True)
class Then:
    """One after the other; of no parts, the empty word."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Either:
    parts: tuple[Pattern, ...]


@dataclass(frozen=True)
class Repeated:
    """So many times, at least and at most; None is any number of times."""

    part: Pattern
    least: int
    most: int | None


Pattern = One | Then | Either | Repeated
Residues = frozenset[Pattern]
"""What may be left of a pattern: a word matches what is left if it matches one of these."""
EMPTY = Then(())


@functools.lru_cache(1 << 10)
def pattern(text: str) -> Pattern:
    """The regular expression that a text is; PatternError for what is none that is read here."""
    reader = _Reader(text)
    found = reader.choice(0)
    if reader.place < len(text):  # of what ends a choice, only a bracket that was not opened
        reader.refuse("brackets that are not opened; write \\) for the symbol")
    if size(found) > MOST_SYMBOLS:
        raise PatternError(f"more than {MOST_SYMBOLS} symbols, repetitions written out")
    return found


def symbols_in(of: Pattern) -> frozenset[str]:
    """The symbols that it names."""
    match of:
        case One(symbols=symbols):
            return symbols
        case Repeated(part=part):
            return symbols_in(part)
    return frozenset[str]().union(*map(symbols_in, of.parts))


def size(of: Pattern) -> int:
    """How many symbols it has, repetitions written out."""
    match of:
        case One():
            return 1
        case Repeated(part=part, least=least, most=most):
            return size(part) * (max(least, 1) if most is None else most)
    return sum(map(size, of.parts))


def may_be_empty(of: Pattern) -> bool:
    match of:
        case One():
            return False
        case Then(parts=parts):
            return all(map(may_be_empty, parts))
        case Either(parts=parts):
            return any(map(may_be_empty, parts))
        case Repeated(part=part, least=least):
            return least == 0 or may_be_empty(part)


def _followed(first: Pattern, rest: tuple[Pattern, ...]) -> Pattern:
    own = first.parts if isinstance(first, Then) else (first,)
    parts = (*own, *rest)
    return parts[0] if len(parts) == 1 else Then(parts)


@functools.lru_cache(1 << 14)
def _residues(of: Pattern, symbol: str) -> Residues:
    match of:
        case One():
            return frozenset({EMPTY}) if of.takes(symbol) else frozenset()
        case Either(parts=parts):
            return frozenset().union(*(_residues(part, symbol) for part in parts))
        case Repeated(part=part, least=least, most=most):
            if most == 0:
                return frozenset()
            again = Repeated(part, max(least - 1, 0), None if most is None else most - 1)
            return frozenset(_followed(left, (again,)) for left in _residues(part, symbol))
        case Then(parts=parts):
            found: set[Pattern] = set()
            for place, part in enumerate(parts):
                found |= {_followed(left, parts[place + 1 :]) for left in _residues(part, symbol)}
                if not may_be_empty(part):
                    break
            return frozenset(found)


@functools.lru_cache(1 << 14)
def after(left: Residues, symbol: str) -> Residues:
    """What may be left after one more symbol."""
    return frozenset().union(*(_residues(part, symbol) for part in left))


def is_matched(left: Residues) -> bool:
    """Whether nothing need be left to come."""
    return any(map(may_be_empty, left))


def matches(text: str, symbols: Iterable[str]) -> bool:
    """Whether a word matches a regular expression from its first to its last symbol."""
    return matches_runs(text, ((symbol, 1) for symbol in symbols))


MOST_STEPS = 10_000
"""Of one symbol in a row, until what is left is what was left before."""


def matches_runs(text: str, runs: Iterable[tuple[str, int]]) -> bool:
    """As `matches`, of symbols, each with how often it stands there in a row, which may be too often to go through.
    ArithmeticError where what is left does not come back within MOST_STEPS."""
    left: Residues = frozenset({pattern(text)})
    for symbol, times in runs:
        seen: dict[Residues, int] = {}
        path: list[Residues] = []
        while len(path) < times and left not in seen:
            if len(path) == MOST_STEPS:
                raise ArithmeticError(f"matches({text!r}) on a word of more than {MOST_STEPS} symbols in a row")
            seen[left] = len(path)
            path.append(left)
            work.spend(STEPS_A_RESIDUE * (1 + len(left)))
            left = after(left, symbol)
        if len(path) < times:  # it goes around from where it was first
            first = seen[left]
            left = path[first + (times - first) % (len(path) - first)]
    return is_matched(left)


@dataclass(frozen=True)
class Table:
    """A complete automaton that begins in state 0. rows: by state and by symbol, in their order, the next state."""

    rows: tuple[tuple[int, ...], ...]
    accepting: frozenset[int]


MOST_STATES = 2_000


def table(text: str, symbols: Sequence[str]) -> Table:
    """Of what may be left after words over these symbols. PatternError for more than MOST_STATES states."""
    first: Residues = frozenset({pattern(text)})
    numbers, found, rows = {first: 0}, [first], list[tuple[int, ...]]()
    for left in found:  # grows while it is gone through
        row = [after(left, symbol) for symbol in symbols]
        for behind in row:
            if numbers.setdefault(behind, len(found)) == len(found):
                found.append(behind)
        if len(found) > MOST_STATES:
            raise PatternError(f"an automaton of more than {MOST_STATES} states")
        rows.append(tuple(numbers[behind] for behind in row))
    return Table(tuple(rows), frozenset(number for number, left in enumerate(found) if is_matched(left)))


ESCAPES = {
    **dict.fromkeys("AZzbB", "anchors are not read: it is of the whole word"),
    **dict.fromkeys("dDsSwW", "classes by kind are not read; name the symbols, as in [01]"),
    **dict.fromkeys("123456789", "references back to a group are not read: no finite automaton decides them"),
}
REPEATS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
BOUNDS = re.compile(r"\{([0-9]{1,4})(?:(,)([0-9]{1,4})?)?\}")


class _Reader:
    """Reads a text from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def refuse(self, why: str, place: int | None = None) -> NoReturn:
        place = self.place if place is None else place
        what = repr(self.text[place]) if place < len(self.text) else "the end"
        raise PatternError(f"column {place + 1}, {what}: {why}")

    def peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def choice(self, depth: int) -> Pattern:
        parts = [self.sequence(depth)]
        while self.peek() == "|":
            self.place += 1
            parts.append(self.sequence(depth))
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def sequence(self, depth: int) -> Pattern:
        parts: list[Pattern] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated(self.atom(depth)))
        return _followed(EMPTY, tuple(parts))

    def repeated(self, part: Pattern) -> Pattern:
        begin, sign = self.place, self.peek()
        if sign == "{":
            bounds = BOUNDS.match(self.text, begin)
            if bounds is None:
                self.refuse("no {m}, {m,} or {m,n} of numbers of up to four digits; write \\{ for the symbol")
            least, several, more = int(bounds[1]), bounds[2], bounds[3]
            most = least if not several else None if more is None else int(more)
            if most is not None and most < least:
                self.refuse(f"at least {least} and at most {most}")
            self.place = bounds.end()
        elif sign and sign in REPEATS:
            least, most = REPEATS[sign]
            self.place += 1
        else:
            return part
        match self.peek():
            case "?":
                self.refuse("the shortest repetition that fits is not asked for: a word matches or does not")
            case "+":
                self.refuse("repetitions that give nothing back are not read")
            case "*" | "{":
                self.refuse("a repetition of a repetition; put it in brackets")
        return Repeated(part, least, most)

    def atom(self, depth: int) -> Pattern:
        begin, sign = self.place, self.peek()
        self.place += 1
        match sign:
            case ".":
                return One(frozenset(), but=True)
            case "[":
                return self.of_class(begin)
            case "(":
                return self.group(begin, depth)
            case "\\":
                return One(frozenset({self.escaped(begin)}))
            case "*" | "+" | "?":
                self.refuse(f"nothing that it could repeat; write \\{sign} for the symbol", begin)
            case "^" | "$":
                self.refuse(f"anchors are not read: it is of the whole word; write \\{sign} for the symbol", begin)
            case "{" | "}" | "]":
                self.refuse(f"nothing that it could close or repeat; write \\{sign} for the symbol", begin)
        return One(frozenset({sign}))

    def group(self, begin: int, depth: int) -> Pattern:
        if depth >= DEEPEST:
            self.refuse(f"brackets inside of one another, more than {DEEPEST}", begin)
        if self.peek() == "?":
            behind = self.text[self.place + 1 : self.place + 3]
            which = (
                "lookaround is"
                if behind[:1] in ("=", "!") or behind in ("<=", "<!")
                else "names of groups are"
                if behind[:1] == "P"
                else "signs that begin with (? are"
            )
            self.refuse(f"{which} not read; groups are written as (...)")
        inside = self.choice(depth + 1)
        if self.peek() != ")":
            self.refuse("a bracket that is not closed; write \\( for the symbol", begin)
        self.place += 1
        return inside

    def escaped(self, begin: int) -> str:
        symbol = self.peek()
        if not symbol:
            self.refuse("nothing behind it; write \\\\ for the symbol", begin)
        if symbol in ESCAPES:
            self.refuse(ESCAPES[symbol])
        if symbol.isascii() and symbol.isalnum():
            self.refuse("it is no sign, and stands without \\ for itself")
        self.place += 1
        return symbol

    def of_class(self, begin: int) -> Pattern:
        but = self.peek() == "^"
        self.place += but
        symbols: set[str] = set()
        while (sign := self.peek()) != "]":
            at = self.place
            self.place += 1
            match sign:
                case "":
                    self.refuse("a class that is not closed; write \\[ for the symbol", begin)
                case "\\":
                    sign = self.escaped(at)
                case "-":
                    self.refuse("ranges are not read; name the symbols, and write \\- for the symbol", at)
                case "[":
                    self.refuse("classes inside of others are not read; write \\[ for the symbol", at)
            symbols.add(sign)
        if not symbols:
            self.refuse("a class of nothing; write \\] for the symbol")
        self.place += 1
        return One(frozenset(symbols), but)
