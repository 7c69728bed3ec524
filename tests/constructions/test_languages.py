"""The languages: membership against characterisation, the sampled words, and the words that are hard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from flint import fmpq

from tests.support.suites import MEMBERSHIP
from weightproof.constructions.languages import languages
from weightproof.constructions.library import apart, load, names
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.formulas import holds

LANGUAGES = [value for value in vars(languages).values() if isinstance(value, Language)]


def words(language: Language, longest: int) -> Iterator[str]:
    return ("".join(word) for length in range(longest + 1) for word in product(language.alphabet, repeat=length))


def parameters(language: Language) -> list[dict[str, int]]:
    return [{"D": D} for D in range(5)] if "D" in language.characterisation.names else [{}]


MARKERS = {
    (load(name).language.name, getattr(load(name).network, "begin", None), getattr(load(name).network, "end", None))
    for name in (*names(), *apart())
}


def test_every_language_has_a_construction() -> None:
    assert {name for name, _, _ in MARKERS} == {language.name for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_membership_is_the_characterisation(language: Language) -> None:
    """On all words up to length MEMBERSHIP, between the markers of every construction of the language."""
    for _, begin, end in (entry for entry in MARKERS if entry[0] == language.name):
        for values in parameters(language):
            exact: dict[str, Real] = {name: fmpq(value) for name, value in values.items()}
            for word in words(language, MEMBERSHIP):
                tokens = [token for token in (begin, *word, end) if token is not None]
                formula = holds(language.characterisation, exact, tokens, language.alphabet)
                assert language.member(word, **values) is formula, (word, values)


def test_membership_on_words_known_by_hand() -> None:
    members: dict[str, tuple[set[str], set[str]]] = {
        "PARITY": ({"1", "0100", "111"}, {"", "0", "11"}),
        "FIRST": ({"1", "10", "11"}, {"", "0", "01"}),
        "ONE": ({"1", "010"}, {"", "0", "11", "0101"}),
        "PALINDROME": ({"", "0", "11", "010", "0110"}, {"01", "100", "0010"}),
        "1-DYCK": ({"", "01", "0011", "0101"}, {"0", "10", "011", "0110"}),
    }
    for language in LANGUAGES:
        if language.name in members:
            inside, outside = members[language.name]
            assert all(language.member(word) for word in inside)
            assert not any(language.member(word) for word in outside)
    depth = languages.DYCK1_DEPTH.member
    assert [depth("000111", D=D) for D in range(5)] == [False, False, False, True, True]
    assert [depth("010101", D=D) for D in range(3)] == [False, True, True]
    assert depth("", D=0)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_sampled_words_have_the_length_and_both_answers_occur(language: Language) -> None:
    random = Random(0)
    values = dict.fromkeys(parameters(language)[0], 3)
    for length in range(31):
        sampled = [language.sample(random, length) for _ in range(60)]
        assert all(len(word) == length and set(word) <= set(language.alphabet) for word in sampled)
        if length in (10, 20, 30):
            assert {language.member(word, **values) for word in sampled} == {True, False}


def test_sampling_depends_on_the_seed_alone() -> None:
    for language in LANGUAGES:
        assert language.sample(Random(7), 20) == language.sample(Random(7), 20)
        assert len({language.sample(Random(seed), 20) for seed in range(50)}) > 10


def test_sampled_palindromes_miss_by_one_symbol_that_is_not_the_middle() -> None:
    """Nowak et al. (2022), appendix B.3."""
    random = Random(1)
    for length in (8, 9):
        for _ in range(200):
            word = languages.PALINDROME.sample(random, length)
            assert sum(a != b for a, b in zip(word, reversed(word), strict=True)) in (0, 2)


@pytest.mark.parametrize(("uniform", "ones"), [(0.2231, 0), (0.2232, 1), (0.4723, 1), (0.4724, 2), (0.6066, 3)])
def test_sampled_ones_follow_the_poisson_distribution(uniform: float, ones: int) -> None:
    """Nowak et al. (2022), appendix B.2: as many 1s as uniform numbers keep their product above e^-1.5 = 0.22313.

    The square root of that is 0.47237, the cube root 0.60653.
    """

    class Constant(Random):
        getrandbits = Random.getrandbits

        def random(self) -> float:
            return uniform

    assert languages.ONE.sample(Constant(2), 40).count("1") == ones
    assert languages.ONE.sample(Constant(2), 2).count("1") == min(ones, 2)


def test_sampled_brackets_are_balanced_up_to_one_symbol() -> None:
    """Steffen et al., section 3."""
    random = Random(3)
    for language, bound in ((languages.DYCK1, 99), (languages.DYCK1_DEPTH, 3)):
        for _ in range(300):
            word = language.sample(random, 12)
            changed = (word[:j] + "10"[int(word[j])] + word[j + 1 :] for j in range(12))
            candidates = [word] if languages.is_balanced(word) else list(changed)
            assert any(languages.is_balanced_within(candidate, bound) for candidate in candidates), word


FAMILIES = [(language, name) for language in LANGUAGES for name in language.families]


@pytest.mark.parametrize(("language", "name"), FAMILIES, ids=lambda value: getattr(value, "name", value))
def test_families_yield_words_of_the_length(language: Language, name: str) -> None:
    for length in range(31):
        family = list(language.families[name](length, 60))
        assert family
        assert all(len(word) == length and set(word) <= set(language.alphabet) for word in family)


@pytest.mark.parametrize(("language", "name"), FAMILIES, ids=lambda value: getattr(value, "name", value))
def test_families_have_members_and_others(language: Language, name: str) -> None:
    """At every even length; a balanced word has no odd one."""
    values = dict.fromkeys(parameters(language)[0], 99)
    for length in range(2, 31, 2):
        assert {language.member(word, **values) for word in language.families[name](length, 60)} == {True, False}


def test_every_built_in_language_has_a_family() -> None:
    assert {language.name for language, _ in FAMILIES} == {language.name for language in LANGUAGES}


def test_a_language_without_a_source_samples_uniformly() -> None:
    plain = Language("ANY", "abc", lambda word: True, "n >= 1")
    assert plain.alphabet == ("a", "b", "c")
    drawn = "".join(plain.sample(Random(seed), 9) for seed in range(40))
    assert set(drawn) == {"a", "b", "c"}
    assert isinstance(load("one"), Construction)
