"""What a construction means: its forward pass on one word, in exact arithmetic, position by position.

Deliberately naive: no sharing, no shortcuts but skipping absent weights. The symbolic and the numeric readings are
tested against this one; a counterexample counts only if this module reproduces it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError, value_of
from weightproof.constructions.meaning.schema import (
    Activation,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Rows,
)
from weightproof.constructions.scalars.exact import Real, exp, sign, sqrt
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate

Vector = dict[str, Real]
Names = dict[str, Real]
ZERO, ONE = fmpq(0), fmpq(1)


@dataclass(frozen=True)
class Run:
    """The exact run of a recogniser on one word.

    streams[0] is the embedding, streams[l] the residual stream after layer l, each one vector a position; after the
    last layer it is empty where a norm has no value and nothing reads it.
    decided is False where the logit is 0 under "logit > 0", which rejects.
    """

    tokens: tuple[str, ...]
    streams: tuple[tuple[Vector, ...], ...]
    logit: Real
    accepts: bool
    decided: bool


def mark(network: Encoder, word: Sequence[str]) -> tuple[str, ...]:
    """The tokens the network sees: the word between its markers."""
    begin = () if network.begin is None else (network.begin,)
    end = () if network.end is None else (network.end,)
    return (*begin, *word, *end)


def parameter_values(construction: Construction, given: Mapping[str, object] | None = None) -> Names:
    """Exact values of all parameters, the defaults where none is given; InputError outside the domains."""
    given = given or {}
    known = [parameter.name for parameter in construction.parameters]
    for name in given:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise InputError(f"{construction.name}: no parameter {name!r}; {has}")
    try:
        return {
            parameter.name: value_of(parameter, given.get(parameter.name, parameter.default))
            for parameter in construction.parameters
        }
    except InputError as error:
        raise InputError(f"{construction.name}: {error}") from error


def run(construction: Construction, word: Sequence[str], parameters: Mapping[str, object] | None = None) -> Run:
    """Run an encoder on a word (markers excluded).

    Raises InputError for a symbol outside the alphabet or a parameter outside its domain, Undecided (an
    ArithmeticError) where a sign cannot be certified.
    """
    network = construction.network
    if not isinstance(network, Encoder) or network.readout.accept == "argmax":
        raise InputError(f"{construction.name}: only encoders that read out a logit can be run so far")
    for position, symbol in enumerate(word):
        if symbol not in construction.language.alphabet:
            raise InputError(
                f"{construction.name}: symbol {symbol!r} at index {position} of the word is not in the alphabet "
                f"{{{', '.join(construction.language.alphabet)}}}"
            )
    tokens = mark(network, word)
    if not tokens:
        raise InputError(f"{construction.name}: the empty word has no position to read out; give a word")
    names: Names = parameter_values(construction, parameters)
    names |= {"n": fmpq(len(tokens)), "d": fmpq(len(network.coordinates))}

    stream = [_embed(network, token, {**names, "i": fmpq(i)}) for i, token in enumerate(tokens)]
    streams = [tuple(stream)]
    for layer in network.layers:
        stream = apply_layer(layer, stream, names)
        streams.append(tuple(stream))
    read = {"first": stream[:1], "last": stream[-1:], "sum": stream}[network.readout.position]
    require_values(read)
    logit = sum((output["logit"] for output in apply_linear(network.readout.W, read, names)), ZERO)
    direction = sign(logit)
    accepts = direction > 0 if network.readout.accept == "logit > 0" else direction == 0
    return Run(tokens, tuple(streams), logit, accepts, direction != 0 or network.readout.accept == "logit = 0")


def _embed(network: Encoder, token: str, names: Names) -> Vector:
    word, position = network.embedding.WE.get(token, {}), network.embedding.PE
    return {
        coordinate: _value(word, coordinate, names) + _value(position, coordinate, names)
        for coordinate in network.coordinates
    }


def _value(row: Mapping[str, Expression], name: str, names: Names) -> Real:
    return evaluate(row[name], names) if name in row else ZERO


def numbers(rows: Rows, names: Names) -> dict[str, Vector]:
    """The exact values of a matrix, by row."""
    return {
        row: {column: evaluate(weight, names) for column, weight in columns.items()} for row, columns in rows.items()
    }


def apply_rows(rows: dict[str, Vector], vector: Vector) -> Vector:
    return {
        row: sum((weight * vector[column] for column, weight in columns.items()), ZERO) for row, columns in rows.items()
    }


def apply_linear(linear: Linear, vectors: Sequence[Vector], names: Names) -> list[Vector]:
    """W x + b for each vector, by row name; a row that only the bias has is constant."""
    weights = numbers(linear.weights, names)
    bias = {row: evaluate(value, names) for row, value in linear.bias.items()}
    rows = dict.fromkeys((*weights, *bias))
    products = [apply_rows(weights, vector) for vector in vectors]
    return [{row: product.get(row, ZERO) + bias.get(row, ZERO) for row in rows} for product in products]


def after_attention(layer: Layer, stream: list[Vector], names: Names) -> list[Vector]:
    attended = [dict.fromkeys(vector, ZERO) for vector in stream]
    for head in layer.heads:
        attended = [_add(a, b) for a, b in zip(attended, attend(head, stream, names), strict=True)]
    return [
        _norm(layer.attention_norm, _add(a, x) if layer.attention_residual else a, names)
        for a, x in zip(attended, stream, strict=True)
    ]


def apply_layer(layer: Layer, stream: list[Vector], names: Names) -> list[Vector]:
    require_values(stream)
    middle = after_attention(layer, stream, names)
    if layer.feed_forward is None:
        return middle
    added = iter(apply_feed_forward(layer.feed_forward, [vector for vector in middle if vector], names))
    result = []
    for vector in middle:
        update = _add(dict.fromkeys(vector, ZERO), next(added)) if vector else vector
        total = _add(vector, update) if layer.feed_forward_residual else update
        result.append(_norm(layer.feed_forward_norm, total, names))
    return result


def require_values(vectors: Sequence[Vector]) -> None:
    """Where a vector without a value is read, nothing has one."""
    if not all(vectors):
        raise ArithmeticError("layer normalisation of a constant vector with epsilon 0 has no value")


def attend(head: Head, stream: list[Vector], names: Names) -> list[Vector]:
    """What one head adds at each position: the weighted mean of the values it may see."""
    W_Q, W_K, W_V = (numbers(rows, names) for rows in (head.W_Q, head.W_K, head.W_V))
    queries = [apply_rows(W_Q, vector) for vector in stream]
    keys = [apply_rows(W_K, vector) for vector in stream]
    values = [apply_rows(W_V, vector) for vector in stream]
    if head.W_O is not None:
        W_O = numbers(head.W_O, names)
        values = [apply_rows(W_O, value) for value in values]
    scale = evaluate(head.scale, names)
    result = []
    for i, query in enumerate(queries):
        last = i if head.mask == "causal" else len(stream) - 1
        scores = [scale * score(head, query, key) for key in keys[: last + 1]]
        weights = attention_weights(head, scores)
        result.append(
            {row: sum((a * value[row] for a, value in zip(weights, values, strict=False)), ZERO) for row in values[0]}
        )
    return result


def score(head: Head, query: Vector, key: Vector) -> Real:
    product = sum((query[name] * key[name] for name in query if name in key), ZERO)
    if head.score == "-|dot|" and sign(product) > 0:
        return -product
    return product


def attention_weights(head: Head, scores: list[Real]) -> list[Real]:
    if head.normaliser == "softmax":
        weights = [exp(score) for score in scores]
    else:
        best = scores[0]
        for score in scores[1:]:
            best = score if sign(score - best) > 0 else best
        weights = [ONE if sign(score - best) == 0 else ZERO for score in scores]
    total = sum(weights, ZERO)
    return [weight / total for weight in weights]


def apply_feed_forward(network: FeedForward, vectors: Sequence[Vector], names: Names) -> list[Vector]:
    hidden = [
        {unit: activate(network.activation, x) for unit, x in vector.items()}
        for vector in apply_linear(network.first, vectors, names)
    ]
    return apply_linear(network.second, hidden, names)


def activate(activation: Activation, x: Real) -> Real:
    match activation:
        case "relu":
            return x if sign(x) > 0 else ZERO
        case "saturated-linear":
            return ONE if sign(x - 1) > 0 else x if sign(x) > 0 else ZERO
        case "step":
            return ONE if sign(x) > 0 else ZERO
    return x * x


def _norm(norm: LayerNorm | None, vector: Vector, names: Names) -> Vector:
    """The vector normalised; empty where that has no value."""
    if norm is None or not vector:
        return vector
    mean = sum(vector.values(), ZERO) / len(vector)
    variance = sum(((x - mean) * (x - mean) for x in vector.values()), ZERO) / len(vector)
    deviation = sqrt(variance + evaluate(norm.epsilon, names))
    if sign(deviation) == 0:
        return {}
    return {name: (x - mean) / deviation for name, x in vector.items()}


def _add(a: Vector, b: Vector) -> Vector:
    return {name: a[name] + b.get(name, ZERO) for name in a}
