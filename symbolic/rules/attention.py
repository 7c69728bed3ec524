"""Attention at one row: weights e^score over the visible positions, or 1 where the score is greatest.

The weighted values and the weights are summed by rule. For hardmax the positions are told apart into classes of equal
scores: those with one value of the score, whatever it is made of, and, where the score of all symbols is the same
linear function of the position on an interval, the end of the interval at which it is greatest. A class counts where it
holds a position and no class that holds one has a greater score.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.constructions.meaning.schema import Head, Rows
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.iverson import ZERO, Condition, Iverson, bracket, canonical, normalise
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.signs import Sign, positive_bracket, sign_of
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable, Vocabulary, cells, i, j
from weightproof.symbolic.derivation import (
    Applied,
    DotProduct,
    Looked,
    OverPositions,
    Quotient,
    Record,
    Stream,
    Vector,
)
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.rules.rows import Row, divide, in_view, key_context, over_positions, symbols_in_view
from weightproof.symbolic.rules.shared_terms import is_range
from weightproof.symbolic.writing.plain import number

ONE = Iverson.constant(1)


@dataclass(frozen=True)
class Class:
    """Positions with one score, which does not depend on j: where[token] is 1 at those that hold the token."""

    score: sympy.Expr
    where: dict[str, Iverson]


def attaining(scores: dict[str, Iverson], head: Head, row: Row, table: dict[str, Row], location: str) -> Stream:
    """Token -> 1 where a position that the row sees has the greatest score, else 0; scores by token, in terms of j.

    Raises Underivable where the classes are not told, or not compared.
    """
    held = []
    for each in _classes(scores, head, row, table, location):
        exists = _exists(each, head, row, table, location)
        if exists.terms:
            held.append((each, exists))
    total: dict[str, Iverson] = dict.fromkeys(table, ZERO)
    for each, _ in held:
        greatest = ONE
        for other, exists in held:
            if other is not each:
                above = positive_bracket(other.score - each.score, row.context, row.vocabulary)
                if above is None:
                    raise Underivable(f"{location}: which of two scores is greater is open")
                greatest = normalise(greatest * (ONE - exists * above), row.context)
        for token, where in each.where.items():
            total[token] += where * greatest
    return {token: {"": normalise(value, key_context(table[token], row))} for token, value in total.items()}


def _exists(each: Class, head: Head, row: Row, table: dict[str, Row], location: str) -> Iverson:
    """Whether the row sees a position of the class."""
    record = Record()
    values: Stream = {token: {"": each.where.get(token, ZERO)} for token in table}
    number = over_positions(values, "", head, row, table, record)
    if record.sums:
        raise Underivable(f"{location}: whether a score is attained takes a sum that no rule closes")
    total = ZERO
    for cell, value in cells(number):
        if linear_form(value) is None:
            raise Underivable(f"{location}: whether a score is attained is no linear condition on integers")
        total += cell * bracket(">", value)
    return normalise(total, row.context)


def _classes(scores: dict[str, Iverson], head: Head, row: Row, table: dict[str, Row], location: str) -> list[Class]:
    constant: dict[sympy.Expr, dict[str, Iverson]] = {}
    moving: dict[str, list[tuple[Iverson, sympy.Expr]]] = {}
    for token, key_row in table.items():
        inside = key_context(key_row, row)
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
        for at_end, place in _ends(cell, value, symbols_in_view(head, row), row, location):
            found.append(Class(value.xreplace({j: place}), dict.fromkeys(symbols, at_end)))
    return found


def _ends(
    cell: Iverson, value: sympy.Expr, in_view: tuple[sympy.Expr, sympy.Expr], row: Row, location: str
) -> list[tuple[Iverson, sympy.Expr]]:
    """The position of a cell at which a linear function of j is greatest, for each of the ends that may be the nearest
    one; under brackets that say that it is."""
    slope = sympy.expand(value.xreplace({j: j + 1}) - value)
    direction = sign_of(slope, row.context, row.vocabulary)
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
    for first, place in enumerate(ends):
        where = cell * bracket("==", j - place)
        for other, end in enumerate(ends):
            if other != first:  # of two equal ends the first one is taken
                op = (">=" if other > first else ">") if rising else ("<=" if other > first else "<")
                where = where * bracket(op, end - place)
        result.append((where, place))
    return result


def _end(condition: Condition, rising: bool) -> list[sympy.Expr]:
    """The last position that a range allows, or the first one, if it has such an end."""
    factor = int(condition.axis.coefficient(j))
    bound = condition.hi if rising is (factor > 0) else condition.lo
    return [] if bound is None else [sympy.expand((bound - condition.axis.expression()) * factor + j)]


def apply_rows(weights: Rows, vector: Vector, vocabulary: Vocabulary) -> Vector:
    """Rows of a sparse matrix times a vector; rows that come out 0 are absent."""
    result: Vector = {}
    for row, columns in weights.items():
        total = ZERO
        for column, weight in columns.items():
            if column in vector:
                total += vector[column] * read_scalar(weight, vocabulary)
        if total.terms:
            result[row] = total
    return result


def attend(head: Head, row: Row, stream: Stream, table: dict[str, Row], record: Record, location: str) -> Vector:
    """What `head` adds at `row`: for each coordinate, sum of weight * value over sum of weights, which are e^score, or
    1 where the score is greatest."""
    vocabulary = row.vocabulary
    scale = read_scalar(head.scale, vocabulary)
    soft = DERIVATION.is_soft(head.normaliser)
    query = apply_rows(head.W_Q, stream[row.name], vocabulary)
    view = in_view(head, row, table)
    scores: Vector = {}
    values: Stream = {}
    for token, key_row in table.items():
        vector = {name: record.at(x, j) for name, x in stream[token].items()}
        keys = apply_rows(head.W_K, vector, vocabulary)
        factors = tuple((x, keys[name]) for name, x in query.items() if name in keys)
        shown = token in view and any(name in head.W_K for name in query)
        inside = key_context(key_row, row)
        where = f"{location}, key {token}, row {row.name}"
        scores[token] = _score(head, scale, factors, inside, vocabulary, record if shown else Record(), where)
        value = apply_rows(head.W_V, vector, vocabulary)
        values[token] = value if head.W_O is None else apply_rows(head.W_O, value, vocabulary)
    if soft:
        weights: Stream = {token: {"": _weight(scores[token], table[token], row)} for token in table}
    else:
        weights = attaining(scores, head, row, table, location)
    total = over_positions(weights, "", head, row, table, record)
    uniform = all(weights[token][""] == Iverson.constant(1) for token in weights)
    here = f"row {row.name}"
    rule = "softmax: partition function" if soft else "hardmax: positions with the greatest score"
    rule = "constant scores: uniform attention" if uniform else rule
    record.step(rule, f"{location}, {here}", OverPositions.of(_only(view, weights), ""), total)
    result: Vector = {}
    numerators: Vector = {}
    for name in dict.fromkeys(name for vector in values.values() for name in vector):
        products = {
            token: {"": weights[token][""] * values[token][name]} if name in values[token] else {} for token in values
        }
        numerator = over_positions(products, "", head, row, table, record)
        quotient = divide(numerator, total, row.context)
        where = f"{location}, coordinate {name}, {here}"
        record.step("weighted values summed", where, OverPositions.of(_only(view, products), ""), numerator)
        divided = "divided by the partition function" if soft else "divided by the number of positions"
        record.step(divided, where, Quotient(numerator, total), quotient, positive=total)
        numerators[name] = numerator
        if quotient.terms:
            result[name] = quotient
    by_key = {token: weight[""] for token, weight in weights.items()}
    record.looked[location, row.name] = Looked(scores, by_key, values, total, numerators, result)
    return result


def _score(
    head: Head,
    scale: Iverson,
    factors: tuple[tuple[Iverson, Iverson], ...],
    context: Context,
    vocabulary: Vocabulary,
    record: Record,
    location: str,
) -> Iverson:
    """The scaled score of one key."""
    dot = ZERO
    if not DERIVATION.is_less_size(head.score):
        for x, y in factors:
            dot += x * scale * y
        record.step("scaled dot product", location, DotProduct(scale, factors), normalise(dot, context))
        return dot
    for x, y in factors:
        dot += x * y
    dot = normalise(dot, context)
    record.step("dot product", location, DotProduct(Iverson.constant(1), factors), dot)
    score = ZERO
    for cell, value in cells(dot):
        inside = context.given(*cell.forms())
        if value == 0 or inside.impossible():
            continue
        score += (cell - cell * is_positive(value, inside, vocabulary, location).scaled(2)).scaled(value) * scale
    score = normalise(score, context)
    record.step("-|x| by cases, scaled", location, Applied("-|x|", dot, scale), score)
    return score


def is_positive(value: sympy.Expr, context: Context, vocabulary: Vocabulary, location: str) -> Iverson:
    """[value > 0]; Underivable where the sign is open."""
    positive = positive_bracket(value, context, vocabulary)
    if positive is None:
        raise Underivable(f"{location}: the sign of {number(value, vocabulary)} is open")
    return positive


def _only(tokens: frozenset[str], values: Stream) -> Stream:
    return {token: value for token, value in values.items() if token in tokens}


def _weight(score: Iverson, key_row: Row, row: Row) -> Iverson:
    """e^score, case by case of the brackets in the score."""
    if not score.terms:
        return Iverson.constant(1)
    total = ZERO
    for cell, exponent in cells(score):
        total += cell.scaled(exponential(sympy.cancel(exponent), row.vocabulary))
    return normalise(total, key_context(key_row, row))
