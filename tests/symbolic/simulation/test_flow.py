"""What a vector depends on, block by block, and against runs: what does not come through does not matter."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from flint import fmpq

from tests.proofs.simulation.test_simulations_proved import SMALL
from weightproof.constructions.bhattamishra2020 import components
from weightproof.constructions.bhattamishra2020.counting import SUM, rising
from weightproof.constructions.machines.rnn import BEGIN, END
from weightproof.constructions.meaning.interpreter import WEIGHTS, attention_weights
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import EncoderDecoder, FeedForward, Head, Layer, Linear, Normaliser
from weightproof.constructions.scalars.exact import exp, identity, log, sqrt
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.flow import EXP, NOTHING, WEIGHT_OF_ONE, Choice, Dependency, behind, behind_encoder

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


LEFTMOST, SUNK = Head({}, normaliser="leftmost", scale=1), Head({}, scale=1, sink=0)
OF_ONE_POSITION = {
    "one of softmax": (Layer(cross_heads=(SOFT,), cross_residual=False), ALL),
    "one of hardmax, masked": (Layer(cross_heads=(MASKED,), cross_residual=False), ALL),
    "one of unique attention": (Layer(cross_heads=(LEFTMOST,), cross_residual=False), ALL),
    "two of them": (Layer(cross_heads=(SOFT, HARD), cross_residual=False), ALL),
    "with the residual": (Layer(cross_heads=(SOFT,)), ALL | INPUTS),
    "with a sink": (Layer(cross_heads=(SUNK,), cross_residual=False), ALL | INPUTS),
    "with a sink beside another one": (Layer(cross_heads=(HARD, SUNK), cross_residual=False), ALL | INPUTS),
    "hidden at some steps": (
        Layer(cross_heads=(Head({}, scale=1, sees="i < 3 or j > 0", sink=0),), cross_residual=False),
        ALL | INPUTS,
    ),
    "without cross heads": (Layer(), INPUTS),
}


@pytest.mark.parametrize("what", OF_ONE_POSITION)
def test_what_comes_through_where_the_encoder_has_one_position(what: str) -> None:
    layer, found = OF_ONE_POSITION[what]
    assert behind(layer, INPUTS, MEMORY, one_position=True) == found


@pytest.mark.parametrize(
    "head", [Head({}, normaliser="leftmost", scale=1, mask="strictly-causal"), replace(SOFT, mask="future")]
)
def test_a_mask_that_hides_one_position_is_refused(head: Head) -> None:
    with pytest.raises(Underivable, match=head.mask):
        behind(Layer(cross_heads=(head,), cross_residual=False), INPUTS, MEMORY, one_position=True)


SCORES = [fmpq(-3, 7), sqrt(fmpq(2)), log(fmpq(7)), exp(fmpq(1, 3)) - sqrt(fmpq(5))]


@pytest.mark.parametrize("normaliser", WEIGHTS)
def test_one_position_weighs_what_is_said(normaliser: Normaliser) -> None:
    """By the interpreter, too: up to the sum, and divided by it, which makes 1; beside a sink it is not the same
    for all scores."""
    said = WEIGHT_OF_ONE[normaliser]
    head = Head({}, normaliser=normaliser)
    for score in SCORES:
        assert WEIGHTS[normaliser]([score]) == [exp(score) if EXP in said.atoms else said.at({})]
        assert attention_weights(head, [score]) == [fmpq(1)]
    assert len({identity(attention_weights(head, [score], fmpq(0))[0]) for score in SCORES}) > 1


def test_there_is_a_weight_for_every_normaliser() -> None:
    assert WEIGHT_OF_ONE.keys() == WEIGHTS.keys()


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


def distinct(network: EncoderDecoder, word: str, steps: int = 5) -> int:
    return len({identity(vector[SUM]) for vector in itertools.islice(decode(network, word), steps)})


@pytest.mark.parametrize("normaliser", WEIGHTS)
def test_runs_of_one_position_agree(normaliser: Normaliser) -> None:
    """By every normaliser the outputs are the same at all steps, though the inputs are not; with the residual, a sink,
    or where the position is hidden at first, they are not."""
    plain = replace(rising(), PE={SUM: "i - 2"})
    [layer] = plain.layers
    [head] = layer.cross_heads

    def changed(residual: bool = False, **parts: object) -> EncoderDecoder:
        one = replace(head, normaliser=normaliser, **parts)  # type: ignore[arg-type]
        return replace(plain, layers=(replace(layer, cross_heads=(one,), cross_residual=residual),))

    assert distinct(changed(), "D") == 1
    assert distinct(changed(mask="causal"), "D") == 1
    assert distinct(changed(residual=True), "D") > 1
    assert distinct(changed(sink=0), "D") > 1
    assert distinct(changed(sees="i > 1", sink=-9), "D") > 1
    assert distinct(changed(mask="strictly-causal", sink=-9), "D") > 1
