"""`--to edges`: the exact circuit, as ground truth for what finds circuits: which coordinate each head and each hidden
unit reads and writes, with the exact weights, and which part of the network writes what which other one reads.

A norm reads and writes every coordinate, so what stands behind it reads from it alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.record import plain
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, Norm, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.exports.exporting import Exporting, about, as_json, require_unset
from weightproof.exports.tensors import outward

FORMAT = "edges"
EMBEDDING, POSITIONS, READOUT = "embedding", "positions", "readout"
ATTENTION, FEED_FORWARD = "attention", "the feed-forward network"


def files(exporting: Exporting) -> dict[str, bytes]:
    """edges.json."""
    require_unset(FORMAT, length=exporting.options.length, max_length=exporting.options.max_length)
    choices = Choices("a file of edges")
    choices.require_norms_behind(exporting.network)
    choices.require_plain_heads(exporting.network)
    found = about(exporting) | {"parts": list(_parts(exporting)), "edges": list(_edges(exporting))}
    return {"edges.json": as_json(found)}


def _parts(exporting: Exporting) -> Iterator[dict[str, Any]]:
    """Every part with its weights: row -> column -> exact weight, as the data have them."""
    network = exporting.network
    yield {
        "part": EMBEDDING,
        "kind": EMBEDDING,
        "weights": plain(network.embedding.WE),
        "writes": _columns(network.embedding.WE),
    }
    yield {
        "part": POSITIONS,
        "kind": POSITIONS,
        "encodings": plain(network.embedding.PE),
        "writes": _named(network.embedding.PE),
    }
    for number, layer in enumerate(network.layers, start=1):
        yield from _of_layer(number, layer, network.coordinates)
    W = network.readout.W
    yield {
        "part": READOUT,
        "kind": READOUT,
        "weights": plain(W.weights),
        "bias": plain(W.bias),
        "reads": _columns(W.weights),
    }


def _of_layer(number: int, layer: Layer, coordinates: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for place, head in enumerate(layer.heads, start=1):
        yield {
            "part": _head(number, place),
            "kind": "head",
            "layer": number,
            **{name: plain(rows) for name, rows in _matrices(head).items()},
            "score": head.score,
            "scale": head.scale.source,
            "normaliser": head.normaliser,
            "mask": head.mask,
            "reads": _reads(head),
            "writes": _writes(head),
        }
    yield from _behind(number, ATTENTION, layer.attention_residual, layer.attention_norm, coordinates)
    if (network := layer.feed_forward) is not None:
        yield from (_of_unit(number, network, unit) for unit in network.first.rows)
        bias = network.second.bias
        yield {
            "part": _bias(number),
            "kind": "bias",
            "layer": number,
            "bias": plain(bias),
            "writes": _named(bias),
        }
        yield from _behind(number, FEED_FORWARD, layer.feed_forward_residual, layer.feed_forward_norm, coordinates)


def _added(network: FeedForward, unit: str) -> dict[str, Expression]:
    """What a hidden unit is multiplied by and added to."""
    return {row: columns[unit] for row, columns in network.second.weights.items() if unit in columns}


def _read(network: FeedForward, unit: str) -> list[str]:
    """The coordinates that a hidden unit, or its gate, reads."""
    maps = (network.first,) if network.gate is None else (network.first, network.gate)
    return list(dict.fromkeys(name for each in maps for name in _named(each.weights.get(unit, {}))))


def _of_unit(number: int, network: FeedForward, unit: str) -> dict[str, Any]:
    out = _added(network, unit)
    into, gate = network.first.weights.get(unit, {}), network.gate
    return {
        "part": _unit(number, unit),
        "kind": "unit",
        "layer": number,
        "unit": unit,
        "activation": network.activation,
        "weights": plain(into),
        "bias": plain(network.first.bias.get(unit)),
        **(
            {} if gate is None else {"gate": plain(gate.weights.get(unit, {})), "gate_bias": plain(gate.bias.get(unit))}
        ),
        "reads": _read(network, unit),
        "adds": plain(out),
        "writes": _named(out),
    }


def _behind(
    number: int, what: str, kept: bool, norm: Norm | None, coordinates: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """The residual connection around heads or the feed-forward network, and the norm behind it, if there is one."""
    place = {"layer": number, "behind": what}
    yield {"part": f"layer {number}, residual connection around {what}", "kind": "residual", **place, "kept": kept}
    if norm is not None:
        every = list(coordinates)
        name, epsilon = _norm(number, what), norm.epsilon.source
        yield {"part": name, "kind": "norm", **place, "epsilon": epsilon, "reads": every, "writes": every}


def _matrices(head: Head) -> dict[str, Any]:
    """Rows -> columns -> weight; W_O where the source has none sends each value to the coordinate of its name."""
    return {"W_Q": head.W_Q, "W_K": head.W_K, "W_V": head.W_V, "W_O": outward(head)}


def _reads(head: Head) -> dict[str, list[str]]:
    """The coordinates that a head reads; for its scores those alone that are multiplied by something."""
    scored = [name for name, row in head.W_Q.items() if _named(row) and _named(head.W_K.get(name, {}))]
    W_Q, W_K = ({name: rows[name] for name in scored} for rows in (head.W_Q, head.W_K))
    return {"W_Q": _columns(W_Q), "W_K": _columns(W_K), "W_V": _columns(head.W_V)}


def _columns(rows: Rows) -> list[str]:
    """Those in which something stands."""
    return list(dict.fromkeys(name for row in rows.values() for name, weight in row.items() if weight != ZERO))


def _writes(head: Head) -> list[str]:
    """The coordinates to which W_O sends a value in which something stands."""
    values = {name for name, row in head.W_V.items() if _named(row)}
    return [name for name, row in outward(head).items() if values.intersection(_named(row))]


def _named(values: Mapping[str, Expression]) -> list[str]:
    return [name for name, weight in values.items() if weight != ZERO]


ZERO = Expression("0")


def _edges(exporting: Exporting) -> Iterator[dict[str, Any]]:
    """From each writer to each reader of a coordinate, in the order of the pass."""
    network = exporting.network
    writers: dict[str, list[str]] = {name: [] for name in network.coordinates}
    _write(writers, EMBEDDING, _columns(network.embedding.WE))
    _write(writers, POSITIONS, _named(network.embedding.PE))
    for number, layer in enumerate(network.layers, start=1):
        for place, head in enumerate(layer.heads, start=1):
            for name, coordinates in _reads(head).items():
                yield from _into(writers, f"{_head(number, place)}, {name}", coordinates)
        if not layer.attention_residual:
            writers = {name: [] for name in writers}
        for place, head in enumerate(layer.heads, start=1):
            _write(writers, _head(number, place), _writes(head))
        writers = yield from _through(writers, _norm(number, ATTENTION), layer.attention_norm)
        if (feed := layer.feed_forward) is not None:
            for unit in feed.first.rows:
                yield from _into(writers, _unit(number, unit), _read(feed, unit))
            if not layer.feed_forward_residual:
                writers = {name: [] for name in writers}
            for unit in feed.first.rows:
                _write(writers, _unit(number, unit), _named(_added(feed, unit)))
            _write(writers, _bias(number), _named(feed.second.bias))
            writers = yield from _through(writers, _norm(number, FEED_FORWARD), layer.feed_forward_norm)
    yield from _into(writers, READOUT, _columns(network.readout.W.weights))


def _write(writers: dict[str, list[str]], part: str, coordinates: Iterable[str]) -> None:
    for name in coordinates:
        writers[name].append(part)


def _into(writers: dict[str, list[str]], part: str, reads: Iterable[str]) -> Iterator[dict[str, Any]]:
    found: dict[str, list[str]] = {}
    for name in reads:
        for writer in writers[name]:
            found.setdefault(writer, []).append(name)
    yield from ({"from": writer, "to": part, "coordinates": names} for writer, names in found.items())


def _through(writers: dict[str, list[str]], name: str, norm: Norm | None) -> Any:
    """The edges into a norm; what it returns are the writers behind it."""
    if norm is None:
        return writers
    yield from _into(writers, name, writers)
    return {coordinate: [name] for coordinate in writers}


def _head(layer: int, number: int) -> str:
    return f"layer {layer}, head {number}"


def _unit(layer: int, unit: str) -> str:
    return f"layer {layer}, unit {unit}"


def _bias(layer: int) -> str:
    return f"layer {layer}, bias of the feed-forward network"


def _norm(layer: int, behind: str) -> str:
    return f"layer {layer}, norm behind {behind}"
