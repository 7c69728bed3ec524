"""The weights of a network of any arrangement as named matrices, with rows and columns by name: what documents and
pages print of them. They are the data that the interpreter runs and the derivation reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.scalars.expressions import Expression
from weightproof.document.blocks import Block, Heading, Items, Math, Matrix, Paragraph, Spans, joined
from weightproof.reports.sheet import by_coordinate, nonzero
from weightproof.symbolic.writing.latex import label
from weightproof.symbolic.writing.latex_source import scalar, score, source

MATRICES = Choices("the matrices")


def weights(network: schema.Network) -> Iterator[Block]:
    """Embeddings, layers and readout."""
    yield Heading(2, ("Embeddings and weights",))
    yield Paragraph(("Rows and columns that are not shown are 0.",))
    if isinstance(network, schema.Decoder) and network.arithmetic is not None:
        yield Paragraph((f"Every operation is rounded, to {network.arithmetic.name}.",))
    if isinstance(network, schema.EncoderDecoder):
        yield from _stack(network.encoder, r"\mathrm{enc},", network.encoder.coordinates)
        yield from _stack(network, r"\mathrm{dec},", network.encoder.coordinates)
    else:
        yield from _stack(network, "", network.coordinates)
    yield Heading(3, ("Readout",))
    if not isinstance(network, schema.EncoderDecoder) and network.final_norm is not None:
        yield Paragraph((f"{normalisation(network.final_norm)} before it, ", *_told(network.final_norm), "."))
    W = network.readout.W
    yield from _linear(r"W^{\mathrm{out}}", r"b^{\mathrm{out}}", W, W.rows, network.coordinates)


def _stack(network: schema.Network, mark: str, memory: tuple[str, ...]) -> Iterator[Block]:
    coordinates = network.coordinates
    if isinstance(network, schema.EncoderDecoder):
        yield Heading(3, ("Decoder input",))
        yield from _vector(r"\mathrm{seed}", network.seed, coordinates)
        yield from _linear(r"W^{\mathrm{fb}}", r"b^{\mathrm{fb}}", network.feedback, coordinates, coordinates)
        yield from _vector(rf"\mathrm{{PE}}^{{{mark}i}}", network.PE, coordinates)
    else:
        embedding = network.embedding
        yield Heading(3, ("Embedding",))
        tokens = tuple(embedding.WE)
        yield from matrix(
            rf"W^{{{mark}E}}", by_coordinate(embedding, coordinates), coordinates, tokens, all_columns=True
        )
        yield from _vector(rf"\mathrm{{PE}}^{{{mark}i}}", embedding.PE, coordinates)
        if isinstance(network, schema.Decoder) and network.table is not None:
            table = {str(position): row for position, row in enumerate(network.table)}
            yield Paragraph(("Added at each position, of which there are no more than these:",))
            yield from matrix(rf"T^{{{mark}}}", table, tuple(table), coordinates)
    for number, layer in enumerate(network.layers, start=1):
        yield from _layer(layer, number, mark, coordinates, memory)


def _layer(
    layer: schema.Layer, number: int, mark: str, coordinates: tuple[str, ...], memory: tuple[str, ...]
) -> Iterator[Block]:
    where = {"": "Layer", r"\mathrm{enc},": "Encoder layer"}.get(mark, "Decoder layer")
    yield Heading(3, (f"{where} {number}",))
    for kind, heads, keys in (("Head", layer.heads, coordinates), ("Cross head", layer.cross_heads, memory)):
        cross = r"\times," if kind == "Cross head" else ""
        for index, head in enumerate(heads, start=1):
            yield Paragraph((f"{kind} {index}: ", *_attention(head)))
            yield from _head(head, f"{mark}{cross}{{}},{number},{index}", coordinates, keys)
            for what, norm in (("queries", head.query_norm), ("keys", head.key_norm)):
                if norm is not None:
                    yield Paragraph((f"{normalisation(norm)} of {what}, ", *_told(norm), "."))
            for pair in head.rotary:
                yield Paragraph(_turned(pair))
    if layer.feed_forward is not None:
        gated = "" if layer.feed_forward.gate is None else ", of a gate, by which the hidden units are multiplied"
        yield Paragraph((f"Feed-forward network, activation {layer.feed_forward.activation}{gated}:",))
        yield from _feed_forward(layer.feed_forward, f"{mark}F,{number}", coordinates)
    yield from _connections(layer)


def _connections(layer: schema.Layer) -> Iterator[Block]:
    sentences: list[Spans] = []
    for name in ("attention", "cross", "feed_forward"):
        words = name.replace("_", "-")
        if not getattr(layer, f"{name}_residual"):
            sentences.append((f"No residual connection after {words}.",))
        for where in ("before", "after"):
            norm = getattr(layer, f"{name}_norm_before" if where == "before" else f"{name}_norm")
            if norm is not None:
                sentences.append((f"{normalisation(norm)} {where} {words}, ", *_told(norm), "."))
    if sentences:
        yield Items(tuple(sentences))


def _told(norm: schema.Norm) -> Spans:
    """Its numbers."""
    spans: Spans = (Math(rf"\epsilon = {source(norm.epsilon)}"),)
    for name, row in (("gain", norm.gain), ("bias", norm.bias)):
        if row is not None:
            entries: list[Spans] = [(Math(f"{label(coordinate)} : {source(x)}"),) for coordinate, x in row.items()]
            spans = (*spans, f"; {name} ", *(joined(entries) if entries else ("0",)))
    return spans


def normalisation(norm: schema.Norm) -> str:
    """What a norm is called."""
    match norm:
        case schema.LayerNorm():
            return "Layer normalisation"
        case schema.RootMeanSquare():
            return "Normalisation by the root mean square"
        case other:
            assert_never(other)


REACHED = {
    "none": None,
    "causal": r"0, \dots, i",
    "strictly-causal": r"0, \dots, i-1",
    "future": r"i, \dots, n-1",
    "strictly-future": r"i+1, \dots, n-1",
}
"""What a mask shows from position i, where that is not all."""


def _attention(head: schema.Head) -> Spans:
    ends = MATRICES.of("mask", head.mask, REACHED)
    reach: Spans = ("all positions",) if ends is None else ("positions ", Math(ends))
    scored = score(head, r"q \cdot k") + ("" if head.bias is None else f" + ({source(head.bias)})")
    seen: Spans = () if head.sees is None else (" ", Math("j"), " where ", Math(source(head.sees)))
    sink: Spans = () if head.sink is None else (", beside a sink of score ", Math(source(head.sink)))
    return f"{head.normaliser} of ", Math(scored), " over ", *reach, *seen, *sink, "."


def _turned(pair: schema.Rotary) -> Spans:
    x, y, cosine, sine = label(pair.first), label(pair.second), scalar(pair.cosine), scalar(pair.sine)
    turned = Math(rf"({x} {cosine} - {y} {sine},\; {x} {sine} + {y} {cosine})")
    return "At position ", Math("i"), ", ", Math(f"({x}, {y})"), " of queries and keys becomes ", turned, "."


def _head(head: schema.Head, mark: str, coordinates: tuple[str, ...], keys: tuple[str, ...]) -> Iterator[Block]:
    def name(which: str) -> str:
        return f"W^{{{mark.replace('{}', which)}}}"

    if head.W_Q and head.W_K:
        yield from matrix(name("Q"), head.W_Q, tuple(head.W_Q), coordinates)
        yield from matrix(name("K"), head.W_K, tuple(head.W_K), keys)
    else:
        yield Matrix(f"{name('Q')} = {name('K')}", (), (), ())
    yield from matrix(name("V"), head.W_V, coordinates if head.W_O is None else tuple(head.W_V), keys)
    if head.W_O is not None:
        yield from matrix(name("O"), head.W_O, coordinates, tuple(head.W_V))


def _feed_forward(network: schema.FeedForward, mark: str, coordinates: tuple[str, ...]) -> Iterator[Block]:
    hidden = network.first.rows
    yield from _linear(f"W^{{{mark},1}}", f"b^{{{mark},1}}", network.first, hidden, coordinates)
    if network.gate is not None:
        yield from _linear(f"W^{{{mark},g}}", f"b^{{{mark},g}}", network.gate, hidden, coordinates)
    yield from _linear(f"W^{{{mark},2}}", f"b^{{{mark},2}}", network.second, coordinates, hidden)


def _linear(
    name: str, bias: str, linear: schema.Linear, outputs: tuple[str, ...], inputs: tuple[str, ...]
) -> Iterator[Block]:
    yield from matrix(name, linear.weights, outputs, inputs)
    yield from _vector(bias, linear.bias, outputs)


def _vector(name: str, entries: Mapping[str, Expression], rows: tuple[str, ...]) -> Iterator[Block]:
    shown = tuple(row for row in rows if row in entries)
    yield Matrix(name, tuple(map(label, shown)), ("",), tuple((scalar(entries[row]),) for row in shown))


def matrix(
    name: str, rows: schema.Rows, outputs: tuple[str, ...], inputs: tuple[str, ...], all_columns: bool = False
) -> Iterator[Block]:
    """Without the rows and columns of zeros, unless all columns are asked for."""
    shown, columns = nonzero(rows, outputs, inputs)
    columns = inputs if all_columns else columns
    entries = tuple(
        tuple(scalar(rows[row][column]) if column in rows[row] else "0" for column in columns) for row in shown
    )
    yield Matrix(name, tuple(map(label, shown)), tuple(map(label, columns)), entries)
