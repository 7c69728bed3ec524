"""What is decoded step after step: an encoder-decoder in floating point, and Boolean circuits in numbers of s bits.

Steps of an encoder-decoder, with the keys and values that it keeps, and with all former steps computed anew.

A step that keeps them looks at t + 1 vectors and computes one, so that T steps take time in T^2 with a very small
factor, as long as looking costs less than the step's own products; computed anew they take time in T^3.

A circuit of m gates takes m steps: on 100 inputs at once in PyTorch, on one by the interpreter. Time is in m^2, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import torch
from flint import fmpq

from tests.numeric.decoding.fixed_point import FixedPointDecoder
from weightproof.constructions.circuits.circuit import ALPHABET, Circuit, Gate, conjunction, negation, values
from weightproof.constructions.fraknoi2024.circuit_by_decoder import circuit_by_decoder
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer

WORDS, WIDTH = 8, 64
STEPS = [64, 128, 256, 512]
SAME_STEPS = 12
INPUTS, AT_ONCE = 10, 100
GATES = [250, 500, 1000, 2000]
UNREAD = Readout(Linear({"logit": {}}))


def network() -> EncoderDecoder:
    """Two layers, each with a head of its own over all steps so far, a cross head and a feed-forward network."""
    names = [f"x{number}" for number in range(WIDTH)]
    turned = {name: {other: "1/2"} for name, other in zip(names, names[1:] + names[:1], strict=True)}
    looked = {"q": {names[0]: 1, names[1]: -1}}
    own = Head(W_V=turned, W_Q=looked, W_K=looked, mask="causal")
    cross = Head(W_V={names[0]: {"1": 1}}, W_Q=looked, W_K={"q": {"i": 1}}, normaliser="hardmax")
    layer = Layer((own,), FeedForward(Linear(turned), Linear(turned), "saturated-linear"), (cross,))
    encoder = Encoder(("1", "i"), Embedding({"0": {"1": 1}}, PE={"i": "i/n"}), (), UNREAD, begin=None)
    return EncoderDecoder(
        encoder=encoder,
        coordinates=tuple(names),
        seed={names[0]: 1},
        PE={names[1]: "1/(i+1)"},
        layers=(layer, layer),
        feedback=Linear(turned),
        readout=UNREAD,
    )


@torch.inference_mode()
def anew(model: EncoderDecoderTransformer, words: list[str]) -> Iterator[torch.Tensor]:
    """z_0, z_1, ..., each from all inputs so far."""
    memory = model._encoded(words)
    names = {**model.blocks.entries.names, "n": fmpq(memory.shape[1])}
    scales, fed_back = model.blocks.scales(names), model.operations.linear(model.feedback.W, model.feedback.b)
    inputs, before = [], model.seed.expand(len(words), 1, -1)
    for step in itertools.count():
        inputs.append(before + model._position(step, names))
        x = torch.cat(inputs, 1)
        for layer in model.blocks.start(model.operations):
            layer.remember(memory)
            x = layer(x, 0, scales)
        yield x[:, -1]
        before = fed_back(x[:, -1:])


def test_both_compute_the_same() -> None:
    """To the bit, where sums have one order; torch's products of matrices have another one for every shape."""
    model, words = EncoderDecoderTransformer(network(), ("0",), "float32", attention="strict"), ["0" * 16] * 2
    for kept, again in itertools.islice(zip(model.decode(words), anew(model, words), strict=True), SAME_STEPS):
        assert torch.equal(kept, again)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("how", ["kept", "anew"])
def test_steps(benchmark: Any, how: str, steps: int) -> None:
    model, words = EncoderDecoderTransformer(network(), ("0",), "float32"), ["0" * 16] * WORDS

    def run() -> torch.Tensor:
        found = model.decode(words) if how == "kept" else anew(model, words)
        return next(itertools.islice(found, steps - 1, None))

    benchmark.pedantic(run, rounds=2, iterations=1)
    seconds = benchmark.stats.stats.min
    benchmark.extra_info |= {"how": how, "steps": steps, "microseconds a step": round(1e6 * seconds / steps)}


def random_circuit(gates: int) -> Circuit:
    random, made = Random(1), list[Gate]()
    for wires in range(INPUTS, INPUTS + gates):
        a, b = (random.randint(1, wires) for _ in range(2))
        made.append(random.choice((negation(a), conjunction(a, b))))
    return Circuit("random", INPUTS, tuple(made))


def inputs(number: int) -> list[str]:
    random = Random(2)
    return ["".join(random.choices("01", k=INPUTS)) for _ in range(number)]


def gates_of(circuit: Circuit, word: str) -> list[str]:
    return ["01"[value] for value in values(circuit, word)[INPUTS:]]


@pytest.mark.parametrize("gates", GATES)
def test_circuit_in_torch(benchmark: Any, gates: int) -> None:
    circuit, words = random_circuit(gates), inputs(AT_ONCE)
    model = FixedPointDecoder(circuit_by_decoder(circuit).network, ALPHABET)
    rows = benchmark.pedantic(lambda: list(model.generate(words)), rounds=1, iterations=1)
    for number, word in enumerate(words):
        assert [produced.tokens[number] for produced in rows] == gates_of(circuit, word)
    benchmark.extra_info |= {"gates": gates, "words": AT_ONCE}


@pytest.mark.parametrize("gates", GATES)
def test_circuit_by_interpreter(benchmark: Any, gates: int) -> None:
    circuit, [word] = random_circuit(gates), inputs(1)
    network = circuit_by_decoder(circuit).network
    found = benchmark.pedantic(lambda: list(appended(network, word, {})), rounds=1, iterations=1)
    assert [produced.token for produced in found] == gates_of(circuit, word)
    benchmark.extra_info |= {"gates": gates, "words": 1}
