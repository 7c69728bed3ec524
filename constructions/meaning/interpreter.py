"""What a network means: its forward pass on one word, position by position, in exact arithmetic; or in balls that
contain the exact numbers, or in the numbers of a format.

There is one definition of a layer at a position, `layer_step`, over the keys and values that its heads have seen so
far: of an encoder all positions of the stream before, of a decoder those up to its own, and of the decoder behind an
encoder its own steps, and by its cross heads what the encoder made.

Deliberately naive: no shortcuts but skipping absent weights and coordinates that are 0, that a position of a decoder is
computed once, and that a head which is asked the same again, of the same positions, gives the same answer. The symbolic
and the numeric readings are tested against this one; a counterexample counts only if this module reproduces it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from flint import arb, fmpq

from weightproof.constructions.meaning import schema
from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.exact import Real, Undecided, erf, exp, identity, pi_times, sign, sqrt, tanh
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import DividesByZero
from weightproof.constructions.scalars.values import (
    ONE,
    ZERO,
    Evaluator,
    Number,
    absolute,
    beside,
    exactly,
    in_format,
    is_zero,
    positive_part,
)

Vector = dict[str, Number]
Environment = dict[str, Real]
Reading = Callable[[Environment], Evaluator]
Streams = tuple[tuple[Vector, ...], ...]
"""The embedding, and then the residual stream behind each layer, each one vector a position; behind the last layer a
vector is empty where nothing reads it, if a norm has no value there or it was not asked for."""
INTERPRETER = "the interpreter"
CONSTANT = "layer normalisation of a constant vector with epsilon 0 has no value, nor that of 0 by its root mean square"
TWO, ROOT_2, ROOT_2_OVER_PI, CUBIC = fmpq(2), sqrt(fmpq(2)), sqrt(2 / pi_times(ONE)), fmpq(44715, 1_000_000)
STEPS_A_VALUE = 10
"""Of counted work, for each value of a mean."""


class NoValue(ArithmeticError):
    """The network has no output on a word."""


class SeesNothing(NoValue):
    """A head sees no position, and there is no sink; the layer is not said."""


# Matrices and vectors.


def apply_rows(rows: Mapping[str, Vector], vector: Vector) -> Vector:
    """The product of a matrix, by row, and a vector."""
    nonzero = {name: x for name, x in vector.items() if not (isinstance(x, fmpq) and x == 0)}
    return {
        row: sum((weight * nonzero[column] for column, weight in columns.items() if column in nonzero), ZERO)
        for row, columns in rows.items()
    }


def add(a: Vector, b: Vector) -> Vector:
    """The sum of two vectors, of which the second may lack coordinates that are 0."""
    return {name: a[name] + b.get(name, ZERO) for name in a}


def numbers(rows: schema.Rows, scalars: Evaluator) -> dict[str, Vector]:
    """The exact values of a matrix, by row."""
    return {row: {column: scalars(weight) for column, weight in columns.items()} for row, columns in rows.items()}


def vector_of(row: Mapping[str, Expression], coordinates: Sequence[str], scalars: Evaluator) -> Vector:
    """The exact values of a vector, all of its coordinates."""
    return {name: scalars(row[name]) if name in row else ZERO for name in coordinates}


@dataclass(frozen=True)
class Affine:
    """The exact values of a linear map with bias."""

    weights: dict[str, Vector]
    bias: Vector

    def apply(self, vector: Vector) -> Vector:
        """W x + b by row name; a row that only the bias has is constant."""
        product = apply_rows(self.weights, vector)
        rows = dict.fromkeys((*product, *self.bias))
        return {row: product.get(row, ZERO) + self.bias.get(row, ZERO) for row in rows}


def affine(linear: schema.Linear, scalars: Evaluator) -> Affine:
    """The map with the exact values of its weights."""
    return Affine(numbers(linear.weights, scalars), {row: scalars(value) for row, value in linear.bias.items()})


def apply_linear(linear: schema.Linear, vectors: Sequence[Vector], scalars: Evaluator) -> list[Vector]:
    """W x + b for each vector."""
    evaluated = affine(linear, scalars)
    return [evaluated.apply(vector) for vector in vectors]


# A layer at a position.


@dataclass(frozen=True)
class ValuedHead:
    """A head, where it stands in its layer, and the exact values of its weights."""

    head: schema.Head
    place: str
    W_Q: dict[str, Vector]
    W_K: dict[str, Vector]
    W_V: dict[str, Vector]
    W_O: dict[str, Vector] | None
    scale: Number
    sink: Number | None
    scalars: Evaluator

    def query(self, vector: Vector, i: int) -> Vector:
        """At position i; NoValue where its norm has none."""
        return self._turned(self._normed(self.head.query_norm, apply_rows(self.W_Q, vector)), i)

    def key(self, vector: Vector, j: int) -> Vector:
        """At position j; NoValue where its norm has none."""
        return self._turned(self._normed(self.head.key_norm, apply_rows(self.W_K, vector)), j)

    def seen(self, i: int, count: int) -> Sequence[int]:
        """The positions, of so many, that are seen from position i; SeesNothing where there has to be one."""
        found: Sequence[int] = seen_from(self.head, i, count)
        if self.head.sees is not None:
            found = [j for j in found if self.scalars.at(i=i, j=j).holds(self.head.sees)]
        if not found and not self.head.may_see_nothing:
            raise SeesNothing(f"{self.place}: position {i} sees nothing; let it see some position, or give a sink")
        return found

    def score(self, query: Vector, i: int, key: Vector, j: int) -> Number:
        """The score that the query at position i gives to the key at position j."""
        scored = self.scale * score(self.head, query, key)
        return scored if self.head.bias is None else scored + self.scalars.at(i=i, j=j)(self.head.bias)

    def _turned(self, vector: Vector, position: int) -> Vector:
        """By the angles of a position."""
        result, scalars = dict(vector), self.scalars.at(i=position)
        for pair in self.head.rotary:
            x, y, cosine, sine = vector[pair.first], vector[pair.second], scalars(pair.cosine), scalars(pair.sine)
            result |= {pair.first: x * cosine - y * sine, pair.second: x * sine + y * cosine}
        return result

    def _normed(self, norm: schema.Norm | None, vector: Vector) -> Vector:
        found = normalised(norm, vector, self.scalars)
        if norm is not None:
            require_values([found])
        return found


@dataclass(frozen=True)
class ValuedLayer:
    """A layer, and the exact values of its weights; no maps where it has no feed-forward network: the first, the second
    and the gate, if there is one."""

    layer: schema.Layer
    heads: tuple[ValuedHead, ...]
    cross_heads: tuple[ValuedHead, ...]
    maps: tuple[Affine, Affine, Affine | None] | None


def valued_head(head: schema.Head, scalars: Evaluator, place: str = "a head") -> ValuedHead:
    """A head with the exact values of its weights."""
    W_Q, W_K, W_V = (numbers(rows, scalars) for rows in (head.W_Q, head.W_K, head.W_V))
    W_O = None if head.W_O is None else numbers(head.W_O, scalars)
    sink = None if head.sink is None else scalars(head.sink)
    return ValuedHead(head, place, W_Q, W_K, W_V, W_O, scalars(head.scale), sink, scalars)


def valued(layer: schema.Layer, scalars: Evaluator) -> ValuedLayer:
    """A layer with the exact values of its weights."""
    heads, cross_heads = (
        tuple(valued_head(head, scalars, f"{kind} {number}") for number, head in enumerate(group, start=1))
        for kind, group in (("head", layer.heads), ("cross head", layer.cross_heads))
    )
    if (network := layer.feed_forward) is None:
        return ValuedLayer(layer, heads, cross_heads, None)
    gate = None if network.gate is None else affine(network.gate, scalars)
    return ValuedLayer(
        layer, heads, cross_heads, (affine(network.first, scalars), affine(network.second, scalars), gate)
    )


@dataclass
class Memory:
    """The keys and values that a head has seen so far; answers: what it found in all of them, for the last query."""

    keys: list[Vector] = field(default_factory=list)
    values: list[Vector] = field(default_factory=list)
    answers: dict[Hashable, Looked] = field(default_factory=dict)

    def see(self, head: ValuedHead, vectors: Iterable[Vector]) -> Memory:
        """Adds the keys and values of these vectors."""
        self.answers.clear()
        for vector in vectors:
            value = apply_rows(head.W_V, vector)
            self.keys.append(head.key(vector, len(self.keys)))
            self.values.append(value if head.W_O is None else apply_rows(head.W_O, value))
        return self


SEEN: dict[str, Callable[[int, int], range]] = {
    "none": lambda i, count: range(count),
    "causal": lambda i, count: range(min(i + 1, count)),
    "strictly-causal": lambda i, count: range(min(i, count)),
    "future": lambda i, count: range(i, count),
    "strictly-future": lambda i, count: range(i + 1, count),
}
"""By mask: which of so many positions it shows from position i."""


def seen_from(head: schema.Head, i: int, count: int) -> range:
    """Which of so many positions the mask of a head shows from position i, whatever it `sees`."""
    return schema.known(INTERPRETER, "mask", head.mask, SEEN)(i, count)


def less_size(product: Number) -> Number:
    """-|q·k|, as twice the positive part may be no number of a format."""
    positive = positive_part(product)
    return product - positive - positive


SCORES: dict[str, Callable[[Number], Number]] = {"dot": lambda product: product, "-|dot|": less_size}
"""By the name of a score: what it makes of the product of query and key."""


def score(head: schema.Head, query: Vector, key: Vector) -> Number:
    """The score that a query gives to a key, without the scale."""
    product = sum((query[name] * key[name] for name in query if name in key), ZERO)
    return schema.known(INTERPRETER, "score", head.score, SCORES)(product)


def greatest(scores: Sequence[Number]) -> list[Number]:
    """1 for each of the greatest scores, 0 for the others."""
    best = scores[0]
    for each in scores[1:]:
        best = each if sign(each - best) > 0 else best
    return [ONE if sign(each - best) == 0 else ZERO for each in scores]


def first_of_greatest(scores: Sequence[Number]) -> list[Number]:
    """1 for the first of the greatest scores, if there are any, 0 for the others."""
    best = greatest(scores) if scores else []
    place = next((k for k, each in enumerate(best) if each == ONE), None)
    return [ONE if k == place else ZERO for k in range(len(best))]


def last_of_greatest(scores: Sequence[Number]) -> list[Number]:
    """1 for the last of the greatest scores, if there are any, 0 for the others."""
    return first_of_greatest(scores[::-1])[::-1]


WEIGHTS: dict[str, Callable[[Sequence[Number]], list[Number]]] = {
    "softmax": lambda scores: [exp(each) for each in scores],
    "hardmax": greatest,
    "leftmost": first_of_greatest,
    "rightmost": last_of_greatest,
}
"""By normaliser: the weights that scores give, up to their sum; of no scores, those of leftmost and rightmost."""


def attention_weights(head: schema.Head, scores: Sequence[Number], sink: Number | None = None) -> list[Number]:
    """The weights of the positions with these scores; their sum, with the weight of a sink of that score, is 1."""
    all_scores = scores if sink is None else [*scores, sink]
    weights = schema.known(INTERPRETER, "normaliser", head.normaliser, WEIGHTS)(all_scores)
    total = sum(weights, ZERO)
    return [weight / total for weight in weights[: len(scores)]]


def mean(weights: Sequence[Number], values: Sequence[Vector]) -> Vector:
    """The sum of weighted values."""
    work.spend(STEPS_A_VALUE * len(values))
    return {row: sum((a * value[row] for a, value in zip(weights, values, strict=True)), ZERO) for row in values[0]}


@dataclass(frozen=True)
class Looked:
    """What a head does at a position: what it sees, the scores and weights of these positions, and what it adds."""

    seen: Sequence[int]
    scores: list[Number]
    weights: list[Number]
    added: Vector


def look(head: ValuedHead, vector: Vector, i: int, memory: Memory) -> Looked:
    """At position i, with that vector: the mean of the values that it may see of those seen so far."""
    query, seen = head.query(vector, i), head.seen(i, len(memory.keys))
    question = (i if head.head.bias is not None else None, *map(identity, query.values()))
    sees_all = len(seen) == len(memory.keys)
    if sees_all and question in memory.answers:  # of many heads all positions ask the same
        return memory.answers[question]
    scores = [head.score(query, i, memory.keys[j], j) for j in seen]
    weights = attention_weights(head.head, scores, head.sink)
    zero = dict.fromkeys(memory.values[0], ZERO)
    found = Looked(seen, scores, weights, mean(weights, [memory.values[j] for j in seen]) if seen else zero)
    if sees_all:
        memory.answers.clear()  # of n queries, each with n weights, all would be too much to keep
        memory.answers[question] = found
    return found


def saturated(x: Number) -> Number:
    """min(1, max(0, x)), as min(x, 1) = 1 - max(1 - x, 0)."""
    if isinstance(x, fmpq):
        return min(max(x, ZERO), ONE)
    return ONE - positive_part(ONE - positive_part(x))


def sigmoid(x: Number) -> Number:
    """1/(1 + exp(-x))."""
    return ONE / (ONE + exp(-x))


def gelu(x: Number) -> Number:
    """x (1 + erf(x/sqrt(2)))/2."""
    return x * (ONE + erf(x / beside(x, ROOT_2))) / TWO


def gelu_tanh(x: Number) -> Number:
    """x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))/2."""
    return x * (ONE + tanh((x + x * x * x * CUBIC) * beside(x, ROOT_2_OVER_PI))) / TWO


ACTIVATIONS: dict[str, Callable[[Number], Number]] = {
    "relu": positive_part,
    "saturated-linear": saturated,
    "step": lambda x: ONE if sign(x) > 0 else ZERO,
    "square": lambda x: x * x,
    "identity": lambda x: x,
    "abs": absolute,
    "tanh": tanh,
    "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x),
    "gelu": gelu,
    "gelu-tanh": gelu_tanh,
}


def activated(activation: schema.Activation, vector: Vector) -> Vector:
    """The activation of each unit."""
    activate = schema.known(INTERPRETER, "activation", activation, ACTIVATIONS)
    return {unit: activate(x) for unit, x in vector.items()}


def units(activation: schema.Activation, values: Vector, gates: Vector | None) -> Vector:
    """The hidden units behind the activation, which is of the gates where there are any, and multiplies the values."""
    if gates is None:
        return activated(activation, values)
    opened = activated(activation, gates)
    return {unit: opened[unit] * x for unit, x in values.items()}


CENTRES: dict[type, Callable[[Vector], Number]] = {
    schema.LayerNorm: lambda vector: sum(vector.values(), ZERO) / len(vector),
    schema.RootMeanSquare: lambda vector: ZERO,
}
"""By the kind of a norm: what it takes from each coordinate."""


def normalised(norm: schema.Norm | None, vector: Vector, scalars: Evaluator) -> Vector:
    """The vector normalised; empty where that has no value."""
    if norm is None or not vector:
        return vector
    centre = CENTRES[type(norm)](vector)
    square = sum(((x - centre) * (x - centre) for x in vector.values()), ZERO) / len(vector)
    deviation = sqrt(square + scalars(norm.epsilon))
    if is_zero(deviation):
        return {}
    result = {name: (x - centre) / deviation for name, x in vector.items()}
    if norm.gain is not None:
        gain = vector_of(norm.gain, tuple(vector), scalars)
        result = {name: x * gain[name] for name, x in result.items()}
    return result if norm.bias is None else add(result, vector_of(norm.bias, tuple(vector), scalars))


@dataclass(frozen=True)
class LayerStep:
    """What a layer makes of a position.

    scores and weights: of each cross head, of the positions that it sees; looked: what the cross heads add; attended:
    the vector behind all heads; hidden: the units of the feed-forward network, and update: what it adds, both empty
    where there is none; output: what the next layer gets. Where a norm has no value the vectors behind it are empty.
    """

    scores: tuple[list[Number], ...]
    weights: tuple[list[Number], ...]
    looked: Vector
    attended: Vector
    hidden: Vector
    update: Vector
    output: Vector


def layer_step(
    valued: ValuedLayer, vector: Vector, i: int, own: Sequence[Memory], crossed: Sequence[Memory], scalars: Evaluator
) -> LayerStep:
    """A layer at position i, with that vector, whose heads have seen the vectors in `own`, and its cross heads those in
    `crossed`: attention, the feed-forward network, each with its residual connection and norm, as `Layer` says."""
    layer, zero = valued.layer, dict.fromkeys(vector, ZERO)
    attended, read = zero, normalised(layer.attention_norm_before, vector, scalars)
    for head, memory in zip(valued.heads, own, strict=True):
        attended = add(attended, look(head, read, i, memory).added)
    vector = normalised(layer.attention_norm, add(attended, vector) if layer.attention_residual else attended, scalars)
    looks, looked = list[Looked](), zero
    if layer.cross_heads and vector:
        read = normalised(layer.cross_norm_before, vector, scalars)
        require_values([read])
        looks = [look(head, read, i, memory) for head, memory in zip(valued.cross_heads, crossed, strict=True)]
        for each in looks:
            looked = add(looked, each.added)
        vector = normalised(layer.cross_norm, add(looked, vector) if layer.cross_residual else looked, scalars)
    scored = tuple(each.scores for each in looks), tuple(each.weights for each in looks)
    if layer.feed_forward is None or valued.maps is None or not vector:
        return LayerStep(*scored, looked, vector, {}, {}, vector)
    if not (read := normalised(layer.feed_forward_norm_before, vector, scalars)):
        return LayerStep(*scored, looked, vector, {}, {}, {})
    first, second, gate = valued.maps
    hidden = units(layer.feed_forward.activation, first.apply(read), None if gate is None else gate.apply(read))
    update = add(zero, second.apply(hidden))
    total = add(vector, update) if layer.feed_forward_residual else update
    return LayerStep(*scored, looked, vector, hidden, update, normalised(layer.feed_forward_norm, total, scalars))


@contextmanager
def _in_layer(number: int) -> Iterator[None]:
    """Where a head sees nothing the layer is said."""
    try:
        yield
    except SeesNothing as error:
        raise NoValue(f"layer {number}, {error}") from error


def require_values(vectors: Sequence[Vector]) -> None:
    """Where a vector without a value is read, nothing has one; a ball of no numbers leaves open whether it has."""
    if any(isinstance(x, arb) and not x.is_finite() for vector in vectors for x in vector.values()):
        raise Undecided("a norm may have no value")
    if not all(vectors):
        raise NoValue(CONSTANT)


def embed(network: schema.Encoder | schema.Decoder, token: str, scalars: Evaluator) -> Vector:
    """The input vector of a token at the position that the scalars know."""
    word = vector_of(network.embedding.WE.get(token, {}), network.coordinates, scalars)
    return add(word, vector_of(network.embedding.PE, network.coordinates, scalars))


# Encoders.


def add_markers(network: schema.Encoder, word: Sequence[str]) -> tuple[str, ...]:
    """The tokens that the network sees: the word between its markers."""
    begin = () if network.begin is None else (network.begin,)
    end = () if network.end is None else (network.end,)
    return (*begin, *word, *end)


def layer_steps(
    layer: schema.Layer, stream: Sequence[Vector], scalars: Evaluator, rows: Iterable[int] | None = None
) -> list[LayerStep]:
    """What a layer of an encoder makes of a stream, at all positions or at some."""
    require_values(stream)
    valued_layer = valued(layer, scalars)
    read = [normalised(layer.attention_norm_before, vector, scalars) for vector in stream]
    require_values(read)
    for head in valued_layer.heads:
        for i, vector in enumerate(read):  # at positions that nothing reads, too
            if head.head.query_norm is not None:
                head.query(vector, i)
            head.seen(i, len(read))
    own = [Memory().see(head, read) for head in valued_layer.heads]
    return [
        layer_step(valued_layer, stream[i], i, own, (), scalars) for i in (range(len(stream)) if rows is None else rows)
    ]


def apply_layer(
    layer: schema.Layer, stream: Sequence[Vector], scalars: Evaluator, rows: Iterable[int] | None = None
) -> list[Vector]:
    """The stream behind it, at all positions or at some."""
    return [step.output for step in layer_steps(layer, stream, scalars, rows)]


def read_positions(network: schema.Encoder, count: int) -> range:
    """The positions, of so many, that are read out."""
    at = {"first": range(count)[:1], "last": range(count)[-1:], "sum": range(count), "mean": range(count)}
    return schema.known(INTERPRETER, "readout position", network.readout.position, at)


def streams(
    network: schema.Encoder, tokens: Sequence[str], parameters: Environment, reading: Reading, unread: bool = True
) -> Streams:
    """What an encoder makes of the tokens that it sees; unread: whether also behind the last layer at the positions
    that are not read out."""
    names = {**parameters, "n": fmpq(len(tokens)), "d": fmpq(len(network.coordinates))}
    stream = tuple(embed(network, token, reading({**names, "i": fmpq(i)})) for i, token in enumerate(tokens))
    found, scalars = [stream], reading(names)
    for number, layer in enumerate(network.layers, start=1):
        is_last = number == len(network.layers)
        rows = read_positions(network, len(tokens)) if is_last and not unread else range(len(tokens))
        with _in_layer(number):
            made = dict(zip(rows, apply_layer(layer, stream, scalars, rows), strict=True))
        stream = tuple(made.get(i, {}) for i in range(len(tokens)))
        found.append(stream)
    return tuple(found)


def read_out(network: schema.Encoder, stream: Sequence[Vector], parameters: Environment, reading: Reading) -> Vector:
    """The outputs of an encoder with that stream behind its last layer."""
    names = {**parameters, "n": fmpq(len(stream)), "d": fmpq(len(network.coordinates))}
    read = [normalised(network.final_norm, stream[i], reading(names)) for i in read_positions(network, len(stream))]
    require_values(read)
    return pooled(network.readout, apply_linear(network.readout.W, read, reading(names)))


def pooled(readout: schema.Readout, outputs: Sequence[Vector]) -> Vector:
    """What is read out at the positions that are read, as one."""
    first, *others = outputs
    for output in others:
        first = add(first, output)
    return {row: x / len(outputs) for row, x in first.items()} if readout.position == "mean" else first


def decision(readout: schema.Readout, logit: Number) -> tuple[bool, bool]:
    """Whether a logit accepts, and whether that is decided."""
    direction = sign(logit)
    decisions = {"logit > 0": direction > 0, "logit >= 0": direction >= 0, "logit = 0": direction == 0}
    decisions |= {"logit < 0": direction < 0, "logit <= 0": direction <= 0}
    accepts = schema.known(INTERPRETER, "acceptance rule", readout.accept, decisions)
    return accepts, accepts or direction != 0


def ahead(readout: schema.Readout, outputs: Vector, token: str, other: str) -> Number:
    """By how much the output of a token is ahead of another one's: greater, or less where the least one counts."""
    differences = {"argmax": outputs[token] - outputs[other], "argmin": outputs[other] - outputs[token]}
    return schema.known(INTERPRETER, "acceptance rule", readout.accept, differences)


def best(readout: schema.Readout, outputs: Vector) -> str:
    """The token whose output is ahead of all others, the first of them in the order of the readout's rows."""
    found, *others = outputs
    for token in others:
        found = token if sign(ahead(readout, outputs, token, found)) > 0 else found
    return found


# Decoders, and what is behind an encoder.

Memories = list[list[Memory]]
"""By layer and head."""


def nothing_seen(network: schema.Decoder | schema.EncoderDecoder) -> Memories:
    """What the heads have seen before the first position."""
    return [[Memory() for _ in layer.heads] for layer in network.layers]


def _seeing_itself(
    layer: ValuedLayer, vector: Vector, i: int, own: Sequence[Memory], crossed: Sequence[Memory], scalars: Evaluator
) -> LayerStep:
    """A layer at a position that its heads see from now on; NoValue where a norm within it has none."""
    require_values([vector])
    read = normalised(layer.layer.attention_norm_before, vector, scalars)
    require_values([read])
    for head, memory in zip(layer.heads, own, strict=True):
        memory.see(head, [read])
    made = layer_step(layer, vector, i, own, crossed, scalars)
    if layer.maps is not None:
        require_values([made.attended])
    return made


@dataclass(frozen=True)
class Produced:
    """A token that a decoder appends, the outputs, by token, of which its own is the best, and the vectors behind each
    layer at the position where they are read, that of the input first."""

    token: str
    outputs: Mapping[str, Number]
    vectors: tuple[Vector, ...]


def appended(
    network: schema.Decoder, word: Sequence[str], parameters: Environment, reading: Reading = exactly
) -> Iterator[Produced]:
    """The tokens that a decoder appends, up to `stop`, which is the last one, or where its positions end; without end
    where neither is.

    Its positions are the marker, if there is one, the symbols, and what was appended. Each is computed once, when it is
    the last one: it sees itself and those before it, and n is their number, i + 1. The output is read there.
    """
    tokens, own = [*(() if network.begin is None else (network.begin,)), *word], nothing_seen(network)
    for i in itertools.count() if network.table is None else range(len(network.table)):
        vectors = at_position(network, tokens[i], i, parameters, own, reading)
        if i + 1 < len(tokens):
            continue
        made = produced(network, i, parameters, vectors, reading)
        yield made
        if made.token == network.stop:
            return
        tokens.append(made.token)


def at_position(
    network: schema.Decoder,
    token: str,
    i: int,
    parameters: Environment,
    own: Memories,
    reading: Reading = exactly,
) -> tuple[Vector, ...]:
    """The vectors of a position, that of the input first and then those behind each layer, and what its heads have seen
    goes to their memory."""
    scalars = _at(network, i, parameters, reading)
    row = {} if network.table is None else network.table[i]
    vectors = [add(embed(network, token, scalars), vector_of(row, network.coordinates, scalars))]
    for number, (layer, heads) in enumerate(zip(network.layers, own, strict=True), start=1):
        try:
            with _in_layer(number):
                vectors.append(_seeing_itself(valued(layer, scalars), vectors[-1], i, heads, (), scalars).output)
        except DividesByZero as error:
            raise NoValue(f"position {i}, layer {number}: {error}") from error
    return tuple(vectors)


def produced(
    network: schema.Decoder,
    i: int,
    parameters: Environment,
    vectors: tuple[Vector, ...],
    reading: Reading = exactly,
) -> Produced:
    """The token that the last vector of a position gives."""
    scalars = _at(network, i, parameters, reading)
    read = [normalised(network.final_norm, vectors[-1], scalars)]
    require_values(read)
    [outputs] = apply_linear(network.readout.W, read, scalars)
    return Produced(best(network.readout, outputs), outputs, vectors)


def _at(network: schema.Decoder, i: int, parameters: Environment, reading: Reading) -> Evaluator:
    names = {**parameters, "d": fmpq(len(network.coordinates)), "i": fmpq(i), "n": fmpq(i + 1)}
    return reading(names) if network.arithmetic is None else in_format(network.arithmetic, names)


@dataclass(frozen=True)
class DecodedStep:
    """A step's input, what each layer makes of it, and the input of the next step, if nothing is put in there."""

    input: Vector
    layers: tuple[LayerStep, ...]
    next_input: Vector

    @property
    def output(self) -> Vector:
        """The vector behind the last layer."""
        return self.layers[-1].output if self.layers else self.input


def decoded_steps(
    network: schema.EncoderDecoder, word: Sequence[str], at: int = 0, put_in: Mapping[str, Real] = MappingProxyType({})
) -> Iterator[DecodedStep]:
    """Steps 0, 1, 2, ... of the decoder on a word (markers excluded), without end.

    put_in: values of coordinates that are put in the place of those of the input of step `at`.

    Raises NoValue where a norm has no value, Undecided where a sign cannot be certified.
    """
    memory = streams(network.encoder, add_markers(network.encoder, word), {}, exactly)[-1]
    require_values(memory)
    names: Environment = {"d": fmpq(len(network.coordinates)), "n": fmpq(len(memory))}
    scalars, own = exactly(names), nothing_seen(network)
    layers, feedback = [valued(layer, scalars) for layer in network.layers], affine(network.feedback, scalars)
    crossed = [[Memory().see(head, memory) for head in layer.cross_heads] for layer in layers]

    def at_step(vector: Vector, step: int) -> Vector:
        return add(vector, vector_of(network.PE, network.coordinates, exactly({**names, "i": fmpq(step)})))

    vector = at_step(vector_of(network.seed, network.coordinates, scalars), 0)
    for step in itertools.count():
        vector = {**vector, **put_in} if step == at else vector
        made: list[LayerStep] = []
        for number, (layer, heads, others) in enumerate(zip(layers, own, crossed, strict=True), start=1):
            with _in_layer(number):
                made.append(_seeing_itself(layer, made[-1].output if made else vector, step, heads, others, scalars))
        output = made[-1].output if made else vector
        require_values([output])
        following = at_step(add(dict.fromkeys(network.coordinates, ZERO), feedback.apply(output)), step + 1)
        yield DecodedStep(vector, tuple(made), following)
        vector = following
