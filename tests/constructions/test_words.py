"""Words that a language gives: what a user's functions may do is refused in a line."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from weightproof.constructions.languages.words import drawn, hard_words
from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.meaning.inputs import InputError


def failing(*_: Any) -> str:
    raise RuntimeError("no words\ntoday")


def leaving(*_: Any) -> str:
    raise SystemExit


def language(word: Callable[..., Any]) -> Language:
    """Its family and its sample give that word."""

    def family(length: int, most: int) -> Any:
        yield "0" * length
        yield word(length)

    def sample(random: Random, length: int) -> Any:
        return word(length)

    return Language("MINE", ("0", "1"), lambda word: True, "0 == 0", sample=sample, families={"few": family})


GIVEN: dict[str, tuple[Callable[..., Any], str]] = {
    "an error": (failing, "no words today"),
    "the way out": (leaving, "SystemExit"),
    "no word": (lambda length: None, "gives a NoneType, not a word"),
    "a list": (lambda length: ["0"] * length, "gives a list, not a word"),
    "a longer word": (lambda length: "1" * (length + 1), "gives a word of 4 symbols"),
    "another symbol": (lambda length: "012"[:length], "gives a word with '2', which is not in the alphabet"),
}


@pytest.mark.parametrize(("word", "says"), GIVEN.values(), ids=GIVEN)
def test_what_is_no_word_of_the_length_is_refused(word: Callable[..., Any], says: str) -> None:
    with pytest.raises(InputError) as refused:
        list(hard_words(language(word), "few", 3, 8))
    assert str(refused.value) == f"language MINE, family 'few' at length 3: {says}"
    with pytest.raises(InputError) as refused:
        drawn(language(word), Random(0), 3)
    assert str(refused.value) == f"language MINE, sample at length 3: {says}"


def test_a_family_that_is_no_iterator_is_refused() -> None:
    mine = Language("MINE", ("0",), lambda word: True, "0 == 0", families={"one": lambda length, most: 3})  # type: ignore[dict-item,return-value]
    with pytest.raises(InputError, match="family 'one' at length 2: 'int' object is not iterable"):
        list(hard_words(mine, "one", 2, 8))


def test_words_are_handed_on() -> None:
    mine = language(lambda length: "1" * length)
    assert list(hard_words(mine, "few", 2, 8)) == ["00", "11"]
    assert drawn(mine, Random(0), 3) == "111"
