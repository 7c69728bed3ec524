"""A module and what was made of it, side by side on words: residual streams, layer by layer, and the logit.

This is a guard, not a proof: the module computes in floating point, and numbers count as equal that are nearer to each
other than the square root of the distance of neighbours in its format.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, product
from random import Random
from typing import Any

import torch
from flint import arb, ctx

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError, said
from weightproof.constructions.meaning.interpreter import (
    Streams,
    Vector,
    add_markers,
    at_position,
    nothing_seen,
    produced,
)
from weightproof.constructions.meaning.running import predict, run
from weightproof.constructions.meaning.schema import Decoder, Encoder, RootMeanSquare
from weightproof.constructions.scalars.exact import Undecided, ball
from weightproof.constructions.scalars.values import Number, in_balls
from weightproof.imports.modules import encoder_layers
from weightproof.imports.outputs import LOGIT, Outputs

Tensor = torch.Tensor
Call = Callable[[list[int]], object]
LENGTHS = range(1, 13)
"""Symbols of the words on which module and construction are compared: all words of up to two, a random one of each."""
BITS = 128


@dataclass(frozen=True)
class Compared:
    """How many words, of up to how many symbols, and how far apart two logits were at most."""

    words: int
    longest: int
    difference: float


def compare(
    construction: Construction,
    module: torch.nn.Module,
    tokens: Sequence[str],
    readout: str,
    outputs: Outputs,
    call: Call | None,
    sizes: Sequence[int],
) -> Compared:
    """outputs: of the module; sizes: of how many layers of the construction each of the module's is.

    InputError at the first place where the two differ: a position and a coordinate of the embedding or behind a
    layer, with both values, or the logit, or the output for a class."""
    network = construction.encoder
    words = list(_words(construction.language.alphabet))
    largest = 0.0
    for word in words:
        seen = add_markers(network, word)
        if not seen:
            continue
        streams, made = _observed(module, [tokens.index(token) for token in seen], len(seen), readout, call)
        behind_layers, exact = _run(construction, word)
        for number, (behind, stream) in enumerate(zip(accumulate(sizes, initial=0), streams, strict=True)):
            _require_equal(construction, network, seen, number, stream, behind_layers[behind])
        read = _pooled(network, made.reshape(-1, len(outputs.names)))
        greatest = float(read.abs().max())
        for name, value in outputs.values(read).items():
            wanted, found = _float(exact[name]), float(value)
            if not abs(found - wanted) <= _room(made, max(greatest, abs(wanted))):
                called = "the logit" if name == LOGIT else f"for the class {name!r} the output"
                raise InputError(
                    f"{construction.name}: on {''.join(word)!r} the module has {called} {found:.9g}, the construction "
                    f"{wanted:.9g}; say where it is read (read) and by what (readout)"
                )
            largest = max(largest, abs(found - wanted))
    return Compared(len(words), LENGTHS[-1], largest)


def _pooled(network: Encoder, made: Tensor) -> Tensor:
    """What is read out of a word, [outputs], of what the readout made: of each position, [n, outputs], or of what it
    was given as one, [1, outputs]."""
    if len(made) == 1:
        return made[0].double()
    exact = made.double()
    at = {"first": exact[0], "last": exact[-1], "sum": exact.sum(0), "mean": exact.mean(0)}
    return Choices("the comparison").of("readout position", network.readout.position, at)


def compare_outputs(
    construction: Construction, module: torch.nn.Module, tokens: Sequence[str], call: Call | None
) -> Compared:
    """InputError at the first word behind which some token has another output; words that are longer than there are
    positions for are left out. transformers computes rotations and root mean squares in float32, always."""
    network = construction.network
    assert isinstance(network, Decoder)
    known = network.readout.W.rows
    positions = LENGTHS[-1] if network.table is None else len(network.table)
    words = [word for word in _words(construction.language.alphabet) if 0 < len(word) <= positions]
    has_squares = any(isinstance(norm, RootMeanSquare) for layer in network.layers for norm in layer.norms)
    turns = any(head.rotary for layer in network.layers for head in layer.heads)
    coarsest = torch.float32 if turns or has_squares else torch.float64
    largest = 0.0
    for word in words:
        outputs = _outputs(module, [tokens.index(token) for token in word], len(known), call)
        room = math.sqrt(max(torch.finfo(kind).eps for kind in (outputs.dtype, coarsest)))
        with ctx.workprec(BITS):
            own = nothing_seen(network)
            vectors = [at_position(network, token, i, {}, own, in_balls) for i, token in enumerate(word)]
            exact = produced(network, len(word) - 1, {}, vectors[-1], in_balls).outputs
        for token, found in zip(tokens, outputs.tolist(), strict=True):
            wanted = _float(exact[token])
            if not abs(found - wanted) <= room * max(1.0, abs(wanted)):
                raise InputError(
                    f"{construction.name}: behind {''.join(word)!r} the module gives {token!r} {found:.9g}, the "
                    f"construction {wanted:.9g}; say what it is: heads, activation, epsilon, scale, theta"
                )
            largest = max(largest, abs(found - wanted))
    return Compared(len(words), max(map(len, words)), largest)


def _outputs(module: torch.nn.Module, ids: list[int], size: int, call: Call | None) -> Tensor:
    """Those behind the last token: of a tensor, the first of a tuple, or what is called logits, as transformers do."""
    try:
        with torch.no_grad():
            made: Any = (call or (lambda ids: module(torch.tensor([ids]))))(ids)
        made = getattr(made, "logits", made[0] if isinstance(made, tuple) else made)
        outputs: Tensor = made.reshape(-1, size)[-1]
    except Exception as error:
        raise InputError(
            f"the module fails on the token ids {ids}: {said(error)}; if it takes them in another form, give "
            "call=lambda ids: ... "
        ) from error
    return outputs


def _words(alphabet: Sequence[str]) -> Iterator[tuple[str, ...]]:
    random = Random(0)
    for length in range(3):
        yield from product(alphabet, repeat=length)
    for length in LENGTHS[2:]:
        yield tuple(random.choices(alphabet, k=length))


def _observed(
    module: torch.nn.Module, ids: list[int], n: int, readout: str, call: Call | None
) -> tuple[list[Tensor], Tensor]:
    """The residual stream before the first layer and after each, [n, d], and what the readout made last."""
    layers = list(encoder_layers(module).values())
    streams: list[Tensor | None] = [None] * (len(layers) + 1)
    read: list[Tensor] = []

    def before(_: object, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        streams[0] = arguments[0] if arguments else named["src"]

    def after(number: int, _: object, __: object, output: Tensor) -> None:
        streams[number] = output

    hooks = [layers[0].register_forward_pre_hook(before, with_kwargs=True)]
    hooks += [layer.register_forward_hook(partial(after, number)) for number, layer in enumerate(layers, start=1)]
    hooks.append(module.get_submodule(readout).register_forward_hook(lambda _, __, output: read.append(output)))
    try:
        with torch.no_grad():
            (call or (lambda ids: module(torch.tensor(ids))))(ids)
    except Exception as error:
        raise InputError(
            f"the module fails on the token ids {ids}: {said(error)}; if it takes them in another form, give "
            "call=lambda ids: ... "
        ) from error
    finally:
        for hook in hooks:
            hook.remove()
    found = [stream for stream in streams if stream is not None]
    if len(found) < len(streams) or not read:
        raise InputError("the module does not run all of its layers and its readout once; give call=lambda ids: ...")
    return [stream.reshape(n, -1) for stream in found], read[-1]


def _require_equal(
    construction: Construction,
    network: Encoder,
    seen: Sequence[str],
    number: int,
    stream: Tensor,
    exact: Sequence[Vector],
) -> None:
    for position, (found, expected) in enumerate(zip(stream.tolist(), exact, strict=True)):
        if not expected:
            continue  # a norm has no value there, and nothing reads it
        for column, (coordinate, value) in enumerate(zip(network.coordinates, found, strict=False)):
            wanted = _float(expected[coordinate])
            if not abs(value - wanted) <= _room(stream, wanted):
                known = network.embedding.PE.get(coordinate)
                said = "not given" if known is None else repr(str(known))
                where = f"position {position} of {len(seen)} ({seen[position]!r}), coordinate {column}"
                of = "the embedding has" if number == 0 else f"after layer {number} the construction has"
                hint = (
                    f"mend position[{column}], which is {said}"
                    if number == 0
                    else "say what its forward pass does: norms, mask, scale"
                )
                raise InputError(f"{construction.name}: at {where}, {of} {wanted:.9g}, the module {value:.9g}; {hint}")


def _room(found: Tensor, wanted: float) -> float:
    return math.sqrt(torch.finfo(found.dtype).eps) * max(1.0, abs(wanted))


def _float(value: Number) -> float:
    return float((value if isinstance(value, arb) else ball(value)).mid())


def _run(construction: Construction, word: Sequence[str]) -> tuple[Streams, Vector]:
    """The streams and the outputs, in balls, which are quick, where they decide what the word is."""
    try:
        return _outputs_of(construction, word, BITS)
    except Undecided:
        return _outputs_of(construction, word, None)


def _outputs_of(construction: Construction, word: Sequence[str], bits: int | None) -> tuple[Streams, Vector]:
    if construction.encoder.readout.predicts:
        predicted = predict(construction, word, bits=bits)
        return predicted.streams, predicted.outputs
    found = run(construction, word, bits=bits)
    return found.streams, {LOGIT: found.logit}
