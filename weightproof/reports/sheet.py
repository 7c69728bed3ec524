"""`show` and `list` of a construction: as JSON, and as a person reads it, matrices with labelled rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest, plain, record
from weightproof.constructions.scalars.expressions import Expression
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, pairs
from weightproof.named import Named, claims_about
from weightproof.reported import Shown

if TYPE_CHECKING:
    from weightproof.constructions.claims.published import Published


def architecture(network: schema.Network) -> str:
    match network:
        case schema.Encoder():
            return "encoder"
        case schema.Decoder():
            return "decoder"
        case schema.EncoderDecoder():
            return "encoder-decoder"


def all_layers(network: schema.Network) -> tuple[schema.Layer, ...]:
    """Those of the encoder first."""
    return (*network.encoder.layers, *network.layers) if isinstance(network, schema.EncoderDecoder) else network.layers


def overview(construction: Construction) -> dict[str, Any]:
    """One construction of `list`."""
    network = construction.network
    layers = all_layers(network)
    return {
        "name": construction.name,
        "title": construction.title,
        "language": construction.language.name,
        "source": construction.source,
        "architecture": architecture(network),
        "layers": len(layers),
        "heads": sum(len(layer.heads) + len(layer.cross_heads) for layer in layers),
        "width": len(network.coordinates),
        "parameters": plain(construction.parameters),
    }


def full(source: Named) -> dict[str, Any]:
    """`show`: everything but the language's Python functions, the hash that the trust manifest names, and what is
    printed about the construction."""
    construction, claims = source.construction, claims_about(source)
    printed = () if claims is None else claims.claims
    whole = {**overview(construction), **record(construction), "sha256": digest(construction)}
    return {**whole, "claims": [_claim(claim) for claim in printed]}


def _claim(claim: Published) -> dict[str, Any]:
    """quantity, value, when and at: of what states one value, null of all else, which `claims` tells."""
    from weightproof.constructions.claims.published import value_of
    from weightproof.constructions.claims.statements import named

    value = value_of(claim)
    stated: dict[str, Any] = {"quantity": None, "value": None, "when": None, "at": None}
    if value is not None:
        stated = {
            "quantity": named(value.of),
            "value": plain(value.equals),
            "when": plain(value.when),
            "at": plain(value.at),
        }
    return {"id": claim.id, "place": claim.place, "printed": claim.printed, **stated}


SHEET = Choices("the sheet")
BIAS = "bias"


@dataclass(frozen=True, repr=False)
class Sheet(Shown):
    """The parts of one construction; wanted: only these; dense: rows and columns of zeros are written too."""

    source: Named
    wanted: Sequence[str] = ()
    dense: bool = False

    @property
    def construction(self) -> Construction:
        return self.source.construction

    def parts(self) -> dict[str, Iterator[Plain]]:
        """By the name of each, in the order of the forward pass."""
        network = self.construction.network
        parts = {"language": self.facts()}
        if isinstance(network, schema.EncoderDecoder):
            parts |= self._stack(network.encoder, "encoder ")
        parts |= self._stack(network, "decoder " if isinstance(network, schema.EncoderDecoder) else "")
        norm = None if isinstance(network, schema.EncoderDecoder) else network.final_norm
        parts["readout"] = self.readout(network.readout, network.coordinates, norm)
        return {name.replace(" ", "-"): part for name, part in parts.items()}

    def _stack(self, network: schema.Network, prefix: str) -> dict[str, Iterator[Plain]]:
        memory = network.encoder.coordinates if isinstance(network, schema.EncoderDecoder) else network.coordinates
        parts = {f"{prefix}embedding": self.embedding(network)}
        for number, layer in enumerate(network.layers, start=1):
            name = f"{prefix}layer {number}"
            parts[name] = self.layer(layer, name.capitalize(), network.coordinates, memory)
        return parts

    @property
    def data(self) -> dict[str, Any]:
        return full(self.source)

    def report(self) -> Iterator[Plain]:
        """InputError for a part that the construction does not have."""
        parts = self.parts()
        for name in self.wanted:
            if name not in parts:
                raise InputError(f"{self.construction.name}: no part {name!r}; there are {', '.join(parts)}")
        for name, part in parts.items():
            if not self.wanted or name in self.wanted:
                yield from part

    def facts(self) -> Iterator[Plain]:
        construction, language = self.construction, self.construction.language
        summary, printed = overview(construction), claims_about(self.source)
        yield Heading(3, f"{construction.name}: {construction.title}")
        yield pairs(
            [
                ("source", construction.source),
                ("language", f"{language.name}: {language.description}" if language.description else language.name),
                ("a word is in it iff", language.characterisation.source),
                *((f"{token} is right iff", formula.source) for token, formula in language.labels.items()),
                ("alphabet", ", ".join(language.alphabet)),
                ("positions", ", ".join(positions(construction.network))),
                *(("parameter", _parameter(parameter)) for parameter in summary["parameters"]),
                (
                    "network",
                    f"{summary['architecture']}; layers: {summary['layers']}, heads: {summary['heads']}, "
                    f"width d = {summary['width']}",
                ),
                *_of_decoder(construction.network),
                *((f"{name}residual stream", "  ".join(stream)) for name, stream in streams(construction.network)),
                *([("what is printed", f"weightproof claims {self.source.argument}")] if printed else []),
            ]
        )
        if not self.dense:
            yield Paragraph(Styled("Rows and columns that are not shown are 0.", "dim"))

    def embedding(self, network: schema.Network) -> Iterator[Plain]:
        if isinstance(network, schema.EncoderDecoder):
            yield Heading(3, "Decoder input")
            yield from self._vector("seed: the first input", network.seed)
            yield from self._linear(
                "feedback: last output -> next input", network.feedback, *(network.coordinates,) * 2
            )
            yield from self._vector("PE: added at position i", network.PE)
            return
        yield Heading(3, "Embedding")
        tokens = tuple(network.embedding.WE)
        shown = {name: row for name, row in by_coordinate(network.embedding, network.coordinates).items() if row}
        yield from self._matrix("WE", shown, network.coordinates, tokens, all_columns=True)
        yield from self._vector("PE: added at position i of n", network.embedding.PE)
        if isinstance(network, schema.Decoder) and network.table is not None:
            rows = {str(position): row for position, row in enumerate(network.table)}
            yield from self._matrix("table: added at position", rows, tuple(rows), network.coordinates)

    def layer(
        self, layer: schema.Layer, title: str, coordinates: tuple[str, ...], memory: tuple[str, ...]
    ) -> Iterator[Plain]:
        for kind, heads, keys in (("head", layer.heads, coordinates), ("cross head", layer.cross_heads, memory)):
            for number, head in enumerate(heads, start=1):
                yield Heading(3, f"{title}, {kind} {number}: {_attention(head)}")
                yield from self.head(head, coordinates, keys)
        if layer.feed_forward is not None:
            activation, gated = layer.feed_forward.activation, layer.feed_forward.gate is not None
            units = f"({activation}(Wg x) * W1 x)" if gated else f"{activation}(W1 x)"
            yield Heading(3, f"{title}, feed-forward network: W2 {units}")
            yield from self.feed_forward(layer.feed_forward, coordinates)
        for name in ("attention", "cross", "feed_forward"):
            words = name.replace("_", "-")
            if not getattr(layer, f"{name}_residual"):
                yield Paragraph(f"{title}: no residual connection after {words}", 1)
            for where in ("before", "after"):
                norm = getattr(layer, f"{name}_norm_before" if where == "before" else f"{name}_norm")
                if norm is not None:
                    yield Paragraph(f"{title}: {_norm(norm, f'{where} {words}')}", 1)

    def head(self, head: schema.Head, coordinates: tuple[str, ...], keys: tuple[str, ...]) -> Iterator[Plain]:
        if head.W_Q and head.W_K:
            yield from self._matrix("W_Q", head.W_Q, tuple(head.W_Q), coordinates)
            yield from self._matrix("W_K", head.W_K, tuple(head.W_K), keys)
        else:
            even = "every score is 0" if SHEET.side(head.normaliser) else "every score is 0, attention is uniform"
            so = even if head.is_plain else "every product q.k is 0"
            yield Paragraph(f"W_Q = W_K = 0: {so}", 1)
        for what, norm in (("queries", head.query_norm), ("keys", head.key_norm)):
            if norm is not None:
                yield Paragraph(_norm(norm, f"of {what}"), 1)
        for pair in head.rotary:
            yield Paragraph(f"at position i, {pair.first}, {pair.second} of queries and keys turn by {_turn(pair)}", 1)
        yield from self._matrix("W_V", head.W_V, coordinates if head.W_O is None else tuple(head.W_V), keys)
        if head.W_O is not None:
            yield from self._matrix("W_O", head.W_O, coordinates, tuple(head.W_V))

    def feed_forward(self, network: schema.FeedForward, coordinates: tuple[str, ...]) -> Iterator[Plain]:
        hidden = network.first.rows
        yield from self._linear("W1", network.first, hidden, coordinates)
        if network.gate is not None:
            yield from self._linear("Wg", network.gate, hidden, coordinates)
        yield from self._linear("W2", network.second, coordinates, hidden)

    def readout(
        self, readout: schema.Readout, coordinates: tuple[str, ...], norm: schema.Norm | None
    ) -> Iterator[Plain]:
        place = {"first": "at position 0", "last": "at position n-1", "sum": "summed over all positions"}
        place |= {"mean": "averaged over all positions"}
        rule = f"accepts iff {readout.accept}"
        if readout.predicts:
            rule = f"the {SHEET.ranked(readout.accept).called} output"
        yield Heading(3, f"Readout {SHEET.of('readout position', readout.position, place)}: {rule}")
        if norm is not None:
            yield Paragraph(_norm(norm, "before it"), 1)
        yield from self._linear("W", readout.W, readout.W.rows, coordinates)

    def _linear(
        self, name: str, linear: schema.Linear, outputs: tuple[str, ...], inputs: tuple[str, ...]
    ) -> Iterator[Plain]:
        if not linear.bias:
            yield from self._matrix(name, linear.weights, outputs, inputs)
            return
        rows = {
            row: {**linear.weights.get(row, {}), **({BIAS: linear.bias[row]} if row in linear.bias else {})}
            for row in linear.rows
        }
        yield from self._matrix(name, rows, outputs, (*inputs, BIAS))

    def _vector(self, name: str, entries: Mapping[str, Expression]) -> Iterator[Plain]:
        yield Paragraph(Styled(name if entries else f"{name}: 0"), 1)
        if entries:
            yield pairs([(coordinate, value.source) for coordinate, value in entries.items()], 2)

    def _matrix(
        self, name: str, rows: schema.Rows, outputs: tuple[str, ...], inputs: tuple[str, ...], all_columns: bool = False
    ) -> Iterator[Plain]:
        shown, columns = (outputs, inputs) if self.dense else nonzero(rows, outputs, inputs)
        columns = inputs if all_columns else columns
        if not shown or not columns:
            yield Paragraph(f"{name} = 0", 1)
            return
        cells = [[Styled(row), *(_weight(rows.get(row, {}), column) for column in columns)] for row in shown]
        yield Table((name, *columns), cells, labelled=True, indent=1)


def _weight(row: Mapping[str, Expression], column: str) -> str | Styled:
    return row[column].source if column in row else Styled("0", "dim")


def _normalisation(norm: schema.Norm) -> str:
    match norm:
        case schema.LayerNorm():
            return "layer norm"
        case schema.RootMeanSquare():
            return "norm by the root mean square"
        case other:
            assert_never(other)


def _norm(norm: schema.Norm, where: str) -> str:
    rows = {name: row for name, row in (("gain", norm.gain), ("bias", norm.bias)) if row is not None}
    told = (
        f"; {name} {', '.join(f'{coordinate} {x.source}' for coordinate, x in row.items()) or '0'}"
        for name, row in rows.items()
    )
    return f"{_normalisation(norm)} {where}, epsilon = {norm.epsilon}{''.join(told)}"


REACHED = {
    "none": "all positions",
    "causal": "positions 0..i",
    "strictly-causal": "positions 0..i-1",
    "future": "positions i..n-1",
    "strictly-future": "positions i+1..n-1",
}
"""What a mask shows from position i."""


def _attention(head: schema.Head) -> str:
    sign, product = ("-", "|q.k|") if SHEET.is_less_size(head.score) else ("", "q.k")
    scale = head.scale.source
    score = sign + (product if scale == "1" else f"({scale}) {product}")
    bias = "" if head.bias is None else f" + ({head.bias})"
    reach = SHEET.of("mask", head.mask, REACHED)
    seen = "" if head.sees is None else f" j where {head.sees}"
    sink = "" if head.sink is None else f", beside a sink of score {head.sink}"
    return f"{head.normaliser} of {score}{bias} over {reach}{seen}{sink}"


def _turn(pair: schema.Rotary) -> str:
    """The angle at position i."""
    return f"i*({pair.angle})"


def _parameter(parameter: Mapping[str, str]) -> str:
    kind = "a natural number" if parameter["kind"] == "natural" else "real"
    return f"{parameter['name']} is {kind}, {parameter['domain']}; default {parameter['default']}"


def streams(network: schema.Network) -> list[tuple[str, tuple[str, ...]]]:
    """Whose residual stream, and its coordinates."""
    if isinstance(network, schema.EncoderDecoder):
        return [("encoder ", network.encoder.coordinates), ("decoder ", network.coordinates)]
    return [("", network.coordinates)]


def _of_decoder(network: schema.Network) -> list[tuple[str, str]]:
    """What only a decoder has, beside its weights."""
    if not isinstance(network, schema.Decoder):
        return []
    positions = (
        [] if network.table is None else [("number of positions", f"{len(network.table)}, as its table ends there")]
    )
    numbers = "exact" if network.arithmetic is None else f"rounded after each operation, to {network.arithmetic.name}"
    stops = "nothing" if network.stop is None else network.stop
    return [*positions, ("arithmetic", numbers), ("stops at", stops)]


def positions(network: schema.Network) -> list[str]:
    """The word, and the markers around it."""
    encoder = network.encoder if isinstance(network, schema.EncoderDecoder) else network
    end = encoder.end if isinstance(encoder, schema.Encoder) else None
    return [part for part in (encoder.begin, "the word", end) if part is not None]


def by_coordinate(embedding: schema.Embedding, coordinates: Sequence[str]) -> schema.Rows:
    """The embedding with a row for each coordinate, and a column for each token."""
    return {name: {token: row[name] for token, row in embedding.WE.items() if name in row} for name in coordinates}


def nonzero(
    rows: schema.Rows, outputs: Sequence[str], inputs: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows and the columns of a matrix that are not 0."""
    used = {column for row in rows.values() for column in row}
    return tuple(row for row in outputs if rows.get(row)), tuple(column for column in inputs if column in used)
