"""Attention at one row: weights e^score over the visible positions, numerator and partition function summed by rule."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.constructions.meaning.schema import Head, Rows
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, i, j, n
from weightproof.symbolic.derivation import DotProduct, OverPositions, Quotient, Record, Stream, Vector, marker_names
from weightproof.symbolic.rules.backgrounds import with_backgrounds
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.rules.sums import sum_plain, sum_tokens


@dataclass(frozen=True)
class Row:
    """A query position: its name, the token there, the position, and what is known of it."""

    name: str
    token: str
    position: sympy.Expr
    context: Context


def rows(vocabulary: Vocabulary, markers: tuple[str | None, str | None], words: Context) -> dict[str, Row]:
    """The kinds of positions by name: the begin marker at 0, a symbol at a generic i, the end marker at n-1."""
    begin, end = markers
    begin_name, end_name = marker_names(begin, end)
    result = {}
    if begin is not None:
        result[begin_name] = Row(begin_name, begin, sympy.S.Zero, words)
    low, high = linear_form(i - vocabulary.first), linear_form(vocabulary.last - i)
    assert low is not None
    assert high is not None
    for symbol in vocabulary.alphabet:
        count = linear_form(vocabulary.prefix_atom(symbol)(i) - 1)
        assert count is not None
        context = vocabulary.prefixes(i, words.given(low, high)).given(count)
        result[symbol] = Row(symbol, symbol, i, context)
    if end is not None:
        result[end_name] = Row(end_name, end, n - 1, words)
    return result


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
    """What `head` adds at `row`: for each coordinate, sum of e^score * value over sum of e^score."""
    if head.normaliser != "softmax":
        raise Underivable(f"{location}: {head.normaliser} attention is not derived so far")
    scale = read_scalar(head.scale, vocabulary)
    query = apply_rows(head.W_Q, stream[row.name], vocabulary)
    view = _in_view(head, row, table)
    weights: Stream = {}
    values: Stream = {}
    for token, key_row in table.items():
        vector = {name: record.at(x, j) for name, x in stream[token].items()}
        keys = apply_rows(head.W_K, vector, vocabulary)
        factors = tuple((x, keys[name]) for name, x in query.items() if name in keys)
        score = ZERO
        for x, y in factors:
            score += x * scale * y
        if head.score != "dot" and score.terms:
            raise Underivable(f"{location}: scores -|dot| are not derived so far")
        if token in view and any(name in head.W_K for name in query):
            shown = normalise(score, _key_context(key_row, row, vocabulary))
            where = f"{location}, key {token}, row {row.name}"
            record.step("scaled dot product", where, DotProduct(scale, factors), shown)
        weights[token] = {"": _weight(score, key_row, row, vocabulary)}
        value = apply_rows(head.W_V, vector, vocabulary)
        values[token] = value if head.W_O is None else apply_rows(head.W_O, value, vocabulary)
    total = _over_positions(weights, "", head, row, table, vocabulary, record)
    uniform = all(weights[token][""] == Iverson.constant(1) for token in weights)
    here = f"row {row.name}"
    rule = "constant scores: uniform attention" if uniform else "softmax: partition function"
    record.step(rule, f"{location}, {here}", OverPositions.of(_only(view, weights), ""), total)
    result: Vector = {}
    for name in dict.fromkeys(name for vector in values.values() for name in vector):
        products = {
            token: {"": weights[token][""] * values[token][name]} if name in values[token] else {} for token in values
        }
        numerator = _over_positions(products, "", head, row, table, vocabulary, record)
        quotient = divide(numerator, total, row.context)
        where = f"{location}, coordinate {name}, {here}"
        record.step("weighted values summed", where, OverPositions.of(_only(view, products), ""), numerator)
        record.step("divided by the partition function", where, Quotient(numerator, total), quotient, positive=total)
        if quotient.terms:
            result[name] = quotient
    return result


def _in_view(head: Head, row: Row, table: dict[str, Row]) -> frozenset[str]:
    """The names of the rows that the row may see."""
    if head.mask != "causal":
        return frozenset(table)
    if row.position == 0:
        return frozenset({row.name})
    return frozenset(name for name, key in table.items() if key.position != n - 1 or row.position == n - 1)


def _only(tokens: frozenset[str], values: Stream) -> Stream:
    return {token: value for token, value in values.items() if token in tokens}


def _weight(score: Iverson, key_row: Row, row: Row, vocabulary: Vocabulary) -> Iverson:
    """e^score, case by case of the brackets in the score."""
    if not score.terms:
        return Iverson.constant(1)
    total = ZERO
    for cell, exponent in cells(score):
        total += cell.scaled(exponential(sympy.cancel(exponent), vocabulary))
    return normalise(total, _key_context(key_row, row, vocabulary))


def _key_context(key_row: Row, row: Row, vocabulary: Vocabulary) -> Context:
    if key_row.position != i:
        return row.context
    low, high = linear_form(j - vocabulary.first), linear_form(vocabulary.last - j)
    assert low is not None
    assert high is not None
    return row.context.given(low, high)


def _over_positions(
    values: Stream,
    name: str,
    head: Head,
    row: Row,
    table: dict[str, Row],
    vocabulary: Vocabulary,
    record: Record,
) -> Iverson:
    """The sum over the positions that the row may see of a value given for each token.

    What the symbols have in common is summed plainly, joined by the marker's value where it is the same function of
    the position; what distinguishes them is summed under token indicators.
    """
    causal = head.mask == "causal"
    lo: sympy.Expr = sympy.Integer(vocabulary.first)
    at_symbol, at_end = row.position == i, row.position == n - 1 and vocabulary.end
    hi: sympy.Expr = vocabulary.last if not causal or at_end else i if at_symbol else sympy.S.Zero
    inside = _symbol_context(lo, hi, row)
    by_symbol = with_backgrounds({a: normalise(values[a].get(name, ZERO), inside) for a in vocabulary.alphabet})
    common = _common(list(by_symbol.values()))
    total = ZERO
    for token, key_row in table.items():
        if token in by_symbol:
            continue
        here = values[token].get(name, ZERO)
        is_begin = key_row.position == 0
        if not is_begin and causal and not at_end:
            continue
        place = sympy.S.Zero if is_begin else n - 1
        if common.terms and _agrees(common, here, place, row.context):
            lo, hi = (lo - 1, hi) if is_begin else (lo, hi + 1)
        else:
            total += here
    if not (causal and row.position == 0 and vocabulary.begin) or lo == 0:
        if common.terms:
            total += sum_plain(common, lo, hi, row.context, vocabulary, record)
        first = sympy.Integer(vocabulary.first)
        last = hi if hi != n - 1 else vocabulary.last
        for symbol, value in by_symbol.items():
            rest = value - common
            if rest.terms and not (causal and row.position == 0 and vocabulary.begin):
                total += sum_tokens(symbol, rest, first, last, row.context, vocabulary, record)
    return normalise(vocabulary.settle(total), row.context)


def _symbol_context(lo: sympy.Expr, hi: sympy.Expr, row: Row) -> Context:
    low, high = linear_form(j - lo), linear_form(hi - j)
    assert low is not None
    assert high is not None
    return row.context.given(low, high)


def _agrees(common: Iverson, here: Iverson, place: sympy.Expr, context: Context) -> bool:
    return not normalise(substitute(common, {j: place}) - here, context).terms


def _common(values: list[Iverson]) -> Iverson:
    """The terms that all values share."""
    first, *rest = values
    return Iverson(tuple(term for term in first.terms if all(term in other.terms for other in rest)))


def divide(numerator: Iverson, denominator: Iverson, context: Context) -> Iverson:
    """The quotient, case by case of the brackets in the denominator, which must be positive."""
    if not numerator.terms:
        return ZERO
    total = ZERO
    for cell, value in cells(normalise(denominator, context)):
        if value != 0:
            total += (numerator * cell).scaled(1 / value)
        elif normalise(cell * numerator, context).terms:
            raise Underivable("a partition function vanishes")
    return normalise(total, context)
