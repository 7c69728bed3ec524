"""Attention at one row: weights e^score over the visible positions, or 1 where the score is greatest.

The weighted values and the weights are summed by rule.
"""

from __future__ import annotations

import sympy

from weightproof.constructions.meaning.schema import Head, Rows
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, normalise
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import positive_bracket
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable, Vocabulary, cells, j
from weightproof.symbolic.derivation import Applied, DotProduct, OverPositions, Quotient, Record, Stream, Vector
from weightproof.symbolic.rules.hardmax import attaining
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.rules.rows import Row, divide, in_view, key_context, over_positions
from weightproof.symbolic.writing.plain import number


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


def attend(
    head: Head, row: Row, stream: Stream, table: dict[str, Row], vocabulary: Vocabulary, record: Record, location: str
) -> Vector:
    """What `head` adds at `row`: for each coordinate, sum of weight * value over sum of weights, which are e^score, or
    1 where the score is greatest."""
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
        inside = key_context(key_row, row, vocabulary)
        where = f"{location}, key {token}, row {row.name}"
        scores[token] = _score(head, scale, factors, inside, vocabulary, record if shown else Record(), where)
        value = apply_rows(head.W_V, vector, vocabulary)
        values[token] = value if head.W_O is None else apply_rows(head.W_O, value, vocabulary)
    if soft:
        weights: Stream = {token: {"": _weight(scores[token], table[token], row, vocabulary)} for token in table}
    else:
        weights = attaining(scores, head, row, table, vocabulary, location)
    total = over_positions(weights, "", head, row, table, vocabulary, record)
    uniform = all(weights[token][""] == Iverson.constant(1) for token in weights)
    here = f"row {row.name}"
    rule = "softmax: partition function" if soft else "hardmax: positions with the greatest score"
    rule = "constant scores: uniform attention" if uniform else rule
    record.step(rule, f"{location}, {here}", OverPositions.of(_only(view, weights), ""), total)
    result: Vector = {}
    for name in dict.fromkeys(name for vector in values.values() for name in vector):
        products = {
            token: {"": weights[token][""] * values[token][name]} if name in values[token] else {} for token in values
        }
        numerator = over_positions(products, "", head, row, table, vocabulary, record)
        quotient = divide(numerator, total, row.context)
        where = f"{location}, coordinate {name}, {here}"
        record.step("weighted values summed", where, OverPositions.of(_only(view, products), ""), numerator)
        divided = "divided by the partition function" if soft else "divided by the number of positions"
        record.step(divided, where, Quotient(numerator, total), quotient, positive=total)
        if quotient.terms:
            result[name] = quotient
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
        inside = context.given(*(form for conditions, _ in cell.terms for c in conditions for form in c.forms()))
        if value == 0 or inside.impossible():
            continue
        positive = positive_bracket(value, inside, vocabulary)
        if positive is None:
            raise Underivable(f"{location}: the sign of {number(value, vocabulary)} is open")
        score += (cell - cell * positive.scaled(2)).scaled(value) * scale
    score = normalise(score, context)
    record.step("-|x| by cases, scaled", location, Applied("-|x|", dot, scale), score)
    return score


def _only(tokens: frozenset[str], values: Stream) -> Stream:
    return {token: value for token, value in values.items() if token in tokens}


def _weight(score: Iverson, key_row: Row, row: Row, vocabulary: Vocabulary) -> Iverson:
    """e^score, case by case of the brackets in the score."""
    if not score.terms:
        return Iverson.constant(1)
    total = ZERO
    for cell, exponent in cells(score):
        total += cell.scaled(exponential(sympy.cancel(exponent), vocabulary))
    return normalise(total, key_context(key_row, row, vocabulary))
