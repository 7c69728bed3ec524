"""The weights of an encoder as exact tensors, named and laid out as in `numeric/model`, and rounded once each.

Heads of a layer are padded with zeros to the widest one; a vector x goes to x @ W.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.outputs import outputs, predicts
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Layer, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate

if TYPE_CHECKING:
    import torch

    from weightproof.numeric.rounding.formats import Format

Entries = dict[tuple[int, ...], Expression]
"""Place -> what stands there; 0 elsewhere."""


@dataclass(frozen=True)
class Tensor:
    """An exact tensor."""

    name: str
    shape: tuple[int, ...]
    entries: Mapping[tuple[int, ...], Expression]

    def rounded(self, names: Environment, format: Format) -> torch.Tensor:
        """Each entry rounded once to the format, at the values of the names; a tensor of its dtype."""
        import torch

        from weightproof.numeric.model.parts import DTYPES
        from weightproof.numeric.rounding.formats import rounded

        result = torch.zeros(self.shape, dtype=torch.float64)
        for place, entry in self.entries.items():
            result[place] = rounded(evaluate(entry, names), format)
        return finite(self.name, result, format).to(DTYPES[format.name])


def finite(name: str, rounded: torch.Tensor, format: Format) -> torch.Tensor:
    """The tensor. Raises InputError for one with an entry beyond the greatest number of the format: infinity computes
    nothing."""
    for place in rounded.isinf().nonzero().tolist():
        raise InputError(f"{name}{place} is beyond the greatest number of {format.name}; give another --dtype or value")
    return rounded


def output_names(construction: Construction) -> tuple[str, ...]:
    """The rows of the readout: the logit, or the tokens among which the greatest output is taken."""
    return outputs(construction) if predicts(construction) else ("logit",)


def tensors(construction: Construction, network: Encoder, tokens: Sequence[str]) -> Iterator[Tensor]:
    """All weights, under the names of the parameters of `numeric.model.transformer.Transformer`."""
    coordinates, width = network.coordinates, len(network.coordinates)
    embedding = {token: network.embedding.WE.get(token, {}) for token in tokens}
    yield Tensor("W_E", (len(tokens), width), _transposed(matrix(embedding, tokens, coordinates)))
    for number, layer in enumerate(network.layers):
        yield from _attention(f"blocks.{number}.attn", layer, coordinates)
        if (units := layer.feed_forward) is not None:
            name, hidden = f"blocks.{number}.mlp", units.first.rows
            keys = [f"{name}.{key}" for key in ("W_in", "b_in", "W_out", "b_out")]
            yield from feed_forward(keys, units, coordinates, len(hidden))
            if (gate := units.gate) is not None:
                entries = matrix(gate.weights, hidden, coordinates)
                yield Tensor(f"{name}.W_gate", (width, len(hidden)), entries)
                yield Tensor(f"{name}.b_gate", (len(hidden),), vector(gate.bias, hidden))
    readout, named = network.readout.W, output_names(construction)
    yield Tensor("unembed.W_U", (width, len(named)), matrix(readout.weights, named, coordinates))
    yield Tensor("unembed.b_U", (len(named),), vector(readout.bias, named))


def matrix(rows: Rows, outputs: Sequence[str], inputs: Sequence[str]) -> Entries:
    """Of shape [inputs, outputs]."""
    return {
        (inputs.index(column), number): weight
        for number, name in enumerate(outputs)
        for column, weight in rows.get(name, {}).items()
    }


def vector(values: Mapping[str, Expression], order: Sequence[str]) -> Entries:
    return {(number,): values[name] for number, name in enumerate(order) if name in values}


def _transposed(entries: Entries) -> Entries:
    return {(row, column): entry for (column, row), entry in entries.items()}


def outward(head: Head) -> Rows:
    """W_O, or the map of each value coordinate to the residual coordinate of its name."""
    return {name: {name: Expression("1")} for name in head.W_V} if head.W_O is None else head.W_O


def head_width(heads: Sequence[Head]) -> int:
    """Of the widest one, scores and values alike."""
    return max((size for head in heads for size in (len(head.W_Q), len(head.W_V))), default=0)


def head_matrices(head: Head, coordinates: Sequence[str]) -> dict[str, Entries]:
    """W_Q, W_K, W_V of shape [coordinates, width], W_O of shape [width, coordinates]."""
    return {
        "W_Q": matrix(head.W_Q, tuple(head.W_Q), coordinates),
        "W_K": matrix(head.W_K, tuple(head.W_Q), coordinates),
        "W_V": matrix(head.W_V, tuple(head.W_V), coordinates),
        "W_O": matrix(outward(head), coordinates, tuple(head.W_V)),
    }


def _attention(name: str, layer: Layer, coordinates: Sequence[str]) -> Iterator[Tensor]:
    heads, d_model, d_head = layer.heads, len(coordinates), head_width(layer.heads)
    made = [head_matrices(head, coordinates) for head in heads]
    for part in ("W_Q", "W_K", "W_V", "W_O"):
        shape = (d_head, d_model) if part == "W_O" else (d_model, d_head)
        entries = {(number, *place): entry for number, of in enumerate(made) for place, entry in of[part].items()}
        yield Tensor(f"{name}.{part}", (len(heads), *shape), entries)


def feed_forward(keys: Sequence[str], network: FeedForward, coordinates: Sequence[str], units: int) -> Iterator[Tensor]:
    """The weights and biases of both maps, in this order of keys, padded to a number of units."""
    hidden, width = network.first.rows, len(coordinates)
    first, second = network.first, network.second
    made: tuple[tuple[tuple[int, ...], Entries], ...] = (
        ((width, units), matrix(first.weights, hidden, coordinates)),
        ((units,), vector(first.bias, hidden)),
        ((units, width), matrix(second.weights, coordinates, hidden)),
        ((width,), vector(second.bias, coordinates)),
    )
    return (Tensor(key, shape, entries) for key, (shape, entries) in zip(keys, made, strict=True))
