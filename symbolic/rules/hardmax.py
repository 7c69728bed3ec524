"""Hardmax attention at one row: the average of the values over the positions whose score is greatest.

The positions are told apart into classes of equal scores: those with one value of the score, whatever it is made of,
and, where the score of all symbols is the same linear function of the position on an interval, the end of the interval
at which it is greatest. A class counts where it holds a position and no class that holds one has a greater score.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.constructions.meaning.schema import Head
from weightproof.symbolic.algebra.iverson import ZERO, Condition, Iverson, bracket, canonical, normalise
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.signs import Sign, positive_bracket, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, i, j
from weightproof.symbolic.derivation import Record, Stream
from weightproof.symbolic.rules.rows import Row, key_context, over_positions, symbols_in_view
from weightproof.symbolic.rules.sums import is_range

ONE = Iverson.constant(1)


@dataclass(frozen=True)
class Class:
    """Positions with one score, which does not depend on j: where[token] is 1 at those that hold the token."""

    score: sympy.Expr
    where: dict[str, Iverson]


def attaining(
    scores: dict[str, Iverson], head: Head, row: Row, table: dict[str, Row], vocabulary: Vocabulary, location: str
) -> Stream:
    """Token -> 1 where a position that the row sees has the greatest score, else 0; scores by token, in terms of j.

    Raises Underivable where the classes are not told, or not compared.
    """
    held = []
    for each in _classes(scores, head, row, table, vocabulary, location):
        exists = _exists(each, head, row, table, vocabulary, location)
        if exists.terms:
            held.append((each, exists))
    total: dict[str, Iverson] = dict.fromkeys(table, ZERO)
    for each, _ in held:
        greatest = ONE
        for other, exists in held:
            if other is not each:
                above = positive_bracket(other.score - each.score, row.context, vocabulary)
                if above is None:
                    raise Underivable(f"{location}: which of two scores is greater is open")
                greatest = normalise(greatest * (ONE - exists * above), row.context)
        for token, where in each.where.items():
            total[token] += where * greatest
    return {token: {"": normalise(value, key_context(table[token], row, vocabulary))} for token, value in total.items()}


def _exists(each: Class, head: Head, row: Row, table: dict[str, Row], vocabulary: Vocabulary, location: str) -> Iverson:
    """Whether the row sees a position of the class."""
    record = Record()
    values: Stream = {token: {"": each.where.get(token, ZERO)} for token in table}
    number = over_positions(values, "", head, row, table, vocabulary, record)
    if record.sums:
        raise Underivable(f"{location}: whether a score is attained takes a sum that no rule closes")
    total = ZERO
    for cell, value in cells(number):
        if linear_form(value) is None:
            raise Underivable(f"{location}: whether a score is attained is no linear condition on integers")
        total += cell * bracket(">", value)
    return normalise(total, row.context)


def _classes(
    scores: dict[str, Iverson], head: Head, row: Row, table: dict[str, Row], vocabulary: Vocabulary, location: str
) -> list[Class]:
    constant: dict[sympy.Expr, dict[str, Iverson]] = {}
    moving: dict[str, list[tuple[Iverson, sympy.Expr]]] = {}
    for token, key_row in table.items():
        inside = key_context(key_row, row, vocabulary)
        for cell, value in cells(normalise(scores[token], inside)):
            if not normalise(cell, inside).terms:
                continue
            if value.has(j):
                moving.setdefault(token, []).append((cell, canonical(value)))
            else:
                where = constant.setdefault(canonical(value), {})
                where[token] = where.get(token, ZERO) + cell
    found = [Class(score, where) for score, where in constant.items()]
    symbols = [token for token, key_row in table.items() if key_row.position == i]
    pieces = moving.get(symbols[0], [])
    if any(set(moving.get(symbol, [])) != set(pieces) for symbol in symbols):
        raise Underivable(f"{location}: hardmax over scores that depend on the position and on the symbol there")
    for cell, value in pieces:
        for at_end, place in _ends(cell, value, symbols_in_view(head, row, vocabulary), row, vocabulary, location):
            found.append(Class(value.xreplace({j: place}), dict.fromkeys(symbols, at_end)))
    return found


def _ends(
    cell: Iverson,
    value: sympy.Expr,
    in_view: tuple[sympy.Expr, sympy.Expr],
    row: Row,
    vocabulary: Vocabulary,
    location: str,
) -> list[tuple[Iverson, sympy.Expr]]:
    """The position of a cell at which a linear function of j is greatest, for each of the ends that may be the nearest
    one; under brackets that say that it is."""
    slope = sympy.expand(value.xreplace({j: j + 1}) - value)
    direction = sign_of(slope, row.context, vocabulary)
    if slope.has(j) or direction not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise Underivable(f"{location}: hardmax over scores that are not linear in the position, or may be constant")
    rising = direction is Sign.POSITIVE
    ends = [in_view[1] if rising else in_view[0]]
    [(conditions, _)] = cell.terms
    for condition in sorted(conditions, key=str):
        if any(atom.has(j) for atom in condition.axis.atoms):
            if not is_range(condition):
                raise Underivable(f"{location}: hardmax over scores that depend on more than a range of positions")
            ends += _end(condition, rising)
    result = []
    for number, place in enumerate(ends):
        where = cell * bracket("==", j - place)
        for other, end in enumerate(ends):
            if other != number:  # of two equal ends the first one is taken
                op = (">=" if other > number else ">") if rising else ("<=" if other > number else "<")
                where = where * bracket(op, end - place)
        result.append((where, place))
    return result


def _end(condition: Condition, rising: bool) -> list[sympy.Expr]:
    """The last position that a range allows, or the first one, if it has such an end."""
    factor = int(condition.axis.coefficient(j))
    bound = condition.hi if rising is (factor > 0) else condition.lo
    return [] if bound is None else [sympy.expand((bound - condition.axis.expression()) * factor + j)]
