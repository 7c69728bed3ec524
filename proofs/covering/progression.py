"""What is left of a formula after the first tokens of a word of known length: the states of an automaton that reads the
word from left to right and knows at its end whether the formula is true of it.

A formula is read once, with a length; places that it names are numbers then, and what it says of tokens that are still
to come stays open. Each token that is read is put in, and what it decides is decided (Bacchus and Kabanza, Artificial
Intelligence 116, 2000, section 3, for formulas of linear temporal logic). Two beginnings of words after which the same
is left are one state.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Domain, Expression, Meaning, fold
from weightproof.constructions.scalars.values import COMPARISONS, meaning
from weightproof.proofs.covering.automaton import Automaton, TooManyStates, layered
from weightproof.proofs.patterns import FIRST, State, positions


class Unread(Exception):
    """A formula that is not read in this way; one line that says what in it is not."""


@dataclass(frozen=True)
class Is:
    """Whether this symbol stands at a place that is still to come."""

    symbol: str
    place: int


@dataclass(frozen=True)
class Same:
    """Whether the same symbol stands at two places that are still to come, the first of them before the second."""

    first: int
    second: int


@dataclass(frozen=True)
class Count:
    """How often a symbol stands at the places that are still to come, up to the last one that is meant."""

    symbol: str
    last: int


@dataclass(frozen=True)
class Rest:
    """Whether what is still to come matches what is left of a regular expression behind a state of its automaton; last:
    the place of the last symbol."""

    pattern: str
    state: State
    last: int


@dataclass(frozen=True)
class Sum:
    """constant + the sum of the terms, each times its factor."""

    constant: fmpq
    terms: tuple[tuple[Count | Applied | Bracket, fmpq], ...]

    def __add__(self, other: Any) -> Any:
        other = _sum(other)
        factors = dict(self.terms)
        for term, factor in other.terms:
            factors[term] = factors.get(term, fmpq(0)) + factor
        return _of(self.constant + other.constant, factors)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * fmpq(-1)

    def __sub__(self, other: Any) -> Any:
        return self + -_sum(other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Sum):
            return _applied("*", self, other)
        return _of(self.constant * other, {term: factor * other for term, factor in self.terms})

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _applied("/", self, other) if isinstance(other, Sum) else self * (1 / other)

    def __rtruediv__(self, other: Any) -> Any:
        return _applied("/", other, self)


@dataclass(frozen=True)
class Applied:
    """An operation on two numbers, one of which at least is open."""

    name: str
    left: Sum | fmpq
    right: Sum | fmpq


@dataclass(frozen=True)
class Bracket:
    """1 where this is true, and else 0."""

    truth: Any


@dataclass(frozen=True)
class Compared:
    """How a number stands to 0."""

    op: str
    number: Sum


@dataclass(frozen=True)
class All:
    """That all of these are true; without `positive`, that some of them is."""

    parts: frozenset[Any]
    positive: bool


@dataclass(frozen=True)
class Not:
    part: Any


Left = bool | Is | Same | Rest | Compared | All | Not
"""What is left of a formula."""

EXACT = meaning({})
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "*": operator.mul, "/": operator.truediv, "%": EXACT.modulo, "**": EXACT.power,
}  # fmt: skip


def _sum(number: Any) -> Sum:
    return number if isinstance(number, Sum) else Sum(number, ())


def _of(constant: fmpq, factors: dict[Any, fmpq]) -> Sum | fmpq:
    terms = tuple(sorted(((t, f) for t, f in factors.items() if f != 0), key=lambda each: repr(each[0])))
    return Sum(constant, terms) if terms else constant


def _applied(name: str, left: Any, right: Any) -> Any:
    if isinstance(left, Sum) or isinstance(right, Sum):
        return Sum(fmpq(0), ((Applied(name, left, right), fmpq(1)),))
    return OPERATIONS[name](left, right)


def _compared(op: str, number: Any, now: int) -> Left:
    """Decided as soon as no token that is still to come can change it."""
    if not isinstance(number, Sum):
        return COMPARISONS[op]((number > 0) - (number < 0))
    least = most = number.constant
    for term, factor in number.terms:
        if not isinstance(term, Count):
            return Compared(op, number)
        end = factor * (term.last + 1 - now)
        least, most = least + min(end, 0), most + max(end, 0)
    always = {
        "<": most < 0,
        "<=": most <= 0,
        ">": least > 0,
        ">=": least >= 0,
        "==": False,
        "!=": most < 0 or least > 0,
    }
    never = {"<": least >= 0, "<=": least > 0, ">": most <= 0, ">=": most < 0, "==": most < 0 or least > 0, "!=": False}
    return True if always[op] else False if never[op] else Compared(op, number)


def _join(parts: Iterable[Left], positive: bool) -> Left:
    left: set[Any] = set()
    for part in parts:
        if isinstance(part, All) and part.positive == positive:
            left |= part.parts
        elif part is (not positive):
            return part
        elif part is not positive:
            left.add(part)
    return All(frozenset(left), positive) if len(left) > 1 else left.pop() if left else positive


def _negated(part: Left) -> Left:
    return not part if isinstance(part, bool) else part.part if isinstance(part, Not) else Not(part)


def read(formula: Expression, length: int, symbols: Sequence[int]) -> Left:
    """What a formula says of the marked words with so many positions, of which those at `symbols` hold a symbol and the
    others a marker. Unread for what is not read so: a parameter, a place that depends on the word."""

    def place(position: Any) -> int | None:
        if not isinstance(position, fmpq):
            raise Unread(f"{formula} speaks of a place that depends on the word")
        inside = position.q == 1 and int(position.p) in symbols
        return int(position.p) if inside else None

    def compare(op: str, left: Any, right: Any) -> Left:
        tokens = [side for side in (left, right) if isinstance(side, _Token | str)]
        if not tokens:
            return _compared(op, left - right, 0)
        return (lambda same: same if op == "==" else _negated(same))(_same(left, right))

    def count(symbol: str, last: Any | None) -> Any:
        if last is None:
            last = fmpq(length - 1)
        if not isinstance(last, fmpq) or last.q != 1:
            raise Unread(f"{formula} counts up to a place that depends on the word, or is none")
        end = min(int(last.p), length - 1)
        inside = [each for each in symbols if each <= end]
        if not inside:
            return fmpq(0)
        markers = end + 1 - len(inside)
        if markers and inside != list(range(inside[0], inside[-1] + 1)):
            raise Unread(f"{formula} counts across a marker between symbols")
        return Sum(fmpq(0), ((Count(symbol, inside[-1]), fmpq(1)),))

    domains: dict[Domain, Sequence[int]] = {"positions": symbols, "indices": range(length)}

    def unnamed(name: str) -> Any:
        if name != "n":
            raise Unread(f"{formula} speaks of {name}, which has no value here")
        return fmpq(length)

    def function(name: str, value: Any) -> Any:
        found = EXACT.function(name, value) if isinstance(value, fmpq) else None
        if not isinstance(found, fmpq):
            raise Unread(f"{formula} has {name.removesuffix('pi')} in it, of what is no rational number, or makes none")
        return found

    def matches(text: str) -> Left:
        return Rest(text, FIRST, symbols[-1]) if symbols else positions(text).accepts(FIRST)

    reader = Meaning(
        number=fmpq,
        name=unnamed,
        function=function,
        compare=compare,
        bracket=_bracket,
        token=lambda position: _Token(place(position)),
        count=count,
        conjunction=lambda parts: _join(parts, True),
        disjunction=lambda parts: _join(parts, False),
        negation=_negated,
        for_all=lambda body, domain: _join((body(fmpq(each)) for each in domains[domain]), True),
        total=lambda body, domain: sum((body(fmpq(each)) for each in domains[domain]), fmpq(0)),
        matches=matches,
        modulo=functools.partial(_applied, "%"),
        power=functools.partial(_applied, "**"),
    )
    found: Left = fold(formula.tree, reader)
    return found


@dataclass(frozen=True)
class _Token:
    """What stands at a place that holds a symbol; None is a place that holds none."""

    place: int | None


def _same(left: Any, right: Any) -> Left:
    if isinstance(left, str):
        left, right = right, left
    if isinstance(right, str):
        return False if left.place is None else Is(right, left.place)
    if left.place is None or right.place is None or left == right:
        return bool(left == right)
    return Same(min(left.place, right.place), max(left.place, right.place))


def _bracket(truth: Left) -> Any:
    return fmpq(int(truth)) if isinstance(truth, bool) else Sum(fmpq(0), ((Bracket(truth), fmpq(1)),))


class Progress:
    """Puts one symbol at one place into what is left of formulas, each part once."""

    def __init__(self, place: int, symbol: str) -> None:
        self.place, self.symbol = place, symbol
        self._known: dict[Any, Any] = {}

    def of(self, left: Left) -> Left:
        if isinstance(left, bool):
            return left
        if left not in self._known:
            self._known[left] = self._put_in(left)
        found: Left = self._known[left]
        return found

    def _put_in(self, left: Left) -> Left:
        match left:
            case Is(symbol=symbol, place=place):
                return left if place != self.place else symbol == self.symbol
            case Same(first=first, second=second):
                return left if first != self.place else Is(self.symbol, second)
            case Rest(pattern=pattern, state=state, last=last):
                behind = positions(pattern).after(state, self.symbol)
                if not behind or self.place == last:
                    return positions(pattern).accepts(behind)
                return Rest(pattern, behind, last)
            case Compared(op=op, number=number):
                return _compared(op, self._number(number), self.place + 1)
            case All(parts=parts, positive=positive):
                return _join(map(self.of, parts), positive)
            case Not(part=part):
                return _negated(self.of(part))
        raise TypeError(f"no formula: {left!r}")

    def _number(self, number: Any) -> Any:
        if not isinstance(number, Sum):
            return number
        total: Any = number.constant
        for term, factor in number.terms:
            match term:
                case Count(symbol=symbol, last=last):
                    here = fmpq(int(symbol == self.symbol))
                    value: Any = here if last == self.place else Sum(here, ((term, fmpq(1)),))
                case Applied(name=name, left=left, right=right):
                    value = _applied(name, self._number(left), self._number(right))
                case Bracket(truth=truth):
                    value = _bracket(self.of(truth))
            total = total + value * factor
        return total


MOST_COUNTED = 30_000
"""Edges of an automaton whose states keep how often each symbol has come."""


def automaton(network: Encoder, alphabet: Sequence[str], formulas: Sequence[Expression], length: int) -> Automaton:
    """Reads the words of so many positions, markers among them; its outcomes are the truth values of the formulas.

    Where it stays small its states keep how often each symbol has come, too: networks that do not look at positions
    depend on nothing else. Unread, or TooManyStates, where there is none.
    """
    begin, end = (1 if marker is not None else 0 for marker in (network.begin, network.end))
    symbols = range(begin, length - end)
    choices = [tuple(alphabet)] * len(symbols)
    if network.begin is not None:
        choices.insert(0, (network.begin,))
    if network.end is not None:
        choices.append((network.end,))
    first = tuple(read(formula, length, symbols) for formula in formulas)
    put_in = functools.cache(Progress)

    def after(state: Any, place: int, token: str) -> Any:
        return state if place not in symbols else tuple(map(put_in(place, token).of, state))

    def counting(state: Any, place: int, token: str) -> Any:
        left, counts = state
        here = tuple(count + (symbol == token) for symbol, count in zip(alphabet, counts, strict=True))
        return after(left, place, token), here

    try:
        start = first, (0,) * len(alphabet)
        return layered(choices, start, counting, operator.itemgetter(0), MOST_COUNTED)
    except TooManyStates:
        return layered(choices, first, after, lambda state: state)
