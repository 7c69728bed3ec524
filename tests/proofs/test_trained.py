"""Networks that training found, as they are: what is proved of them, and what is refuted."""

from __future__ import annotations

import pytest

import weightproof as wp
from weightproof.constructions.library import load, trained
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Predicts, theorems_of
from weightproof.proofs.verdict import Proved, Refuted


@pytest.mark.proofs
@pytest.mark.parametrize("name", trained())
def test_every_theorem_about_a_trained_network(name: str) -> None:
    results = wp.prove(name)
    assert [each.theorem for each in results] == [each.name for each in theorems_of(name)]
    for result in results:
        assert isinstance(result.verdict, Proved if result.expected == "proved" else Refuted), result


@pytest.mark.controls
@pytest.mark.parametrize("bits", range(34))
def test_no_rounding_of_its_weights_makes_the_head_right(bits: int) -> None:
    """Its weights are multiples of 2^-33, so that more bits change nothing."""
    head = load("trained-majority")
    rounded = transformed(head, (f"snap:bits={bits}",))
    assert (rounded.network == transformed(head, ("snap:bits=40",)).network) == (bits == 33)
    [result] = prove(rounded, (Predicts("all", "predicts", given="n >= 2"),))
    assert isinstance(result.verdict, Refuted), result
