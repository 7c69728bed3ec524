"""Activations on intervals lie where lines say, as balls tell."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from flint import arb, ctx

from weightproof.proofs.covering.bounds import LINES, line
from weightproof.proofs.covering.scope import NotCovered

FUNCTIONS: dict[str, Callable[[arb], arb]] = {
    "relu": lambda x: (x + abs(x)) / 2,
    "saturated-linear": lambda x: (1 + x - abs(1 - x)) / 2 if x > 0 else arb(0),
    "step": lambda x: arb(int(x > 0)),
    "square": lambda x: x * x,
    "identity": lambda x: x,
    "abs": abs,
    "tanh": lambda x: x.tanh(),
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
    "silu": lambda x: x / (1 + (-x).exp()),
    "gelu": lambda x: x * (1 + (x / arb(2).sqrt()).erf()) / 2,
}


def test_all_lines_are_tried() -> None:
    assert {*FUNCTIONS} == {*LINES}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_value_is_off_its_line(name: str) -> None:
    random = Random(7)
    for _ in range(150):
        width, around = 10 ** random.uniform(-6, 3), random.uniform(-1, 1) * 10 ** random.uniform(-3, 3)
        low, high = sorted((around - width * random.random(), around + width * random.random()))
        with np.errstate(all="ignore"):
            found = line(name, np.array([low]), np.array([high]))  # type: ignore[arg-type]
        slope, least, most = (arb(float(each[0])) for each in found)
        assert float(most - least) < 3 * (high - low) * max(1, abs(low) + abs(high)) + 1.1
        for x in (low, high, *(random.uniform(low, high) for _ in range(8))):
            with ctx.workprec(120):
                away = FUNCTIONS[name](arb(x)) - slope * arb(x)
                assert away >= least, (name, low, high, x)
                assert away <= most, (name, low, high, x)


def test_an_activation_without_a_line_is_refused_by_name() -> None:
    with pytest.raises(NotCovered, match="covering does not know the activation 'gelu-tanh'"):
        line("gelu-tanh", np.zeros(1), np.ones(1))
