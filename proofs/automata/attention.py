"""What a head sees: at which position its weight is, or nearly all of it, as far as finite memories tell."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from flint import arb, fmpq

from weightproof.constructions.meaning.choices import REACHES, Choices, Reach
from weightproof.constructions.meaning.construction import Parameter
from weightproof.constructions.meaning.schema import Head
from weightproof.constructions.scalars.exact import exp
from weightproof.constructions.scalars.expressions import Expression, free_names
from weightproof.proofs.automata.numbered import Numbered, guessed, numbered, numbered_by_square
from weightproof.proofs.automata.reaches import Side, before, behind, nearest, reach_of
from weightproof.proofs.automata.rising import Powers, Ratio, Rise, rise_of
from weightproof.proofs.automata.runs import Edge, Runs
from weightproof.proofs.automata.values import (
    NOTHING,
    ONE,
    ZERO,
    Between,
    Polynomial,
    Row,
    added,
    hull,
    mapped,
    row_of,
    scalar,
)
from weightproof.proofs.quantities.probe import substituted
from weightproof.symbolic.algebra.vocabulary import Underivable

READING = Choices("the reading as an automaton", Underivable)
OWN, OTHER, LENGTH = 0, 1, 2
"""The variables of a score: the position that attends, the one that is seen, the length."""


@dataclass(frozen=True)
class Nearest:
    """The position that is nearest to the one so many before its own, of those that it sees. others: more weight than
    all others have together, for each part of weight there; 0 where they have none."""

    before: int
    others: fmpq = ZERO


@dataclass(frozen=True)
class Best:
    """Of the positions with the keys of the highest rank the last one, side 1, or the first one, side -1; or all of
    them, where none comes first. ranks: by key; others: as in `Nearest`."""

    ranks: tuple[tuple[Row, int], ...]
    side: int
    others: fmpq = ZERO


@dataclass(frozen=True)
class Weights:
    """Every position, with a weight by its key."""

    by_key: tuple[tuple[Row, Between], ...]


Aim = Nearest | Best | Weights | Numbered


Asks = Callable[[Runs, Edge], bool]
"""Whether what a head adds at a position matters."""


def aims(
    runs: Runs, head: Head, asks: Asks, width: int, parameters: Sequence[Parameter], location: str
) -> dict[Row, Aim]:
    """Where each query of a position that asks looks."""
    READING.require_plain(replace(head, sees=None))
    if head.query_norm is not None or head.key_norm is not None:
        raise Underivable(f"{location}: norms of queries and keys")
    keys = tuple(dict.fromkeys(key_of(head, edge.row, width) for edge in runs.edges))
    queries = dict.fromkeys(query_of(head, edge.row, width) for edge in runs.edges if asks(runs, edge))
    scale, least = _scale(head, width, parameters, location)
    at_end = all(runs.is_last(edge) for edge in runs.edges if asks(runs, edge))
    return {query: _aim(runs, head, _at(query, at_end), keys, scale, least, location) for query in queries}


def _at(query: Row, at_end: bool) -> Row:
    """A mean of the positions so far is one of all of them at the last position."""
    return row_of({name: value.over_all for name, value in query}) if at_end else query


def _scale(head: Head, width: int, parameters: Sequence[Parameter], location: str) -> tuple[Polynomial, bool]:
    """The scale of scores; or one with the same sign that is no larger, whatever the parameters are, and True."""
    known = {each.name: each for each in parameters if each.name in head.scale.names}
    if not known:
        return scalar(head.scale, width), False
    if not _is_product(head.scale.tree, known.keys()):
        raise Underivable(f"{location}: a scale that is no product of parameters and other numbers")
    values: dict[str, Expression] = {}
    for name, parameter in known.items():
        least, strict = parameter.bound
        sign = scalar(least, width).number.sign
        if sign != 1 and not (sign == 0 and strict):
            raise Underivable(f"{location}: a scale with a parameter that may be 0 or less")
        soft = READING.side(head.normaliser) is None
        values[name] = least if soft else Expression("1")  # hard attention asks for signs
    return scalar(substituted(head.scale, values), width), True


def _is_product(node: ast.expr, names: Container[str]) -> bool:
    """Whether it is a product in which each of these names is a factor, if it is there, or a power of one that is."""
    match node:
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return _is_product(left, names) and _is_product(right, names)
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return _is_product(left, names) and not any(name in names for name in free_names(right))
        case ast.BinOp(op=ast.Pow(), left=left, right=ast.Constant(value=int(power))) if power > 0:
            return _is_product(left, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_product(operand, names)
        case ast.Name():
            return True
    return not any(name in names for name in free_names(node))


def _aim(
    runs: Runs, head: Head, query: Row, keys: tuple[Row, ...], scale: Polynomial, least: bool, location: str
) -> Aim:
    """least: the scale may be larger."""
    absolute, side = READING.is_less_size(head.score), READING.side(head.normaliser)
    soft = side is None
    sign, steepness = _sign(scale, location), scale

    def others(slope: Between, length: int) -> fmpq:
        return _others(Polynomial.of({(0, length): slope}) * steepness, location) if soft else ZERO

    counted = any(value.means for _, value in query)
    if sign > 0 and (counted or (absolute and _at_one_place(query, keys))):
        return (numbered if absolute else numbered_by_square)(runs, query, keys, others, location)
    dots = [_dot(query, key) for key in keys]
    if not soft and not all(value.is_known for key in keys for name, value in key if name in dict(query)):
        raise Underivable(f"{location}: hard attention to keys that are not known exactly, so that ties are open")
    if any(dot.ratios for dot in dots) and (soft or absolute):
        raise Underivable(f"{location}: scores with a quotient of the position, but no products of hard attention")
    if absolute and all(dot == dots[0] for dot in dots) and _has(dots[0], OTHER):
        if sign < 0:
            raise Underivable(f"{location}: scores that rise with the distance")
        return _by_distance(dots[0], scale, soft, location)
    if absolute:
        dots = [Polynomial.of({(0, 0, 0): _less_size(_number(dot, location))}) for dot in dots]
    if sign < 0:
        scale, dots = scale.scaled(Between.exactly(-1)), [dot.scaled(Between.exactly(-1)) for dot in dots]
    moving = [replace(dot, terms=tuple(term for term in dot.terms if term[0][OTHER])) for dot in dots]
    if any(each != moving[0] for each in moving):
        raise Underivable(f"{location}: scores that depend on the position and on what is there, not as a sum of both")
    ahead = [_number(dot - dots[0], location) for dot in dots]
    if moving[0] == Polynomial():
        return _by_key(keys, ahead, scale, side, least, location)
    match moving[0]:
        case Polynomial(terms=(((0, 1, length), slope),), ratios=()):
            beside = _others(Polynomial.of({(0, length): _size(slope)}) * scale, location) / 2 if soft else ZERO
            return _by_side(keys, ahead, _linear(slope, length, location), beside, soft, location)  # on one side
    rise = None if soft else _rise(moving[0])
    if rise is not None:
        return _by_side(keys, ahead, rise, ZERO, soft, location)
    if moving[0].ratios:
        raise Underivable(f"{location}: scores of which it is not shown that they rise or fall with the position")
    if sign > 0 and _at_one_place(query, keys) and any(powers[OTHER] == 2 for powers, _ in moving[0].terms):
        return numbered_by_square(runs, query, keys, others, location)
    if any(each.sign != 0 for each in ahead):
        raise Underivable(f"{location}: scores that depend on the position and on what is there")
    return _by_square(dict(moving[0].terms), scale, soft, location)


def _at_one_place(query: Row, keys: tuple[Row, ...]) -> bool:
    """Whether it is a distance from one position, wherever it is that attends."""
    dots = {_dot(query, key) for key in keys}
    return len(dots) == 1 and all(_has(dot, OTHER) and not _has(dot, OWN) for dot in dots)


def _sign(scale: Polynomial, location: str) -> int:
    """Of a number times a power of the length."""
    match scale.terms:
        case (((0, _), factor),) if factor.sign:
            return factor.sign
    raise Underivable(f"{location}: a scale of scores that is 0, or no number times a power of the length")


def _dot(query: Row, key: Row) -> Polynomial:
    keys, total = dict(key), Polynomial()
    for name, value in query:
        if name not in keys:
            continue
        total += value.seen_as((OWN, LENGTH), 3) * keys[name].without_ratios.seen_as((OTHER, LENGTH), 3)
        if keys[name].ratios:
            total += Polynomial(ratios=keys[name].ratios).scaled(value.number)
    return total


def _has(polynomial: Polynomial, variable: int) -> bool:
    return any(powers[variable] for powers, _ in polynomial.terms)


def _number(polynomial: Polynomial, location: str) -> Between:
    try:
        return polynomial.number
    except Underivable:
        raise Underivable(f"{location}: differences of scores that depend on the position or the length") from None


def _less_size(value: Between) -> Between:
    if value.sign is None:
        return Between(min(value.low, -value.high), ZERO)
    return -value if value.sign > 0 else value


def _by_distance(dot: Polynomial, scale: Polynomial, soft: bool, location: str) -> Nearest:
    """-|a (i - j) + b|, times a scale: the position nearest to i + b/a."""
    terms = dict(dot.terms)
    length = _length(terms, location)
    slope, own, rest = (terms.pop((*powers, length), NOTHING) for powers in ((0, 1), (1, 0), (0, 0)))
    if terms or slope.sign in (None, 0) or not (slope + own).is_exact or (slope + own).sign != 0:
        raise Underivable(f"{location}: a distance that is none of positions moved by a number")
    place = _whole(rest, own, location)
    steepness = Polynomial.of({(0, length): _size(slope)}) * scale
    return Nearest(-place, _others(steepness, location) if soft else ZERO)


def _by_square(terms: dict[Powers, Between], scale: Polynomial, soft: bool, location: str) -> Nearest:
    """-a (i - j + b)^2, as far as it depends on j: the position nearest to i + b."""
    length, terms = _length(terms, location), dict(terms)
    square, mixed, linear = (terms.pop((*powers, length), NOTHING) for powers in ((0, 2), (1, 1), (0, 1)))
    twice = square * Between.exactly(2)
    if terms or square.sign != -1 or not _same_ratio(mixed, twice):
        raise Underivable(f"{location}: scores that are no distance of positions moved by a number")
    place = _whole(linear, -twice, location)
    steepness = Polynomial.of({(0, length): -square}) * scale
    return Nearest(-place, _others(steepness, location) if soft else ZERO)


def _length(terms: dict[Powers, Between], location: str) -> int:
    """The power of the length that all of them have."""
    lengths = {powers[LENGTH] for powers in terms}
    if len(lengths) != 1:
        raise Underivable(f"{location}: a distance that is none of positions moved by a number")
    return lengths.pop()


def _same_ratio(mixed: Between, twice: Between) -> bool:
    """Whether the score is symmetric: 2a i j beside -a j^2. Irrational numbers are not told apart."""
    return mixed.is_exact and twice.is_exact and mixed.low == -twice.low


def _whole(offset: Between, slope: Between, location: str) -> int:
    if not offset.is_exact or not slope.is_exact or (offset.low / slope.low).q != 1:
        raise Underivable(f"{location}: a distance from what is no whole position")
    return int((offset.low / slope.low).p)


def _size(value: Between) -> Between:
    return value if value.sign == 1 else -value


def _others(steepness: Polynomial, location: str) -> fmpq:
    """e^-s + e^-2s + ... to both sides, for a score that falls by s at least with every step, on every length."""
    match steepness.terms:
        case (((0, length), factor),) if length >= 0 and factor.sign == 1:
            step = _power(-factor if factor.known is not None else Between.exactly(-factor.low)).high
            if step < 1:
                return 2 * step / (1 - step)
    raise Underivable(f"{location}: weights that fall by less and less as words grow")


def _by_side(
    keys: tuple[Row, ...],
    ahead: list[Between],
    rise: Rise,
    others: fmpq,
    soft: bool,
    location: str,
) -> Best:
    """The last position or the first one of those with the best keys, or of all."""
    if all(each.sign == 0 for each in ahead):
        return Best(tuple((key, 0) for key in keys), rise.side, others)
    if soft:
        raise Underivable(f"{location}: a softmax of scores that depend on the position and on what is there")
    if all(abs(end) < rise.least for a, b in itertools.product(ahead, repeat=2) for end in ((a - b).low, (a - b).high)):
        return Best(tuple((key, 0) for key in keys), rise.side)
    if rise.most is None:
        raise Underivable(f"{location}: scores of which neither the position nor what is there comes first")
    ranks = _ranked(ahead, rise.most, location)
    return Best(tuple(zip(keys, ranks, strict=True)), rise.side)


def _linear(slope: Between, length: int, location: str) -> Rise:
    """Of the position times a number and a power of the length."""
    if slope.sign in (None, 0):
        raise Underivable(f"{location}: the sign of what scores rise by is open")
    assert slope.sign is not None
    size = _size(slope)
    return Rise(slope.sign, size.low if length == 0 else ZERO, size.high if length == -1 else None)


def _rise(moving: Polynomial) -> Rise | None:
    """Of what a score has of the position that is seen; None where it is not shown to rise or fall, or where numbers
    are not known to be fractions."""
    if any(powers[OWN] or not value.is_exact for powers, value in moving.terms):
        return None
    if not all(factor.is_exact for _, factor in moving.ratios):
        return None
    number = (((0, 0), ONE),)
    powers = ((Ratio(((powers[1:], ONE),), number), value) for powers, value in moving.terms)
    return rise_of((ratio, factor.low) for ratio, factor in (*powers, *moving.ratios))


def _ranked(ahead: list[Between], gap: fmpq, location: str) -> list[int]:
    """Ranks of scores, of which two are the same or so far apart at least."""
    order = sorted(range(len(ahead)), key=lambda k: ahead[k].low)
    ranks = [0] * len(ahead)
    for below, above in itertools.pairwise(order):
        difference = ahead[above] - ahead[below]
        if difference.sign != 0 and (difference.low < gap or difference.low <= 0):
            raise Underivable(f"{location}: scores of which neither the position nor what is there comes first")
        ranks[above] = ranks[below] + int(difference.sign != 0)
    return ranks


def _by_key(
    keys: tuple[Row, ...], ahead: list[Between], scale: Polynomial, side: int | None, least: bool, location: str
) -> Best | Weights:
    """side: which of those with the greatest score have weight; None where all have, by softmax."""
    if side is not None or all(each.sign == 0 for each in ahead):
        return Best(tuple(zip(keys, _ranked(ahead, ZERO, location), strict=True)), side or 0)
    if least:
        raise Underivable(f"{location}: a softmax of what is there, with weights that depend on a parameter")
    factor = _number(scale.seen_as((OWN, LENGTH), 3), location)
    most = max(each.high for each in ahead)
    weights = (_power((each - Between.exactly(most)) * factor) for each in ahead)
    return Weights(tuple(zip(keys, weights, strict=True)))


def _power(exponent: Between) -> Between:
    if exponent.known is not None:
        return Between.around(exp(exponent.known))
    low, high = (Between.of_ball(arb(end).exp()) for end in (exponent.low, exponent.high))
    return Between(low.low, high.high)


Held = tuple[int, Row | None]
"""The rank of a position and what it holds: None where several of that rank hold different values."""


@dataclass(frozen=True)
class Item:
    """What a position holds, and its key."""

    value: Row
    key: Row


@dataclass(frozen=True)
class Memory:
    """Of the positions on one side: the nearest ones, the farthest of them first; and by order the best of those that
    are so far off that they are seen, and all that are farther."""

    line: tuple[Item, ...]
    best: tuple[Held | None, ...]


@dataclass(frozen=True)
class Seen:
    """What a position holds for a head, and what is on both sides. guessed: what the positions hold whose numbers are
    counts."""

    own: Item
    before: Memory | None = None
    behind: Memory | None = None
    guessed: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Mean:
    """What a head, by its number in the layer, adds where no finite memory tells it: a mean of what positions hold for
    it, of all of them if `whole`, or of those up to its own one; each has a weight by its key."""

    head: int
    whole: bool
    by_key: tuple[tuple[Row, Between], ...]


def seen_by(
    runs: Runs,
    heads: Sequence[Head],
    number: int,
    asks: Asks,
    width: int,
    parameters: Sequence[Parameter],
    location: str,
) -> Runs:
    """With one more mark at every position: what the head of that number adds there, as a row or as a mean; None where
    it does not matter."""
    head, location = heads[number], f"{location}, head {number + 1}"
    reach, aims_of = reach_of(head, READING, location), aims(runs, head, asks, width, parameters, location)
    if not reach.sees_itself and not head.may_see_nothing:
        raise Underivable(f"{location}: a network without a value: a position sees nothing")
    offsets = {nearest(reach, aim.before) for aim in aims_of.values() if isinstance(aim, Nearest)}
    orders = tuple(aim for aim in dict.fromkeys(aims_of.values()) if isinstance(aim, Best))
    averaged = any(isinstance(aim, Weights) for aim in aims_of.values())
    sides = before(reach), behind(reach)

    def shown(edge: Edge) -> Edge:
        own = Item(number_row(values_of(head, edge.row, width)), key_of(head, edge.row, width))
        return replace(edge, marks=(*edge.marks, Seen(own)))

    def length(side: Side | None, places: set[int]) -> int:
        """How many positions on a side are remembered one by one."""
        return max(0, *places, side.remembered if side is not None and (orders or averaged) else 0)

    def after(memory: Memory, edge: Edge, side: Side | None, length: int, later: bool) -> Memory:
        own, best = _seen(edge).own, memory.best
        line = (*memory.line, own if orders or averaged else Item(own.value, ()))
        if orders and side is not None and side.far is None and len(line) >= side.near:
            known = [(order, each) for order, each in zip(orders, best, strict=True)]
            best = tuple(_better(each, _held(order, line[-side.near]), order.side, later) for order, each in known)
        return Memory(line[-length:] if length else (), best)

    def told(edge: Edge, seen: Seen) -> Edge:
        return replace(edge, marks=(*edge.marks[:-1], seen))

    nothing = Memory((), (None,) * len(orders))
    so_far, ahead = length(sides[0], offsets), length(sides[1], {-each for each in offsets})
    runs = runs.changed(shown)
    if sides[0] is not None and (so_far or orders):
        runs = runs.remembering(
            nothing,
            lambda memory, edge: after(memory, edge, sides[0], so_far, later=True),
            lambda edge, memory, _: told(edge, replace(_seen(edge), before=memory)),
        )
    if sides[1] is not None and (ahead or orders):
        runs = runs.foreseeing(
            nothing,
            lambda memory, edge: after(memory, edge, sides[1], ahead, later=False),
            lambda edge, memory, _: told(edge, replace(_seen(edge), behind=memory)),
        )
    every = tuple(dict.fromkeys(_seen(edge).own.value for edge in runs.edges))
    guesses = tuple(aim for aim in dict.fromkeys(aims_of.values()) if isinstance(aim, Numbered))
    if guesses and not reach.is_all:
        raise Underivable(f"{location}: a count that may be the number of a position that is not seen")
    for aim in guesses:
        runs = guessed(runs, aim, lambda edge: _seen(edge).own.value)
        runs = runs.changed(_with_guess)

    def found(edge: Edge) -> Row | Mean | None:
        if not asks(runs, edge):
            return None
        seen = _seen(edge)
        alone = (reach.least == 0 and runs.is_first(edge)) or (reach.most == 0 and runs.is_last(edge))
        if alone and reach.sees_itself:
            return seen.own.value
        aim = aims_of[query_of(head, edge.row, width)]
        match aim:
            case Nearest():
                return _mixed(_nearest(seen, nearest(reach, aim.before), reach), every, aim.others)
            case Weights():
                return mean(seen, aim.by_key)
            case Numbered():
                return _mixed(seen.guessed[guesses.index(aim)], every, aim.others)
        rank, best = _best(seen, aim, orders.index(aim), reach)
        if best is None:
            return mean(seen, tuple((key, Between.exactly(int(own == rank))) for key, own in aim.ranks))
        return _mixed(best, every, aim.others)

    def mean(seen: Seen, by_key: tuple[tuple[Row, Between], ...]) -> Row | Mean:
        if reach.least is not None and reach.most is not None:
            return _averaged(_in_window(seen, reach), dict(by_key), location)
        if not reach.is_all and reach != REACHES["causal"]:
            raise Underivable(f"{location}: a mean over what neither all positions see nor those up to their own")
        return Mean(number, reach.is_all, by_key)

    return runs.changed(lambda edge: replace(edge, marks=(*edge.marks[:-1], found(edge))))


def _with_guess(edge: Edge) -> Edge:
    *marks, seen, value = edge.marks
    assert isinstance(seen, Seen)
    return replace(edge, marks=(*marks, replace(seen, guessed=(*seen.guessed, cast("Row", value)))))


def _seen(edge: Edge) -> Seen:
    seen = edge.marks[-1]
    assert isinstance(seen, Seen)
    return seen


def _nearest(seen: Seen, offset: int, reach: Reach) -> Row:
    """What the position holds that is nearest to the one with that i - j, which is shown; 0 where none is there that
    is."""
    memory, sign = (seen.before, 1) if offset > 0 else (seen.behind, -1)
    line = () if memory is None or offset == 0 else memory.line
    if offset and len(line) >= abs(offset):
        return line[-abs(offset)].value
    if not reach.shows(sign * len(line), 0):  # the last of them on that side
        return ()
    return line[0].value if line else seen.own.value


def _best(seen: Seen, aim: Best, order: int, reach: Reach) -> Held:
    """Of all that is seen, from the first to the last; 0 where nothing is."""
    earlier, later = _on(seen.before, before(reach), aim, order), _on(seen.behind, behind(reach), aim, order)
    best: Held | None = None
    for each in (*earlier, *[_held(aim, seen.own)] * reach.sees_itself, *reversed(later)):
        best = _better(best, each, aim.side, later=True)
    return (0, ()) if best is None else best


def _on(memory: Memory | None, side: Side | None, aim: Best, order: int) -> list[Held]:
    """The best ones on one side, or all that is seen there, the farthest first."""
    if memory is None or side is None:
        return []
    if side.far is None:
        best = memory.best[order]
        return [] if best is None else [best]
    return [_held(aim, item) for item in _listed(memory, side)]


def _listed(memory: Memory | None, side: Side | None) -> list[Item]:
    """All that is seen on a side that ends, the farthest first."""
    if memory is None or side is None or side.far is None:
        return []
    return [memory.line[-k] for k in range(min(side.far, len(memory.line)), side.near - 1, -1)]


def _in_window(seen: Seen, reach: Reach) -> list[Item]:
    earlier, later = _listed(seen.before, before(reach)), _listed(seen.behind, behind(reach))
    return [*earlier, *[seen.own] * reach.sees_itself, *reversed(later)]


def _averaged(items: Sequence[Item], weights: Mapping[Row, Between], location: str) -> Row:
    """The mean of what some positions hold, each with the weight of its key."""
    own = [weights[item.key] for item in items]
    if not all(weight.is_exact for weight in own):
        raise Underivable(f"{location}: a mean over a window, with weights that are not known exactly")
    total = sum((weight.low for weight in own), ZERO)
    scaled = zip(items, (Between.exactly(weight.low / total) for weight in own), strict=True)
    return added(*(tuple((name, x.scaled(part)) for name, x in item.value) for item, part in scaled if part != NOTHING))


def _held(aim: Best, item: Item) -> Held:
    return dict(aim.ranks)[item.key], item.value


def _better(best: Held | None, other: Held, side: int, later: bool) -> Held:
    """Of the best so far and another position, which is a later one, or an earlier one: rank and value, which is None
    where several positions with different values are the best."""
    if best is None or other[0] > best[0]:
        return other
    if other[0] < best[0] or other[1] == best[1]:
        return best
    if side == 0:
        return best[0], None
    return other if (side > 0) is later else best


def _mixed(target: Row, every: tuple[Row, ...], others: fmpq) -> Row:
    """A value of which others have a part: less than `others` for each part of its own."""
    if others == 0:
        return target
    names = {name for row in (target, *every) for name, _ in row}
    most = others / (1 + others)
    result = {}
    for name in names:
        some = [dict(row).get(name, Polynomial()).number for row in every]
        own = dict(target).get(name, Polynomial()).number
        result[name] = Polynomial.constant(own + Between(ZERO, most, below=True) * (hull(some) - own))
    return row_of(result)


def values_of(head: Head, row: Row, width: int) -> Row:
    """What a position holds for a head."""
    value = mapped(head.W_V, row, width)
    return value if head.W_O is None else mapped(head.W_O, value, width)


def number_row(row: Row) -> Row:
    """The same; Underivable where it depends on the position or the length."""
    return tuple((name, Polynomial.constant(value.number)) for name, value in row)


def key_of(head: Head, row: Row, width: int) -> Row:
    """The key of a position; empty where every score is 0."""
    return mapped(head.W_K, row, width) if head.W_Q else ()


def query_of(head: Head, row: Row, width: int) -> Row:
    return mapped(head.W_Q, row, width) if head.W_K else ()


def scores_of(head: Head) -> Hashable:
    """What its weights follow from, alike for heads whose weights are the same. Of different heads two weights between
    the same numbers may differ."""
    rows = (tuple((name, tuple(row.items())) for name, row in each.items()) for each in (head.W_Q, head.W_K))
    return *rows, head.score, head.scale, head.normaliser
