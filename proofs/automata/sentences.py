"""Sentences about the positions of a word: those that finite automata decide, and comparisons of how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from flint import fmpq

from weightproof.constructions.scalars.values import COMPARISONS

START, END = "start", "end"
"""The position 0, and n, the one behind the last."""


@dataclass(frozen=True)
class Holds:
    """The token at a position, so many behind the mark, is the symbol; it is none where there is no such position."""

    mark: str
    offset: int
    symbol: str


@dataclass(frozen=True)
class Apart:
    """left - right + offset compares so with 0."""

    left: str
    right: str
    offset: int
    op: str


@dataclass(frozen=True)
class Residue:
    """(mark + offset) mod modulus is one of `allowed`."""

    mark: str
    offset: int
    modulus: int
    allowed: frozenset[int]


@dataclass(frozen=True)
class Matches:
    """The word, without its markers, matches the regular expression."""

    pattern: str


@dataclass(frozen=True)
class Not:
    part: Sentence


@dataclass(frozen=True)
class And:
    parts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Some:
    """There is a position, that of a symbol unless `markers`, of which the body is true."""

    name: str
    body: Sentence
    markers: bool


@dataclass(frozen=True)
class Number:
    """How many positions there are, those of symbols unless `markers`, of which the body is true."""

    name: str
    body: Sentence
    markers: bool


@dataclass(frozen=True)
class Compared:
    """A sum of numbers of positions, each with a factor, n times `length` and a constant compare so with 0."""

    numbers: tuple[tuple[Number, fmpq], ...]
    length: fmpq
    constant: fmpq
    op: str


@dataclass(frozen=True)
class Congruent:
    """The same sum, of integers, modulo `modulus` is one of `allowed`."""

    numbers: tuple[tuple[Number, fmpq], ...]
    length: fmpq
    constant: fmpq
    modulus: int
    allowed: frozenset[int]


@dataclass(frozen=True)
class UpTo:
    """What is said of numbers of positions is true of those up to the mark, and with it, but of some `before` it alone;
    n is the mark in it."""

    mark: str
    said: Compared | Congruent
    before: frozenset[Number] = frozenset()

    @property
    def property(self) -> str:
        """A name of the positions that may be the mark: the same for all that say the same."""
        return f"{self.said} {sorted(map(str, self.before))}"


@dataclass(frozen=True)
class Beside:
    """A sum of whole numbers up to one mark, less the same sum up to another one, and a constant compare so with 0.

    left, right: that the sum up to the mark is at least a number, which is `least` first and one more each time. So the
    sum is known, but where it is less than the first of these, or not less than the last one. Where that does not tell
    how they compare, it is `otherwise`.
    """

    left: tuple[UpTo, ...]
    right: tuple[UpTo, ...]
    least: int
    constant: fmpq
    op: str
    otherwise: bool

    def holds(self, left: int, right: int) -> bool:
        """Where so many of those at each mark are true."""
        (low, high), (less, more) = self._span(left), self._span(right)
        least = None if low is None or more is None else low - more + self.constant
        most = None if high is None or less is None else high - less + self.constant
        signs = {sign for sign in (-1, 1) if _reaches(least, most, sign)}
        if self.constant.q == 1 and (least is None or least <= 0) and (most is None or most >= 0):
            signs.add(0)
        truths = {COMPARISONS[self.op](sign) for sign in signs}
        return truths.pop() if len(truths) == 1 else self.otherwise

    def _span(self, level: int) -> tuple[int | None, int | None]:
        """From where to where the sum is there."""
        value = self.least + level - 1
        return (value if level else None), (value if level < len(self.left) else None)


def _reaches(least: fmpq | None, most: fmpq | None, sign: int) -> bool:
    """Whether there is a number of the sign between two."""
    return (least is None or least < 0) if sign < 0 else (most is None or most > 0)


@dataclass(frozen=True)
class Placed:
    """The mark less a sum of numbers of positions of the whole word, each with a factor, of n times `length` and of a
    constant compares so with 0."""

    mark: str
    numbers: tuple[tuple[Number, fmpq], ...]
    length: fmpq
    constant: fmpq
    op: str

    @property
    def property(self) -> str:
        """A name of the positions that may be the mark: the same for all that say the same."""
        return self.named(self.op)

    def named(self, op: str) -> str:
        return f"{op} {self.numbers} {self.length} {self.constant}"


Sentence = Holds | Apart | Residue | Matches | Not | And | Some | Compared | Congruent | UpTo | Placed | Beside
TRUE = And(())


def is_regular(sentence: Sentence) -> bool:
    """Whether a finite automaton decides it, if it is told of each position what is true of it by numbers of others."""
    match sentence:
        case Not(part=part):
            return is_regular(part)
        case And(parts=parts):
            return all(map(is_regular, parts))
        case Some(body=body):
            return is_regular(body)
    return not isinstance(sentence, Compared | Congruent)


def disjunction(*parts: Sentence) -> Sentence:
    return Not(And(tuple(map(Not, parts))))


def free(sentence: Sentence) -> frozenset[str]:
    """The positions that it speaks of, but those that it says there are some of, and the ends of the word."""
    match sentence:
        case Holds() | Residue() | UpTo() | Placed():
            return frozenset({sentence.mark} - {START, END})
        case Apart():
            return frozenset({sentence.left, sentence.right} - {START, END})
        case Beside():
            return frozenset({sentence.left[0].mark, sentence.right[0].mark})
        case Not(part=part):
            return free(part)
        case And(parts=parts):
            return frozenset[str]().union(*map(free, parts))
        case Some(name=name, body=body):
            return free(body) - {name}
        case Matches():
            return frozenset()
    return frozenset().union(*(free(number.body) - {number.name} for number, _ in sentence.numbers))


def properties(sentence: Sentence) -> frozenset[str]:
    """Those that an automaton of the sentence asks positions for."""
    match sentence:
        case UpTo() | Placed():
            return frozenset({sentence.property})
        case Beside(left=left, right=right):
            return frozenset(each.property for each in (*left, *right))
        case Not(part=part):
            return properties(part)
        case And(parts=parts):
            return frozenset[str]().union(*map(properties, parts))
        case Some(body=body):
            return properties(body)
    return frozenset()


def counted_up_to(sentence: Sentence) -> Iterator[UpTo | Placed]:
    """What it says of positions by numbers of others; what these say before they do. What compares with the same number
    is one, whatever is compared and how."""
    match sentence:
        case Placed(numbers=numbers):
            for number, _ in numbers:
                yield from counted_up_to(number.body)
            yield replace(sentence, mark=START, op="==")
        case UpTo(said=said):
            for number, _ in said.numbers:
                yield from counted_up_to(number.body)
            yield sentence
        case Beside(left=left, right=right):
            for each in (*left, *right):
                yield from counted_up_to(each)
        case Not(part=part):
            yield from counted_up_to(part)
        case And(parts=parts):
            for part in parts:
                yield from counted_up_to(part)
        case Some(body=body):
            yield from counted_up_to(body)
        case Compared(numbers=numbers) | Congruent(numbers=numbers):
            for number, _ in numbers:
                yield from counted_up_to(number.body)


def said_of(sentence: Sentence, otherwise: bool) -> Sentence:
    """A sentence that follows from this one, where otherwise is True, or from which it follows: the same one where it
    does not compare sums up to two places."""
    match sentence:
        case Beside():
            return replace(sentence, otherwise=otherwise)
        case Not(part=part):
            return Not(said_of(part, not otherwise))
        case And(parts=parts):
            return And(tuple(said_of(part, otherwise) for part in parts))
        case Some(body=body):
            return replace(sentence, body=said_of(body, otherwise))
    return sentence


def compares_places(sentence: Sentence) -> bool:
    """Whether it compares sums up to two places."""
    match sentence:
        case Not(part=part):
            return compares_places(part)
        case And(parts=parts):
            return any(map(compares_places, parts))
        case Some(body=body):
            return compares_places(body)
    return isinstance(sentence, Beside)
