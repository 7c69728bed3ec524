"""What an induction knows of the symbol it has come to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from weightproof.constructions.library import load
from weightproof.proofs.solving.close import close
from weightproof.proofs.solving.logic import TRUE
from weightproof.proofs.strategies.inductive import induction
from weightproof.proofs.theorem import Decides
from weightproof.symbolic.forward import derive

APART = (
    "((so_far and S1 == 0) or (not so_far and (S1 >= S1_first or -S1 >= S1_first))) "
    "and S1 + S1_first <= S1_next and -S1 + S1_first <= S1_next"
)


def open_ones() -> Iterator[str]:
    """The names of the obligations that are not closed."""
    derivation = derive(load("palindrome-isometric"))
    theorem = Decides("recognises", "a test", invariant=APART)
    for item in induction.by_induction(derivation, theorem, derivation.vocabulary.words()):
        if close(item, timeout=5).evidence is None:
            yield item.name


def test_the_mirror_image_of_the_middle_symbol_is_that_symbol(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it was another one, the middle of a word would be a mismatch that adds nothing."""
    assert list(open_ones()) == []
    monkeypatch.setattr(induction, "_read_here", lambda *_: TRUE)
    assert next(open_ones()).startswith("step on 0, lost")
