"""The feed-forward networks for PARITY: as they are printed, and right on all words of up to 10 bits."""

from __future__ import annotations

from itertools import product

import pytest
from flint import fmpq

from weightproof.constructions.chiang2022.parity_feed_forward import units
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.modular.counting import MOST_BITS, Units, count, counter, odd
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate


def number(weight: Expression) -> fmpq:
    return evaluate(weight, {})


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_the_weights_are_the_printed_ones(n: int) -> None:
    """Section 3.1: W_1 all ones, b_1 = -0.5, -1.5, ..., -n + 0.5, W_2 = 1, -1, ..., (-1)^(n+1), b_2 = -0.5."""
    network = counter(units, n).network
    first = [[number(w) for w in row.values()] for row in network.first.weights.values()]
    assert first == [[1] * n] * n
    assert [number(w) for w in network.first.bias.values()] == [-fmpq(2 * j - 1, 2) for j in range(1, n + 1)]
    [second] = network.second.weights.values()
    assert [number(w) for w in second.values()] == [1 if j % 2 else -1 for j in range(1, n + 1)]
    assert [number(w) for w in network.second.bias.values()] == [fmpq(-1, 2)]
    assert network.activation == "step"


@pytest.mark.parametrize("n", range(1, 11))
def test_every_word_is_decided_well(n: int) -> None:
    """And unit i is I[k >= i]."""
    of = counter(units, n)
    for word in product("01", repeat=n):
        made, k = count(of, word), word.count("1")
        assert list(made.units.values()) == [int(k >= i) for i in range(1, n + 1)]
        assert made.y == odd(word) == k % 2
        assert made.logit == fmpq(2 * (k % 2) - 1, 2)


def test_what_is_no_word_is_refused() -> None:
    for n in (0, MOST_BITS + 1):
        with pytest.raises(InputError, match=f"n = {n} is not from 1"):
            counter(units, n)
    of = counter(units, 3)
    for word, says in (("11", "a word of 2 bits, but n = 3"), ("1a1", "symbol 'a' at index 1")):
        with pytest.raises(InputError, match=says):
            count(of, word)


def test_weights_may_use_their_numbers_alone() -> None:
    for place, weight in (("W_1", "n"), ("b_1", "i"), ("W_2", "c"), ("b_2", "j")):
        weights = {"W_1": 1, "b_1": 0, "W_2": 1, "b_2": 0} | {place: weight}
        with pytest.raises(InputError, match=f"{place}: {weight} uses {weight}"):
            Units("x", "", "", **weights)  # type: ignore[arg-type]
