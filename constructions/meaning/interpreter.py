"""What a construction means: its forward pass on one word, in exact arithmetic, position by position; or in balls that
contain the exact numbers.

Deliberately naive: no shortcuts but skipping absent weights, and coordinates that are 0, and that a head which is asked
the same again, of the same positions, gives the same answer. The symbolic and the numeric readings are tested against
this one; a counterexample counts only if this module reproduces it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from flint import arb, ctx, fmpq

from weightproof.constructions.choices import Choices
from weightproof.constructions.meaning.inputs import InputError, Runs, refuse_foreign, value_of
from weightproof.constructions.meaning.schema import (
    Activation,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    Rows,
)
from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.exact import Real, Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.numbers import (
    ONE,
    ZERO,
    Number,
    Scalars,
    exactly,
    exp,
    identity,
    in_balls,
    is_zero,
    positive_part,
    sign,
    sqrt,
)

Vector = dict[str, Number]
Names = dict[str, Real]


INTERPRETER = Choices("the interpreter")


class NoValue(ArithmeticError):
    """The network has no output on a word."""


CONSTANT = "layer normalisation of a constant vector with epsilon 0 has no value"


@dataclass(frozen=True)
class Run:
    """The run of a recogniser on one word.

    streams[0] is the embedding, streams[l] the residual stream after layer l, each one vector a position; after the
    last layer it is empty where nothing reads it, if a norm has no value there or it was not asked for.
    decided is False where the logit is 0 under "logit > 0", which rejects.
    """

    tokens: tuple[str, ...]
    streams: tuple[tuple[Vector, ...], ...]
    logit: Number
    accepts: bool
    decided: bool


@dataclass(frozen=True)
class Prediction:
    """What an encoder that takes the argmax over tokens makes of one word.

    streams as in `Run`. token: that of the greatest output, the first in the order of the readout's rows where several
    are greatest; then decided is False.
    """

    tokens: tuple[str, ...]
    streams: tuple[tuple[Vector, ...], ...]
    outputs: Vector
    token: str
    decided: bool


def mark(network: Encoder, word: Sequence[str]) -> tuple[str, ...]:
    """The tokens the network sees: the word between its markers."""
    begin = () if network.begin is None else (network.begin,)
    end = () if network.end is None else (network.end,)
    return (*begin, *word, *end)


def parameter_values(construction: Runs, given: Mapping[str, object] | None = None) -> Names:
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


def run(
    construction: Runs,
    word: Sequence[str],
    parameters: Mapping[str, object] | None = None,
    bits: int | None = None,
    unread: bool = True,
) -> Run:
    """Run an encoder on a word (markers excluded), exactly, or in balls computed with so many bits.

    unread: whether what nothing reads is computed, too: after the last layer the positions that are not read out.
    Raises InputError for a symbol outside the alphabet or a parameter outside its domain, and of ArithmeticErrors
    NoValue where a norm has no value, Undecided where a sign cannot be certified.
    """
    network = construction.network
    if not isinstance(network, Encoder) or network.readout.predicts_tokens:
        raise InputError(f"{construction.name}: only encoders and decoders can be run, and this reads out no logit")
    return _in_numbers(construction, network, word, parameters, bits, partial(_run, unread=unread))


def predict(
    construction: Runs,
    word: Sequence[str],
    parameters: Mapping[str, object] | None = None,
    bits: int | None = None,
    unread: bool = True,
) -> Prediction:
    """Run an encoder that takes the argmax over tokens; the rest as in `run`."""
    network = construction.network
    if not isinstance(network, Encoder) or not network.readout.predicts_tokens:
        raise InputError(f"{construction.name}: only encoders that take the argmax over tokens predict one")
    return _in_numbers(construction, network, word, parameters, bits, partial(_predict, unread=unread))


def predicted(name: str, network: Encoder, word: Sequence[str], bits: int | None = None) -> Prediction:
    """The same of a network of a family, which has no parameters; its tokens are the symbols that it embeds."""
    refuse_foreign(name, [token for token in network.embedding.WE if token not in (network.begin, network.end)], word)
    tokens, names = _numbered(network, mark(network, word), {})
    if bits is None:
        return _predict(network, tokens, names, exactly, unread=False)
    with ctx.workprec(bits):
        return _predict(network, tokens, names, in_balls, unread=False)


Made = TypeVar("Made")
Reading = Callable[[Names], Scalars]


def _in_numbers(
    construction: Runs,
    network: Encoder,
    word: Sequence[str],
    parameters: Mapping[str, object] | None,
    bits: int | None,
    make: Callable[[Encoder, tuple[str, ...], Names, Reading], Made],
) -> Made:
    refuse_foreign(construction.name, construction.alphabet, word)
    tokens = mark(network, word)
    if not tokens:
        raise InputError(f"{construction.name}: the empty word has no position to read out; give a word")
    tokens, names = _numbered(network, tokens, parameter_values(construction, parameters))
    if bits is None:
        return make(network, tokens, names, exactly)
    with ctx.workprec(bits):
        return make(network, tokens, names, in_balls)


def _numbered(network: Encoder, tokens: tuple[str, ...], values: Names) -> tuple[tuple[str, ...], Names]:
    return tokens, {**values, "n": fmpq(len(tokens)), "d": fmpq(len(network.coordinates))}


def _run(network: Encoder, tokens: tuple[str, ...], names: Names, reading: Reading, *, unread: bool) -> Run:
    streams, outputs = _read(network, tokens, names, reading, unread)
    logit = outputs["logit"]
    return Run(tokens, streams, logit, *decision(network.readout, logit))


def decision(readout: Readout, logit: Number) -> tuple[bool, bool]:
    """Whether a logit accepts, and whether that is decided."""
    direction = sign(logit)
    if INTERPRETER.accepts_above(readout.accept):
        return direction > 0, direction != 0
    return direction == 0, True


def _predict(network: Encoder, tokens: tuple[str, ...], names: Names, reading: Reading, *, unread: bool) -> Prediction:
    return ranked(tokens, *_read(network, tokens, names, reading, unread))


def ranked(tokens: tuple[str, ...], streams: tuple[tuple[Vector, ...], ...], outputs: Vector) -> Prediction:
    """What outputs predict, behind whatever run they come from; Undecided where balls do not tell."""
    best, *others = outputs
    for token in others:
        best = token if sign(outputs[token] - outputs[best]) > 0 else best
    decided = all(sign(outputs[best] - outputs[token]) > 0 for token in outputs if token != best)
    return Prediction(tokens, streams, outputs, best, decided)


def _read(
    network: Encoder, tokens: tuple[str, ...], names: Names, reading: Reading, unread: bool
) -> tuple[tuple[tuple[Vector, ...], ...], Vector]:
    """The residual streams, and what is read out of the last one."""
    scalars, everywhere = reading(names), range(len(tokens))
    at = {"first": everywhere[:1], "last": everywhere[-1:], "sum": everywhere}
    read_out = INTERPRETER.of("readout position", network.readout.position, at)
    stream = [embed(network, token, reading({**names, "i": fmpq(i)})) for i, token in enumerate(tokens)]
    streams = [tuple(stream)]
    for number, layer in enumerate(network.layers, start=1):
        rows = everywhere if unread or number < len(network.layers) else read_out
        made = dict(zip(rows, apply_layer(layer, stream, scalars, rows), strict=True))
        stream = [made.get(i, {}) for i in everywhere]
        streams.append(tuple(stream))
    read = [stream[i] for i in read_out]
    require_values(read)
    first, *others = apply_linear(network.readout.W, read, scalars)
    for output in others:
        first = add(first, output)
    return tuple(streams), first


def embed(network: Encoder, token: str, scalars: Scalars) -> Vector:
    word, position = network.embedding.WE.get(token, {}), network.embedding.PE
    return {
        coordinate: _value(word, coordinate, scalars) + _value(position, coordinate, scalars)
        for coordinate in network.coordinates
    }


def _value(row: Mapping[str, Expression], name: str, scalars: Scalars) -> Number:
    return scalars(row[name]) if name in row else ZERO


def numbers(rows: Rows, scalars: Scalars) -> dict[str, Vector]:
    """The exact values of a matrix, by row."""
    return {row: {column: scalars(weight) for column, weight in columns.items()} for row, columns in rows.items()}


def apply_rows(rows: dict[str, Vector], vector: Vector) -> Vector:
    nonzero = {name: x for name, x in vector.items() if not (isinstance(x, fmpq) and x == 0)}
    return {
        row: sum((weight * nonzero[column] for column, weight in columns.items() if column in nonzero), ZERO)
        for row, columns in rows.items()
    }


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


def affine(linear: Linear, scalars: Scalars) -> Affine:
    return Affine(numbers(linear.weights, scalars), {row: scalars(value) for row, value in linear.bias.items()})


def apply_linear(linear: Linear, vectors: Sequence[Vector], scalars: Scalars) -> list[Vector]:
    """W x + b for each vector."""
    evaluated = affine(linear, scalars)
    return [evaluated.apply(vector) for vector in vectors]


@dataclass(frozen=True)
class ValuedHead:
    """A head, and the exact values of its weights."""

    head: Head
    W_Q: dict[str, Vector]
    W_K: dict[str, Vector]
    W_V: dict[str, Vector]
    W_O: dict[str, Vector] | None
    scale: Number


@dataclass(frozen=True)
class ValuedLayer:
    """A layer, and the exact values of its weights; no maps where it has no feed-forward network."""

    layer: Layer
    heads: tuple[ValuedHead, ...]
    cross_heads: tuple[ValuedHead, ...]
    maps: tuple[Affine, Affine] | None


def valued_head(head: Head, scalars: Scalars) -> ValuedHead:
    W_Q, W_K, W_V = (numbers(rows, scalars) for rows in (head.W_Q, head.W_K, head.W_V))
    W_O = None if head.W_O is None else numbers(head.W_O, scalars)
    return ValuedHead(head, W_Q, W_K, W_V, W_O, scalars(head.scale))


def valued(layer: Layer, scalars: Scalars) -> ValuedLayer:
    heads, cross_heads = (
        tuple(valued_head(head, scalars) for head in group) for group in (layer.heads, layer.cross_heads)
    )
    network = layer.feed_forward
    maps = None if network is None else (affine(network.first, scalars), affine(network.second, scalars))
    return ValuedLayer(layer, heads, cross_heads, maps)


@dataclass
class Memory:
    """The keys and values that a head has seen so far; answers: what it found in all of them, by query."""

    keys: list[Vector] = field(default_factory=list)
    values: list[Vector] = field(default_factory=list)
    answers: dict[Hashable, Looked] = field(default_factory=dict)

    def copy(self) -> Memory:
        return Memory([*self.keys], [*self.values])

    def see(self, head: ValuedHead, vectors: Iterable[Vector]) -> Memory:
        self.answers.clear()
        for vector in vectors:
            value = apply_rows(head.W_V, vector)
            self.keys.append(apply_rows(head.W_K, vector))
            self.values.append(value if head.W_O is None else apply_rows(head.W_O, value))
        return self


@dataclass(frozen=True)
class Looked:
    """What a head does at a position: the scores and weights of the positions that it sees, and what it adds."""

    scores: list[Number]
    weights: list[Number]
    added: Vector


def look(head: ValuedHead, vector: Vector, i: int, memory: Memory) -> Looked:
    """At position i, with that vector: the mean of the values that it may see of those seen so far."""
    query, count = apply_rows(head.W_Q, vector), seen_from(head.head, i, len(memory.keys))
    asked = tuple(map(identity, query.values()))
    if count == len(memory.keys) and asked in memory.answers:  # of many heads all positions ask the same
        return memory.answers[asked]
    scores = [head.scale * score(head.head, query, key) for key in memory.keys[:count]]
    weights = attention_weights(head.head, scores)
    found = Looked(scores, weights, mean(weights, memory.values[:count]))
    if count == len(memory.keys):
        memory.answers[asked] = found
    return found


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
    given: ValuedLayer, vector: Vector, i: int, own: Sequence[Memory], crossed: Sequence[Memory], scalars: Scalars
) -> LayerStep:
    """A layer at position i, with that vector, whose heads have seen the vectors in `own`, and its cross heads those in
    `crossed`: of an encoder all of its stream, of a decoder the positions up to this one."""
    layer, zero = given.layer, dict.fromkeys(vector, ZERO)
    attended = zero
    for head, memory in zip(given.heads, own, strict=True):
        attended = add(attended, look(head, vector, i, memory).added)
    vector = normalised(layer.attention_norm, add(attended, vector) if layer.attention_residual else attended, scalars)
    looks, looked = list[Looked](), zero
    if layer.cross_heads and vector:
        looks = [look(head, vector, i, memory) for head, memory in zip(given.cross_heads, crossed, strict=True)]
        for each in looks:
            looked = add(looked, each.added)
        vector = normalised(layer.cross_norm, add(looked, vector) if layer.cross_residual else looked, scalars)
    scored = tuple(each.scores for each in looks), tuple(each.weights for each in looks)
    if layer.feed_forward is None or given.maps is None or not vector:
        return LayerStep(*scored, looked, vector, {}, {}, vector)
    first, second = given.maps
    hidden = activated(layer.feed_forward.activation, first.apply(vector))
    update = add(zero, second.apply(hidden))
    total = add(vector, update) if layer.feed_forward_residual else update
    return LayerStep(*scored, looked, vector, hidden, update, normalised(layer.feed_forward_norm, total, scalars))


def layer_steps(
    layer: Layer, stream: Sequence[Vector], scalars: Scalars, rows: Iterable[int] | None = None
) -> list[LayerStep]:
    """What a layer of an encoder makes of a stream, at all positions or at some."""
    require_values(stream)
    given = valued(layer, scalars)
    own = [Memory().see(head, stream) for head in given.heads]
    return [layer_step(given, stream[i], i, own, (), scalars) for i in (range(len(stream)) if rows is None else rows)]


def apply_layer(
    layer: Layer, stream: Sequence[Vector], scalars: Scalars, rows: Iterable[int] | None = None
) -> list[Vector]:
    """The stream behind it, at all positions or at some."""
    return [step.output for step in layer_steps(layer, stream, scalars, rows)]


def require_values(vectors: Sequence[Vector]) -> None:
    """Where a vector without a value is read, nothing has one; a ball of no numbers leaves open whether it has."""
    if any(isinstance(x, arb) and not x.is_finite() for vector in vectors for x in vector.values()):
        raise Undecided("a norm may have no value")
    if not all(vectors):
        raise NoValue(CONSTANT)


def seen_from(head: Head, i: int, count: int) -> int:
    """How many of so many positions a head sees from position i."""
    return i + 1 if INTERPRETER.is_causal(head.mask) else count


def weighted_mean(head: Head, scale: Number, query: Vector, keys: Sequence[Vector], values: Sequence[Vector]) -> Vector:
    """Of the values, by the scores of their keys."""
    weights = attention_weights(head, [scale * score(head, query, key) for key in keys])
    return mean(weights, values)


STEPS_A_VALUE = 10
"""Of counted work, for each value of a mean."""


def mean(weights: Sequence[Number], values: Sequence[Vector]) -> Vector:
    work.spend(STEPS_A_VALUE * len(values))
    return {row: sum((a * value[row] for a, value in zip(weights, values, strict=True)), ZERO) for row in values[0]}


def score(head: Head, query: Vector, key: Vector) -> Number:
    product = sum((query[name] * key[name] for name in query if name in key), ZERO)
    if not INTERPRETER.is_less_size(head.score):
        return product
    positive = positive_part(product)
    return product - positive - positive  # twice the positive part may be no number of a format


def attention_weights(head: Head, scores: list[Number]) -> list[Number]:
    if INTERPRETER.is_soft(head.normaliser):
        weights = [exp(score) for score in scores]
    else:
        best = scores[0]
        for score in scores[1:]:
            best = score if sign(score - best) > 0 else best
        weights = [ONE if sign(score - best) == 0 else ZERO for score in scores]
    total = sum(weights, ZERO)
    return [weight / total for weight in weights]


def hidden_units(network: FeedForward, vectors: Sequence[Vector], scalars: Scalars) -> list[Vector]:
    first = affine(network.first, scalars)
    return [activated(network.activation, first.apply(vector)) for vector in vectors]


def activated(activation: Activation, vector: Vector) -> Vector:
    return {unit: activate(activation, x) for unit, x in vector.items()}


def activate(activation: Activation, x: Number) -> Number:
    match activation:
        case "relu":
            return positive_part(x)
        case "saturated-linear":
            if isinstance(x, fmpq):
                return min(max(x, ZERO), ONE)
            return ONE - positive_part(ONE - positive_part(x))  # min(x, 1) = 1 - max(1 - x, 0)
        case "step":
            return ONE if sign(x) > 0 else ZERO
        case "square":
            return x * x
    INTERPRETER.refuse("activation", activation)


def normalised(norm: LayerNorm | None, vector: Vector, scalars: Scalars) -> Vector:
    """The vector normalised; empty where that has no value."""
    if norm is None or not vector:
        return vector
    mean = sum(vector.values(), ZERO) / len(vector)
    variance = sum(((x - mean) * (x - mean) for x in vector.values()), ZERO) / len(vector)
    deviation = sqrt(variance + scalars(norm.epsilon))
    if is_zero(deviation):
        return {}
    return {name: (x - mean) / deviation for name, x in vector.items()}


def add(a: Vector, b: Vector) -> Vector:
    return {name: a[name] + b.get(name, ZERO) for name in a}
