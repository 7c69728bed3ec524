"""What a decoder makes at the last position of every word, by its last token: all cases, held against exact runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.languages.samples import words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import generate, parameter_values
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.values import ZERO
from weightproof.proofs.strategies.appending import stages_for
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import parts
from weightproof.symbolic.simulation.constraints import Facts, share
from weightproof.symbolic.simulation.decoder import LOOKING
from weightproof.symbolic.simulation.generating import Case, Stages, best, cases
from weightproof.symbolic.simulation.polynomial import Polynomial, Rectified, Saturated
from weightproof.symbolic.simulation.windows import Standing, Window, Windows, kind, standing

CHECKED = 60
"""How many words are run, the shortest first."""
Values = Mapping[str, Real]


@dataclass(frozen=True)
class Behind:
    """All words that end in a window of tokens, or the one that it is. cases: what is made at the last position; none
    where no rule covers a part, for a reason."""

    window: Window
    is_word: bool
    cases: tuple[Case, ...]
    reason: str = ""


@dataclass(frozen=True)
class Appended:
    """A token, and what has to be so, where its case is, for it to be appended."""

    case: Case
    token: str
    facts: Facts

    @property
    def where(self) -> Facts:
        return tuple(dict.fromkeys((*self.case.where, *self.facts)))


def all_behind(construction: Construction) -> tuple[Behind, ...]:
    """Window by window; Underivable where no rule covers any of them, AssertionError where an exact run of a short
    word, at default values of parameters, is not what was derived."""
    network = construction.network
    assert isinstance(network, Decoder)
    stages = stages_for(construction)
    found = tuple(_behind(stages, standing(stages.windows, each, stages.signs)) for each in stages.windows.all())
    if all(each.reason for each in found):
        raise Underivable(found[-1].reason)
    for word in itertools.islice(words(construction.language.alphabet), CHECKED):
        if word or network.begin is not None:
            _hold_against(construction, stages.windows, found, word)
    return found


def _behind(stages: Stages, at: Standing) -> Behind:
    try:
        return Behind(at.window, at.known, tuple(cases(stages, at)))
    except Underivable as error:
        return Behind(at.window, at.known, (), str(error))


def appended_in(case: Case) -> Iterator[Appended]:
    """What may be appended in a case, and where."""
    for token, facts in best(case).items():
        yield Appended(case, token, facts)


def _hold_against(construction: Construction, windows: Windows, found: Sequence[Behind], word: str) -> None:
    network = construction.network
    assert isinstance(network, Decoder)
    tokens = (*(() if network.begin is None else (network.begin,)), *word)
    behind = next(each for each in found if each.window == windows.shorter(tokens))
    if behind.reason:
        return
    try:
        produced = next(generate(construction, word))
        told = [each for case in behind.cases for each in appended_in(case) if _is_there(construction, each, tokens)]
        there = told[0]
        at = values_at(construction, there.case.at, tokens)
        same = [sign(value_at(value, at) - produced.outputs[row]) for row, value in there.case.made.outputs.items()]
    except ArithmeticError:  # it has no value there, or none that is certain
        return
    if len(told) != 1 or any(same) or there.token != produced.token:
        raise AssertionError(f"{construction.name}: what was derived is not so on {word!r}")


def _is_there(construction: Construction, each: Appended, tokens: Sequence[str]) -> bool:
    at = values_at(construction, each.case.at, tokens)
    return all(sign(value_at(x, at)) >= int(strict) for x, strict in each.where)


def values_at(construction: Construction, at: Standing, tokens: Sequence[str]) -> Values:
    """What atoms stand for at the last of these tokens, at default values of parameters."""
    n, size = len(tokens), len(at.window)
    seen = [tuple(tokens[max(0, end - size) : end]) for end in range(1, n + 1)]
    return {
        **parameter_values(construction),
        "d": fmpq(len(construction.network.coordinates)),
        **{share(kind(window)): fmpq(seen.count(window), n) for window in at.shares},
        LOOKING: fmpq(n - 1),
        parts.halved(LOOKING): fmpq(1, 2 ** (n - 1)),
    }


def value_at(x: Polynomial, at: Values) -> Real:
    """Of a polynomial where its atoms have values; an ArithmeticError where a sign is open."""
    found: Real = ZERO
    for monomial, coefficient in x.terms:
        product: Real = coefficient
        for atom in monomial:
            product = product * _atom_at(atom, at)
        found = found + product
    return found


def _atom_at(atom: str, at: Values) -> Real:
    if not isinstance(atom, Saturated | Rectified):
        return at[atom]
    value = value_at(atom.argument, at)
    if sign(value) <= 0:
        return ZERO
    return fmpq(1) if isinstance(atom, Saturated) and sign(value - fmpq(1)) >= 0 else value
