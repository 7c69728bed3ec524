"""Runs in balls: they contain the exact numbers, and decide alike or not at all."""

from __future__ import annotations

from itertools import product

import pytest
from flint import arb

from weightproof.constructions.library import load, names
from weightproof.constructions.meaning import interpreter
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import run
from weightproof.constructions.scalars.exact import Undecided, ball, exp
from weightproof.constructions.transforms.by_name import transformed

NORMED = transformed(load("one"), ["remove-centering", "layer-norm:epsilon=1/100"])


def contained(construction: Construction, word: str) -> bool:
    """Whether the balls of a run contain the exact numbers, and are small; decided alike where they decide."""
    exact = run(construction, word)
    try:
        balls = run(construction, word, bits=64)
    except Undecided:  # the logit is 0, or a hard head has a tie
        return True
    pairs = [(exact.logit, balls.logit)]
    for before, after in zip(exact.streams, balls.streams, strict=True):
        pairs += [(x[name], y[name]) for x, y in zip(before, after, strict=True) for name in x]
    assert all(y.rad() < 2**-30 for _, y in pairs if isinstance(y, arb))
    return balls.accepts == exact.accepts and all(arb(y).contains(ball(x, 512)) for x, y in pairs)


@pytest.mark.parametrize("construction", [*map(load, names()), NORMED], ids=lambda construction: construction.name)
def test_balls_contain_the_exact_numbers(construction: Construction) -> None:
    words = ["".join(word) for length in range(1, 4) for word in product(construction.language.alphabet, repeat=length)]
    assert all(contained(construction, word) for word in words)


def test_balls_that_do_not_contain_the_exact_numbers_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "exp", lambda x: x.exp() + arb(2) ** -40 if isinstance(x, arb) else exp(x))
    assert not contained(load("parity"), "01")


def test_a_tie_is_open_in_balls() -> None:
    with pytest.raises(Undecided, match="the sign of"):
        run(load("palindrome"), "0110", bits=64)
