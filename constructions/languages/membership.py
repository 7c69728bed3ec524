"""Whether a word is in a construction's language, and whether the language's two descriptions agree."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from itertools import islice, product

from flint import fmpq

from weightproof.constructions.languages.notation import compact
from weightproof.constructions.languages.samples import long_words, samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError, said
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds

LONGEST_COMPARED, MOST_COMPARED = 8, 300
"""Symbols of the short words, and how many of them, on which function and formula are compared."""


def is_member(construction: Construction, word: str, values: Mapping[str, Real]) -> bool:
    """What the membership function says, given the parameters that the formula names; InputError where it fails."""
    language = construction.language
    given = {name: _plain(value) for name, value in values.items() if name in language.characterisation.names}
    try:
        return bool(language.member(word, **given))
    except (Exception, SystemExit) as error:
        raise InputError(f"{construction.name}: language {language.name}, member({word!r}): {said(error)}") from error


def right_token(construction: Construction, word: str) -> str | None:
    """The token that is to be predicted after a word, None where there is none; InputError where the function fails."""
    language = construction.language
    assert language.label is not None
    try:
        return language.label(word)
    except (Exception, SystemExit) as error:
        raise InputError(f"{construction.name}: language {language.name}, label({word!r}): {said(error)}") from error


def _plain(value: Real) -> object:
    """A natural parameter as the int that a user's function expects."""
    return int(value.p) if isinstance(value, fmpq) and value.q == 1 else value


def check_membership(construction: Construction) -> None:
    """Compare the membership function with the formula on the shortest words and on `long_words`, at parameter values
    of `samples`.

    InputError names the first word on which they differ, or on which one of them has no value.
    """
    network, language = construction.network, construction.language
    if not isinstance(network, Encoder):
        return
    points = samples(construction)
    spoken = [name for name in points[0] if name in language.characterisation.names]
    for given in {tuple(point[name] for name in spoken): point for point in points}.values():
        for word in (*islice(_short_words(language.alphabet), MOST_COMPARED), *long_words(language.alphabet)):
            _compare(construction, word, given)


def _short_words(alphabet: tuple[str, ...]) -> Iterator[str]:
    return ("".join(word) for length in range(LONGEST_COMPARED + 1) for word in product(alphabet, repeat=length))


@functools.lru_cache(1 << 14)
def _says(
    formula: Expression, values: tuple[tuple[str, Real], ...], tokens: tuple[str, ...], alphabet: tuple[str, ...]
) -> bool:
    """What a formula says is known for the next reading of its file; what a function says is not."""
    return holds(formula, dict(values), tokens, alphabet)


def _compare(construction: Construction, word: str, given: Mapping[str, str]) -> None:
    network, language = construction.encoder, construction.language
    tokens, values = add_markers(network, word), parameter_values(construction, given)
    if not tokens:
        return
    member = is_member(construction, word, values)
    shown = "".join(f", {name} = {value}" for name, value in given.items())
    place = f"{construction.name}: language {language.name}"
    try:
        formula = _says(language.characterisation, tuple(values.items()), tokens, language.alphabet)
    except Undecided:
        return
    except ArithmeticError as error:
        raise InputError(f"{place}: the characterisation has no value on {compact(word)!r}{shown}: {error}") from error
    if member != formula:
        raise InputError(
            f"{place}: member({compact(word)!r}) is {member}, but the characterisation says {formula}{shown}; "
            "mend one of them"
        )
    if language.labels:
        right = right_token(construction, word)
        said = [
            token
            for token, formula in language.labels.items()
            if _says(formula, tuple(values.items()), tokens, language.alphabet)
        ]
        if said != ([] if right is None else [right]) or member != (right is not None):
            formulas = " and ".join(map(repr, said)) or "no output"
            raise InputError(
                f"{place}: label({compact(word)!r}) is {right!r}, where the formulas say {formulas} and member says "
                f"{member}; mend one of them"
            )
