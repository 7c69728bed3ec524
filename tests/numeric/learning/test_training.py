"""Training of many seeds at once: each comes out as it would alone, whatever is beside it, and goes on from a state to
the same numbers; and what is trained is the network that its construction says."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import fmpq

from weightproof.constructions.meaning.running import run
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.learning.architecture import Architecture, AsWritten, Normal, Uniform, with_normaliser
from weightproof.numeric.learning.experiment import OF_FIRST, Curve, Experiment
from weightproof.numeric.learning.library import experiments
from weightproof.numeric.learning.states import Buffers, State
from weightproof.numeric.learning.tasks import Seen, drawn, number, seen
from weightproof.numeric.learning.tensors import HEADS, Free, tensors
from weightproof.numeric.learning.training import Reached, begun, train
from weightproof.numeric.learning.words import SHARES, WordsSession, named_weights, outputs, trained
from weightproof.numeric.model.transformer import encode
from weightproof.numeric.rounding.formats import FORMATS, over_positions

EVERY = [(each, curve) for each in experiments().values() if isinstance(each, Experiment) for curve in each.curves]
FIRST = experiments()["chiang2022-first"]
SHAPES = [(FIRST, "n=10", 1), (FIRST, "n=300 scaled", 3), (experiments()["chiang2022-parity"], "n=10", 1)]
SHAPES += [(experiments()["chiang2022-parity"], "n=30", 2), (experiments()["nowak2022-palindrome"], "n=10", 1)]
SHAPES += [(experiments()["steffen2022-dyck2"], "n=10 hard", 1)]
SHAPES += [(experiments()["steffen2022-constructed-dyck1-depth"], f"n=10{norms}", 1) for norms in ("", " norms")]
SHAPES += [(experiments()["exact-parity"], "n=10 moved 0.1", 1)]
"""Positions counted and one by one, one head and two, one word and several, one marker and two, hard attention; weights
that are written down, causal attention and sums over positions, with and without norms."""


def short(experiment: Experiment, words: int) -> Experiment:
    return dataclasses.replace(experiment, steps=5, words=words, test_words=7)


def reached(experiment: Experiment, curve: Curve, seeds: Sequence[int], epochs: int = 2) -> dict[int, Reached]:
    states = {seed: begun(experiment, curve, seed) for seed in seeds}
    return {each.seed: each for each in [*train(experiment, curve, states, epochs)][-1]}


def is_same(left: State, right: State) -> bool:
    """To the bit."""
    pairs = ((getattr(left, name), getattr(right, name)) for name in ("weights", "first", "second"))
    return left.epoch == right.epoch and all(np.array_equal(one, other) for one, other in pairs)


@pytest.mark.parametrize(("given", "name", "words"), SHAPES)
def test_a_seed_is_the_same_alone_and_beside_others(given: Experiment, name: str, words: int) -> None:
    experiment = short(given, words)
    curve = experiment.curve(name)
    together = reached(experiment, curve, range(20))
    for seeds in ([0], [19], [3, 7, 11], [12, 4, 8, 1, 0]):
        for seed, alone in reached(experiment, curve, seeds).items():
            assert is_same(alone.state, together[seed].state)
            assert alone.measured == together[seed].measured
    assert not is_same(together[0].state, dataclasses.replace(together[1].state))


def test_it_goes_on_from_a_state_as_if_it_had_not_stopped() -> None:
    experiment = short(FIRST, 1)
    curve = experiment.curve("n=30 scaled")
    through = reached(experiment, curve, [2, 5], 3)
    halfway = reached(experiment, curve, [2, 5], 1)
    went_on = [*train(experiment, curve, {seed: each.state for seed, each in halfway.items()}, 3)]
    assert [each[0].state.epoch for each in went_on] == [2, 3]
    for each in went_on[-1]:
        assert is_same(each.state, through[each.seed].state)
        assert each.measured == through[each.seed].measured
    again = [*train(experiment, curve, {2: dataclasses.replace(halfway[2].state, epoch=0)}, 2)]
    assert not is_same(again[-1][0].state, through[2].state)  # other words and another step of Adam


def test_words_are_of_the_seed_alone() -> None:
    curve = FIRST.curve("n=10")
    construction = trained(FIRST, curve, 0, begun(FIRST, curve, 0).weights)

    def words(seed: int, purpose: str) -> str:
        numbers = [number(FIRST, curve, seed, purpose)]
        return str(drawn(FIRST, construction, 9, 10, 10, numbers).tokens.tolist())

    assert words(3, "epoch 1") == words(3, "epoch 1")
    assert len({words(seed, purpose) for seed in (3, 4) for purpose in ("epoch 1", "epoch 2", "test 1")}) == 6
    found = drawn(FIRST, construction, 50, 4, 4, [5, 6])
    assert torch.equal(found.right, found.tokens[:, :, 1] == 1)
    assert 0 < found.right.float().mean() < 1


def test_words_of_several_lengths_are_those_of_the_source() -> None:
    experiment = experiments()["nowak2022-one"]
    curve = next(each for each in experiment.curves if each.varied)
    construction = trained(experiment, curve, 0, begun(experiment, curve, 0).weights)
    found = drawn(experiment, construction, 200, 2, 9, [5])
    lengths = (found.tokens[0] >= 0).sum(1) - 1
    assert {*lengths.tolist()} == {*range(2, 10)}
    assert torch.equal(found.right[0], (found.tokens[0] == 1).sum(1) == 1)
    assert 0.2 < found.right.float().mean() < 0.5  # 1.5/e^1.5 = 0.33
    inputs = seen(curve.architecture, experiment.language.alphabet, found.tokens)
    assert inputs.logs is not None
    assert torch.equal(inputs.logs[0].exp().sum(1).round().long(), lengths + 1)
    for place, length in enumerate(lengths.tolist()):
        alone = seen(curve.architecture, ("0", "1"), found.tokens[:, place : place + 1, : length + 1])
        if alone.logs is not None:  # a shorter word has no more positions than there are kinds of them
            assert torch.equal(alone.logs[0, 0], inputs.logs[0, place])
            assert torch.equal(alone.after_first[0, 0], inputs.after_first[0, place])
    with pytest.raises(ValueError, match="uses n"):
        dataclasses.replace(FIRST.curve("n=10 scaled"), shortest=2)


@pytest.mark.parametrize(("experiment", "curve"), EVERY, ids=lambda each: each.name)
def test_weights_begin_as_is_said(experiment: Experiment, curve: Curve) -> None:
    weights = named_weights(experiment, curve, begun(experiment, curve, 0).weights)
    for tensor in WordsSession.tensors(experiment, curve):
        values = weights[tensor.name]
        if tensor.like is not None:
            assert np.array_equal(values, weights[tensor.like])
            continue
        match tensor.begins:
            case Uniform(bound=bound) if values.size > 99:
                assert 0.9 < abs(values).max() / bound <= 1
            case Normal(deviation=deviation) if values.size > 29:
                assert 0.5 < values.std() / deviation < 2
            case AsWritten(deviation=deviation):
                assert (abs(values - tensor.written) <= 6 * deviation).all()
                assert np.array_equal(values, tensor.written) == (deviation == 0)


def test_the_standard_transformer_begins_as_torch_does() -> None:
    """Bounds of torch.nn.init, for 16 coordinates and 64 hidden units."""
    curve = FIRST.curve("n=10")
    weights = named_weights(FIRST, curve, begun(FIRST, curve, 0).weights)
    d, hidden = curve.architecture.width, weights["0.b_F1"].size
    assert (d, hidden) == (16, 64)
    assert abs(weights["W_E"]).max() > 1
    assert 0.9 < abs(weights["0.W_Q"]).max() / (6 / (4 * d)) ** 0.5 <= 1
    assert 0.9 < abs(weights["0.W_F1"]).max() * d**0.5 <= 1
    assert 0.9 < abs(weights["0.W_F2"]).max() * hidden**0.5 <= 1
    assert (weights["1.gain_2"] == 1).all()
    assert not weights["1.bias_2"].any()
    assert np.array_equal(weights["0.W_K"], weights["1.W_K"])
    assert not np.array_equal(weights["0.W_K"], weights["0.W_Q"])


def in_doubles(inputs: Seen) -> Seen:
    """As they are, but for logarithms, which are rounded to floats there."""
    logs = None if inputs.logs is None else inputs.logs.double().exp().round().log()
    return dataclasses.replace(inputs, tokens=inputs.tokens.double(), encodings=inputs.encodings.double(), logs=logs)


def moved(given: Experiment, name: str) -> Experiment:
    """With one curve, whose weights begin as they are written, but each a little off, so that all of them count."""
    curve = given.curve(name)
    begins = {tensor.name.rpartition(".")[2]: AsWritten(0.1) for tensor in tensors(curve.architecture, ("0", "1"))}
    architecture = dataclasses.replace(curve.architecture, begins=begins)
    return dataclasses.replace(given, curves=(dataclasses.replace(curve, architecture=architecture),))


MOVED = [(moved(given, name), name, words) for given, name, words in SHAPES[6:]]


def encodings_in_doubles(architecture: Architecture, n: int) -> torch.Tensor:
    """As the network adds them, each rounded once, [n, d]: training has floats."""
    network = architecture.network
    table = torch.zeros(n, len(network.coordinates), dtype=torch.float64)
    names = {"n": fmpq(n), "d": fmpq(len(network.coordinates))}
    for coordinate, formula in network.embedding.PE.items():
        values = over_positions(formula, names, n, FORMATS["float64"])
        table[:, network.coordinates.index(coordinate)] = torch.from_numpy(values)
    return table


@pytest.mark.parametrize(("given", "name", "words"), [SHAPES[1], SHAPES[2], SHAPES[4], *MOVED])
def test_what_is_trained_is_the_network_of_the_construction(given: Experiment, name: str, words: int) -> None:
    """The trainer's logits, in float64, lie where the rounding model puts those of the construction, twice over.

    The radius of `output_balls` is that of one way to compute them. torch's layer_norm takes one pass where it has two,
    with twice as many roundings at most of each number (Welford 1962: two for the mean and three for the squares, in
    place of one and two); a score to which the logarithm of a count is added is rounded once more.
    """
    experiment = short(given, words)
    curve, symbols = experiment.curve(name), experiment.language.alphabet
    state = reached(experiment, curve, [4])[4].state
    construction = trained(experiment, curve, 4, state.weights)
    named = {
        key: torch.from_numpy(value).double()[None]
        for key, value in named_weights(experiment, curve, state.weights).items()
    }
    word = "10100"
    tokens = encode(construction, [word])[None].long()
    exact = run(construction, word, bits=200).logit
    radius = 2 * float(output_balls(construction, word, dtype="float64")["logit"].rad())
    assert 0 < radius < 1e-7
    for together in (True, False):
        inputs = in_doubles(seen(curve.architecture, symbols, tokens, together))
        if inputs.logs is None:
            inputs = dataclasses.replace(inputs, encodings=encodings_in_doubles(curve.architecture, tokens.shape[2]))
        logits, _ = outputs(curve.architecture, named, inputs)
        assert abs(float(exact) - float(logits)) <= radius
    for what in named:  # every tensor counts; whether a head is there is of no account where it is the only one
        if what.endswith(HEADS) and named[what].numel() == 1:
            continue
        spoilt = {**named, what: named[what] * (1 + 1e-4) + 1e-4}
        changed, _ = outputs(curve.architecture, spoilt, inputs)
        assert abs(float(exact) - float(changed)) > radius, what


def of_one_layer(architecture: Architecture) -> Architecture:
    network = architecture.network
    return dataclasses.replace(architecture, network=dataclasses.replace(network, layers=network.layers[:1]))


def test_hard_attention_is_that_of_the_construction() -> None:
    """Of one layer, whose scores are rational, so that their order is known exactly: positions with equal tokens and
    encodings have equal ones. As above, twice over."""
    curve = FIRST.curve("n=10")
    hard = of_one_layer(with_normaliser(curve.architecture, "hardmax"))
    curve = dataclasses.replace(curve, architecture=hard)
    weights = begun(FIRST, curve, 3).weights
    construction, word = trained(FIRST, curve, 3, weights), "10100"
    assert construction.encoder.layers[0].heads[0].normaliser == "hardmax"
    named = {key: torch.from_numpy(value).double()[None] for key, value in named_weights(FIRST, curve, weights).items()}
    tokens = encode(construction, [word])[None].long()
    exact = float(run(construction, word, bits=200).logit)
    radius = 2 * float(output_balls(construction, word, dtype="float64")["logit"].rad())
    assert 0 < radius < 1e-7
    for together in (True, False):
        inputs = in_doubles(seen(hard, ("0", "1"), tokens, together))
        assert (inputs.logs is None) is not together
        assert abs(exact - float(outputs(hard, named, inputs)[0])) <= radius
        spoilt = {**named, "0.W_V": named["0.W_V"] * (1 + 1e-4)}
        assert abs(exact - float(outputs(hard, spoilt, inputs)[0])) > radius
        soft = with_normaliser(hard, "softmax")
        assert abs(exact - float(outputs(soft, named, inputs)[0])) > radius


def test_hard_attention_takes_the_mean_over_all_of_the_greatest() -> None:
    """How often a score is there comes as a logarithm: that, its power, a sum and a quotient are each off by 2^-23 or
    so of themselves."""
    scores, hardmax = torch.tensor([1.0, 3.0, 3.0, 7.0]), SHARES["hardmax"]
    assert hardmax(scores[:3], None).tolist() == [0, 0.5, 0.5]
    assert hardmax(scores, None).tolist() == [0, 0, 0, 1]
    counted = hardmax(scores, torch.tensor([1.0, 2.0, 4.0, 0.0]).log())
    assert counted.tolist() == pytest.approx([0, 1 / 3, 2 / 3, 0], rel=2**-20)


def test_hard_attention_leaves_queries_and_keys_as_they_begin() -> None:
    experiment = short(experiments()["steffen2022-dyck2"], 1)
    for name, stay in (("n=10 hard", True), ("n=10", False)):
        curve = experiment.curve(name)
        first = named_weights(experiment, curve, begun(experiment, curve, 2).weights)
        last = named_weights(experiment, curve, reached(experiment, curve, [2])[2].state.weights)
        assert [np.array_equal(first[f"1.{each}"], last[f"1.{each}"]) for each in ("W_Q", "W_K")] == [stay, stay]
        assert not np.array_equal(first["0.W_V"], last["0.W_V"])


def test_equal_positions_are_counted() -> None:
    architecture = FIRST.curve("n=10").architecture
    tokens = torch.tensor([[[2, 1, 0, 0, 1, 0, 0, 0, 0, 1]]])
    found = seen(architecture, ("0", "1"), tokens)
    assert found.logs is not None
    counted = {
        (int(token.argmax()), float(encoding[0])): float(many.exp())
        for token, encoding, many in zip(found.tokens[0, 0], found.encodings, found.logs[0, 0], strict=True)
    }
    assert counted == {(2, 0.0): 1, (0, 0.0): 6, (0, 1.0): 0, (1, 0.0): 2, (1, 1.0): 1}
    assert found.encodings[found.after_first[0, 0]][0] == 1
    assert seen(architecture, ("0", "1"), tokens[:, :, :4]).logs is None  # no fewer than positions
    assert seen(architecture, ("0", "1"), tokens, together=False).logs is None


def test_a_weight_of_the_construction_is_the_float() -> None:
    curve = FIRST.curve("n=10")
    weights = begun(FIRST, curve, 0).weights
    network = trained(FIRST, curve, 0, weights).encoder
    named = named_weights(FIRST, curve, weights)
    assert Fraction(network.layers[1].heads[0].W_Q["q3"]["x5"].source) == Fraction(float(named["1.W_Q"][4, 2]))
    assert Fraction(network.embedding.WE["CLS"]["x2"].source) == Fraction(float(named["W_E"][2, 1]))
    assert Fraction(network.readout.W.bias["logit"].source) == Fraction(float(named["b_U"][0]))


def test_a_first_step_of_adam_moves_every_weight_by_its_rate() -> None:
    """m/(1 - beta_1) = g and v/(1 - beta_2) = g^2, so that it moves by rate g/(|g| + 10^-8); five roundings or so."""
    zeros = np.zeros(3, dtype=np.float32)
    tensor = Free("W", zeros, Normal())
    buffers = Buffers([tensor], [State(0, np.array([1, 2, 3], dtype=np.float32), zeros, zeros)], torch.device("cpu"))
    (buffers.named["W"] * torch.tensor([[4.0, -0.5, 0.0]])).sum().backward()  # type: ignore[no-untyped-call]
    buffers.step(1, 0.25)
    moved = buffers.all_weights()[0] - np.array([1, 2, 3])
    assert abs(moved - [-0.25, 0.25, 0]).max() < 2**-20
    assert not buffers.gradients.any()


def test_it_learns() -> None:
    experiment = dataclasses.replace(FIRST, words=16, rate=0.003, steps=60, points=(), test_words=50)
    curve = dataclasses.replace(FIRST.curve("n=10 scaled"), tested=20)
    found = reached(experiment, curve, range(4), 3)
    measured = [each.measured for each in found.values()]
    assert all(each is not None and each["training accuracy"] > 0.95 for each in measured)
    assert all(each is not None and {*each} == {*OF_FIRST} for each in measured)


def test_every_statement_is_about_curves_that_are_there() -> None:
    for experiment in experiments().values():
        names = [curve.name for curve in experiment.curves]
        assert len(names) == len({*names})
        assert all({*said.curves} <= {*names} for said in experiment.said)
        assert experiment.points[-1] == experiment.epochs
        assert len({experiment.sha256(curve) for curve in experiment.curves}) == len(names)
