"""From a solver's countermodel to a word: the length n, the counts K_a, the symbols at the places that are spoken of
and the prefix counts there, put together to one word that has them all.

Which word it is does not matter to the obligation; whether it is a counterexample, only the replay says.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.counting import Runs
from weightproof.proofs.refuting.long import merged
from weightproof.symbolic.algebra.constants import multiple_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n


@dataclass(frozen=True)
class Lead:
    """A word, and the values that a model gives to parameters, as text; those it says nothing of are absent."""

    runs: Runs
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class Requirements:
    """What a word has to be: of `length` symbols, each symbol as often as `counts` says, where it says so; `tokens`:
    symbols at indices of the word; `prefixes`: how many of a symbol the first so many symbols have."""

    length: int
    counts: Mapping[str, int]
    tokens: Mapping[int, str]
    prefixes: Mapping[int, Mapping[str, int]]


def decoded(model: Mapping[str, str], expressions: Iterable[sympy.Expr], vocabulary: Vocabulary) -> Lead | None:
    """The word and the parameters of a model of an obligation that speaks of `expressions`; None if there is none."""
    atoms = {atom for e in expressions for atom in e.atoms(sympy.Symbol, AppliedUndef)}
    by_name = {str(atom): atom for atom in atoms}
    numbers = {name.strip("|"): number(text) for name, text in model.items()}
    values = {by_name[name]: value for name, value in numbers.items() if name in by_name and value is not None}
    required = _requirements(values, vocabulary)
    runs = None if required is None else realise(vocabulary.alphabet, required)
    return None if runs is None else Lead(runs, _parameters(values, vocabulary))


def number(text: str) -> Fraction | None:
    """A number as Z3 prints it; of an algebraic one, "1.618?", the decimals that it shows."""
    shown = re.fullmatch(r"(-?\d+)(?:/(\d+))?|(-?\d+\.\d*)\??", text)
    if shown is None:
        return None
    return Fraction(shown[3]) if shown[3] else Fraction(int(shown[1]), int(shown[2] or 1))


def _requirements(values: Mapping[sympy.Expr, Fraction], vocabulary: Vocabulary) -> Requirements | None:
    if n not in values:
        return None
    length = int(values[n]) - int(vocabulary.begin) - int(vocabulary.end)
    if length < 0:
        return None
    integers = {atom: sympy.Integer(int(value)) for atom, value in values.items() if value.denominator == 1}
    symbols = {atom: value for atom, value in integers.items() if isinstance(atom, sympy.Symbol)}
    counts = {a: int(integers[vocabulary.total(a)]) for a in vocabulary.alphabet if vocabulary.total(a) in integers}
    tokens: dict[int, str] = {}
    prefixes: dict[int, dict[str, int]] = {}
    for atom, value in integers.items():
        place = atom.args[0].xreplace(symbols) if isinstance(atom, AppliedUndef) else None
        if place is None or not place.is_Integer:
            continue
        index = int(place) - vocabulary.first
        if vocabulary.is_token(atom):
            if 0 <= index < length and 0 <= value < len(vocabulary.alphabet):
                tokens[index] = vocabulary.alphabet[int(value)]
        elif vocabulary.is_prefix(atom):
            prefixes.setdefault(min(max(index + 1, 0), length), {})[str(atom.func)[2:]] = int(value)
    return Requirements(length, counts, tokens, prefixes)


def _parameters(values: Mapping[sympy.Expr, Fraction], vocabulary: Vocabulary) -> dict[str, str]:
    found = {}
    for name in (*vocabulary.natural, *vocabulary.real):
        if vocabulary.parameter(name) in values:
            found[name] = str(values[vocabulary.parameter(name)])
        unit = values.get(vocabulary.unit(name)) if name in vocabulary.real else None
        if unit is not None and unit > 0:
            found[name] = f"log({unit})"
    for atom, value in values.items():
        if (multiple := multiple_of(atom)) is not None and value > 0:
            found.setdefault(multiple[0], f"log({value})/({multiple[1]})")
    return found


def realise(alphabet: tuple[str, ...], required: Requirements) -> Runs | None:
    """A word that is as required; None if none was found. Symbols of one stretch stand in the order of the alphabet."""
    ends = sorted({0, required.length, *required.prefixes})
    known: dict[int, Mapping[str, int]] = {**required.prefixes, 0: dict.fromkeys(alphabet, 0)}
    known[required.length] = {**required.prefixes.get(required.length, {}), **required.counts}
    remaining = dict(required.counts)
    runs: list[tuple[str, int]] = []
    reached = dict.fromkeys(alphabet, 0)
    for start, stop in itertools.pairwise(ends):
        wanted = {a: known[stop][a] - reached[a] for a in alphabet if a in known[stop]}
        fixed = {index: symbol for index, symbol in required.tokens.items() if start <= index < stop}
        filling = _filling(alphabet, stop - start, wanted, list(fixed.values()), remaining)
        if filling is None:
            return None
        stretch = _laid_out(filling, fixed, start, stop)
        runs += stretch
        for symbol, times in stretch:
            reached[symbol] += times
            remaining = {a: count - times * (a == symbol) for a, count in remaining.items()}
    return merged(runs) if all(count == 0 for count in remaining.values()) else None


def _filling(
    alphabet: tuple[str, ...], length: int, wanted: Mapping[str, int], fixed: list[str], remaining: Mapping[str, int]
) -> dict[str, int] | None:
    """The symbols of a stretch beside the fixed ones: as many as `wanted` of those named there, of the others what is
    `remaining`."""
    filling: dict[str, int] = {}
    for symbol, count in wanted.items():
        filling[symbol] = count - fixed.count(symbol)
        if filling[symbol] < 0:
            return None
    gaps = length - len(fixed)
    for symbol in (a for a in alphabet if a not in wanted):
        room = max(gaps - sum(filling.values()), 0)
        most = remaining.get(symbol, room) - (fixed.count(symbol) if symbol in remaining else 0)
        filling[symbol] = max(min(room, most), 0)
    if sum(filling.values()) != gaps:
        return None
    return {symbol: filling[symbol] for symbol in alphabet}


def _laid_out(filling: dict[str, int], fixed: Mapping[int, str], start: int, stop: int) -> list[tuple[str, int]]:
    """The stretch from start to stop: the filling in its order, in the gaps between what is fixed."""
    runs: list[tuple[str, int]] = []
    rest = dict(filling)
    for before, place in itertools.pairwise([start - 1, *sorted(fixed), stop]):
        gap = place - before - 1
        for symbol in rest:
            times = min(rest[symbol], gap)
            rest[symbol], gap = rest[symbol] - times, gap - times
            runs.append((symbol, times))
        if place < stop:
            runs.append((fixed[place], 1))
    return runs
