"""What a formula says of a word, as a sentence about its positions."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm
from typing import Any, cast

from flint import fmpq

from weightproof.constructions.scalars.expressions import Domain, Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.constructions.scalars.values import COMPARISONS
from weightproof.proofs.automata.sentences import (
    END,
    START,
    TRUE,
    And,
    Apart,
    Beside,
    Compared,
    Congruent,
    Holds,
    Matches,
    Not,
    Number,
    Placed,
    Residue,
    Sentence,
    Some,
    UpTo,
    counted_up_to,
    disjunction,
    free,
    is_regular,
)
from weightproof.symbolic.algebra.vocabulary import Underivable

ZERO = fmpq(0)
THERE = "there"
"""A position that has no name in a formula."""


@dataclass(frozen=True)
class Term:
    """What stands for a number in a formula: a sum of `parts`, each with a factor, and a constant. A part is the name
    of a position, START and END among them, a number of positions, a sentence, which is 1 or 0, or a remainder."""

    parts: tuple[tuple[Any, fmpq], ...] = ()
    constant: fmpq = ZERO

    @staticmethod
    def of(parts: dict[Any, fmpq], constant: fmpq = ZERO) -> Term:
        return Term(tuple((part, factor) for part, factor in parts.items() if factor != 0), constant)

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number, whatever its parts are."""
        return all(factor.q == 1 for factor in (self.constant, *(factor for _, factor in self.parts)))

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


@dataclass(frozen=True)
class _Token:
    """What is at a place."""

    place: Term


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
            raise Underivable("a number of positions of the whole word inside of a statement about all of them")
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
            if not last.is_whole:
                raise Underivable("a count up to what is no whole position")
            body = And((body, _against_0(Term.of({position: fmpq(1)}) - last, "<=")))
        return _number(position, body, markers=False)

    meaning = meaning_of_part(
        refuse,
        number=lambda number: Term(constant=fmpq(number)),
        name=name,
        compare=_compared,
        bracket=lambda value: Term.of({truth(value): fmpq(1)}),
        token=_Token,
        count=count,
        conjunction=lambda parts: And(tuple(map(truth, parts))),
        disjunction=lambda parts: disjunction(*map(truth, parts)),
        negation=lambda part: Not(truth(part)),
        for_all=for_all,
        total=total,
        modulo=_modulo,
        matches=Matches,
    )
    return _leveled(truth(fold(formula.tree, meaning)))


def _number(position: str, body: Sentence, markers: bool) -> Term:
    """Called alike where it is the same number, whatever the position is called."""
    return Term.of({Number("x", _renamed(body, position, "x"), markers): fmpq(1)})


def _renamed(sentence: Sentence, name: str, to: str) -> Sentence:
    def mark(own: str) -> str:
        return to if own == name else own

    match sentence:
        case Holds() | Residue() | UpTo() | Placed():
            return replace(sentence, mark=mark(sentence.mark))
        case Apart():
            return replace(sentence, left=mark(sentence.left), right=mark(sentence.right))
        case Not(part=part):
            return Not(_renamed(part, name, to))
        case And(parts=parts):
            return And(tuple(_renamed(part, name, to) for part in parts))
        case Some():
            return replace(sentence, body=_renamed(sentence.body, name, to))
        case Matches():
            return sentence
        case Beside():
            raise Underivable("a number of positions at which numbers up to different places are compared")
    raise Underivable("a number of positions inside of another one")


def _held(place: Term, symbol: str) -> Sentence:
    """That it is the token there; where the place is no other one, moved by a number, at some position that is it."""
    match place.parts:
        case () if place.constant.q == 1:
            return Holds(START, int(place.constant.p), symbol)
        case ((str(mark), factor),) if factor == 1 and place.constant.q == 1:
            return Holds(mark, int(place.constant.p), symbol)
    there = _against_0(Term.of({THERE: fmpq(1)}) - place, "==")
    return Some(THERE, And((there, Holds(THERE, 0, symbol))), markers=False)


def _modulo(left: Term, right: Term) -> Term:
    if right.parts or right.constant.q != 1 or right.constant <= 0 or not left.is_whole:
        raise Underivable("a remainder of what is no whole number")
    return Term.of({_Remainder(left, int(right.constant.p)): fmpq(1)})


def _compared(op: str, left: Any, right: Any) -> Sentence:
    if isinstance(left, str) or isinstance(right, str):
        token, symbol = (right, left) if isinstance(left, str) else (left, right)
        held = _held(token.place, symbol)
        return held if op == "==" else Not(held)
    if isinstance(left, _Token) or isinstance(right, _Token):
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
    if _are_up_to(numbers):
        if len(marks) > 1:
            raise Underivable("a number of positions that is compared with two of them")
        [(_, length)] = marks.items() or [(END, fmpq(0))]
        return _up_to(Compared(numbers, length, difference.constant, op), marks)
    length = marks.get(END, fmpq(0))
    if (numbers and marks.keys() - {END}) or (len(marks) == 2 and length and sum(marks.values()) != 0):
        return _placed(numbers, marks, difference.constant, op)
    if numbers:
        return Compared(numbers, length, difference.constant, op)
    if not marks:
        return TRUE if COMPARISONS[op](_sign(difference.constant)) else Not(TRUE)
    return _apart(marks, difference.constant, op)


def _are_up_to(numbers: Iterable[tuple[Number, fmpq]]) -> bool:
    """Whether some of them are of positions up to another one."""
    return any(free(number.body) - {number.name} for number, _ in numbers)


def _up_to(said: Compared | Congruent, marks: Iterable[str]) -> Sentence:
    """What is said of the positions up to one; marks: the positions that it is compared with."""
    told = defaultdict[str, list[tuple[Number, fmpq, bool]]](list)
    for number, factor in said.numbers:
        mark, with_it, counted = _before(number)
        told[mark].append((counted, factor, with_it))
    if len(told) == 2 and not marks and isinstance(said, Compared):
        left, right = (_of_one(mark, replace(said, constant=ZERO), own) for mark, own in told.items())
        return _beside(left, right, said.constant)
    if len(told) > 1 or {*marks} - told.keys():
        raise Underivable("numbers of positions up to different places are compared")
    [(mark, own)] = told.items()
    return _of_one(mark, said, own)


def _of_one(mark: str, said: Compared | Congruent, told: Sequence[tuple[Number, fmpq, bool]]) -> UpTo:
    """The numbers up to one mark, each with whether it is with that."""
    before = frozenset(number for number, _, with_it in told if not with_it)
    if before & {number for number, _, with_it in told if with_it}:
        raise Underivable("the same number of positions, with the one up to which it is and without it")
    return UpTo(mark, replace(said, numbers=tuple((number, factor) for number, factor, _ in told)), before)


def _beside(left: UpTo, right: UpTo, constant: fmpq) -> Beside:
    """Two sums, of which the second is taken off the first, so far without their levels."""
    factor, other = _factor(left.said), _factor(right.said)
    if factor != -other or _divided(left.said, factor).numbers != _divided(right.said, other).numbers:
        raise Underivable("different numbers of positions, up to different places, are compared")
    assert isinstance(left.said, Compared)
    op = left.said.op if factor > 0 else MIRRORED[left.said.op]
    sums = tuple(replace(each, said=_divided(each.said, _factor(each.said))) for each in (left, right))
    return Beside(sums[:1], sums[1:], 0, constant / factor, op, otherwise=True)


def _factor(said: Compared | Congruent) -> fmpq:
    """The number by which a sum is one of whole numbers without a common divisor, of which the first is more than 0."""
    factors = [factor for _, factor in _sorted(said)]
    least = lcm(*(int(factor.q) for factor in factors))
    divisor = gcd(*(int((factor * least).p) for factor in factors))
    return fmpq(divisor if factors[0] > 0 else -divisor, least)


def _divided(said: Compared | Congruent, by: fmpq) -> Compared:
    return Compared(tuple((number, factor / by) for number, factor in _sorted(said)), ZERO, ZERO, ">=")


def _sorted(said: Compared | Congruent) -> list[tuple[Number, fmpq]]:
    return sorted(said.numbers, key=lambda pair: str(pair[0]))


def _leveled(sentence: Sentence) -> Sentence:
    """With sums up to two places told apart between the numbers with which the same sums are compared, and 0."""
    numbers = defaultdict[Compared, set[fmpq]](set)
    for each in counted_up_to(_replaced(sentence, lambda _: TRUE)):
        if isinstance(each, UpTo) and isinstance(each.said, Compared) and each.said.length == 0:
            factor = _factor(each.said)
            numbers[_divided(each.said, factor)].add(-each.said.constant / factor)

    def leveled(beside: Beside) -> Beside:
        [left], [right] = beside.left, beside.right
        if not (known := numbers.get(cast("Compared", left.said))):
            raise Underivable("numbers of positions up to different places are compared, but never with a number")
        least, most = math.floor(min(ZERO, *known)), math.ceil(max(ZERO, *known)) + 1
        sides = (tuple(_at_least(each, k) for k in range(least, most + 1)) for each in (left, right))
        first, second = sides
        return replace(beside, left=first, right=second, least=least)

    return _replaced(sentence, leveled)


def _at_least(sum_: UpTo, number: int) -> UpTo:
    return replace(sum_, said=replace(sum_.said, constant=fmpq(-number)))


def _replaced(sentence: Sentence, change: Callable[[Beside], Sentence]) -> Sentence:
    match sentence:
        case Beside():
            return change(sentence)
        case Not(part=part):
            return Not(_replaced(part, change))
        case And(parts=parts):
            return And(tuple(_replaced(part, change) for part in parts))
        case Some(body=body):
            return replace(sentence, body=_replaced(body, change))
    return sentence


def _placed(numbers: tuple[tuple[Number, fmpq], ...], marks: dict[str, fmpq], constant: fmpq, op: str) -> Placed:
    """What is said of a position by numbers of positions of the whole word, and by n."""
    named = [(mark, factor) for mark, factor in marks.items() if mark != END]
    if len(named) > 1:
        raise Underivable("a number of positions that is compared with two of them")
    [(mark, factor)] = named
    own = tuple((number, -each / factor) for number, each in numbers)
    length = -marks.get(END, fmpq(0)) / factor
    return Placed(mark, own, length, -constant / factor, op if factor > 0 else MIRRORED[op])


def _before(number: Number) -> tuple[str, bool, Number]:
    """The mark up to which it counts, and whether with it; and what it counts without that."""
    parts = tuple(_parts(number.body))
    for place, part in enumerate(parts):
        others = (*parts[:place], *parts[place + 1 :])
        rest = others[0] if len(others) == 1 else And(others)
        if not isinstance(part, Apart) or not free(rest) <= {number.name}:
            continue
        apart = part if part.left == number.name else Apart(part.right, part.left, -part.offset, MIRRORED[part.op])
        if apart.left == number.name and (apart.offset, apart.op) in BEFORE:
            return apart.right, BEFORE[apart.offset, apart.op], replace(number, body=rest)
    raise Underivable("a number of positions that is none of those up to one other")


def _parts(sentence: Sentence) -> Iterator[Sentence]:
    match sentence:
        case And(parts=parts):
            for part in parts:
                yield from _parts(part)
        case _:
            yield sentence


def _sign(number: fmpq) -> int:
    return (number > 0) - (number < 0)


BEFORE = {(0, "<="): True, (0, "<"): False, (1, "<="): False}
"""How one position stands to another one up to which it is, and whether it may be the same."""
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
    if len(marks) + len(numbers) < len(remainder.of.parts) or (len(marks) > 1 and numbers):
        raise Underivable("a remainder of what is neither a position nor a number of them")
    if _are_up_to(numbers):
        [(_, length)] = marks.items() or [(END, fmpq(0))]
        return _up_to(Congruent(numbers, length, remainder.of.constant, remainder.modulus, allowed), marks)
    if marks.keys() - {END} and numbers:
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
