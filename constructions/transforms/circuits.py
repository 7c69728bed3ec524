"""One layer of attention as what its heads score and what they carry, token by token: Elhage et al., A Mathematical
Framework for Transformer Circuits (2021), where these are called QK and OV circuits.

At the position that is read a token stands that is the same in all words, so that a score depends on the token that is
seen alone, and so does what is carried to the outputs. What makes no difference is taken away: from the scores of a
head their mean, as shares depend on differences; from the outputs, where one of them is predicted, their mean, too;
what the position itself gives to the outputs is carried by the first head, whose shares are a whole; and the largest
number that is carried becomes 1. The new network decides, or predicts, as the old one does, and in its weights stands
what decides: rounded to few bits, it may be right where no rounding of the old ones is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import fmpq

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout, Rows, known
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.constructions.transforms.rewriting import Refused, encoders_of, put

NAME = "circuits"
Row = dict[str, Fraction]


def circuits(construction: Construction) -> Construction:
    """Refused where there is more than one layer of attention alone, where positions or parameters count, where the
    position that is read holds no marker, or sees less than all others, and where a weight is no fraction."""
    network = encoders_of(construction)
    choices = Choices(NAME, Refused)
    choices.require_plain_heads(network)
    layer, marker = _only_layer(network), _read(network)
    tokens = (*construction.alphabet, *network.markers)
    vectors = {token: _row(network.embedding.WE.get(token, {})) for token in tokens}
    for head in layer.heads:
        if not known(NAME, "mask", head.mask, SEES_ALL[network.readout.position], Refused):
            raise Refused(f"the mask {head.mask!r} hides positions from the one that is read")
    outputs = network.readout.W.rows
    read, bias = _matrix(network.readout.W.weights), _row(network.readout.W.bias)
    scores = [_centred(_scores(head, vectors, marker)) for head in layer.heads]
    carried = [{token: _times(read, _carried(head, vectors[token])) for token in tokens} for head in layer.heads]
    own = _times(read, vectors[marker])
    direct = {output: own.get(output, Fraction()) + bias.get(output, Fraction()) for output in outputs}
    for token, row in carried[0].items():
        carried[0][token] = {output: row.get(output, Fraction()) + direct[output] for output in outputs}
    if network.readout.predicts:
        carried = [{token: _centred(row, outputs) for token, row in each.items()} for each in carried]
    largest = max(abs(x) for each in carried for row in each.values() for x in row.values())
    if largest:
        carried = [
            {token: {name: x / largest for name, x in row.items()} for token, row in each.items()} for each in carried
        ]
    return replace(construction, network=_network(construction, layer, marker, tokens, scores, carried))


SEES_ALL: Mapping[str, Mapping[str, bool]] = {
    "first": {"none": True, "causal": False},
    "last": {"none": True, "causal": True},
}
"""By the position that is read, and by mask."""


def _only_layer(network: Encoder) -> Layer:
    if len(network.layers) != 1 or network.layers[0].feed_forward is not None or not network.layers[0].heads:
        raise Refused("circuits are of one layer of attention, without a feed-forward network")
    [layer] = network.layers
    if network.normed:
        raise Refused("behind a norm what heads carry depends on all of them")
    if not layer.attention_residual:
        raise Refused("without its residual connection, what is read holds nothing of its own")
    if any(network.embedding.PE.values()):
        raise Refused("positions have encodings, so that scores depend on more than tokens")
    return layer


def _read(network: Encoder) -> str:
    """The marker that stands at the position that is read."""
    marker = known(
        NAME, "readout position", network.readout.position, {"first": network.begin, "last": network.end}, Refused
    )
    if marker is None:
        raise Refused(f"the {network.readout.position} position is read, where no marker stands")
    return marker


def _network(
    construction: Construction,
    layer: Layer,
    marker: str,
    tokens: Sequence[str],
    scores: Sequence[Row],
    carried: Sequence[Mapping[str, Row]],
) -> Encoder:
    old = construction.encoder
    outputs = old.readout.W.rows
    here = {token: f"[w={token}]" for token in tokens}
    out = {output: f"to {output}" for output in outputs}
    width = Expression(str(len(old.coordinates)))

    def head(before: Head, score: Row, values: Mapping[str, Row]) -> Head:
        return replace(
            before,
            W_Q={"q": {here[marker]: 1}},
            W_K={"q": _written({here[token]: score.get(token, Fraction()) for token in tokens})},
            W_V={
                out[output]: _written({here[token]: values[token].get(output, Fraction()) for token in tokens})
                for output in outputs
            },
            W_O=None,
            scale=put(before.scale, "d", width),
        )

    return replace(
        old,
        coordinates=(*here.values(), *out.values()),
        embedding=Embedding(
            {token: {here[token]: 1} if token in here else {} for token in (*tokens, *old.embedding.WE)}
        ),
        layers=(Layer(heads=tuple(map(head, layer.heads, scores, carried))),),
        readout=Readout(
            Linear({output: {out[output]: 1} for output in outputs}), old.readout.position, old.readout.accept
        ),
    )


def _scores(head: Head, vectors: Mapping[str, Row], marker: str) -> Row:
    """Of the token that is read with each, before they are scaled."""
    if not head.W_Q or not head.W_K:
        return {}
    query, keys = _times(_matrix(head.W_Q), vectors[marker]), _matrix(head.W_K)
    return {token: _product(query, _times(keys, vector)) for token, vector in vectors.items()}


def _carried(head: Head, vector: Row) -> Row:
    """Of one token, into the stream."""
    value = _times(_matrix(head.W_V), vector)
    return value if head.W_O is None else _times(_matrix(head.W_O), value)


def _centred(row: Row, names: Sequence[str] = ()) -> Row:
    """Less the mean of all that are in it, or of those with the names."""
    whole = {name: row.get(name, Fraction()) for name in names} or row
    mean = sum(whole.values(), Fraction()) / max(1, len(whole))
    return {name: x - mean for name, x in whole.items()}


def _times(matrix: Mapping[str, Row], vector: Row) -> Row:
    return {name: _product(row, vector) for name, row in matrix.items()}


def _product(left: Row, right: Row) -> Fraction:
    return sum((x * right[name] for name, x in left.items() if name in right), Fraction())


def _matrix(rows: Rows) -> dict[str, Row]:
    return {name: _row(row) for name, row in rows.items()}


def _row(row: Mapping[str, Expression]) -> Row:
    return {name: _fraction(weight) for name, weight in row.items()}


def _fraction(weight: Expression) -> Fraction:
    value = None if weight.names else evaluate(weight, {})
    if not isinstance(value, fmpq):
        raise Refused(f"the weight {weight} is no fraction")
    return Fraction(int(value.p), int(value.q))


def _written(row: Row) -> dict[str, Fraction]:
    return {name: x for name, x in row.items() if x}
