"""What the small constructions share that try a recipe on words.

Words are of 0s and 1s behind BOS, the source's beginning of the sequence; their tokens have a coordinate each, of which
one is 1, the Boolean representation of chapter 2 with false = 0 and true = 1.

"Chapter 3" and the like are those of the early LaTeX source of Yang et al. (2025), arXiv 2510.00368, at its last public
commit, 582e0e1 of 4 February 2025. What is said here of print is said of that, and not of the published text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Layer, Linear, Place, Readout

BITS = ("0", "1")
BOS = "BOS"
SOURCE = "Yang et al. (2025), commit 582e0e1"


def of(symbol: str) -> str:
    """The coordinate that is 1 where the symbol stands, and 0 elsewhere."""
    return f"[w={symbol}]"


ZERO, ONE, BEGIN = map(of, ("0", "1", BOS))
Row = Mapping[str, object]
Rows = Mapping[str, Row]


def side_by_side(*parts: FeedForward) -> FeedForward:
    """Parts of the same activation as one: each keeps its units, of which no two have the same name, and what goes to
    the same coordinate is added there. ConstructionError where units are called alike, or activations differ."""
    first: dict[str, Row] = {}
    first_bias: dict[str, object] = {}
    second: dict[str, dict[str, object]] = {}
    second_bias: dict[str, object] = {}
    for part in parts:
        twice = first.keys() & part.first.weights.keys() | second_bias.keys() & part.second.bias.keys()
        if twice or part.gate is not None or part.activation != parts[0].activation:
            raise ConstructionError(
                f"these parts are not put side by side: {', '.join(sorted(twice)) or 'activations'}"
            )
        first |= part.first.weights
        first_bias |= part.first.bias
        second_bias |= part.second.bias
        for into, row in part.second.weights.items():
            second.setdefault(into, {}).update(row)
    return FeedForward(Linear(first, first_bias), Linear(second, second_bias), parts[0].activation)


def encoder(
    *layers: Layer,
    logit: Row,
    bias: object = 0,
    places: Row | None = None,
    position: Place = "last",
    symbols: Sequence[str] = BITS,
) -> Encoder:
    """A network that accepts where the logit is above 0."""
    readout = Readout(Linear({"logit": logit}, {"logit": bias} if bias else {}), position=position)
    return over(layers, readout, places or {}, symbols)


def over(layers: tuple[Layer, ...], readout: Readout, places: Row, symbols: Sequence[str] = BITS) -> Encoder:
    """A network whose coordinates are those of tokens, of places, and what its parts make, in the order in which they
    do."""
    tokens = {symbol: {of(symbol): 1} for symbol in (*symbols, BOS)}
    names = dict.fromkeys((*map(of, (*symbols, BOS)), *places))
    for layer in layers:
        for head in layer.heads:
            names |= dict.fromkeys(head.W_V)
        if layer.feed_forward is not None:
            names |= dict.fromkeys(layer.feed_forward.second.rows)
    return Encoder(tuple(names), Embedding(tokens, places), layers, readout, begin=BOS)
