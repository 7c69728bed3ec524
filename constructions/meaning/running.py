"""Runs of networks on words as people give them: what is no word of the alphabet, and no value of a parameter, is
refused; what is computed is the interpreter's."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeVar

from flint import ctx, fmpq

from weightproof.constructions.meaning.construction import Parameter
from weightproof.constructions.meaning.inputs import InputError, refuse_foreign
from weightproof.constructions.meaning.interpreter import (
    Environment,
    Memories,
    Memory,
    Produced,
    Streams,
    Vector,
    add_markers,
    ahead,
    appended,
    at_position,
    best,
    decision,
    decoded_steps,
    nothing_seen,
    produced,
    read_out,
    streams,
)
from weightproof.constructions.meaning.schema import Decoder, Encoder, EncoderDecoder, Network, Readout
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import Number, evaluate, exactly, in_balls


class Runs(Protocol):
    """A network that has a name, symbols that its words are made of, and parameters: what a construction says of it
    beside this, and whether it is well formed, does not bear on what it computes."""

    @property
    def name(self) -> str: ...
    @property
    def alphabet(self) -> tuple[str, ...]: ...
    @property
    def network(self) -> Network: ...
    @property
    def parameters(self) -> tuple[Parameter, ...]: ...


@dataclass(frozen=True)
class Run:
    """The run of a recogniser on one word.

    decided is False where the logit is 0 under "logit > 0" or "logit < 0", which reject it.
    """

    tokens: tuple[str, ...]
    streams: Streams
    logit: Number
    accepts: bool
    decided: bool


@dataclass(frozen=True)
class Prediction:
    """What an encoder that predicts a token or a class makes of one word.

    token: that of the greatest output, or the least one, as the readout says; the first in the order of its rows where
    several are equal, and then decided is False.
    """

    tokens: tuple[str, ...]
    streams: Streams
    outputs: Vector
    token: str
    decided: bool


def parameter_values(construction: Runs, given: Mapping[str, object] | None = None) -> Environment:
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


def value_of(parameter: Parameter, said: object) -> Real:
    """The exact value of a parameter; InputError where it has none, or one outside the domain."""
    try:
        return _value_of(parameter, expression(said))
    except (ExpressionError, ArithmeticError) as error:
        raise InputError(f"parameter {parameter.name}: {error}") from error
    except KeyError as error:
        raise InputError(f"parameter {parameter.name}: unknown name {error}") from error


@functools.lru_cache(1 << 12)
def _value_of(parameter: Parameter, said: Expression) -> Real:
    value = evaluate(said, {})
    inside = sign(evaluate(parameter.domain, {parameter.name: value})) > 0
    if parameter.is_natural and not (isinstance(value, fmpq) and value.q == 1 and value >= 0):
        raise InputError(f"parameter {parameter.name} = {said} is no natural number")
    if not inside:
        raise InputError(f"parameter {parameter.name} = {said} is outside its domain {parameter.domain}")
    return value


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
    if not isinstance(network, Encoder) or network.readout.predicts:
        raise InputError(f"{construction.name}: only encoders and decoders can be run, and this reads out no logit")
    tokens = _tokens(construction.name, network, construction.alphabet, word)

    def recognised(found: Streams, outputs: Vector) -> Run:
        return Run(tokens, found, outputs["logit"], *decision(network.readout, outputs["logit"]))

    return _in_numbers(network, tokens, parameter_values(construction, parameters), bits, unread, recognised)


def predict(
    construction: Runs,
    word: Sequence[str],
    parameters: Mapping[str, object] | None = None,
    bits: int | None = None,
    unread: bool = True,
) -> Prediction:
    """Run an encoder that predicts a token or a class; the rest as in `run`."""
    network = construction.network
    if not isinstance(network, Encoder) or not network.readout.predicts:
        raise InputError(f"{construction.name}: only encoders that predict a token or a class do that")
    tokens = _tokens(construction.name, network, construction.alphabet, word)
    values = parameter_values(construction, parameters)
    return _in_numbers(network, tokens, values, bits, unread, functools.partial(ranked, network.readout, tokens))


def predicted(
    name: str, network: Encoder, word: Sequence[str], bits: int | None = None, unread: bool = True
) -> Prediction:
    """Run a network of a family, which has no parameters; its tokens are the symbols that it embeds, the rest as in
    `run`."""
    known = [token for token in network.embedding.WE if token not in (network.begin, network.end)]
    tokens = _tokens(name, network, known, word)
    return _in_numbers(network, tokens, {}, bits, unread, functools.partial(ranked, network.readout, tokens))


def ranked(readout: Readout, tokens: tuple[str, ...], streams: Streams, outputs: Vector) -> Prediction:
    """What outputs predict, behind whatever run they come from; Undecided where balls do not tell."""
    first = best(readout, outputs)
    decided = all(sign(ahead(readout, outputs, first, token)) > 0 for token in outputs if token != first)
    return Prediction(tokens, streams, outputs, first, decided)


def _tokens(name: str, network: Encoder, alphabet: Sequence[str], word: Sequence[str]) -> tuple[str, ...]:
    """What the network sees of a word; InputError where that is nothing, or no word of the alphabet."""
    refuse_foreign(name, alphabet, word)
    tokens = add_markers(network, word)
    if not tokens:
        raise InputError(f"{name}: the empty word has no position to read out; give a word")
    return tokens


Made = TypeVar("Made")


def _in_numbers(
    network: Encoder,
    tokens: tuple[str, ...],
    parameters: Environment,
    bits: int | None,
    unread: bool,
    make: Callable[[Streams, Vector], Made],
) -> Made:
    """What is made of a run, in exact numbers or in balls of so many bits."""
    reading = exactly if bits is None else in_balls
    with nullcontext() if bits is None else ctx.workprec(bits):
        found = streams(network, tokens, parameters, reading, unread)
        return make(found, read_out(network, found[-1], parameters, reading))


def decode(
    network: EncoderDecoder, word: Sequence[str], at: int = 0, put_in: Mapping[str, Real] = MappingProxyType({})
) -> Iterator[Vector]:
    """The decoder's output vectors z_0, z_1, z_2, ... on a word (markers excluded), without end; the rest as in
    `decoded_steps`."""
    for step in decoded_steps(network, word, at, put_in):
        yield step.output


def generate(
    construction: Runs, word: Sequence[str], given: Mapping[str, object] | None = None, bits: int | None = None
) -> Iterator[Produced]:
    """The tokens that a decoder appends to a word, exactly, or in balls computed with so many bits, which are to be the
    working precision wherever the next one is asked for; the rest as in `appended`.

    Raises InputError for a symbol outside the alphabet, and where there is no position; NoValue and Undecided as above.
    """
    network = construction.network
    assert isinstance(network, Decoder)
    refuse_foreign(construction.name, construction.alphabet, word)
    if not word and network.begin is None:
        raise InputError(f"{construction.name}: the empty word has no position to read out; give a word")
    reading = exactly if bits is None else in_balls
    return appended(network, word, parameter_values(construction, given), reading)


def appended_to_each(
    network: Decoder, alphabet: Sequence[str], longest: int, parameters: Environment
) -> Iterator[tuple[tuple[str, ...], Produced | ArithmeticError]]:
    """What is appended to each word of up to so many symbols, as far as there are positions, or why nothing is: a word
    comes before those that it begins, and what is at its positions is computed once for all of them, as it does not
    depend on what is behind."""
    marker = () if network.begin is None else (network.begin,)
    most = longest + len(marker) if network.table is None else min(longest + len(marker), len(network.table))

    def behind(
        tokens: tuple[str, ...], own: Memories, lost: ArithmeticError | None = None
    ) -> Iterator[tuple[tuple[str, ...], Produced | ArithmeticError]]:
        """lost: why a position before has no value, and so no word behind it has one."""
        if lost is None:
            try:
                vectors = at_position(network, tokens[-1], len(tokens) - 1, parameters, own)
            except ArithmeticError as error:
                lost = error
        made: Produced | ArithmeticError
        try:
            made = lost or produced(network, len(tokens) - 1, parameters, vectors)
        except ArithmeticError as error:
            made = error
        yield tokens[len(marker) :], made
        for symbol in alphabet if len(tokens) < most else ():
            copied = [[Memory([*memory.keys], [*memory.values]) for memory in heads] for heads in own]
            yield from behind((*tokens, symbol), copied, lost)

    for first in (marker,) if marker else [(symbol,) for symbol in alphabet]:
        yield from behind(first, nothing_seen(network))
