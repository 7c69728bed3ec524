"""What heads are worth: the line that separates best, Shapley values, and which half is left."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import torch

from weightproof.constructions.meaning.running import predict
from weightproof.learning.learning import Training, learned
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.learning.experiment import Halving
from weightproof.numeric.learning.heads import FLAT, PENALTY, kept, line, separation, shapley
from weightproof.numeric.learning.library import experiments
from weightproof.numeric.learning.states import stacked
from weightproof.numeric.learning.tasks import seen
from weightproof.numeric.learning.tensors import HEADS
from weightproof.numeric.learning.training import Reached, begun, train
from weightproof.numeric.learning.words import WordsSession, named_weights, outputs, trained
from weightproof.numeric.model.transformer import encode

MAJORITY = experiments()["fraknoi2024-noisy-majority"]
SMALL = dataclasses.replace(MAJORITY, steps=4, words=16, kept=90, test_words=40, epochs=4, points=(4,))


def loss(points: np.ndarray, sides: np.ndarray, u: np.ndarray) -> float:
    """Section 5.4, with the square of its text."""
    slack = np.maximum(0, 1 - sides * (points @ u[:-1] + u[-1]))
    return float(u[:-1] @ u[:-1] + PENALTY * np.mean(slack**2))


def test_no_line_near_by_is_better() -> None:
    random = np.random.default_rng(3)
    points = random.standard_normal((200, 3))
    sides = np.where(points @ [1, -2, 0.5] + 0.3 + random.standard_normal(200) / 4 > 0, 1.0, -1.0)
    found = line(points, sides)
    least = loss(points, sides, found)
    for _ in range(200):
        moved = found + random.standard_normal(4) * 10.0 ** random.integers(-4, 1)
        assert loss(points, sides, moved) > least


def test_of_one_value_the_best_line_is_known() -> None:
    """Two points, at 1 on side 1 and at 0 on side -1: by symmetry w/2 + b = 0, and |w|^2 + C (1 - w/2)^2 is least.
    Where its gradient is below FLAT C, w is off by that over the curvature, 2 + C/2."""
    w, off = PENALTY / 2 / (1 + PENALTY / 4), FLAT * PENALTY / (2 + PENALTY / 2)
    assert line(np.array([[1.0], [0.0]]), np.array([1.0, -1.0])) == pytest.approx([w, -w / 2], rel=0, abs=off)


def test_shapley_values_are_the_mean_gain_over_all_orders() -> None:
    """Up to some twenty roundings of numbers below 1."""
    random = np.random.default_rng(5)
    worth = {frozenset(heads): random.random() if heads else 0.0 for heads in every((0, 2, 3))}
    found = shapley((0, 2, 3), lambda heads: worth[frozenset(heads)])
    orders = [*permutations((0, 2, 3))]
    for head in (0, 2, 3):
        gains = [
            worth[frozenset(order[: order.index(head) + 1])] - worth[frozenset(order[: order.index(head)])]
            for order in orders
        ]
        assert found[head] == pytest.approx(sum(gains) / len(orders), rel=0, abs=2**-48)
    assert sum(found.values()) == pytest.approx(worth[frozenset((0, 2, 3))], rel=0, abs=2**-48)


def every(heads: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [()] if not heads else [(*more, *own) for own in every(heads[1:]) for more in ((), heads[:1])]


def test_the_better_half_is_left() -> None:
    """Head 1 tells the sides apart, head 0 not at all, heads 2 and 3 in half of the words each."""
    sides = np.array([1.0, -1.0] * 8)
    half = np.array([1.0] * 8 + [0.0] * 8)
    found = np.stack([0 * sides, sides, sides * half, sides * (1 - half)], 1)[:, :, None]
    words = (found, sides)
    value = separation(words, words)
    assert (value(()), value((0,)), value((1,)), value((2, 3))) == (0, 0.5, 1, 1)
    assert 0.5 < value((2,)) < 1
    assert kept("separation", [0, 1, 2, 3], words, words) == [1, 3]
    assert kept("Shapley", [3, 0, 1], words, words) == [1, 3]
    assert kept("separation", [0, 2], words, words) == [2]


def halved(seeds: int = 2) -> dict[int, Reached]:
    """Whatever validation finds, half of the heads are dropped after each epoch."""
    curve = dataclasses.replace(SMALL.curve("d=8 a=4 svc"), halving=Halving("separation", 0))
    return {
        each.seed: each for each in [*train(SMALL, curve, {s: begun(SMALL, curve, s) for s in range(seeds)}, 4)][-1]
    }


def test_dropped_heads_stay_away() -> None:
    curve = SMALL.curve("d=8 a=4 svc")
    for seed, each in halved().items():
        assert each.measured is not None
        assert each.measured["heads"] == 1
        assert each.state.chosen is not None
        weights = named_weights(SMALL, curve, each.state.chosen)
        assert weights[f"0.{HEADS}"].sum() == 1
        [layer] = trained(SMALL, curve, seed, each.state.chosen).encoder.layers
        place = int(weights[f"0.{HEADS}"].argmax())
        assert [[*head.W_V] for head in layer.heads] == [[f"x{2 * place + 1}", f"x{2 * place + 2}"]]


DROPPING = dataclasses.replace(SMALL.curve("d=8 a=4 Shapley"), halving=Halving("Shapley", 0.2))
"""Seeds drop heads after different epochs."""


def reached(seeds: Sequence[int], epochs: int) -> dict[int, Reached]:
    states = {seed: begun(SMALL, DROPPING, seed) for seed in seeds}
    return {each.seed: each for each in [*train(SMALL, DROPPING, states, epochs)][-1]}


def is_same(left: Reached, right: Reached) -> bool:
    """To the bit."""
    names = ("weights", "first", "second", "chosen")
    pairs = [(getattr(left.state, name), getattr(right.state, name)) for name in names]
    return left.measured == right.measured and all(np.array_equal(one, other) for one, other in pairs)


def test_a_seed_drops_the_same_heads_alone_and_beside_others() -> None:
    together = reached(range(8), 4)
    assert len({each.measured["heads"] for each in together.values() if each.measured is not None}) > 1
    for seeds in ([0], [7], [5, 2, 3]):
        assert all(is_same(each, together[seed]) for seed, each in reached(seeds, 4).items())


def test_dropping_goes_on_from_a_state_and_from_a_file(tmp_path: Path) -> None:
    through, halfway = reached(range(4), 4), reached(range(4), 2)
    states = {seed: each.state for seed, each in halfway.items()}
    assert all(is_same(each, through[each.seed]) for each in [*train(SMALL, DROPPING, states, 4)][-1])
    file, experiment = tmp_path / "kept.json", dataclasses.replace(SMALL, curves=(DROPPING,))
    for epochs in (2, 4):
        found = learned(experiment, Training(4, epochs), file)
    for each in found.learners[DROPPING.name]:
        assert is_same(Reached(each.seed, each.state, dict(each.points)[4]), through[each.seed])


def test_weights_are_chosen_by_validation() -> None:
    """The best epoch is the earliest of those with the most words of validation decided rightly."""
    curve = SMALL.curve("d=2 a=1")
    experiment = dataclasses.replace(SMALL, points=tuple(range(1, 13)), rate=0.05, warmed=0)
    first = {1: begun(experiment, curve, 1)}
    place = torch.device("cpu")
    validation = WordsSession.of(experiment, curve, first, place).validation
    assert validation is not None
    free = WordsSession.tensors(experiment, curve)
    shares, chosen = [], []
    for [each] in train(experiment, curve, first, 12):
        assert each.measured is not None
        shares.append(float(validation.shares(stacked(free, [each.state.weights], place))[0]))
        chosen.append(each.state.weights)
        assert each.measured["validation accuracy"] == max(shares)
        assert each.state.chosen is not None
        assert np.array_equal(each.state.chosen, chosen[shares.index(max(shares))])
    assert len({*shares}) > 1


@pytest.mark.parametrize("name", ["d=2 a=1", "d=8 a=4 svc"])
def test_what_is_trained_is_the_network_of_the_construction(name: str) -> None:
    """As in test_training.py, of networks that look once: in float64, within what rounding does to them, twice over."""
    curve = SMALL.curve(name)
    [each] = [*train(SMALL, curve, {4: begun(SMALL, curve, 4)}, 2)][-1]
    construction, word = trained(SMALL, curve, 4, each.state.best), "0120221"
    named = {
        key: torch.from_numpy(value).double()[None]
        for key, value in named_weights(SMALL, curve, each.state.best).items()
    }
    ids = encode(construction, [word])[None].long()
    exact = predict(construction, word, bits=200)
    enclosed = output_balls(construction, word, dtype="float64")
    for together in (True, False):
        given = seen(curve.architecture, construction.alphabet, ids, together)
        assert (given.logs is None) is not together
        logs = None if given.logs is None else given.logs.double().exp().round().log()
        doubles = dataclasses.replace(
            given, tokens=given.tokens.double(), encodings=given.encodings.double(), logs=logs
        )
        found, _ = outputs(curve.architecture, named, doubles)
        for place, row in enumerate(construction.encoder.readout.W.rows):
            radius = 2 * float(enclosed[row].rad())
            assert 0 < radius < 1e-7
            assert abs(float(exact.outputs[row]) - float(found[0, 0, place])) <= radius
