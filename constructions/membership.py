"""Whether a word is in a construction's language, and whether the language's two descriptions agree."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product

from flint import fmpq

from constructions.exact import Real, Undecided, holds
from constructions.interpreter import InputError, mark, parameter_values
from constructions.schema import Construction, Encoder

LONGEST, MOST = 8, 300
"""Symbols of a word, and number of words, on which function and formula are compared."""


def is_member(construction: Construction, word: str, values: Mapping[str, Real]) -> bool:
    """What the membership function says, given the parameters that the formula names; InputError where it fails."""
    language = construction.language
    given = {name: _plain(value) for name, value in values.items() if name in language.characterisation.names}
    try:
        return bool(language.member(word, **given))
    except Exception as error:
        message = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{construction.name}: language {language.name}, member({word!r}): {message}") from error


def _plain(value: Real) -> object:
    """A natural parameter as the int that a user's function expects."""
    return int(value.p) if isinstance(value, fmpq) and value.q == 1 else value


def check_membership(construction: Construction) -> None:
    """Compare the membership function with the formula on the shortest words, with the default parameters.

    InputError names the first word on which they differ, or on which one of them has no value.
    """
    network, language = construction.network, construction.language
    if not isinstance(network, Encoder):
        return
    place = f"{construction.name}: language {language.name}"
    values = parameter_values(construction)
    words = ("".join(word) for length in range(LONGEST + 1) for word in product(language.alphabet, repeat=length))
    for word in islice(words, MOST):
        tokens = mark(network, word)
        if not tokens:
            continue
        member = is_member(construction, word, values)
        try:
            formula = holds(language.characterisation, values, tokens, language.alphabet)
        except Undecided:
            continue
        except ArithmeticError as error:
            raise InputError(f"{place}: the characterisation has no value on {word!r}: {error}") from error
        if member != formula:
            raise InputError(
                f"{place}: member({word!r}) is {member}, but the characterisation says {formula}; mend one of them"
            )
