"""Constructions of the kind that newcomers write: brute force, then proofs, and the refutation of planted mistakes."""

from __future__ import annotations

import pytest

from tests.proofs.newcomers.cases import LATE, is_right, longer_words, newcomer, short_words
from tests.support.places import NEWCOMERS

NAMES = [path.stem for path in NEWCOMERS]


def test_there_are_thirty() -> None:
    assert len(NAMES) == len(set(NAMES)) == 30
    assert [newcomer(name).construction.name for name in NAMES] == [name.replace("_", "-") for name in NAMES]
    assert all(": " not in newcomer(name).early.name and ", late: " in newcomer(name).late.name for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_right_on_words_and_the_mistakes_are_mistakes(name: str) -> None:
    """An early mistake shows on a word of up to 12 symbols that is run, a late one on none."""
    case = newcomer(name)
    short = [*short_words(case.construction), *longer_words(case.construction, LATE)]
    assert all(is_right(case.construction, word) for word in (*short, *longer_words(case.construction, 40)))
    assert not all(is_right(case.early, word) for word in short)
    assert all(is_right(case.late, word) for word in short)
