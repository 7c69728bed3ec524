"""Words that a language gives: those of its families, and drawn ones. Its functions may be a user's own; what they give
is checked."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.meaning.inputs import InputError, said


def hard_words(language: Language, family: str, length: int, most: int) -> Iterator[str]:
    """Of a family, of one length; InputError where its function fails, or gives something else."""
    place = f"language {language.name}, family {family!r} at length {length}"
    try:
        for word in language.families[family](length, most):
            yield _checked(language, word, length, place)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"{place}: {said(error)}") from error


def drawn(language: Language, random: Random, length: int) -> str:
    """One word of a length; InputError as in `hard_words`."""
    place = f"language {language.name}, sample at length {length}"
    try:
        word = language.sample(random, length)
    except (Exception, SystemExit) as error:
        raise InputError(f"{place}: {said(error)}") from error
    return _checked(language, word, length, place)


def _checked(language: Language, word: object, length: int, place: str) -> str:
    if not isinstance(word, str):
        raise InputError(f"{place}: gives a {type(word).__name__}, not a word")
    if len(word) != length:
        raise InputError(f"{place}: gives a word of {len(word)} symbols")
    if sum(map(word.count, language.alphabet)) < length:
        strange = next(symbol for symbol in word if symbol not in language.alphabet)
        raise InputError(f"{place}: gives a word with {strange!r}, which is not in the alphabet")
    return word
