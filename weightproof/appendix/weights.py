"""The document's part on the data of a construction: language and architecture, embeddings, every matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from weightproof.appendix.steps import WRITTEN
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import (
    Decoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Network,
    Readout,
    Rows,
)
from weightproof.constructions.scalars.expressions import Expression
from weightproof.document.blocks import (
    Block,
    Code,
    Equations,
    Heading,
    Items,
    Line,
    Math,
    Matrix,
    Paragraph,
    Spans,
    Table,
    joined,
)
from weightproof.reports.sheet import by_coordinate, nonzero, overview, positions, streams
from weightproof.symbolic.writing.latex import Terms, label
from weightproof.symbolic.writing.latex_source import pieces, scalar, score, source

POSITION = {"first": "0", "last": "n-1"}


def language(construction: Construction) -> Iterator[Block]:
    """What is recognised, by what kind of network, and with which parameters."""
    said, network = construction.language, construction.network
    summary = overview(construction)
    yield Heading(2, ("Language and architecture",))
    rows: list[tuple[str, Spans]] = [
        ("construction", (Code(construction.name),)),
        ("source", (construction.source,)),
        ("language", (f"{said.name}: {said.description}" if said.description else said.name,)),
        ("alphabet", joined([(Code(symbol),) for symbol in said.alphabet])),
        ("positions", joined([(part,) for part in positions(network)])),
        *(("parameter", _parameter(parameter.name, construction)) for parameter in construction.parameters),
        (
            "network",
            (
                f"{summary['architecture']}, layers: {summary['layers']}, heads: {summary['heads']}, "
                f"width of the residual stream ",
                Math(f"d = {summary['width']}"),
            ),
        ),
        *((f"{name}coordinates", joined([(Code(part),) for part in stream])) for name, stream in streams(network)),
        ("read", (_reading(network.readout), *_acceptance(network.readout))),
    ]
    yield Table((), tuple(((name,), value) for name, value in rows))
    yield Paragraph(("A word is in the language if and only if",))
    yield Equations((Line("", (Terms(pieces(said.characterisation)),), relation=""),))
    for right, formula in said.labels.items():
        yield Paragraph(("The right token is ", Code(right), " where"))
        yield Equations((Line("", (Terms(pieces(formula)),), relation=""),))


def _reading(readout: Readout) -> str:
    where = {"first": "at position 0", "last": "at the last position", "sum": "summed over all positions"}
    return f"{WRITTEN.of('readout position', readout.position, where)}; "


def _acceptance(readout: Readout) -> Spans:
    if readout.predicts_tokens:
        return ("the answer is the largest output",)
    relation = ">" if WRITTEN.accepts_above(readout.accept) else "="
    return "accepts if and only if ", Math(rf"\mathrm{{logit}} {relation} 0")


def _parameter(name: str, construction: Construction) -> Spans:
    [parameter] = [p for p in construction.parameters if p.name == name]
    kind = "a natural number" if parameter.is_natural else "real"
    return Math(source(parameter.domain)), f", {kind}"


def weights(construction: Construction) -> Iterator[Block]:
    """Embeddings, layers and readout, with rows and columns by name."""
    network = construction.network
    yield Heading(2, ("Embeddings and weights",))
    yield Paragraph(("Rows and columns that are not shown are 0.",))
    if isinstance(network, Decoder) and network.arithmetic is not None:
        yield Paragraph((f"Every operation is rounded, to {network.arithmetic.name}.",))
    if isinstance(network, EncoderDecoder):
        yield from _stack(network.encoder, r"\mathrm{enc},", network.encoder.coordinates)
        yield from _stack(network, r"\mathrm{dec},", network.encoder.coordinates)
    else:
        yield from _stack(network, "", network.coordinates)
    yield Heading(3, ("Readout",))
    W = network.readout.W
    yield from _linear(r"W^{\mathrm{out}}", r"b^{\mathrm{out}}", W, W.rows, network.coordinates)


def _stack(network: Network, mark: str, memory: tuple[str, ...]) -> Iterator[Block]:
    coordinates = network.coordinates
    if isinstance(network, EncoderDecoder):
        yield Heading(3, ("Decoder input",))
        yield from _vector(r"\mathrm{seed}", network.seed, coordinates)
        yield from _linear(r"W^{\mathrm{fb}}", r"b^{\mathrm{fb}}", network.feedback, coordinates, coordinates)
        yield from _vector(rf"\mathrm{{PE}}^{{{mark}i}}", network.PE, coordinates)
    else:
        embedding = network.embedding
        yield Heading(3, ("Embedding",))
        tokens = tuple(embedding.WE)
        yield from _matrix(
            rf"W^{{{mark}E}}", by_coordinate(embedding, coordinates), coordinates, tokens, all_columns=True
        )
        yield from _vector(rf"\mathrm{{PE}}^{{{mark}i}}", embedding.PE, coordinates)
        if isinstance(network, Decoder) and network.table is not None:
            table = {str(position): row for position, row in enumerate(network.table)}
            yield Paragraph(("Added at each position, of which there are no more than these:",))
            yield from _matrix(rf"T^{{{mark}}}", table, tuple(table), coordinates)
    for number, layer in enumerate(network.layers, start=1):
        yield from _layer(layer, number, mark, coordinates, memory)


def _layer(
    layer: Layer, number: int, mark: str, coordinates: tuple[str, ...], memory: tuple[str, ...]
) -> Iterator[Block]:
    where = {"": "Layer", r"\mathrm{enc},": "Encoder layer"}.get(mark, "Decoder layer")
    yield Heading(3, (f"{where} {number}",))
    for kind, heads, keys in (("Head", layer.heads, coordinates), ("Cross head", layer.cross_heads, memory)):
        cross = r"\times," if kind == "Cross head" else ""
        for index, head in enumerate(heads, start=1):
            yield Paragraph((f"{kind} {index}: ", *_attention(head)))
            yield from _head(head, f"{mark}{cross}{{}},{number},{index}", coordinates, keys)
    if layer.feed_forward is not None:
        yield Paragraph((f"Feed-forward network, activation {layer.feed_forward.activation}:",))
        yield from _feed_forward(layer.feed_forward, f"{mark}F,{number}", coordinates)
    yield from _connections(layer)


def _connections(layer: Layer) -> Iterator[Block]:
    sentences: list[Spans] = []
    for name in ("attention", "cross", "feed_forward"):
        words = name.replace("_", "-")
        if not getattr(layer, f"{name}_residual"):
            sentences.append((f"No residual connection after {words}.",))
        norm = getattr(layer, f"{name}_norm")
        if norm is not None:
            sentences.append((f"Layer normalisation after {words}, ", Math(rf"\epsilon = {source(norm.epsilon)}"), "."))
    if sentences:
        yield Items(tuple(sentences))


def _attention(head: Head) -> Spans:
    reach: Spans = ("positions ", Math(r"0, \dots, i")) if WRITTEN.is_causal(head.mask) else ("all positions",)
    return f"{head.normaliser} of ", Math(score(head, r"q \cdot k")), " over ", *reach, "."


def _head(head: Head, mark: str, coordinates: tuple[str, ...], keys: tuple[str, ...]) -> Iterator[Block]:
    def name(which: str) -> str:
        return f"W^{{{mark.replace('{}', which)}}}"

    if head.W_Q and head.W_K:
        yield from _matrix(name("Q"), head.W_Q, tuple(head.W_Q), coordinates)
        yield from _matrix(name("K"), head.W_K, tuple(head.W_K), keys)
    else:
        yield Matrix(f"{name('Q')} = {name('K')}", (), (), ())
    yield from _matrix(name("V"), head.W_V, coordinates if head.W_O is None else tuple(head.W_V), keys)
    if head.W_O is not None:
        yield from _matrix(name("O"), head.W_O, coordinates, tuple(head.W_V))


def _feed_forward(network: FeedForward, mark: str, coordinates: tuple[str, ...]) -> Iterator[Block]:
    hidden = network.first.rows
    yield from _linear(f"W^{{{mark},1}}", f"b^{{{mark},1}}", network.first, hidden, coordinates)
    yield from _linear(f"W^{{{mark},2}}", f"b^{{{mark},2}}", network.second, coordinates, hidden)


def _linear(name: str, bias: str, linear: Linear, outputs: tuple[str, ...], inputs: tuple[str, ...]) -> Iterator[Block]:
    yield from _matrix(name, linear.weights, outputs, inputs)
    yield from _vector(bias, linear.bias, outputs)


def _vector(name: str, entries: Mapping[str, Expression], rows: tuple[str, ...]) -> Iterator[Block]:
    shown = tuple(row for row in rows if row in entries)
    yield Matrix(name, tuple(map(label, shown)), ("",), tuple((scalar(entries[row]),) for row in shown))


def _matrix(
    name: str, rows: Rows, outputs: tuple[str, ...], inputs: tuple[str, ...], all_columns: bool = False
) -> Iterator[Block]:
    shown, columns = nonzero(rows, outputs, inputs)
    columns = inputs if all_columns else columns
    entries = tuple(
        tuple(scalar(rows[row][column]) if column in rows[row] else "0" for column in columns) for row in shown
    )
    yield Matrix(name, tuple(map(label, shown)), tuple(map(label, columns)), entries)
