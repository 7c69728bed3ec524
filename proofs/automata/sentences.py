"""Sentences about the positions of a word: those that finite automata decide, and comparisons of how many there are."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

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


Sentence = Holds | Apart | Residue | Not | And | Some | Compared | Congruent
TRUE = And(())


def is_regular(sentence: Sentence) -> bool:
    """Whether it counts nothing, so that a finite automaton decides it."""
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
