"""Languages of brackets that networks are trained on: membership against formula, and the words that are drawn."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.support.suites import MEMBERSHIP
from weightproof.constructions.languages.brackets import DYCK1_2, DYCK2, is_nested
from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.scalars.formulas import holds

LANGUAGES = [(DYCK1_2, MEMBERSHIP), (DYCK2, 5)]
"""Each with the symbols of the longest words that are all compared."""
BY_NAME = pytest.mark.parametrize("language", [DYCK1_2, DYCK2], ids=lambda language: language.name)


def is_said(language: Language, word: str) -> bool:
    """By the formula."""
    return holds(language.characterisation, {}, ["CLS", *word], language.alphabet)


@pytest.mark.parametrize(("language", "longest"), LANGUAGES, ids=lambda value: getattr(value, "name", value))
def test_membership_is_the_characterisation(language: Language, longest: int) -> None:
    for length in range(longest + 1):
        for word in map("".join, product(language.alphabet, repeat=length)):
            assert language.member(word) is is_said(language, word), word


@BY_NAME
def test_membership_is_the_characterisation_of_longer_words(language: Language) -> None:
    """Members, and words that are one letter off, which is what the formula has to tell apart."""
    random = Random(5)
    for word in (language.sample(random, 14) for _ in range(30)):
        assert language.member(word) is is_said(language, word), word


def test_membership_on_words_known_by_hand() -> None:
    assert all(map(DYCK1_2.member, ("", "01", "0011", "00101101")))
    assert not any(map(DYCK1_2.member, ("0", "10", "000111", "011", "00110")))
    assert all(map(DYCK2.member, ("", "()", "([])", "[()]()", "(([[]]))")))
    assert not any(map(DYCK2.member, ("(", ")(", "(]", "([)]", "[(])", "()[)", "]")))
    assert [is_nested("(([]))", most) for most in (2, 3, 4)] == [False, True, True]


@BY_NAME
def test_words_that_are_drawn_are_members_or_one_letter_off(language: Language) -> None:
    """Steffen et al. (2022), section 3."""
    random = Random(7)
    for length in (10, 16):
        words = [language.sample(random, length) for _ in range(200)]
        assert 80 < sum(map(language.member, words)) < 120
        for word in (word for word in words if not language.member(word)):
            changed = (word[:j] + other + word[j + 1 :] for j in range(length) for other in language.alphabet)
            assert any(map(language.member, changed)), word


def test_drawn_words_are_all_that_the_language_has() -> None:
    random = Random(8)
    members = {word for word in (DYCK2.sample(random, 6) for _ in range(900)) if DYCK2.member(word)}
    assert members == {word for word in map("".join, product("()[]", repeat=6)) if DYCK2.member(word)}
    assert len(members) == 5 * 2**3  # Catalan's number of shapes, and a kind for each pair
    members = {word for word in (DYCK1_2.sample(random, 8) for _ in range(200)) if DYCK1_2.member(word)}
    assert members == {word for word in map("".join, product("01", repeat=8)) if DYCK1_2.member(word)}
    assert len(members) == 2**3  # behind an odd number of symbols it is 1 deep, and opens or closes, but for the last
