"""Whether the order of a word's symbols is nothing to a network in strict arithmetic, nor to its language.

Then one word for each way to count the symbols stands for all words of a length. That a computed number is the same,
bit by bit, for all words with the same counts is shown stage by stage, of every coordinate: it is a function of the
position, of the token there, of the length and of the counts; of a *plain* coordinate even without the token, if that
is a symbol. Markers stand where they stand. Elementwise operations keep this up. A head sums over positions from left
to right: terms that are plain are the same ones in the same order; and where all scores are 0, all powers are 1, so
that terms which only tell tokens apart, and of which those of symbols are 0 or one number, add up to the same whatever
stands where, as to add 0 rounds nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Head, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.numeric import STRICT


def arrangements_are_alike(construction: Construction) -> bool:
    """Whether words with the same counts are certainly told apart neither by the network, in strict arithmetic, nor by
    the language, as its formula says."""
    network, formula = construction.network, construction.language.characterisation
    if not isinstance(network, Encoder) or network.causal or network.normed:
        return False
    if not _is_of_counts(formula):
        return False
    tokens = _embedded(network, construction.language.alphabet)
    plain = {name for name in network.coordinates if len({*tokens[name]}) == 1}
    embedded = {name for name in network.coordinates if name not in network.embedding.PE}
    for layer in network.layers:
        if not (layer.attention_residual and layer.feed_forward_residual):
            return False
        written: dict[str, bool] = {}
        for head in layer.heads:
            added = _added(head, plain, {name: tokens[name] for name in embedded})
            if added is None:
                return False
            for name, is_plain in added.items():
                written[name] = written.get(name, True) and is_plain
        plain, embedded = _after(written, plain, embedded)
        if layer.feed_forward is not None:
            hidden = _plain_rows(layer.feed_forward.first, plain)
            if layer.feed_forward.gate is not None:
                hidden &= _plain_rows(layer.feed_forward.gate, plain)
            plain, embedded = _after(_linear(layer.feed_forward.second, hidden), plain, embedded)
    readout = network.readout
    at_a_marker = {"first": network.begin is not None, "last": network.end is not None, "sum": False, "mean": False}
    return STRICT.of("readout position", readout.position, at_a_marker) or all(_linear(readout.W, plain).values())


def by_counts(alphabet: Sequence[str], length: int) -> Iterator[str]:
    """One word of a length for each way to count its symbols."""
    return map("".join, combinations_with_replacement(alphabet, length))


def _is_of_counts(formula: Expression) -> bool:
    """Whether it speaks of a word by its counts alone: of no symbol by its position, and of no part of the word."""
    for node in ast.walk(formula.tree):
        match node:
            case ast.Name(id="w" | "matches") | ast.Call(func=ast.Name(id="count"), args=[_, _]):
                return False
    return True


def _embedded(network: Encoder, alphabet: Iterable[str]) -> dict[str, list[str | None]]:
    """What WE says of each coordinate and symbol, as it is written, None where it says nothing."""
    WE = network.embedding.WE
    rows: list[Mapping[str, Expression]] = [WE.get(symbol, {}) for symbol in alphabet]
    return {name: [row[name].source if name in row else None for row in rows] for name in network.coordinates}


def _added(head: Head, plain: set[str], embedded: Mapping[str, Sequence[str | None]]) -> dict[str, bool] | None:
    """The coordinates that a head writes, and whether plain numbers; None where the order of symbols may count.

    embedded: of the coordinates that still are what WE says, that.
    """
    scored = head.W_Q.keys() & head.W_K.keys()
    if not _reads({name: head.W_K[name] for name in scored}) <= plain:
        return None
    for columns in head.W_V.values():
        if columns.keys() <= plain:
            continue
        if scored or not columns.keys() <= embedded.keys():
            return None
        of_symbols = set(zip(*(embedded[name] for name in columns), strict=True))
        if len(of_symbols - {(None,) * len(columns)}) > 1:
            return None
    is_plain = _reads({name: head.W_Q[name] for name in scored}) <= plain
    return dict.fromkeys(head.W_V if head.W_O is None else head.W_O, is_plain)


def _reads(rows: Rows) -> set[str]:
    return {name for columns in rows.values() for name in columns}


def _linear(linear: Linear, plain: set[str]) -> dict[str, bool]:
    """The rows of a linear map, and whether they are plain where these columns are."""
    return {row: linear.weights.get(row, {}).keys() <= plain for row in linear.rows}


def _plain_rows(linear: Linear, plain: set[str]) -> set[str]:
    return {row for row, is_plain in _linear(linear, plain).items() if is_plain}


def _after(written: Mapping[str, bool], plain: set[str], embedded: set[str]) -> tuple[set[str], set[str]]:
    """The plain coordinates, and those that still are what WE says, once others are written."""
    return plain & {name for name in plain if written.get(name, True)}, embedded - written.keys()
