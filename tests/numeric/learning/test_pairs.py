"""Training with pairs of sequences: seeds come out as they would alone, what is decoded is what is predicted, and what
is trained is the network of torch's modules."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
import torch

from weightproof.numeric.learning.bhattamishra2020.copying import copying
from weightproof.numeric.learning.bhattamishra2020.counting import CUT, MARKED, VANILLA, counting
from weightproof.numeric.learning.bleu import bleu
from weightproof.numeric.learning.decoder import PAD, greedy, outputs, tensors, waves
from weightproof.numeric.learning.pairs import PairsSession
from weightproof.numeric.learning.sequences import BEYOND, Copying, Counting, Noam, PairsExperiment, Task, Translator
from weightproof.numeric.learning.states import State, drawn_weights, stacked
from weightproof.numeric.learning.training import Reached, begun, train

SHORT_COPY = dataclasses.replace(copying, steps=5, words=6, test_words=7)
SHORT_COUNT = dataclasses.replace(counting, steps=3)
SHAPES = [(SHORT_COPY, curve.name) for curve in copying.curves] + [
    (SHORT_COUNT, curve.name) for curve in counting.curves
]
DEEP = Translator(layers=2, width=8, hidden=12)
SHAPED = [DEEP, dataclasses.replace(DEEP, positions=False, masked=True)]


def reached(experiment: PairsExperiment, name: str, seeds: Sequence[int], epochs: int = 2) -> dict[int, Reached]:
    curve = experiment.curve(name)
    states = {seed: begun(experiment, curve, seed) for seed in seeds}
    return {each.seed: each for each in [*train(experiment, curve, states, epochs)][-1]}


def is_same(left: State, right: State) -> bool:
    """To the bit."""
    return all(np.array_equal(getattr(left, name), getattr(right, name)) for name in ("weights", "first", "second"))


def drawn(architecture: Translator, task: Task, seeds: Sequence[int]) -> dict[str, torch.Tensor]:
    free = tensors(architecture, task)
    every = [drawn_weights(free, torch.Generator().manual_seed(seed)) for seed in seeds]
    return stacked(free, every, torch.device("cpu"))


@pytest.mark.parametrize(("experiment", "name"), SHAPES)
def test_a_seed_is_the_same_alone_and_beside_others(experiment: PairsExperiment, name: str) -> None:
    together = reached(experiment, name, range(7))
    for seeds in ([0], [6], [5, 2, 3]):
        for seed, alone in reached(experiment, name, seeds).items():
            assert is_same(alone.state, together[seed].state)
            assert alone.measured == together[seed].measured
    assert not is_same(together[0].state, together[1].state)


@pytest.mark.parametrize(("experiment", "name"), [SHAPES[0], SHAPES[-1]])
def test_it_goes_on_from_a_state_as_if_it_had_not_stopped(experiment: PairsExperiment, name: str) -> None:
    through, halfway = (reached(experiment, name, [2, 5], epochs) for epochs in (3, 1))
    states = {seed: each.state for seed, each in halfway.items()}
    for each in [*train(experiment, experiment.curve(name), states, 3)][-1]:
        assert is_same(each.state, through[each.seed].state)
        assert each.measured == through[each.seed].measured


def test_bleu_is_that_of_its_paper() -> None:
    """Papineni et al. (2002): example 2 of section 2.1, and of example 1 one reference; the penalty of section 2.3.

    It is e to a sum of some twenty roundings of numbers below 8."""
    near = partial(pytest.approx, rel=2**-45, abs=0)

    def said(text: str) -> Any:
        return text.lower().split()

    mat = said("The cat is on the mat")
    assert bleu([said("the the the the the the the")], [mat], orders=1) == near(100 * 2 / 7)
    assert bleu([mat, mat], [mat, mat]) == near(100)
    assert bleu([mat[:4]], [mat]) == near(100 * math.exp(1 - 6 / 4))
    assert bleu([[*mat, "the", "cat"]], [mat], orders=1) == near(100 * 6 / 8)  # and none for more
    first = said("It is a guide to action which ensures that the military always obeys the commands of the party")
    third = said("It is the practical guide for the army always to heed the directions of the party")
    # it is guide to the the the always of party
    assert bleu([first], [third], orders=1) == near(100 * 10 / 18)
    assert bleu([mat[:3], mat[:3]], [mat, mat]) == 0  # no run of four
    assert bleu([[]], [mat]) == 0


@pytest.mark.parametrize("architecture", SHAPED)
def test_what_is_decoded_is_what_is_predicted_behind_it(architecture: Translator) -> None:
    task = Copying(4)
    weights = drawn(architecture, task, [1, 2])
    pairs = task.pairs(Random(3), 20, 1, 5)
    source = torch.tensor([[[*each, *[PAD] * (5 - len(each))] for each, _ in pairs]] * 2)
    found = greedy(architecture, task, weights, source, 9)
    said = found.masked_fill(found == PAD, task.end)
    predicted = outputs(architecture, task, weights, source, said).argmax(-1)
    before = torch.cat([torch.ones_like(found[:, :, :1]), found[:, :, :-1]], 2) != PAD
    assert torch.equal(predicted[before], said[before])
    assert 40 < before.sum() < before.numel()  # some end
    assert not torch.equal(found, greedy(architecture, task, weights, source.flip(1), 9))


def in_modules(architecture: Translator, task: Task, weights: dict[str, torch.Tensor]) -> tuple[Any, Any]:
    """torch's encoder and decoder with the weights of the only seed."""
    d, of = architecture.width, {name: values[0].double() for name, values in weights.items()}
    sizes = {"d_model": d, "nhead": 1, "dim_feedforward": architecture.hidden, "dropout": 0.0, "batch_first": True}
    kinds = (torch.nn.TransformerEncoderLayer, torch.nn.TransformerDecoderLayer)
    made = []
    for side, kind, looks in zip(("encoder", "decoder"), kinds, (("self",), ("self", "cross")), strict=True):
        whole = (torch.nn.TransformerEncoder, torch.nn.TransformerDecoder)[len(looks) - 1]
        more = {"enable_nested_tensor": False} if side == "encoder" else {}
        module = whole(kind(**sizes, norm_first=True), architecture.layers, torch.nn.LayerNorm(d), **more).double()
        given: dict[str, torch.Tensor] = {}
        for layer in range(architecture.layers):
            name, to = f"{side}.{layer}", f"layers.{layer}"
            for look, at in zip(looks, ("self_attn", "multihead_attn"), strict=False):
                given[f"{to}.{at}.in_proj_weight"] = torch.cat([of[f"{name}.{look}.{each}"].T for each in "QKV"])
                given[f"{to}.{at}.in_proj_bias"] = torch.zeros(3 * d)
                given[f"{to}.{at}.out_proj.weight"] = of[f"{name}.{look}.O"].T
                given[f"{to}.{at}.out_proj.bias"] = torch.zeros(d)
            for number in "12":
                given[f"{to}.linear{number}.weight"] = of[f"{name}.units.{number}.W"].T
                given[f"{to}.linear{number}.bias"] = of[f"{name}.units.{number}.b"]
            for number, block in enumerate((*looks, "units"), start=1):
                given[f"{to}.norm{number}.weight"] = of[f"{name}.{block}.gain"]
                given[f"{to}.norm{number}.bias"] = of[f"{name}.{block}.bias"]
        given |= {"norm.weight": of[f"{side}.final.gain"], "norm.bias": of[f"{side}.final.bias"]}
        module.load_state_dict(given)
        made.append(module)
    return made[0], made[1]


@pytest.mark.parametrize("architecture", SHAPED)
def test_what_is_trained_is_the_network_of_torch(architecture: Translator) -> None:
    """In float64 both make fewer than 10^4 roundings of numbers below 2^10 on the way to an output, so that they differ
    by less than 2^-29; a weight that is changed by a thousandth moves an output further."""
    task, d = Copying(4, marked=True), architecture.width
    weights = {name: values.double() for name, values in drawn(architecture, task, [4]).items()}
    for name in weights:
        if name.endswith(("gain", "bias")):  # which begin as 1 and 0
            weights[name] = weights[name] + 0.3 * torch.randn(d, generator=torch.Generator().manual_seed(len(name)))
    source, target = (
        torch.tensor([[[1, 0, 3, 2, 4], [2, 2, 4, PAD, PAD]]]),
        torch.tensor([[[1, 0, 3, 4], [2, 2, 4, 4]]]),
    )
    encoder, decoder = in_modules(architecture, task, weights)
    unseen = source[0] == PAD
    before = torch.cat([torch.full((2, 1), task.begin), target[0, :, :-1]], 1)

    def embedded(name: str, tokens: torch.Tensor) -> torch.Tensor:
        x = weights[name][0][tokens.clamp(min=0)] * math.sqrt(d)
        return x + waves(tokens.shape[1], d).double() if architecture.positions else x

    def later(n: int) -> torch.Tensor:
        return torch.ones(n, n, dtype=torch.bool).triu(1)

    mask = later(5) if architecture.masked else None
    memory = encoder(embedded("source", source[0]), mask=mask, src_key_padding_mask=unseen)
    behind = decoder(embedded("target", before), memory, tgt_mask=later(4), memory_key_padding_mask=unseen)
    wanted = behind @ weights["output.W"][0] + weights["output.b"][0]
    found = outputs(architecture, task, weights, source, target)[0]
    assert (found - wanted).abs().max() < 2**-29
    for name, values in weights.items():
        changed = outputs(architecture, task, {**weights, name: values * 1.001 + 0.001}, source, target)[0]
        assert (changed - wanted).abs().max() > 2**-29, name


def test_what_is_behind_a_source_is_not_seen() -> None:
    """It has the vector of token 0."""
    task = Copying(4)
    weights = drawn(DEEP, task, [1])
    moved = {**weights, "source": weights["source"].clone()}
    moved["source"][:, 0] += 1
    target = torch.tensor([[[1, 2, 4]]])
    for source, stays in ([[1, 2, PAD, PAD]], True), ([[1, 2, 0, PAD]], False):
        found = [outputs(DEEP, task, each, torch.tensor([source]), target) for each in (weights, moved)]
        assert torch.equal(*found) == stays


def test_one_position_and_no_residual_say_the_same_at_every_step() -> None:
    """Whatever the weights are: its share is 1, so that nothing of what asks comes through."""
    for name, same in (VANILLA, False), (CUT, True), (CUT + MARKED, False):
        curve = counting.curve(name)
        weights = drawn(curve.architecture, curve.task, [1, 2])
        session = PairsSession(counting, curve, (1, 2), torch.device("cpu"))
        source, target = session.tokens(session.drawn("", 101, 1, 1), 1)
        found = outputs(curve.architecture, curve.task, weights, source, target)
        assert torch.equal(found, found[:, :, :1].expand_as(found)) == same
        assert (session.tested(1, weights)["most distinct"] == 1).all() or not same


def test_pairs_are_of_the_task() -> None:
    random = Random(1)
    found = Copying(20).pairs(random, 300, 5, 12)
    assert {len(source) for source, _ in found} == {*range(5, 13)}
    assert {token for source, _ in found for token in source} == {*range(20)}
    assert all(target == [*source, 20] for source, target in found)
    assert all(source == target for source, target in Copying(20, marked=True).pairs(random, 9, 5, 12))
    numbers = Counting(101, 5).pairs(random, 202, 1, 1)
    assert numbers[42] == numbers[143] == ([42], [43, 44, 45, 46, 47])
    assert Counting(101, 5, marked=True).pairs(random, 101, 1, 1)[0] == ([0, 101], [1, 2, 3, 4, 5])
    with pytest.raises(ValueError, match="all of them are taken"):
        Counting(101, 5).pairs(random, 32, 1, 1)


def test_every_token_weighs_as_much() -> None:
    """Where the output is 0, each costs log of how many there are; those behind the end cost nothing. A mean of some
    hundred floats is off by at most as many units of 2^-24, a logarithm and a share by one or two."""
    near = partial(pytest.approx, rel=2**-17, abs=0)
    session = PairsSession(SHORT_COPY, copying.curve(VANILLA), (1, 2), torch.device("cpu"))
    weights = drawn(session.curve.architecture, session.curve.task, [1, 2])
    weights |= {name: 0 * weights[name] for name in ("output.W", "output.b")}
    source, target = session.tokens(session.drawn("", 9, 5, 12), 12)
    step = session.step(source, target, weights)
    assert (target == PAD).any()
    assert step.losses.flatten().tolist() == near([math.log(22)] * 2)
    assert float(step.slope) == near(2 * math.log(22))
    shares = [(each == 0).sum() / (each != PAD).sum() for each in target]  # the first of the greatest is taken
    assert step.rights.flatten().tolist() == near([float(each) for each in shares])


def test_rates_rise_and_fall() -> None:
    """Three roundings or so of the rate, and of what it is compared with."""
    noam, near = Noam(2, 100), partial(pytest.approx, rel=2**-49, abs=0)
    assert noam.rate(100, 16) == near(2 / 4 / 10)
    assert noam.rate(50, 16) == near(noam.rate(100, 16) / 2)
    assert noam.rate(400, 16) == near(noam.rate(100, 16) / 2)


def test_what_decides_is_in_the_hash() -> None:
    curve = copying.curve(VANILLA)
    others = [dataclasses.replace(curve, **each) for each in ({"noam": Noam(1, 400)}, {"longest": 11}, {"beyond": ()})]
    others += [dataclasses.replace(curve, task=Copying(20, marked=True))]
    others += [dataclasses.replace(curve, architecture=dataclasses.replace(curve.architecture, positions=False))]
    hashes = {copying.sha256(each) for each in (curve, *others)}
    adam = dataclasses.replace(copying.adam, beta_2=0.999)
    hashes |= {dataclasses.replace(copying, **each).sha256(curve) for each in ({"steps": 99}, {"adam": adam})}
    assert len(hashes) == 8
    assert copying.sha256(dataclasses.replace(curve, printed=None)) == copying.sha256(curve)


def test_it_learns_to_count() -> None:
    experiment = dataclasses.replace(counting, points=())
    found = reached(experiment, VANILLA, [0, 1], 10)
    assert all(each.measured is not None and each.measured["accuracy"] > 0.5 for each in found.values())
    cut = reached(experiment, CUT, [0, 1], 10)
    assert all(each.measured is not None and each.measured["accuracy"] <= 0.2 for each in cut.values())


def test_ranges_have_their_measures() -> None:
    assert all({*BEYOND[each]} <= {*copying.measures} for curve in copying.curves for each in curve.beyond)
