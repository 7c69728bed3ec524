"""A word by its runs of equal symbols is what the interpreter makes of it, exactly and in balls."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from flint import arb

from weightproof.constructions.library import load
from weightproof.constructions.meaning.counting import MOST_SCORES, TooLong, read_runs, sees_runs
from weightproof.constructions.meaning.interpreter import parameter_values, run
from weightproof.constructions.meaning.schema import Embedding, Encoder
from weightproof.constructions.scalars.numbers import sign

NAMES = ("one", "first", "parity", "palindrome", "palindrome-margin", "first-one-layer")


@pytest.mark.parametrize("name", NAMES)
def test_runs_are_read_as_the_interpreter_runs_them(name: str) -> None:
    construction, random = load(name), Random(0)
    network, values = construction.network, parameter_values(construction)
    assert isinstance(network, Encoder)
    begin = () if network.begin is None else ((network.begin, 1),)
    end = () if network.end is None else ((network.end, 1),)
    for _ in range(4):
        runs = tuple((random.choice(construction.language.alphabet), random.randint(1, 3)) for _ in range(3))
        word = "".join(symbol * times for symbol, times in runs)
        ran = run(construction, word).logit
        found = read_runs(network, (*begin, *runs, *end), values, bits=None)["logit"]
        assert sign(found - ran) == 0  # type: ignore[operator]
        ball = read_runs(network, (*begin, *runs, *end), values)["logit"]
        assert isinstance(ball, arb)
        assert sign(found) == 0 or (ball > 0) == (sign(found) > 0)


def test_many_different_positions_are_refused() -> None:
    network = load("first").network
    assert isinstance(network, Encoder)
    assert not sees_runs(network)
    with pytest.raises(TooLong):
        read_runs(network, (("CLS", 1), ("1", MOST_SCORES)), parameter_values(load("first")))


def test_a_head_that_sees_a_part_of_the_word_is_refused() -> None:
    construction = load("dyck1")
    assert isinstance(construction.network, Encoder)
    with pytest.raises(TooLong):
        read_runs(construction.network, (("CLS", 1), ("0", 9)), parameter_values(construction))


def test_without_positions_a_run_may_have_any_length() -> None:
    network = load("first-one-layer").network
    assert isinstance(network, Encoder)
    assert sees_runs(network) == (not network.embedding.PE)
    blind = replace(network, embedding=Embedding(network.embedding.WE))
    assert sees_runs(blind)
    read_runs(blind, (("CLS", 1), ("1", 10**100)), parameter_values(load("first-one-layer")))
