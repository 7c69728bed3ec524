"""What a vector depends on, block by block, and against runs: what does not come through does not matter."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from tests.proofs.simulation.test_simulations_proved import SMALL
from weightproof.constructions.bhattamishra2020 import components
from weightproof.constructions.machines.rnn import BEGIN, END
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import EncoderDecoder, FeedForward, Head, Layer, Linear
from weightproof.symbolic.simulation.flow import NOTHING, Choice, Dependency, behind, behind_encoder

HARD, SOFT = Head({}, normaliser="hardmax", scale=1), Head({}, scale=1)
MASKED = Head({}, normaliser="hardmax", scale=1, mask="causal")
NETWORK, SILENT = FeedForward(Linear(), Linear({"x": {}})), FeedForward(Linear(), Linear())
INPUTS, MEMORY = frozenset({Dependency.INPUTS}), frozenset({Dependency.TOKEN, Dependency.ORDER})
ALL = frozenset({Dependency.WORD, Dependency.LENGTH, Dependency.ORDER})
DECODED = {
    "the residual alone": (Layer(), INPUTS, INPUTS),
    "nothing": (Layer(attention_residual=False), INPUTS, NOTHING),
    "heads alone": (Layer(heads=(HARD,), attention_residual=False), INPUTS, INPUTS),
    "a scale with n": (Layer(heads=(Head({}, scale="n"),)), INPUTS, INPUTS | {Dependency.LENGTH}),
    "heads over steps that are all the same": (Layer(heads=(HARD,), attention_residual=False), NOTHING, NOTHING),
    "a cross head": (Layer(cross_heads=(HARD,)), INPUTS, INPUTS | ALL | {Choice(0)}),
    "a cross head alone": (Layer(cross_heads=(HARD,), cross_residual=False), INPUTS, ALL | {Choice(0)}),
    "two of them": (Layer(cross_heads=(HARD, HARD), cross_residual=False), INPUTS, ALL | {Choice(0), Choice(1)}),
    "one of softmax": (Layer(cross_heads=(SOFT,), cross_residual=False), INPUTS, ALL | INPUTS),
    "one that is asked nothing": (Layer(cross_heads=(HARD,), cross_residual=False), NOTHING, ALL),
    "one that is asked nothing, masked": (
        Layer(cross_heads=(MASKED,), cross_residual=False),
        NOTHING,
        ALL | {Choice(0)},
    ),
    "a feed-forward network alone": (Layer(feed_forward=NETWORK, feed_forward_residual=False), INPUTS, INPUTS),
    "a silent one with its residual": (Layer(feed_forward=SILENT), INPUTS, INPUTS),
    "a silent one alone": (Layer(feed_forward=SILENT, feed_forward_residual=False), INPUTS, NOTHING),
}
TOKEN = frozenset({Dependency.TOKEN})
ENCODED = {
    "the residual alone": (Layer(), TOKEN, TOKEN),
    "nothing": (Layer(attention_residual=False), TOKEN, NOTHING),
    "a head": (Layer(heads=(HARD,)), TOKEN, TOKEN | {Dependency.WORD, Dependency.LENGTH}),
    "a masked head": (Layer(heads=(MASKED,)), TOKEN, TOKEN | {Dependency.WORD, Dependency.LENGTH, Dependency.ORDER}),
    "a head over vectors that are all the same": (Layer(heads=(MASKED,)), NOTHING, NOTHING),
    "a silent network alone": (Layer(feed_forward=SILENT, feed_forward_residual=False), TOKEN, NOTHING),
}


@pytest.mark.parametrize("what", DECODED)
def test_what_comes_through_a_layer_of_the_decoder(what: str) -> None:
    layer, sources, found = DECODED[what]
    assert behind(layer, sources, MEMORY) == found


@pytest.mark.parametrize("what", ENCODED)
def test_what_comes_through_a_layer_of_the_encoder(what: str) -> None:
    layer, sources, found = ENCODED[what]
    assert behind_encoder(layer, sources) == found


def test_nothing_comes_of_an_encoder_that_says_nothing() -> None:
    assert behind(Layer(cross_heads=(SOFT, MASKED)), INPUTS, NOTHING) == INPUTS


def outputs(network: EncoderDecoder, word: str, steps: int = 9) -> list[tuple[object, ...]]:
    return [tuple(vector.values()) for vector in itertools.islice(decode(network, word), steps)]


def test_runs_agree() -> None:
    """Cut parts of a network that reads its word: what does not come through makes no difference."""
    network = components.complete(SMALL).network
    [layer], [coder] = network.layers, network.encoder.layers
    words = ("ab", "ba", "bb")
    assert len({tuple(outputs(network, word)) for word in words}) == 3
    deaf = replace(network, layers=(replace(layer, cross_heads=()),))
    mute = replace(network, encoder=replace(network.encoder, layers=(replace(coder, attention_residual=False),)))
    empty = replace(network.encoder, layers=(replace(coder, heads=(), attention_residual=False),))
    for cut in (deaf, mute, replace(network, encoder=empty)):
        assert len({tuple(outputs(cut, word)) for word in words}) == 1
    cut = replace(network, layers=(replace(layer, cross_residual=False),))
    for word in ("", "a", "ab"):
        assert len(set(outputs(cut, word, 40))) <= 2 ** len([BEGIN, *word, END]) - 1
