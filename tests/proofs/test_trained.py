"""Networks that training found, as they are: what is proved of them, and what is refuted."""

from __future__ import annotations

import pytest

import weightproof as wp
from weightproof.constructions.library import trained
from weightproof.proofs.theorem import theorems_of
from weightproof.proofs.verdict import Proved, Refuted

pytestmark = pytest.mark.proofs


@pytest.mark.parametrize("name", trained())
def test_every_theorem_about_a_trained_network(name: str) -> None:
    results = wp.prove(name)
    assert [each.theorem for each in results] == [each.name for each in theorems_of(name)]
    for result in results:
        assert isinstance(result.verdict, Proved if result.expected == "proved" else Refuted), result
