"""The families of hard words: of the length that is asked for, as many as are asked for, and with their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from weightproof.constructions.languages import families
from weightproof.constructions.languages.families import (
    each_count,
    evenly,
    few_ones,
    late_violations,
    lone_first,
    mountains,
    single_flips,
    spread,
)
from weightproof.constructions.library import load, names

Family = Callable[[int, int], Iterator[str]]

ALL = 1 << 60
BY_LANGUAGE = {
    f"{load(name).language.name}, {title}": (family, load(name).language.alphabet)
    for name in names()
    for title, family in load(name).language.families.items()
}
CASES = [pytest.param(family, alphabet, id=title) for title, (family, alphabet) in BY_LANGUAGE.items()]


def words_of(family: Family, length: int, most: int = ALL) -> list[str]:
    return [*family(length, most)]


@pytest.mark.parametrize("name", names())
def test_every_built_in_language_has_families(name: str) -> None:
    assert load(name).language.families


def faults(family: Family, alphabet: tuple[str, ...], length: int, most: int) -> list[str]:
    """What is wrong with the words of a family."""
    found = words_of(family, length, most)
    wrong = [word for word in found if len(word) != length or not set(word) <= set(alphabet)]
    if not found:
        wrong.append("no word")
    if len(found) > most + 16:
        wrong.append(f"{len(found)} words instead of {most}")
    return wrong


@pytest.mark.parametrize("most", [1, 4, 24, ALL])
@pytest.mark.parametrize(("family", "alphabet"), CASES)
def test_words_have_the_length_and_the_alphabet(family: Family, alphabet: tuple[str, ...], most: int) -> None:
    for length in (0, 1, 2, 3, 4, 5, 8, 13, 40, 101):
        assert faults(family, alphabet, length, most) == []


@settings(max_examples=150)
@given(st.sampled_from(sorted(BY_LANGUAGE)), st.integers(0, 300), st.integers(1, 80))
@example("PALINDROME, single flips", 1, 1)
@example("1-DYCK, mountains", 1, 1)
@example("FIRST, lone first", 1, 1)
def test_words_of_any_length_and_number(title: str, length: int, most: int) -> None:
    family, alphabet = BY_LANGUAGE[title]
    assert faults(family, alphabet, length, most) == []


def test_a_family_of_a_wrong_length_is_noticed() -> None:
    def short(length: int, most: int) -> Iterator[str]:
        yield "0" * (length - 1)

    def crowded(length: int, most: int) -> Iterator[str]:
        yield from each_count(length, most * 2)

    assert faults(short, ("0", "1"), 5, 24)
    assert faults(crowded, ("0", "1"), 200, 60)
    assert faults(each_count, ("a", "b"), 5, 24)


@pytest.mark.parametrize(("family", "alphabet"), CASES)
def test_a_family_is_the_same_every_time_and_grows_with_the_number(family: Family, alphabet: tuple[str, ...]) -> None:
    for length in (0, 1, 2, 7, 30):
        assert words_of(family, length, 10) == words_of(family, length, 10)
        assert set(words_of(family, length, 10)) <= set(words_of(family, length))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 6, 9])
def test_in_full_every_count_stands_first_last_and_evenly(length: int) -> None:
    found = words_of(each_count, length)
    assert len(found) == 3 * (length + 1)
    for ones in range(length + 1):
        assert {"1" * ones + "0" * (length - ones), "0" * (length - ones) + "1" * ones, evenly(ones, length)} <= {
            *found
        }


@pytest.mark.parametrize("length", [1, 2, 3, 6, 9])
def test_in_full_the_first_symbol_stands_against_every_number_of_others(length: int) -> None:
    rest = length - 1
    expected = {a + "0" * (rest - ones) + "1" * ones for a in "01" for ones in range(length)}
    assert set(words_of(lone_first, length)) == expected


@pytest.mark.parametrize("length", [0, 1, 2, 3, 6, 9])
def test_in_full_few_ones_are_none_one_and_two_adjacent_ones(length: int) -> None:
    expected = {word for word in map("".join, product("01", repeat=length)) if word.strip("0") in ("", "1", "11")}
    assert set(words_of(few_ones, length)) == expected


@pytest.mark.parametrize("length", [0, 1, 2, 3, 6, 9])
def test_in_full_single_flips_are_palindromes_and_their_neighbours(length: int) -> None:
    found = words_of(single_flips, length)
    palindromes = [word for word in found if word == word[::-1]]
    assert len(palindromes) == 3
    for word in set(found) - set(palindromes):
        assert sum(a != b for a, b in zip(word, word[::-1], strict=True)) == 2
    flipped = {"1" * place + "0" + "1" * (length - place - 1) for place in range(length // 2)}
    assert flipped <= {*found}


def is_balanced(word: str) -> bool:
    while "01" in word:
        word = word.replace("01", "")
    return not word


@pytest.mark.parametrize("length", [2, 4, 8, 12])
def test_in_full_late_violations_have_every_depth_and_the_last_bracket_wrong(length: int) -> None:
    found = words_of(late_violations, length)
    for depth in range(length // 2 + 1):
        assert "0" * depth + "01" * (length // 2 - depth) + "1" * depth in found
    for depth in range(length // 2):
        late = "0" * depth + "01" * (length // 2 - 1 - depth) + "1" * depth + "10"
        assert late in found
        assert not is_balanced(late)
    assert sum(map(is_balanced, found)) == 2 * (length // 2 + 1)


@pytest.mark.parametrize("length", [2, 4, 8, 12])
def test_in_full_mountains_rise_to_every_depth(length: int) -> None:
    found = words_of(mountains, length)
    for depth in range(1, length // 2 + 1):
        flat, rise = "01" * (length // 2 - depth), "0" * depth + "1" * depth
        assert {flat + rise, rise + flat} <= {*found}


@settings(max_examples=300)
@given(st.integers(0, 10**6), st.integers(0, 200))
@example(0, 1)
@example(1, 0)
@example(1, 1)
@example(2, 1)
@example(201, 200)
def test_spread_numbers_have_their_ends_and_are_sorted(count: int, most: int) -> None:
    found = spread(count, most)
    assert found == sorted(set(found))
    assert all(0 <= number < count for number in found)
    if count:
        assert found[0] == 0
        assert found[-1] == count - 1
    assert len(found) == count if count <= most else min(most, 2) <= len(found) <= most + 3


@given(st.integers(4, 100), st.integers(1, 10**6))
def test_spread_numbers_crowd_at_both_ends(most: int, more: int) -> None:
    found, edge = spread(most + more, most), most // 4
    assert found[:edge] == [*range(edge)]
    assert found[-edge:] == [*range(most + more - edge, most + more)]
    steps = [b - a for a, b in zip(found[edge:-edge], found[edge + 1 : -edge], strict=False)]
    assert max(steps, default=0) - min(steps, default=0) <= 1


def imbalance(word: str) -> int:
    """How much the number of 1s differs at most between two stretches of one length."""
    worst = 0
    for size in range(1, len(word)):
        counts = {word[start : start + size].count("1") for start in range(len(word) - size + 1)}
        worst = max(worst, max(counts) - min(counts))
    return worst


@settings(max_examples=150)
@given(st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_evenly_has_its_ones_as_evenly_as_can_be(counts: tuple[int, int]) -> None:
    ones, length = counts
    word = evenly(ones, length)
    assert len(word) == length
    assert word.count("1") == ones
    assert imbalance(word) <= 1


def test_an_uneven_word_is_noticed() -> None:
    assert imbalance("0110011") > 1
    assert imbalance("01" * 10) == 1


def test_long_even_words_cost_no_recursion() -> None:
    word = evenly(333_333, 1_000_000)
    assert (len(word), word.count("1")) == (1_000_000, 333_333)


def test_the_ends_belong_to_a_family_however_few_words_are_asked_for() -> None:
    for most in (1, 3, 12):
        assert {"0" * 50, "1" * 50} <= {*each_count(50, most)}
        assert {"1" + "0" * 49, "0" + "1" * 49} <= {*lone_first(50, most)}
        assert {"1" + "0" * 49, "0" * 49 + "1"} <= {*few_ones(50, max(most, 2))}
        assert "0" + "1" * 49 in {*single_flips(50, most)}


def test_without_the_ends_the_search_would_miss_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "spread", lambda count, most: [count // 2])
    assert "1" * 50 not in {*each_count(50, 12)}
