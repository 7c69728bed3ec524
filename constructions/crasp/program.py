"""C-RASP programs as data, and what they mean.

C-RASP is the language of Yang and Chiang, Counting Like Transformers: Compiling Temporal Counting Logic Into Softmax
Transformers (2404.04393): lines, each of which has a truth value or a number at every position of a word, made of the
lines above it. Predicates of two positions, of which there are those of a fixed distance here, and of the remainder of
one, are those of Huang et al. (2410.02140). Positions of a program count from 0, and a program accepts a word if its
last line is true at the last position; it accepts no empty word, as that has none.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Comparator = Literal["==", "!=", "<", "<=", ">", ">="]
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Symbol:
    """True where the symbol stands: Q_a(i)."""

    symbol: str


@dataclass(frozen=True)
class Truth:
    """The same at every position."""

    value: bool


@dataclass(frozen=True)
class Residue:
    """i % modulus == remainder."""

    modulus: int
    remainder: int


@dataclass(frozen=True)
class Line:
    """What the line of that name, above this one, has at the same position; a number, or a truth value."""

    name: str
    is_count: bool


@dataclass(frozen=True)
class Not:
    part: Boolean


@dataclass(frozen=True)
class And:
    left: Boolean
    right: Boolean


@dataclass(frozen=True)
class Or:
    left: Boolean
    right: Boolean


@dataclass(frozen=True)
class Comparison:
    left: Count
    comparator: Comparator
    right: Count


@dataclass(frozen=True)
class Number:
    value: int


@dataclass(frozen=True)
class UpTo:
    """At how many positions j <= i it is true; j < i where it is strict."""

    part: Boolean
    strict: bool = False


@dataclass(frozen=True)
class Back:
    """At how many positions j == i - distance it is true: 1 or 0, and 0 where there is no such position."""

    part: Boolean
    distance: int


@dataclass(frozen=True)
class Conditional:
    then: Count
    condition: Boolean
    otherwise: Count


@dataclass(frozen=True)
class Sum:
    left: Count
    right: Count


@dataclass(frozen=True)
class Difference:
    left: Count
    right: Count


@dataclass(frozen=True)
class Multiple:
    factor: int
    part: Count


@dataclass(frozen=True)
class Extreme:
    """The lesser or the greater one of two numbers."""

    which: Literal["min", "max"]
    left: Count
    right: Count


Boolean = Symbol | Truth | Residue | Line | Not | And | Or | Comparison
Count = Line | Number | UpTo | Back | Conditional | Sum | Difference | Multiple | Extreme


@dataclass(frozen=True)
class Definition:
    """A line: its name, what it says, and the number of the line in its file."""

    name: str
    value: Boolean | Count
    line: int


@dataclass(frozen=True)
class Program:
    """The last definition is what it accepts by, a truth value. name: of its file, without what is behind the point;
    title: its first line, where that is a comment."""

    name: str
    title: str
    alphabet: tuple[str, ...]
    definitions: tuple[Definition, ...]


def accepts(program: Program, word: str) -> bool:
    """Whether the last line is true at the last position; never of the empty word."""
    return bool(word) and bool(vectors(program, word)[program.definitions[-1].name][-1])


def vectors(program: Program, word: str) -> Mapping[str, list[Any]]:
    """By its name, what each line has at the positions of a word, in their order: truth values or numbers.

    Each position by itself, and each number by counting, as the definition says it.
    """
    known: dict[str, list[Any]] = {}
    for definition in program.definitions:
        known[definition.name] = _at_all(definition.value, word, known)
    return known


def _at_all(value: Boolean | Count, word: str, known: Mapping[str, list[Any]]) -> list[Any]:
    """What an expression has at each position."""

    def of(part: Boolean | Count) -> list[Any]:
        return _at_all(part, word, known)

    places = range(len(word))
    match value:
        case Symbol(symbol=symbol):
            return [word[i] == symbol for i in places]
        case Truth(value=truth):
            return [truth for _ in places]
        case Residue(modulus=modulus, remainder=remainder):
            return [i % modulus == remainder for i in places]
        case Line(name=name):
            return known[name]
        case Not(part=part):
            return [not each for each in of(part)]
        case And(left=left, right=right):
            return [a and b for a, b in zip(of(left), of(right), strict=True)]
        case Or(left=left, right=right):
            return [a or b for a, b in zip(of(left), of(right), strict=True)]
        case Comparison(left=left, comparator=comparator, right=right):
            return [COMPARE[comparator](a, b) for a, b in zip(of(left), of(right), strict=True)]
        case Number(value=number):
            return [number for _ in places]
        case UpTo(part=part, strict=strict):
            flags = of(part)
            return [sum(flags[j] for j in (range(i) if strict else range(i + 1))) for i in places]
        case Back(part=part, distance=distance):
            flags = of(part)
            return [sum(flags[j] for j in range(i + 1) if j == i - distance) for i in places]
        case Conditional(then=then, condition=condition, otherwise=otherwise):
            parts = zip(of(condition), of(then), of(otherwise), strict=True)
            return [a if is_so else b for is_so, a, b in parts]
        case Sum(left=left, right=right):
            return [a + b for a, b in zip(of(left), of(right), strict=True)]
        case Difference(left=left, right=right):
            return [a - b for a, b in zip(of(left), of(right), strict=True)]
        case Multiple(factor=factor, part=part):
            return [factor * each for each in of(part)]
        case Extreme(which=which, left=left, right=right):
            return [{"min": min, "max": max}[which](a, b) for a, b in zip(of(left), of(right), strict=True)]
