"""Words that are too long to try them all, and regular: the language's own families, up to three repeated blocks, and a
short word that is not to be accepted beside many that are.

They find late mistakes of networks that have no closed form, or none whose states can be told apart: of every length,
or, where a mistake comes so late that this takes too long, at lengths that double; and with runs as long as a number
that the theorem names, as what is wrong first at some number is wrong there. To tell depths of brackets apart, say, a
search symbol by symbol takes many states, at each of many values of a parameter.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.samples import samples, words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.counting import Runs
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.budget import Budget
from weightproof.proofs.refuting.critical import (
    Relations,
    beside,
    named,
    relations,
    settings,
    settings_without_derivation,
)
from weightproof.proofs.refuting.long import LONGEST_RUN, counterexample_in_runs, merged, symbols_in
from weightproof.proofs.refuting.refute import (
    POSITION,
    arithmetics,
    by_interest,
    counterexample,
    extremes,
    in_balls,
    run_steps,
)
from weightproof.proofs.theorem import OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

SYMBOLS = 4
"""Blocks are made of so many different symbols at most."""
FAMILY = 20
"""Words that a family is asked for at a length."""
NEAR_END = 1
"""The lengths of the blocks at both ends, up to which all are tried; the one between takes the rest."""
LEAD = 100
"""Steps for each symbol of a word of which the closed form is asked."""
SHORTEST, NEAR = 8, 64
"""Symbols from which lengths double, and up to which they do at sampled parameters."""
AHEAD = 4
"""How many times longer the words are that are run at the default parameters, while few are run at many others."""
Shape = Callable[[int], str]
"""A word of each length."""
Family = Callable[[int, int], Iterable[str]]
"""About so many words of a length."""


def search_patterns(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, longest: int, budget: Budget
) -> Counterexample | None:
    """The first counterexample among regular words, shortest first."""
    lead = None if derivation is None else Relations(derivation, (), ()).reader
    tried, beside = samples(construction), near_misses(construction, theorem)
    for length in range(1, longest + 1):
        near = (word for words in beside for word in words(length))
        for word in dict.fromkeys((*patterns(construction, theorem, length), *near)):
            if not budget.allows(len(tried) * (run_steps(construction, length) if lead is None else LEAD * length)):
                return None
            for parameters in tried:
                found = counterexample(construction, theorem, word, parameters, lead)
                if found is not None:
                    return found
    return None


def search_distant(construction: Construction, theorem: OnWords, longest: int, budget: Budget) -> Counterexample | None:
    """A counterexample of a simple shape, at the lengths SHORTEST, twice that, and so on; then as short as bisection
    finds one of that shape. From NEAR symbols on words of the language's own families are tried, too. At all sampled
    and extreme parameters up to NEAR symbols, at the default ones AHEAD of them.

    Under a norm words are run in balls alone.
    """
    replay = in_balls(construction) if arithmetics(construction) != (None,) else None

    def wrong(shape: Shape, length: int, parameters: dict[str, str]) -> Counterexample | None:
        return counterexample(construction, theorem, shape(length), parameters, replay=replay)

    known, (default, *others) = shapes(construction, theorem), samples(construction)
    for length, tried in _lengths(longest, default, [*others, *extremes(construction)]):
        words = {shape(length): shape for shape in (*known, *(_of_families(construction) if length >= NEAR else ()))}
        for shape, parameters in itertools.product(words.values(), tried):
            if not budget.allows(run_steps(construction, length)):
                return None
            found = wrong(shape, length, parameters)
            if found is not None:
                return _bisected(lambda at, s=shape, p=parameters: wrong(s, at, p), found)  # type: ignore[misc]
    return None


def search_named(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, longest: int, budget: Budget
) -> Counterexample | None:
    """A counterexample of at most so many symbols, first of those with runs of exactly such lengths."""
    try:
        known = None if derivation is None else relations(theorem, derivation)
    except (Underivable, ValueError):  # a formula that only the interpreter reads
        known = None
    tried = settings_without_derivation(construction, theorem) if known is None else settings(construction, known)
    numbers = [number for number in named(construction, theorem) if number <= longest]
    for runs in _named_runs(by_interest(construction, theorem)[:SYMBOLS], numbers):
        symbols = symbols_in(runs)
        for parameters in tried if symbols <= longest else ():
            if not budget.allows(_steps(construction, symbols, known is not None)):
                return None
            lead = None if known is None else known.reader
            found = counterexample_in_runs(construction, theorem, runs, parameters, lead)
            if found is not None:
                return found
    return None


def _steps(construction: Construction, symbols: int, has_lead: bool) -> int:
    """Of a word: the closed form's, a run's, or those of reading a word that is too long for that by its runs."""
    if symbols > LONGEST_RUN:
        return POSITION * (len(construction.encoder.layers) + 1) * symbols
    return LEAD * symbols if has_lead else run_steps(construction, symbols)


def _named_runs(symbols: Sequence[str], numbers: Sequence[int]) -> list[Runs]:
    """One run, two, with such a number of symbols each or a single one, and two symbols that alternate: those of the
    numbers themselves, then the others, the shortest first."""
    near = (length for length in beside(numbers) if length > 1)
    lengths = {1: 0} | {length: min(abs(length - number) for number in numbers) for length in near}
    found = {merged(((symbol, length),)): away for symbol in symbols for length, away in lengths.items()}
    for left, right in itertools.permutations(symbols, 2):
        for (a, first), (b, second) in itertools.product(lengths.items(), repeat=2):
            found[(left, a), (right, b)] = first + second
        found |= {((left, 1), (right, 1)) * length: away for length, away in lengths.items()}
    return sorted(found, key=lambda runs: (found[runs], symbols_in(runs)))


Tried = list[dict[str, str]]


def _lengths(longest: int, default: dict[str, str], others: Tried) -> Iterator[tuple[int, Tried]]:
    """The lengths in their order, each with the parameters at which its words are run."""
    length = SHORTEST
    while length <= AHEAD * longest:
        if length <= longest:
            yield length, [default]
        if SHORTEST <= length // AHEAD <= NEAR:
            yield length // AHEAD, others
        length *= 2


def shapes(construction: Construction, theorem: OnWords) -> list[Shape]:
    """One symbol repeated, alone or with another one before or behind it; two that alternate, or have a half each."""
    symbols = by_interest(construction, theorem)[:SYMBOLS]
    found: list[Shape] = [functools.partial(_repeated, symbol, "", "") for symbol in symbols]
    for other, symbol in itertools.permutations(symbols, 2):
        found += [functools.partial(_repeated, symbol, *ends) for ends in ((other, ""), ("", other))]
        found += [functools.partial(_repeated, other + symbol, "", ""), functools.partial(_halves, other, symbol)]
    return found


def _of_families(construction: Construction) -> Iterator[Shape]:
    """The words of the language's own families, each with those that stand in its place at other lengths."""
    for family in construction.language.families.values():
        for number in range(len(_words(family, NEAR))):
            yield functools.partial(_numbered, family, number)


def _numbered(family: Family, number: int, length: int) -> str:
    words = _words(family, length)
    return words[number % len(words)] if words else ""


def _words(family: Family, length: int) -> list[str]:
    """Empty where a family, a function of the user's own, gives none; it is no part of what is to be shown."""
    try:
        return list(family(length, FAMILY))
    except Exception:
        return []


def _repeated(block: str, before: str, behind: str, length: int) -> str:
    rest = length - len(before + behind)
    return before + (block * rest)[:rest] + behind


def _halves(left: str, right: str, length: int) -> str:
    return left * (length // 2) + right * (length - length // 2)


def _bisected(wrong: Callable[[int], Counterexample | None], found: Counterexample) -> Counterexample:
    """wrong: the counterexample of a shape at a length, if there is one."""
    least, most = len(found.word) // 2, len(found.word)
    while most - least > 1:
        length = (least + most) // 2
        shorter = wrong(length)
        least, most, found = (length, most, found) if shorter is None else (least, length, shorter)
    return found


def patterns(construction: Construction, theorem: OnWords, length: int) -> Iterator[str]:
    """Regular words of a length."""
    for family in construction.language.families.values():
        yield from _words(family, length)
    symbols = by_interest(construction, theorem)[:SYMBOLS]
    blocks = [*symbols, *map("".join, itertools.permutations(symbols, 2))]
    for block in blocks:
        yield (block * length)[:length]
    for left, middle, right in itertools.product(symbols, blocks, symbols):
        for start, end in itertools.product(range(NEAR_END + 1), repeat=2):
            if start + end <= length:
                rest = length - start - end
                yield left * start + (middle * rest)[:rest] + right * end
    for left, right in itertools.permutations(symbols, 2):
        for count in range(1, length):
            yield left * count + right * (length - count)


def near_misses(construction: Construction, theorem: OnWords) -> list[Callable[[int], Iterator[str]]]:
    """For each short word of the language and each short one outside of it, the words of a length that repeat the first
    one, with the other at the beginning or at the end: of a language that is closed under concatenation only what is
    odd in them is wrong, and a network that finds it by a mean over positions may overlook it among many."""
    symbols = by_interest(construction, theorem)[:SYMBOLS]
    short = list(words(symbols, 2, 1))
    values = parameter_values(construction)
    members = {word: is_member(construction, word, values) for word in short}
    blocks, odd = [w for w in short if members[w]], [w for w in short if not members[w]]
    return [functools.partial(_beside, block, other) for block in blocks for other in odd]


def _beside(block: str, other: str, length: int) -> Iterator[str]:
    rest = length - len(other)
    if rest > 0 and rest % len(block) == 0:
        many = block * (rest // len(block))
        yield from (many + other, other + many)
