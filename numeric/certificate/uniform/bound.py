"""How far a computed output may be off from the exact one, for every word whose number of positions lies in a block.

The forward pass once, in bounds that hold at every position of every such word, under the rounding model and for any
order of summation (see `block`, `attention` and `feedforward`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flint import arb, fmpq

from weightproof.constructions.meaning.schema import Layer, Place
from weightproof.numeric import BOUND
from weightproof.numeric.certificate.uniform.attention import attend
from weightproof.numeric.certificate.uniform.block import NOTHING, Block, Stream, Where
from weightproof.numeric.certificate.uniform.feedforward import feed_forward
from weightproof.numeric.certificate.uniform.positions import NotUnderstood


def output_errors(block: Block, rows: Iterable[str]) -> dict[str, arb]:
    """At least |computed - exact output| of rows of the readout, finite; NotUnderstood where one has no bound."""
    [*_, (stream, _)] = streams(block)
    return {row: _output_error(block, stream, row) for row in rows}


def _output_error(block: Block, stream: Stream, row: str) -> arb:
    position, linear = block.network.readout.position, block.network.readout.W
    read = _where(position)
    weights = {name: block.entry(weight) for name, weight in linear.weights.get(row, {}).items()}
    bias = block.entry(linear.bias[row]) if row in linear.bias else fmpq(0)
    output = block.combine([(weight, stream[name]) for name, weight in weights.items()], bias, read)
    if position != "sum":
        return _finite(block.error(output, read))
    total = block.total(output.form)
    if output.quantum is not None and block.representable(output.quantum, total):
        return arb(0)
    block.require_finite(2 * (total + output.total))
    return _finite(output.total + block.gamma(block.n.high) * (total + output.total))


def streams(block: Block) -> Iterator[tuple[Stream, Where]]:
    """The residual stream before the first layer and after each one, and at which positions it is bounded."""
    stream = block.embedding()
    yield stream, "all"
    for layer, where in zip(block.network.layers, _wanted(block), strict=True):
        stream = _layer(block, layer, stream, where)
        yield stream, where


def _finite(error: arb) -> arb:
    if not (error.is_finite() and error >= 0):
        raise NotUnderstood("an error that nothing bounds")
    return error


def _where(position: Place) -> Where:
    """What the readout reads."""
    match position:
        case "first" | "last":
            return position
        case "sum":
            return "all"
    BOUND.refuse("readout position", position)


def _wanted(block: Block) -> list[Where]:
    """Which rows matter after each layer: all that a later head or a sum reads, or the one that the readout reads."""
    position = block.network.readout.position
    wanted = [_where(position)]
    for layer in reversed(block.network.layers[1:]):
        wanted.append("all" if layer.heads else wanted[-1])
    return wanted[::-1][-len(block.network.layers) :] if block.network.layers else []


def _layer(block: Block, layer: Layer, stream: Stream, where: Where) -> Stream:
    if layer.attention_norm is not None or layer.feed_forward_norm is not None:
        raise NotUnderstood("layer normalisation")
    one = fmpq(1)
    added = attend(block, layer.heads, stream, where)
    middle = {}
    for name, value in stream.items():
        terms = [(one, value)] if layer.attention_residual else []
        terms += [(one, rows[name]) for rows in added if name in rows]
        middle[name] = block.combine(terms, where=where)
    if layer.feed_forward is None:
        return middle
    update = feed_forward(block, layer.feed_forward, middle, where)
    result = {}
    for name, value in middle.items():
        terms = [(one, value)] if layer.feed_forward_residual else []
        result[name] = block.combine([*terms, (one, update.get(name, NOTHING))], where=where)
    return result
