"""A program without conditionals, minima, maxima and distances among its numbers, as weights and formulas need it.

Numbers are sums of counts then, and each truth value is of symbols, of the position, of another one at a distance, of
others joined, or says that such a sum is above 0, or is 0. A number that is one or another becomes cases: of a
comparison with it, those in which its condition and the comparison with its value there both are true.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from weightproof.constructions.crasp.program import (
    And,
    Back,
    Boolean,
    Comparator,
    Comparison,
    Conditional,
    Count,
    Difference,
    Extreme,
    Line,
    Multiple,
    Not,
    Number,
    Or,
    Program,
    Residue,
    Sum,
    Symbol,
    Truth,
    UpTo,
)

MOST_CASES, MOST_PARTS, MOST_DIGITS = 32, 200, 100
"""Of the two numbers of a comparison together; of a truth value, names of others counted as one; of a factor."""

IS_LEFT: dict[str, Comparator] = {"min": "<=", "max": ">="}
"""How the left one of two numbers compares with the other where it is the lesser or the greater one."""


@dataclass(frozen=True)
class Among:
    """One of these symbols stands there. Of all of them it is true, and of none false, at every position."""

    symbols: frozenset[str]


@dataclass(frozen=True)
class At:
    """i % modulus == remainder."""

    modulus: int
    remainder: int


@dataclass(frozen=True)
class Named:
    """What the line of that name is."""

    name: str


@dataclass(frozen=True)
class Other:
    """It is not."""

    part: Plain


@dataclass(frozen=True)
class Every:
    parts: tuple[Plain, ...]


@dataclass(frozen=True)
class Some:
    parts: tuple[Plain, ...]


@dataclass(frozen=True)
class Before:
    """So it is at the position that is so many before; false where there is none."""

    part: Plain
    distance: int


@dataclass(frozen=True)
class Total:
    """A sum of counts up to the position, each of a truth value and with a factor, and of a constant."""

    counts: tuple[tuple[Plain, int], ...] = ()
    constant: int = 0

    def plus(self, other: Total, factor: int = 1) -> Total:
        """With so many of another one."""
        counts = dict(self.counts)
        for part, own in other.counts:
            counts[part] = counts.get(part, 0) + factor * own
        return Total(tuple((part, own) for part, own in counts.items() if own), self.constant + factor * other.constant)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its factors and its constant."""
        return (*(factor for _, factor in self.counts), self.constant)


@dataclass(frozen=True)
class Above0:
    total: Total


@dataclass(frozen=True)
class Is0:
    total: Total


Plain = Among | At | Named | Other | Every | Some | Before | Above0 | Is0
Case = tuple[Plain, Total]
"""A condition, and the number that is there where it is true."""


@dataclass(frozen=True)
class PlainProgram:
    """values: by their names the lines that are truth values; accepted: the last one. names: what a truth value, or a
    sum, is called, by the first line that is it."""

    alphabet: tuple[str, ...]
    values: Mapping[str, Plain]
    accepted: str
    names: Mapping[Plain | Total, str]

    def value(self, plain: Plain) -> Plain:
        """Of a name, what it is in the end."""
        while isinstance(plain, Named):
            plain = self.values[plain.name]
        return plain


def plain(program: Program) -> PlainProgram:
    """The program in these terms; Uncompiled where a line has too much of something."""
    made = _Plain(program.alphabet)
    for definition in program.definitions:
        try:
            made.add(definition.name, definition.value)
        except (_TooMany, _TooLarge) as error:
            raise Uncompiled(definition.name, definition.line, str(error)) from error
    names: dict[Plain | Total, str] = {}
    for definition in program.definitions:
        if definition.name in made.truths:
            names.setdefault(made.truths[definition.name], definition.name)
        elif len(cases := made.numbers[definition.name]) == 1:
            names.setdefault(cases[0][1], definition.name)
    return PlainProgram(program.alphabet, made.truths, program.definitions[-1].name, names)


class Uncompiled(Exception):
    """What a line has too much of, to be compiled; line: where it stands."""

    def __init__(self, name: str, line: int, told: str) -> None:
        super().__init__(f"{name} has {told}")
        self.line = line


class _TooMany(Exception):
    def __init__(self) -> None:
        super().__init__(
            "too many cases of conditionals, minima, maxima and distances; give parts of it lines of their own, as "
            "truth values"
        )


class _TooLarge(Exception):
    def __init__(self) -> None:
        super().__init__(f"a number of more than {MOST_DIGITS} digits; take smaller factors")


class _Plain:
    def __init__(self, alphabet: tuple[str, ...]) -> None:
        self.always, self.never = Among(frozenset(alphabet)), Among(frozenset())
        self.truths: dict[str, Plain] = {}
        self.numbers: dict[str, tuple[Case, ...]] = {}
        self.counted: dict[Plain, int] = {}
        """In the order in which they are counted first, so that a sum is the same however it was put together."""

    def add(self, name: str, value: Boolean | Count) -> None:
        match value:
            case Line(name=other, is_count=counts):
                if counts:
                    self.numbers[name] = self.numbers[other]
                else:
                    self.truths[name] = Named(other)
            case Symbol() | Truth() | Residue() | Not() | And() | Or() | Comparison():
                self.truths[name] = self.truth(value)
            case _:
                self.numbers[name] = self.cases(value)

    def truth(self, value: Boolean) -> Plain:
        match value:
            case Symbol(symbol=symbol):
                return Among(frozenset((symbol,)))
            case Truth(value=truth):
                return self.always if truth else self.never
            case Residue(modulus=modulus, remainder=remainder):
                return self.always if modulus == 1 else At(modulus, remainder)
            case Line(name=name):
                known = self.truths[name]
                return known if isinstance(known, Among | At | Named) else Named(name)
            case Not(part=part):
                return self.other(self.truth(part))
            case And(left=left, right=right):
                return self.every((self.truth(left), self.truth(right)))
            case Or(left=left, right=right):
                return self.some((self.truth(left), self.truth(right)))
            case Comparison(left=left, comparator=comparator, right=right):
                return self.compared(left, comparator, right)

    def other(self, part: Plain) -> Plain:
        match part:
            case Among(symbols=symbols):
                return Among(self.always.symbols - symbols)
            case Other(part=inner):
                return inner
            case Every(parts=parts):
                return self.some(map(self.other, parts))
            case Some(parts=parts):
                return self.every(map(self.other, parts))
        return Other(part)

    def every(self, parts: Iterable[Plain]) -> Plain:
        """Symbols are one set, and what is always or never so is left out, or all there is."""
        return _bounded(self._every(parts))

    def some(self, parts: Iterable[Plain]) -> Plain:
        """The same of alternatives."""
        return _bounded(self._some(parts))

    def _every(self, parts: Iterable[Plain]) -> Plain:
        among, others = self.always.symbols, dict[Plain, None]()
        for part in _flat(parts, Every):
            if isinstance(part, Among):
                among &= part.symbols
            else:
                others[part] = None
        if among != self.always.symbols and (told := [self.given(among, part) for part in others]) != [*others]:
            return self.every((Among(among), *told))
        if not among or any(Other(part) in others for part in others):
            return self.never
        first = () if among == self.always.symbols and others else (Among(among),)
        joined = (*first, *others)
        return joined[0] if len(joined) == 1 else Every(joined)

    def given(self, symbols: frozenset[str], part: Plain) -> Plain:
        """What it says where one of these symbols stands."""
        match part:
            case Among(symbols=own) if symbols <= own or not symbols & own:
                return self.always if symbols <= own else self.never
            case Every(parts=parts):
                return self.every([self.given(symbols, each) for each in parts])
            case Some(parts=parts):
                return self.some([self.given(symbols, each) for each in parts])
        return part

    def _some(self, parts: Iterable[Plain]) -> Plain:
        among, others = frozenset[str](), dict[Plain, None]()
        for part in _flat(parts, Some):
            if isinstance(part, Among):
                among |= part.symbols
            else:
                others[part] = None
        if among == self.always.symbols or any(Other(part) in others for part in others):
            return self.always
        joined = (*((Among(among),) if among or not others else ()), *others)
        return joined[0] if len(joined) == 1 else Some(joined)

    def compared(self, left: Count, comparator: Comparator, right: Count) -> Plain:
        return self.some(
            self.every((here, there, self.against_0(a.plus(b, -1), comparator)))
            for (here, a), (there, b) in self.pairs(left, right)
        )

    def pairs(self, left: Count, right: Count) -> Iterator[tuple[Case, Case]]:
        pairs = list(itertools.product(self.cases(left), self.cases(right)))
        if len(pairs) > MOST_CASES:
            raise _TooMany
        return iter(pairs)

    def against_0(self, difference: Total, comparator: Comparator) -> Plain:
        """Of whole numbers: x >= 0 is x + 1 > 0."""
        less = Total().plus(difference, -1)
        match comparator:
            case ">":
                return self.above_0(difference)
            case "<":
                return self.above_0(less)
            case ">=":
                return self.above_0(difference.plus(Total(constant=1)))
            case "<=":
                return self.above_0(less.plus(Total(constant=1)))
            case "==":
                return self.is_0(difference)
            case "!=":
                return self.other(self.is_0(difference))

    def above_0(self, total: Total) -> Plain:
        if not total.counts:
            return self.always if total.constant > 0 else self.never
        return Above0(self.sorted(total))

    def is_0(self, total: Total) -> Plain:
        """A sum of counts alone is 0 where it is not above 0; of any other one the first factor is positive."""
        if not total.counts:
            return self.never if total.constant else self.always
        if total.constant == 0 and len({factor > 0 for _, factor in total.counts}) == 1:
            return Other(Above0(self.sorted(total if total.counts[0][1] > 0 else Total().plus(total, -1))))
        total = self.sorted(total)
        return Is0(total if total.counts[0][1] > 0 else Total().plus(total, -1))

    def sorted(self, total: Total) -> Total:
        for part, _ in total.counts:
            self.counted.setdefault(part, len(self.counted))
        return Total(tuple(sorted(total.counts, key=lambda each: self.counted[each[0]])), total.constant)

    def cases(self, value: Count) -> tuple[Case, ...]:
        """Conditions of which exactly one is true, each with the number that is there."""
        match value:
            case Line(name=name):
                return self.numbers[name]
            case Number(value=number):
                return ((self.always, Total(constant=number)),)
            case UpTo(part=part, strict=strict):
                counted = self.truth(part)
                total = Total() if counted == self.never else Total(((counted, 1),))
                if not strict:
                    return ((self.always, total),)
                return self.either(counted, total.plus(Total(constant=-1)), total)
            case Back(part=part, distance=distance):
                there = self.truth(part)
                seen = there if distance == 0 or there == self.never else Before(there, distance)
                return self.either(seen, Total(constant=1), Total())
            case Conditional(then=then, condition=condition, otherwise=otherwise):
                here = self.truth(condition)
                sides = ((here, self.cases(then)), (self.other(here), self.cases(otherwise)))
                return self.joined((self.every((side, own)), total) for side, cases in sides for own, total in cases)
            case Sum(left=left, right=right):
                return self.combined(left, right, lambda a, b: a.plus(b))
            case Difference(left=left, right=right):
                return self.combined(left, right, lambda a, b: a.plus(b, -1))
            case Multiple(factor=factor, part=part):
                found = [(own, Total().plus(total, factor)) for own, total in self.cases(part)]
                if any(abs(own) >= 10**MOST_DIGITS for _, total in found for own in total.numbers):
                    raise _TooLarge
                return self.joined(found)
            case Extreme(which=which, left=left, right=right):
                chosen: list[Case] = []
                for (here, a), (there, b) in self.pairs(left, right):
                    is_left = self.against_0(a.plus(b, -1), IS_LEFT[which])
                    both = self.every((here, there))
                    chosen.append((self.every((both, is_left)), a))
                    chosen.append((self.every((both, self.other(is_left))), b))
                return self.joined(chosen)

    def either(self, condition: Plain, then: Total, otherwise: Total) -> tuple[Case, ...]:
        return self.joined(((condition, then), (self.other(condition), otherwise)))

    def combined(self, left: Count, right: Count, make: Callable[[Total, Total], Total]) -> tuple[Case, ...]:
        return self.joined((self.every((here, there)), make(a, b)) for (here, a), (there, b) in self.pairs(left, right))

    def joined(self, cases: Iterable[Case]) -> tuple[Case, ...]:
        """Without those that never are; the same number once."""
        conditions: dict[Total, list[Plain]] = {}
        for condition, total in cases:
            if condition != self.never:
                conditions.setdefault(total, []).append(condition)
        if len(conditions) > MOST_CASES:
            raise _TooMany
        return tuple((self.some(each), total) for total, each in conditions.items())


def _bounded(plain: Plain) -> Plain:
    """Itself, while it is small: cases of cases double it again and again."""
    if _size(plain) > MOST_PARTS:
        raise _TooMany
    return plain


def _size(plain: Plain) -> int:
    match plain:
        case Every(parts=parts) | Some(parts=parts):
            return 1 + sum(map(_size, parts))
        case Other(part=part) | Before(part=part):
            return 1 + _size(part)
        case Above0(total=total) | Is0(total=total):
            return 1 + sum(_size(part) for part, _ in total.counts)
    return 1


def _flat(parts: Iterable[Plain], kind: type[Every] | type[Some]) -> Iterator[Plain]:
    for part in parts:
        if isinstance(part, kind):
            yield from part.parts
        else:
            yield part
