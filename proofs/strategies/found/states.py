"""What is true on the way through words: the states after each position, exactly, against which candidates are held."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from flint import fmpq

from weightproof.constructions.languages.samples import samples, words
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.proofs.solving.logic import Formula, true
from weightproof.proofs.strategies.found.clauses import Candidate
from weightproof.proofs.strategies.inductive.induction import Reading
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.evaluate import Word

MOST_WORDS, FEW = 32, 8
"""All words of one length are run if they are no more than so many, else a few that are drawn once and for all."""
LONGEST_OBSERVED = 9
MOST_SETTINGS = 2
"""Parameter values, of those that a hypothesis allows."""


@dataclass(frozen=True)
class State:
    """After position j of a word: the sums so far and j are values of `word`; which flags have held."""

    word: Word
    flags: Mapping[str, bool]

    def satisfies(self, formula: Formula) -> bool:
        """Whether a formula holds there; also where its values do not exist, or are not certain."""
        try:
            return true(formula, self.word, self.flags)
        except ArithmeticError:
            return True


def states(reading: Reading) -> list[State]:
    """The states of words that satisfy the hypothesis, those of short words first."""
    construction = reading.derivation.construction
    found: list[State] = []
    used = 0
    for given in samples(construction):
        values = parameter_values(construction, given)
        some = False
        for word in _words(construction.language.alphabet):
            whole = Word(
                reading.derivation.vocabulary,
                add_markers(construction.encoder, word),
                values,
                reading.derivation.scales,
            )
            try:
                if true(reading.given, whole, {}):
                    found += _on_the_way(reading, whole)
                    some = True
            except ArithmeticError:
                continue
        used += some
        if used == MOST_SETTINGS:
            break
    return found


def _words(alphabet: tuple[str, ...]) -> Iterator[str]:
    random = Random(0)
    for length in range(1, LONGEST_OBSERVED + 1):
        if len(alphabet) ** length <= MOST_WORDS:
            yield from words(alphabet, length, length)
        else:
            yield from ("".join(random.choices(alphabet, k=length)) for _ in range(FEW))


def _on_the_way(reading: Reading, whole: Word) -> Iterator[State]:
    vocabulary, sums = reading.derivation.vocabulary, reading.derivation.sums
    flags = dict.fromkeys(reading.flags, True)
    before = {symbol: fmpq(0) for symbol in sums}
    for place in range(vocabulary.first, whole.integer(vocabulary.last) + 1):
        at = copy.copy(whole)
        at.values = {**whole.values, j: fmpq(place)}
        for symbol, total in sums.items():
            before[symbol] = before[symbol] + at.iverson(total.body)
        at.values |= before
        flags = {
            quantifier.flag: flags[quantifier.flag] and true(quantifier.body(j), at, {})
            for quantifier in reading.quantifiers
        }
        yield State(at, flags)


def surviving(candidates: Iterable[Candidate], seen: list[State]) -> list[Candidate]:
    """Those that hold in every state, but for what follows by its form from one before it that does."""
    alive: list[Candidate] = []
    for candidate in candidates:
        if any(candidate.clause.follows_from(other.clause) for other in alive):
            continue
        if all(state.satisfies(candidate.formula) for state in seen):
            alive.append(candidate)
    return alive
