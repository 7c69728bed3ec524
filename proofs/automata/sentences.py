"""What a formula says of a word, as sentences about its positions: those that finite automata decide, and comparisons
of numbers of positions."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from weightproof.constructions.scalars.expressions import Domain, Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.constructions.scalars.values import COMPARISONS
from weightproof.proofs.automata.dfa import DFA, Letter, explored, joined, some_position
from weightproof.symbolic.algebra.vocabulary import Underivable

ZERO = fmpq(0)
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


@dataclass(frozen=True)
class Term:
    """What stands for a number in a formula: a sum of `parts`, each with a factor, and a constant. A part is the name
    of a position, START and END among them, a number of positions, a sentence, which is 1 or 0, or a remainder."""

    parts: tuple[tuple[Any, fmpq], ...] = ()
    constant: fmpq = ZERO

    @staticmethod
    def of(parts: dict[Any, fmpq], constant: fmpq = ZERO) -> Term:
        return Term(tuple((part, factor) for part, factor in parts.items() if factor != 0), constant)

    def __add__(self, other: Term) -> Term:
        parts = dict(self.parts)
        for part, factor in other.parts:
            parts[part] = parts.get(part, fmpq(0)) + factor
        return Term.of(parts, self.constant + other.constant)

    def __neg__(self) -> Term:
        return self.scaled(fmpq(-1))

    def __sub__(self, other: Term) -> Term:
        return self + -other

    def scaled(self, factor: fmpq) -> Term:
        return Term.of({part: own * factor for part, own in self.parts}, self.constant * factor)

    def __mul__(self, other: Term) -> Term:
        """Truth values multiply, and numbers everything."""
        total = other.scaled(self.constant) + Term(self.parts).scaled(other.constant)
        for (left, a), (right, b) in itertools.product(self.parts, other.parts):
            if not isinstance(left, Sentence) or not isinstance(right, Sentence):
                raise Underivable("a product of two numbers that are not known")
            both = left if left == right else And((left, right))
            total += Term.of({both: a * b})
        return total

    def __truediv__(self, other: Term) -> Term:
        if other.parts or other.constant == 0:
            raise Underivable("a division by what is no number that is known")
        return self.scaled(1 / other.constant)


@dataclass(frozen=True)
class _Remainder:
    of: Term
    modulus: int


def read(formula: Expression) -> Sentence:
    """The sentence that a formula is; Underivable where it speaks of numbers as no sentence here does."""
    fresh = itertools.count()

    def refuse(*_: Any) -> Any:
        raise Underivable(f"{formula} has functions or parameters, which no automaton reads")

    def name(identifier: str) -> Term:
        if identifier != "n":
            refuse()
        return Term.of({END: fmpq(1)})

    def truth(value: Any) -> Sentence:
        if isinstance(value, Sentence):
            return value
        raise Underivable("a number stands where a truth value is needed")

    def quantified(body: Callable[[Any], Any], domain: Domain) -> tuple[str, Any, bool]:
        position = f"x{next(fresh)}"
        return position, body(Term.of({position: fmpq(1)})), domain == "indices"

    def for_all(body: Callable[[Any], Any], domain: Domain) -> Sentence:
        position, inside, markers = quantified(body, domain)
        if not is_regular(truth(inside)):
            raise Underivable("a number of positions inside of a statement about all of them")
        return Not(Some(position, Not(inside), markers))

    def total(body: Callable[[Any], Any], domain: Domain) -> Term:
        position, inside, markers = quantified(body, domain)
        result = Term()
        for part, factor in ((TRUE, inside.constant), *inside.parts):
            if not isinstance(part, Sentence):
                raise Underivable("a sum over positions of what is no truth value")
            result += _number(position, part, markers).scaled(factor)
        return result

    def count(symbol: str, last: Term | None) -> Term:
        position = f"x{next(fresh)}"
        body: Sentence = Holds(position, 0, symbol)
        if last is not None:
            mark, offset = _place(last)
            body = And((body, Apart(position, mark, -offset, "<=")))
        return _number(position, body, markers=False)

    meaning = meaning_of_part(
        refuse,
        number=lambda number: Term(constant=fmpq(number)),
        name=name,
        compare=_compared,
        bracket=lambda value: Term.of({truth(value): fmpq(1)}),
        token=lambda place: ("token", *_place(place)),
        count=count,
        conjunction=lambda parts: And(tuple(map(truth, parts))),
        disjunction=lambda parts: disjunction(*map(truth, parts)),
        negation=lambda part: Not(truth(part)),
        for_all=for_all,
        total=total,
        modulo=_modulo,
    )
    return truth(fold(formula.tree, meaning))


def _number(position: str, body: Sentence, markers: bool) -> Term:
    """Called alike where it is the same number, whatever the position is called."""
    return Term.of({Number("x", _renamed(body, position, "x"), markers): fmpq(1)})


def _renamed(sentence: Sentence, name: str, to: str) -> Sentence:
    def mark(own: str) -> str:
        return to if own == name else own

    match sentence:
        case Holds() | Residue():
            return replace(sentence, mark=mark(sentence.mark))
        case Apart():
            return replace(sentence, left=mark(sentence.left), right=mark(sentence.right))
        case Not(part=part):
            return Not(_renamed(part, name, to))
        case And(parts=parts):
            return And(tuple(_renamed(part, name, to) for part in parts))
        case Some():
            return replace(sentence, body=_renamed(sentence.body, name, to))
    raise Underivable("a number of positions inside of another one")


def _place(term: Term) -> tuple[str, int]:
    """A position as a mark and an offset."""
    match term.parts:
        case ():
            mark = START
        case ((str(mark), factor),) if factor == 1:
            pass
        case _:
            raise Underivable("a place that is no other one, moved by a number")
    if term.constant.q != 1:
        raise Underivable("a place that is no whole number")
    return mark, int(term.constant.p)


def _modulo(left: Term, right: Term) -> Term:
    whole = all(factor.q == 1 for factor in (left.constant, *(factor for _, factor in left.parts)))
    if right.parts or right.constant.q != 1 or right.constant <= 0 or not whole:
        raise Underivable("a remainder of what is no whole number")
    return Term.of({_Remainder(left, int(right.constant.p)): fmpq(1)})


def _compared(op: str, left: Any, right: Any) -> Sentence:
    if isinstance(left, str) or isinstance(right, str):
        (_, mark, offset), symbol = (right, left) if isinstance(left, str) else (left, right)
        held = Holds(mark, offset, symbol)
        return held if op == "==" else Not(held)
    if isinstance(left, tuple) or isinstance(right, tuple):
        raise Underivable("a comparison of two tokens that are not known")
    return _against_0(left - right, op)


def _against_0(difference: Term, op: str) -> Sentence:
    """What it says that a term compares so with 0."""
    truths = [(part, factor) for part, factor in difference.parts if isinstance(part, Sentence)]
    if truths:  # by cases of the first one
        part, factor = truths[0]
        rest = Term(tuple(each for each in difference.parts if each[0] != part), difference.constant)
        true, false = (_against_0(rest + Term(constant=more), op) for more in (factor, fmpq(0)))
        return disjunction(And((part, true)), And((Not(part), false)))
    remainders = [(part, factor) for part, factor in difference.parts if isinstance(part, _Remainder)]
    if remainders:
        remainder, factor = remainders[0]
        if len(difference.parts) > 1:
            raise Underivable("a remainder that is compared with what is no number that is known")
        values = (r for r in range(remainder.modulus) if COMPARISONS[op](_sign(factor * r + difference.constant)))
        return _of_remainder(remainder, frozenset(values))
    marks = {part: factor for part, factor in difference.parts if isinstance(part, str)}
    numbers = tuple((part, factor) for part, factor in difference.parts if isinstance(part, Number))
    if numbers:
        if marks.keys() - {END}:
            raise Underivable("a number of positions that is compared with a position")
        return Compared(numbers, marks.get(END, fmpq(0)), difference.constant, op)
    if not marks:
        return TRUE if COMPARISONS[op](_sign(difference.constant)) else Not(TRUE)
    return _apart(marks, difference.constant, op)


def _sign(number: fmpq) -> int:
    return (number > 0) - (number < 0)


MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _apart(marks: dict[str, fmpq], constant: fmpq, op: str) -> Sentence:
    factors = sorted(marks.items(), key=lambda item: item[1] < 0)
    if len(factors) == 1:
        [(mark, factor)] = factors
        if factor < 0:
            factor, constant, op = -factor, -constant, MIRRORED[op]
        pair, constant = (mark, START), constant / factor
    elif len(factors) == 2 and factors[0][1] == -factors[1][1]:
        pair, constant = (factors[0][0], factors[1][0]), constant / factors[0][1]
    else:
        raise Underivable("a comparison of positions with factors")
    if constant.q != 1:  # between two whole numbers
        below = fmpq(math.floor(constant))
        match op:
            case "==":
                return Not(TRUE)
            case "!=":
                return TRUE
            case "<" | "<=":
                constant, op = below + 1, "<="
            case _:
                constant, op = below, ">="
    return Apart(*pair, int(constant.p), op)


def _of_remainder(remainder: _Remainder, allowed: frozenset[int]) -> Sentence:
    marks = {part: factor for part, factor in remainder.of.parts if isinstance(part, str)}
    numbers = tuple((part, factor) for part, factor in remainder.of.parts if isinstance(part, Number))
    if len(marks) + len(numbers) < len(remainder.of.parts) or (marks.keys() - {END} and numbers):
        raise Underivable("a remainder of what is neither a position nor a number of them")
    if numbers:
        length = marks.get(END, fmpq(0))
        return Congruent(numbers, length, remainder.of.constant, remainder.modulus, allowed)
    if len(marks) != 1:
        raise Underivable("a remainder of what is not one position")
    [(mark, factor)] = marks.items()
    modulus, offset = remainder.modulus, int(remainder.of.constant.p)
    values = (r for r in range(modulus) if (int(factor.p) * r + offset) % modulus in allowed)
    return Residue(mark, 0, modulus, frozenset(values))


@functools.lru_cache(1 << 10)
def automaton(sentence: Sentence, tokens: tuple[str, ...], alphabet: frozenset[str]) -> DFA:
    """The automaton of a sentence that counts nothing; names are those of its positions that stand free. Each of them
    is one position. tokens: those that words are made of, markers among them; alphabet: the symbols."""
    match sentence:
        case Not(part=part):
            return joined((automaton(part, tokens, alphabet),), lambda held: not held[0])
        case And(parts=()):
            return explored(tokens, (), 0, lambda state, letter: state, lambda state: True)
        case And(parts=parts):
            return joined(tuple(automaton(part, tokens, alphabet) for part in parts), all)
        case Some(name=name, body=body, markers=markers):
            here = frozenset(tokens) if markers else alphabet
            inside = automaton(body, tokens, alphabet)
            if name not in inside.names:
                inside = joined((inside, explored(tokens, (name,), 0, lambda s, _: s, lambda _: True)), all)
            return some_position(inside, name, here)
        case Holds():
            return _holds(sentence, tokens, alphabet)
        case Apart():
            return _of_marks(sentence, tokens)
        case Residue(mark=mark, modulus=modulus):

            def after(state: tuple[int, int | None], letter: Letter) -> tuple[int, int | None]:
                position, found = state
                return (position + 1) % modulus, position if mark in letter[1] else found

            def accepts(state: tuple[int, int | None]) -> bool:
                position, found = state
                place = {START: 0, END: position}.get(mark, found)
                return place is not None and (place + sentence.offset) % modulus in sentence.allowed

            return explored(tokens, _names(mark), (0, None), after, accepts)
    raise AssertionError(sentence)  # one that counts


def _names(*marks: str) -> tuple[str, ...]:
    return tuple(sorted({mark for mark in marks if mark not in (START, END)}))


def _holds(sentence: Holds, tokens: tuple[str, ...], alphabet: frozenset[str]) -> DFA:
    """By the tokens before the mark, or by how far the mark is gone; a state that says which is the end of it."""
    mark, offset, symbol = sentence.mark, sentence.offset, sentence.symbol
    if symbol not in alphabet or (mark == START and offset < 0) or (mark == END and offset >= 0):
        return explored(tokens, _names(mark), 0, lambda state, _: state, lambda _: False)
    if mark == END:

        def last(state: tuple[str, ...], letter: Letter) -> tuple[str, ...]:
            return (*state, letter[0])[offset:]

        return explored(tokens, (), (), last, lambda state: len(state) == -offset and state[0] == symbol)

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
    return explored(tokens, _names(mark), first, after, lambda state: state == told(True))


def _of_marks(sentence: Apart, tokens: tuple[str, ...]) -> DFA:
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
        return which == "both" and COMPARISONS[op](_sign(fmpq(gone + offset)))

    first = step((None, 0), [mark for mark in (left, right) if mark == START])
    return explored(tokens, _names(left, right), first, after, accepts)
