"""What an encoder-decoder means, and a decoder: one step after another, in exact arithmetic.

As naive as `interpreter`, of which it is a part: the encoder runs once, and each step of the decoder looks at the keys
and values of the steps before it, which are kept, as are the numbers that weights stand for, the same at every step.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from flint import fmpq

from weightproof.constructions.meaning.inputs import InputError, Runs, refuse_foreign
from weightproof.constructions.meaning.interpreter import (
    Affine,
    LayerStep,
    Memory,
    Names,
    NoValue,
    ValuedLayer,
    Vector,
    add,
    affine,
    apply_layer,
    apply_linear,
    embed,
    layer_step,
    mark,
    parameter_values,
    require_values,
    valued,
)
from weightproof.constructions.meaning.schema import Decoder, EncoderDecoder
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import DividesByZero, in_format
from weightproof.constructions.scalars.numbers import ZERO, Number, Scalars, exactly, sign


def decode(
    network: EncoderDecoder, word: Sequence[str], at: int = 0, put_in: Mapping[str, Real] = MappingProxyType({})
) -> Iterator[Vector]:
    """The decoder's output vectors z_0, z_1, z_2, ... on a word (markers excluded), without end; the rest as in
    `decoded_steps`."""
    for step in decoded_steps(network, word, at, put_in):
        yield step.output


@dataclass(frozen=True)
class DecodedStep:
    """A step's input, what each layer makes of it, and the input of the next step, if nothing is put in there."""

    input: Vector
    layers: tuple[LayerStep, ...]
    next_input: Vector

    @property
    def output(self) -> Vector:
        return self.layers[-1].output if self.layers else self.input


def decoded_steps(
    network: EncoderDecoder, word: Sequence[str], at: int = 0, put_in: Mapping[str, Real] = MappingProxyType({})
) -> Iterator[DecodedStep]:
    """Steps 0, 1, 2, ... of the decoder on a word (markers excluded), without end.

    put_in: values of coordinates that are put in the place of those of the input of step `at`.

    Raises NoValue where a norm has no value, Undecided where a sign cannot be certified.
    """
    memory = _encoded(network, mark(network.encoder, word))
    fixed: Names = {"d": fmpq(len(network.coordinates)), "n": fmpq(len(memory))}
    scalars = exactly(fixed)
    layers = [valued(layer, scalars) for layer in network.layers]
    feedback = affine(network.feedback, scalars)
    own = [[Memory() for _ in layer.heads] for layer in network.layers]
    crossed = [[Memory().see(head, memory) for head in layer.cross_heads] for layer in layers]
    vector = _at_step(network, _vector(network.seed, network.coordinates, scalars), 0, len(memory))
    for step in itertools.count():
        vector = {**vector, **put_in} if step == at else vector
        made: list[LayerStep] = []
        for layer, heads, others in zip(layers, own, crossed, strict=True):
            made.append(_decoded(layer, made[-1].output if made else vector, step, heads, others, scalars))
        output = made[-1].output if made else vector
        require_values([output])
        following = _fed_back(network, feedback, output, step + 1, len(memory))
        yield DecodedStep(vector, tuple(made), following)
        vector = following


def _fed_back(network: EncoderDecoder, feedback: Affine, output: Vector, step: int, n: int) -> Vector:
    """The input of a step, from the output vector of the step before; n is the number of the encoder's positions."""
    vector = add(dict.fromkeys(network.coordinates, ZERO), feedback.apply(output))
    return _at_step(network, vector, step, n)


def _at_step(network: EncoderDecoder, vector: Vector, step: int, n: int) -> Vector:
    """With the position encoding of the step."""
    scalars = exactly({"d": fmpq(len(network.coordinates)), "n": fmpq(n), "i": fmpq(step)})
    return add(vector, _vector(network.PE, network.coordinates, scalars))


def _encoded(network: EncoderDecoder, tokens: Sequence[str]) -> list[Vector]:
    encoder = network.encoder
    names: Names = {"d": fmpq(len(encoder.coordinates)), "n": fmpq(len(tokens))}
    stream = [embed(encoder, token, exactly({**names, "i": fmpq(i)})) for i, token in enumerate(tokens)]
    for layer in encoder.layers:
        stream = apply_layer(layer, stream, exactly(names))
    require_values(stream)
    return stream


def _decoded(
    given: ValuedLayer, vector: Vector, i: int, own: Sequence[Memory], crossed: Sequence[Memory], scalars: Scalars
) -> LayerStep:
    """A layer at a position that its heads see from now on; NoValue where a norm within it has none."""
    require_values([vector])
    for head, memory in zip(given.heads, own, strict=True):
        memory.see(head, [vector])
    made = layer_step(given, vector, i, own, crossed, scalars)
    if given.maps is not None:
        require_values([made.attended])
    return made


def _vector(row: Mapping[str, Expression], coordinates: Sequence[str], scalars: Scalars) -> Vector:
    return {name: scalars(row[name]) if name in row else ZERO for name in coordinates}


@dataclass(frozen=True)
class Produced:
    """A token that a decoder appends, the outputs that it is the argmax of, by token, and the vectors behind each layer
    at the position where they are read, that of the input first."""

    token: str
    outputs: Mapping[str, Number]
    vectors: tuple[Vector, ...]


def generate(construction: Runs, word: Sequence[str], given: Mapping[str, object] | None = None) -> Iterator[Produced]:
    """The tokens that a decoder appends to a word; the rest as in `appended`.

    Raises InputError for a symbol outside the alphabet, and where there is no position; NoValue and Undecided as above.
    """
    network = construction.network
    assert isinstance(network, Decoder)
    refuse_foreign(construction.name, construction.alphabet, word)
    if not word and network.begin is None:
        raise InputError(f"{construction.name}: the empty word has no position to read out; give a word")
    return appended(network, word, parameter_values(construction, given))


def appended(network: Decoder, word: Sequence[str], parameters: Names) -> Iterator[Produced]:
    """The tokens that a decoder appends, up to `stop`, which is the last one, or where its positions end; without end
    where neither is.

    Its positions are the marker, if there is one, the symbols, and what was appended. Each is computed once, when it is
    the last one: it sees itself and those before it, and n is their number, i + 1. The output is read there.
    """
    tokens = [*(() if network.begin is None else (network.begin,)), *word]
    own = [[Memory() for _ in layer.heads] for layer in network.layers]
    for i in itertools.count() if network.table is None else range(len(network.table)):
        vectors = _at_position(network, tokens[i], i, parameters, own)
        if i + 1 < len(tokens):
            continue
        made = _read_out(network, i, parameters, vectors)
        yield made
        if made.token == network.stop:
            return
        tokens.append(made.token)


def appended_to_each(
    network: Decoder, alphabet: Sequence[str], longest: int, parameters: Names
) -> Iterator[tuple[tuple[str, ...], Produced | ArithmeticError]]:
    """What is appended to each word of up to so many symbols, as far as there are positions, or why nothing is: a word
    comes before those that it begins, and what is at its positions is computed once for all of them, as it does not
    depend on what is behind."""
    start = [[Memory() for _ in layer.heads] for layer in network.layers]
    marker = () if network.begin is None else (network.begin,)
    most = longest + len(marker) if network.table is None else min(longest + len(marker), len(network.table))

    def behind(
        tokens: tuple[str, ...], own: list[list[Memory]], lost: ArithmeticError | None = None
    ) -> Iterator[tuple[tuple[str, ...], Produced | ArithmeticError]]:
        """lost: why a position before has no value, and so no word behind it has one."""
        if lost is None:
            try:
                vectors = _at_position(network, tokens[-1], len(tokens) - 1, parameters, own)
            except ArithmeticError as error:
                lost = error
        made: Produced | ArithmeticError
        try:
            made = lost or _read_out(network, len(tokens) - 1, parameters, vectors)
        except ArithmeticError as error:
            made = error
        yield tokens[len(marker) :], made
        for symbol in alphabet if len(tokens) < most else ():
            yield from behind((*tokens, symbol), [[memory.copy() for memory in heads] for heads in own], lost)

    for first in (marker,) if marker else [(symbol,) for symbol in alphabet]:
        yield from behind(first, [[memory.copy() for memory in heads] for heads in start])


def _at_position(
    network: Decoder, token: str, i: int, parameters: Names, own: list[list[Memory]]
) -> tuple[Vector, ...]:
    """The vectors of a position, that of the input first and then those behind each layer, and what its heads have seen
    goes to their memory."""
    scalars = _reading(network, _names_at(network, i, parameters))
    row = {} if network.table is None else network.table[i]
    vector = _vector(network.embedding.WE[token], network.coordinates, scalars)
    for encoding in (network.embedding.PE, row):
        vector = add(vector, _vector(encoding, network.coordinates, scalars))
    vectors = [vector]
    for number, (layer, heads) in enumerate(zip(network.layers, own, strict=True), start=1):
        try:
            vectors.append(_decoded(valued(layer, scalars), vectors[-1], i, heads, (), scalars).output)
        except DividesByZero as error:
            raise NoValue(f"position {i}, layer {number}: {error}") from error
    return tuple(vectors)


def _read_out(network: Decoder, i: int, parameters: Names, vectors: tuple[Vector, ...]) -> Produced:
    """The token that the last vector of a position gives."""
    require_values(vectors[-1:])
    [outputs] = apply_linear(network.readout.W, vectors[-1:], _reading(network, _names_at(network, i, parameters)))
    best = next(iter(outputs))
    for token in outputs:
        best = token if sign(outputs[token] - outputs[best]) > 0 else best
    return Produced(best, outputs, vectors)


def _names_at(network: Decoder, i: int, parameters: Names) -> Names:
    return {**parameters, "d": fmpq(len(network.coordinates)), "i": fmpq(i), "n": fmpq(i + 1)}


def _reading(network: Decoder, names: Names) -> Scalars:
    return exactly(names) if network.arithmetic is None else in_format(network.arithmetic, names)
