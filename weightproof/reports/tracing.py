"""`run --trace`: every intermediate quantity of one word, as tables of a readable width and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Vector
from weightproof.constructions.meaning.trace import HeadTrace, LayerTrace, Trace, Vectors
from weightproof.constructions.scalars.exact import Real
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table
from weightproof.terminal.digits import cell, exactly

WIDTH = 100
"""Characters of a table, as far as it has more than one column; wider ones are written in blocks of columns."""
LONGEST_WHOLE = 40
"""Positions that are all shown; of more, the first and the last ENDS, and those that are asked for."""
ENDS = 8


def shown(construction: Construction, count: int, wanted: Collection[int] = ()) -> list[int]:
    """The positions of a word of `count` that a report shows; InputError for one that it does not have."""
    for position in wanted:
        if not 0 <= position < count:
            raise InputError(f"{construction.name}: no position {position}; the word has 0 to {count - 1}")
    if count <= LONGEST_WHOLE:
        return list(range(count))
    return sorted({*range(ENDS), *range(count - ENDS, count), *wanted})


def report(construction: Construction, trace: Trace, positions: Sequence[int]) -> Iterator[Plain]:
    """Coordinates, units and projections as rows, positions as columns; of attention, queries as rows, keys as columns.

    Queries with the same row are written once.
    """
    if len(positions) < len(trace.tokens):
        left_out = len(trace.tokens) - len(positions)
        yield Paragraph("")
        told = f"{left_out} of {len(trace.tokens)} positions are left out; --position P shows position P, too."
        yield Paragraph(Styled(told, "dim"))
    for title, rows in _tables(construction, trace):
        yield Heading(3, title)
        header = [f"{place}:{trace.tokens[place]}" for place in positions]
        body = [[Styled(name), *map(_entry, entries)] for name, entries in rows(positions)]
        yield Table(("", *header), body, labelled=True, most=WIDTH)


Row = tuple[str, list[Real | None]]
Rows = Callable[[Sequence[int]], list[Row]]
"""The rows of a table in which some positions are shown, each with its name."""


def _tables(construction: Construction, trace: Trace) -> Iterator[tuple[str, Rows]]:
    network = construction.encoder
    if any(trace.positions):
        yield "Position encoding", _vectors(("", trace.positions))
    yield "Residual stream, embedding", _vectors(("", trace.embedding))
    for number, (layer, data) in enumerate(zip(trace.layers, network.layers, strict=True), start=1):
        for index, head in enumerate(layer.heads, start=1):
            where = f"Layer {number}, head {index}"
            written = () if head.written is None else (("W_O value", head.written),)
            vectors = (("query", head.queries), ("key", head.keys), ("value", head.values), *written)
            projected = _vectors(*vectors, ("adds", head.added))
            yield f"{where}: queries, keys and values, and what it adds", projected
            yield f"{where}: scores, of the query in the row and the key in the column", _matrix(head.scores, trace)
            yield (
                f"{where}: attention weights, {data.heads[index - 1].normaliser} of each row",
                _matrix(head.weights, trace),
            )
        if layer.heads:
            yield f"Residual stream, after the attention of layer {number}", _vectors(("", layer.attended))
        if layer.hidden is not None and data.feed_forward is not None:
            before, after = layer.hidden
            kind = data.feed_forward.activation
            gate = "" if layer.gated is None else "the gate of "
            yield f"Layer {number}, {gate}hidden units before {kind}", _vectors(("", before))
            if layer.gated is not None:
                yield f"Layer {number}, hidden units before the gate", _vectors(("", layer.gated))
            yield (
                f"Layer {number}, hidden units after {kind}{(layer.gated and ' and the gate') or ''}",
                _vectors(("", after)),
            )
        yield f"Residual stream, after layer {number}", _vectors(("", layer.after))


def _vectors(*groups: tuple[str, Vectors]) -> Rows:
    """A row for each name that the vectors of a group have; a vector without a value has no entry."""

    def rows(positions: Sequence[int]) -> list[Row]:
        return [
            (f"{kind} {name}".strip(), [vectors[place].get(name) for place in positions])
            for kind, vectors in groups
            for name in dict.fromkeys(name for vector in vectors for name in vector)
        ]

    return rows


def _matrix(matrix: Mapping[int, Sequence[Real | None]], trace: Trace) -> Rows:
    """A row for each query that is shown, equal ones together; keys that it does not see have no entry."""

    def rows(positions: Sequence[int]) -> list[Row]:
        groups: dict[Sequence[Real | None], list[int]] = {}
        for place in positions:
            groups.setdefault(matrix[place], []).append(place)
        return [
            (_queries(group, trace), [row[place] if place < len(row) else None for place in positions])
            for group, row in ((group, matrix[group[0]]) for group in groups.values())
        ]

    return rows


def _queries(group: Sequence[int], trace: Trace) -> str:
    """Which queries a row is of: one with its token, or the positions of several."""
    if len(group) == 1:
        return f"{group[0]}:{trace.tokens[group[0]]}"
    ranges: list[list[int]] = []
    for place in group:
        if ranges and place == ranges[-1][1] + 1:
            ranges[-1][1] = place
        else:
            ranges.append([place, place])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def _entry(value: Real | None) -> str | Styled:
    if value is None:
        return ""
    text = cell(value)
    return Styled(text, "dim") if text == "0" else text


def as_data(trace: Trace) -> list[dict[str, Any]]:
    """The embedding, then each layer: the stream after it, and how it came about.

    A query whose scores and weights were not computed has null in their place, and so has a key that it does not see
    before one that it sees.
    """
    first = {"after": "embedding", "words": _listed(trace.words), "positions": _listed(trace.positions)}
    return [
        first | {"vectors": _listed(trace.embedding)},
        *(_layer(number, layer, len(trace.tokens)) for number, layer in enumerate(trace.layers, start=1)),
    ]


def _layer(number: int, layer: LayerTrace, count: int) -> dict[str, Any]:
    hidden = layer.hidden
    return {
        "after": f"after layer {number}",
        "heads": [_head(head, count) for head in layer.heads],
        "attended": _listed(layer.attended),
        "hidden": None if hidden is None else {"before": _listed(hidden[0]), "after": _listed(hidden[1])},
        **({} if layer.gated is None else {"gated": _listed(layer.gated)}),
        "vectors": _listed(layer.after),
    }


def _head(head: HeadTrace, count: int) -> dict[str, Any]:
    return {
        "queries": _listed(head.queries),
        "keys": _listed(head.keys),
        "values": _listed(head.values),
        "written": None if head.written is None else _listed(head.written),
        "scores": _rows(head.scores, count),
        "weights": _rows(head.weights, count),
        "added": _listed(head.added),
    }


def _rows(matrix: Mapping[int, Sequence[Real | None]], count: int) -> list[list[str | None] | None]:
    return [_exact(matrix[row]) if row in matrix else None for row in range(count)]


def _exact(row: Sequence[Real | None]) -> list[str | None]:
    return [None if x is None else exactly(x) for x in row]


def _listed(vectors: Sequence[Vector]) -> list[dict[str, str]]:
    return [{name: exactly(x) for name, x in vector.items()} for vector in vectors]
