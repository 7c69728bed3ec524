"""Forms over words: what is not known of one is not read as known, and a norm of rows that are multiples is told."""

from __future__ import annotations

import numpy as np
import pytest

from weightproof.proofs.covering.automaton import Words, layered
from weightproof.proofs.covering.forms import Basis, Forms
from weightproof.proofs.covering.norms import over_root_mean_square
from weightproof.proofs.running.enclosures import Floats, point


def words() -> Words:
    """All words of three letters, as one set, with one row of the stream."""
    reader = layered([("a", "b")] * 3, None, lambda state, place, token: None, lambda state: None)
    every = reader.everything([True])
    return Words(reader, every.edges[:, None], every.ends[:, None])


def counted(basis: Basis, least: float) -> Forms:
    """How often b stands in a word, more than `least`."""
    numbers = np.zeros((1, 1, 3, 2))
    numbers[..., 1] = 1.0
    column, _, _ = basis.functional(basis.words.automaton.spread(point(numbers)))
    matrix = np.zeros((1, 1, 1, column + 1))
    matrix[..., 0], matrix[..., column] = least, 1.0
    return Forms(basis, matrix, np.zeros((1, 1, 1)))


def normed(least: float, epsilon: float) -> tuple[Floats, Floats]:
    """Three times that, and minus four times that, over the root of the mean of the squares and an epsilon: between
    which numbers each is."""
    multiples = counted(Basis(words()), least).repeated(2).scaled(np.array([[[3.0, -4.0]]]))
    with np.errstate(all="ignore"):
        low, high = over_root_mean_square(multiples, point(np.array(epsilon))).range()
    return low[0, 0], high[0, 0]


@pytest.mark.parametrize("size", [np.nan, np.inf])
def test_noise_of_no_known_size_leaves_everything_open(size: float) -> None:
    form = counted(Basis(words()), 1.0).noisy(np.full((1, 1, 1), size))
    low, high = form.range()
    assert not low.item() > -np.inf
    assert not high.item() < np.inf


def test_a_norm_of_multiples_of_one_row_does_not_depend_on_it() -> None:
    """Without epsilon it is 3 and -4 over the root of 25/2, whatever the word."""
    low, high = normed(1.0, 0.0)
    exact = np.array([3.0, -4.0]) / np.sqrt(12.5)
    assert (low <= exact).all()
    assert (high >= exact).all()
    assert (high - low < 1e-12).all()


def test_an_epsilon_is_less_the_greater_the_row_is() -> None:
    """Of c = 1, 2, 3, 4 the norms are 3c and -4c over the root of 25 c^2/2 + 1."""
    low, high = normed(1.0, 1.0)
    norms = np.array([[3.0 * c, -4.0 * c] / np.sqrt(12.5 * c * c + 1) for c in (1, 2, 3, 4)])
    assert (low <= norms.min(0)).all()
    assert (high >= norms.max(0)).all()
    assert (high - low < 1.01 * np.ptp(norms, axis=0)).all()


def test_where_the_row_may_be_0_no_row_is_divided_by_it() -> None:
    """Of c = 0 the norm is 0, of c = 3 nearly 3 and -4 over the root of 25/2."""
    low, high = normed(0.0, 1.0)
    assert low[0] <= 0 <= high[0]
    assert low[1] <= 0 <= high[1]
    assert high[0] >= 9 / np.sqrt(12.5 * 9 + 1)
