"""What a row of attention sees: the kinds of positions, what is known of each, and sums over the visible ones."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.constructions.meaning.schema import Head
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, form_of
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable, Vocabulary, cells, i, j, n
from weightproof.symbolic.derivation import Record, Stream, marker_names
from weightproof.symbolic.rules.shared_terms import in_common_form, shared
from weightproof.symbolic.rules.sums import Positions, sum_over


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
    placed = words.given(form_of(i - vocabulary.first), form_of(vocabulary.last - i))
    for symbol in vocabulary.alphabet:
        context = vocabulary.prefixes(i, placed).given(form_of(vocabulary.prefix_atom(symbol)(i) - 1))
        result[symbol] = Row(symbol, symbol, i, context)
    if end is not None:
        result[end_name] = Row(end_name, end, n - 1, words)
    return result


def in_view(head: Head, row: Row, table: dict[str, Row]) -> frozenset[str]:
    """The names of the rows that the row may see."""
    if not DERIVATION.is_causal(head.mask):
        return frozenset(table)
    if row.position == 0:
        return frozenset({row.name})
    return frozenset(name for name, key in table.items() if key.position != n - 1 or row.position == n - 1)


def symbols_in_view(head: Head, row: Row, vocabulary: Vocabulary) -> tuple[sympy.Expr, sympy.Expr]:
    """The first position of a symbol, and the last one that the row may see; one before it where it may see none."""
    first = sympy.Integer(vocabulary.first)
    if not DERIVATION.is_causal(head.mask) or (row.position == n - 1 and vocabulary.end):
        return first, vocabulary.last
    return first, i if row.position == i else sympy.S.Zero


def key_context(key_row: Row, row: Row, vocabulary: Vocabulary) -> Context:
    """What is known where a key is looked at from a row: a symbol's stands at the position j."""
    if key_row.position != i:
        return row.context
    return _between(vocabulary.first, vocabulary.last, row)


def over_positions(
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
    causal = DERIVATION.is_causal(head.mask)
    at_end = row.position == n - 1 and vocabulary.end
    lo, hi = symbols_in_view(head, row, vocabulary)
    inside = _between(lo, hi, row)
    by_symbol = in_common_form({a: normalise(values[a].get(name, ZERO), inside) for a in vocabulary.alphabet})
    common = shared(by_symbol)
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
            total += sum_over(Positions(None, lo, hi, row.context, vocabulary), common, record)
        first = sympy.Integer(vocabulary.first)
        last = hi if hi != n - 1 else vocabulary.last
        for symbol, value in by_symbol.items():
            rest = value - common
            if rest.terms and not (causal and row.position == 0 and vocabulary.begin):
                total += sum_over(Positions(symbol, first, last, row.context, vocabulary), rest, record)
    return normalise(vocabulary.settle(total), row.context)


def _between(lo: sympy.Expr | int, hi: sympy.Expr, row: Row) -> Context:
    """What is known where a position j from lo to hi is looked at from a row."""
    return row.context.given(form_of(j - lo), form_of(hi - j))


def _agrees(common: Iverson, here: Iverson, place: sympy.Expr, context: Context) -> bool:
    return not normalise(substitute(common, {j: place}) - here, context).terms


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
