"""Words with the parameter values to try: where a claim is made, and whether that is certain."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.languages.samples import samples, words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import Number, difference
from weightproof.proofs.quantities.probe import substituted
from weightproof.proofs.refuting.refute import ENOUGH

LONGEST_TRIED = 7
"""Symbols of the longest words that are all tried; beyond, those to which a difference leads."""


@dataclass(frozen=True)
class Instance:
    """A word with parameters. values: their exact values, and n. tokens: the word between its markers."""

    word: str
    parameters: dict[str, str]
    values: dict[str, Real]
    tokens: tuple[str, ...]


def instances(
    construction: Construction, at: Mapping[str, Expression] | None = None, longest: int = LONGEST_TRIED
) -> Iterator[Instance]:
    """Words, shortest first, with the parameter values to try: those of `at`, the others at samples."""
    for word in words(construction.language.alphabet, longest):
        yield from on_word(construction, word, at)


def on_word(
    construction: Construction,
    word: str,
    at: Mapping[str, Expression] | None = None,
    given: Mapping[str, str] | None = None,
) -> Iterator[Instance]:
    """A word with the parameter values to try: those of `at`, those that are given, the others at samples; and the
    natural ones as given with all others at samples."""
    tokens = add_markers(construction.encoder, word)
    positions, known = len(tokens), dict(given or {})
    printed = {name: str(substituted(value, {"n": positions})) for name, value in (at or {}).items()}
    natural = {p.name: known[p.name] for p in construction.parameters if p.is_natural and p.name in known}
    tried: list[dict[str, str]] = []
    sampled = samples(construction) if tokens else []
    for options in (sample | part | printed for part in (known, natural) for sample in sampled):
        if options in tried:
            continue
        tried.append(options)
        with contextlib.suppress(InputError):  # outside the parameter's domain at this length
            values = {**parameter_values(construction, options), "n": fmpq(positions)}
            yield Instance(word, options, values, tokens)


def truth(condition: Expression, instance: Instance, alphabet: Sequence[str], **names: int) -> bool | None:
    """Whether a condition holds of an instance; None where that cannot be certified, or it has no value."""
    values = {**instance.values, **{name: fmpq(value) for name, value in names.items()}}
    try:
        return holds(condition, values, instance.tokens, alphabet)
    except ArithmeticError:
        return None


def made(condition: Expression, instance: Instance, alphabet: Sequence[str], **names: int) -> bool:
    """Whether a condition is certain to hold of an instance."""
    return truth(condition, instance, alphabet, **names) is True


def equal(left: Number, right: Number) -> bool:
    """Whether two values are certain to be equal, or cannot be told apart; either may be a ball."""
    try:
        return sign(difference(left, right), ENOUGH) == 0
    except Undecided:
        return True
