"""Refuses malformed constructions when they are built, naming the construction, layer, part and coordinate."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import get_args

from constructions.expressions import COMPARE, Expression, parse
from constructions.schema import (
    Activation,
    Construction,
    Decoder,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Network,
    Readout,
    Rows,
)


class ConstructionError(ValueError):
    """A malformed construction; one line that says what is wrong, where, and what to mend."""


def validate(construction: Construction) -> None:
    """Raises ConstructionError at the first thing that is wrong."""
    if not isinstance(construction.name, str) or not construction.name.strip():
        raise ConstructionError(f"a construction needs a name, not {construction.name!r}")
    for message in _problems(construction):
        raise ConstructionError(f"{construction.name}: {message}")


def _problems(construction: Construction) -> Iterator[str]:
    reserved = {"i", "n", "d", "w", "pi", "count", "positions"}
    parameters: set[str] = set()
    for parameter in construction.parameters:
        place = f"parameter {parameter.name}"
        if not parameter.name.isidentifier() or parameter.name in reserved | parameters:
            yield f"{place}: the name is reserved, repeated or no identifier"
        parameters.add(parameter.name)
        yield from _scalar(parameter.domain, {parameter.name}, f"{place}, domain")
        if not _is_bound(parameter.domain, parameter.name):
            yield f"{place}: domain {parameter.domain} is no bound from below; write '{parameter.name} > 0', say"
        yield from _scalar(parameter.default, (), f"{place}, default")
        if parameter.kind not in ("real", "natural"):
            yield f"{place}: kind {parameter.kind!r} is neither 'real' nor 'natural'"

    language = construction.language
    if not language.alphabet or len(set(language.alphabet)) != len(language.alphabet):
        yield f"language {language.name}: the alphabet is empty or repeats a symbol"
    if not all(isinstance(symbol, str) and len(symbol) == 1 for symbol in language.alphabet):
        yield f"language {language.name}: symbols of the alphabet are single characters"
    yield from _scalar(language.characterisation, {"n", *parameters}, f"language {language.name}, characterisation")
    yield from _network(construction.network, language.alphabet, parameters)
    for claim in construction.claims:
        yield from _scalar(claim.value, {"n", *parameters}, f"claim at {claim.place}")
        yield from _scalar(claim.when, {"n", *parameters}, f"claim at {claim.place}, case")


def _is_bound(domain: Expression, name: str) -> bool:
    import ast

    match parse(domain.source):
        case ast.Compare(left=ast.Name(id=left), ops=[op]):
            return left == name and COMPARE[type(op)] in (">", ">=")
    return False


def _network(network: Network, alphabet: tuple[str, ...], parameters: Collection[str]) -> Iterator[str]:
    match network:
        case Encoder():
            markers = [marker for marker in (network.begin, network.end) if marker is not None]
            yield from _stream(network.coordinates)
            yield from _embedding(network, alphabet, markers, parameters)
            for number, layer in enumerate(network.layers, start=1):
                if layer.cross_heads:
                    yield f"layer {number}: cross heads belong to a decoder"
                yield from _layer(layer, network.coordinates, parameters, f"layer {number}")
            yield from _readout(network.readout, network.coordinates, parameters)
        case Decoder():
            markers = [marker for marker in (network.begin, network.stop) if marker is not None]
            yield from _stream(network.coordinates)
            yield from _embedding(network, alphabet, markers, parameters)
            for number, layer in enumerate(network.layers, start=1):
                if any(head.mask != "causal" for head in layer.heads):
                    yield f"layer {number}: the heads of a decoder are causal"
                yield from _layer(layer, network.coordinates, parameters, f"layer {number}")
            yield from _readout(network.readout, network.coordinates, parameters)
            if network.readout.accept != "argmax":
                yield "readout: a decoder takes the argmax over its tokens"
        case EncoderDecoder():
            yield from _network(network.encoder, alphabet, parameters)
            yield from _stream(network.coordinates)
            for name in ("seed", "PE"):
                entries = getattr(network, name)
                allowed = {"d", *parameters, *(("i",) if name == "PE" else ())}
                yield from _columns(entries, network.coordinates, allowed, f"decoder, {name}")
            for number, layer in enumerate(network.layers, start=1):
                place = f"decoder layer {number}"
                yield from _layer(layer, network.coordinates, parameters, place, network.encoder.coordinates)
            yield from _linear(network.feedback, network.coordinates, network.coordinates, parameters, "feedback")
            yield from _readout(network.readout, network.coordinates, parameters)
        case _:
            yield f"network {network!r} is no Encoder, Decoder or EncoderDecoder"


def _stream(coordinates: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(coordinates, tuple) or not coordinates:
        yield "coordinates: the residual stream needs a tuple of at least one name"
        return
    seen: set[str] = set()
    for name in coordinates:
        if not isinstance(name, str) or not name:
            yield f"coordinates: {name!r} is no name"
        if name in seen:
            yield f"coordinates: {name!r} stands twice"
        seen.add(name)


def _embedding(
    network: Encoder | Decoder, alphabet: tuple[str, ...], markers: list[str], parameters: Collection[str]
) -> Iterator[str]:
    tokens = (*alphabet, *markers)
    for marker in markers:
        if marker in alphabet:
            yield f"marker {marker!r} is also a symbol of the alphabet"
    for token, row in network.embedding.WE.items():
        if token not in tokens:
            yield f"embedding WE: {token!r} is neither a symbol of the alphabet nor a marker ({', '.join(tokens)})"
        yield from _columns(row, network.coordinates, {"d", *parameters}, f"embedding WE, token {token!r}")
    for token in tokens:
        if token not in network.embedding.WE:
            yield f"embedding WE: token {token!r} has no embedding; give it one, {{}} for the zero vector"
    place = "embedding PE"
    yield from _columns(network.embedding.PE, network.coordinates, {"i", "n", "d", *parameters}, place)


def _layer(
    layer: Layer,
    coordinates: tuple[str, ...],
    parameters: Collection[str],
    place: str,
    memory: tuple[str, ...] | None = None,
) -> Iterator[str]:
    if not isinstance(layer, Layer):
        yield f"{place}: {layer!r} is no Layer"
        return
    for number, head in enumerate(layer.heads, start=1):
        yield from _head(head, coordinates, coordinates, parameters, f"{place}, head {number}")
    for number, head in enumerate(layer.cross_heads, start=1):
        yield from _head(head, coordinates, memory or coordinates, parameters, f"{place}, cross head {number}")
    if layer.feed_forward is not None:
        yield from _feed_forward(layer.feed_forward, coordinates, parameters, f"{place}, feed-forward network")
    elif layer.feed_forward_norm is not None:
        yield f"{place}: a norm after a feed-forward network that is not there"
    for name in ("attention_norm", "cross_norm", "feed_forward_norm"):
        norm = getattr(layer, name)
        if norm is not None:
            if not isinstance(norm, LayerNorm):
                yield f"{place}, {name}: {norm!r} is no LayerNorm"
            else:
                yield from _scalar(norm.epsilon, set(parameters), f"{place}, {name}, epsilon")


def _head(
    head: Head, queries: tuple[str, ...], keys: tuple[str, ...], parameters: Collection[str], place: str
) -> Iterator[str]:
    if not isinstance(head, Head):
        yield f"{place}: {head!r} is no Head"
        return
    names = {"d", *parameters}
    yield from _rows(head.W_Q, None, queries, names, f"{place}, W_Q")
    yield from _rows(head.W_K, None, keys, names, f"{place}, W_K")
    if set(head.W_Q) != set(head.W_K):
        different = ", ".join(sorted(set(head.W_Q) ^ set(head.W_K)))
        yield f"{place}: W_Q and W_K have different score coordinates ({different}); give both the same rows"
    if head.W_O is None:
        yield from _rows(head.W_V, queries, keys, names, f"{place}, W_V")
    else:
        yield from _rows(head.W_V, None, keys, names, f"{place}, W_V")
        yield from _rows(head.W_O, queries, tuple(head.W_V), names, f"{place}, W_O")
    yield from _scalar(head.scale, names | {"n"}, f"{place}, scale")
    for field, allowed in (
        ("score", ("dot", "-|dot|")),
        ("normaliser", ("softmax", "hardmax")),
        ("mask", ("none", "causal")),
    ):
        if getattr(head, field) not in allowed:
            yield f"{place}: {field} {getattr(head, field)!r} is none of {', '.join(allowed)}"


def _feed_forward(
    network: FeedForward, coordinates: tuple[str, ...], parameters: Collection[str], place: str
) -> Iterator[str]:
    if not isinstance(network, FeedForward):
        yield f"{place}: {network!r} is no FeedForward"
        return
    yield from _linear(network.first, None, coordinates, parameters, f"{place}, first map")
    hidden = tuple(dict.fromkeys((*network.first.weights, *network.first.bias)))
    yield from _linear(network.second, coordinates, hidden, parameters, f"{place}, second map")
    if network.activation not in get_args(Activation):
        yield f"{place}: activation {network.activation!r} is none of {', '.join(get_args(Activation))}"


def _readout(readout: Readout, coordinates: tuple[str, ...], parameters: Collection[str]) -> Iterator[str]:
    yield from _linear(readout.W, None, coordinates, parameters, "readout")
    if readout.position not in ("first", "last", "sum"):
        yield f"readout: position {readout.position!r} is none of first, last, sum"
    if readout.accept not in ("logit > 0", "logit = 0", "argmax"):
        yield f"readout: acceptance rule {readout.accept!r} is none of 'logit > 0', 'logit = 0', 'argmax'"
    rows = {*readout.W.weights, *readout.W.bias}
    if readout.accept != "argmax" and rows != {"logit"}:
        yield f"readout: a recogniser has the one output row 'logit', not {', '.join(sorted(rows)) or 'none'}"


def _linear(
    linear: Linear,
    outputs: tuple[str, ...] | None,
    inputs: tuple[str, ...],
    parameters: Collection[str],
    place: str,
) -> Iterator[str]:
    if not isinstance(linear, Linear):
        yield f"{place}: {linear!r} is no Linear"
        return
    names = {"d", *parameters}
    yield from _rows(linear.weights, outputs, inputs, names, place)
    yield from _columns(linear.bias, outputs, names, f"{place}, bias")


def _rows(
    rows: Rows, outputs: tuple[str, ...] | None, inputs: tuple[str, ...], names: Collection[str], place: str
) -> Iterator[str]:
    for row, columns in rows.items():
        if outputs is not None and row not in outputs:
            yield f"{place}: {_unknown('row', row, outputs)}"
        yield from _columns(columns, inputs, names, f"{place}, row {row!r}")


def _columns(
    entries: Mapping[str, Expression], allowed: tuple[str, ...] | None, names: Collection[str], place: str
) -> Iterator[str]:
    for column, weight in entries.items():
        if allowed is not None and column not in allowed:
            yield f"{place}: {_unknown('coordinate', column, allowed)}"
        yield from _scalar(weight, names, f"{place}, coordinate {column!r}")


def _unknown(kind: str, name: str, allowed: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(str(name), allowed, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(map(repr, allowed))}"
    return f"{kind} {name!r} does not exist; {hint}"


def _scalar(value: object, names: Collection[str], place: str) -> Iterator[str]:
    if not isinstance(value, Expression):
        from constructions.expressions import ExpressionError, expression

        try:
            expression(value)
        except ExpressionError as error:
            yield f"{place}: {error}"
        return
    unknown = sorted(value.names - set(names))
    if unknown:
        yield f"{place}: {value} uses {', '.join(unknown)}, but may use only {', '.join(sorted(names)) or 'numbers'}"
