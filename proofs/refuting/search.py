"""The search for a word that a theorem is wrong about, after its proof has failed: from quick to thorough, as far as
the work goes. What is found has been replayed; that nothing was found says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.budget import Budget
from weightproof.proofs.refuting.critical import search_critical
from weightproof.proofs.refuting.guided import search_guided
from weightproof.proofs.refuting.long import LONGEST_RUN, LONGEST_SPOKEN
from weightproof.proofs.refuting.margins import NoWord, unattained
from weightproof.proofs.refuting.patterns import search_distant, search_named, search_patterns
from weightproof.proofs.refuting.refute import MOST_WORDS, search, search_extreme
from weightproof.proofs.refuting.states import search_states
from weightproof.proofs.theorem import Margin, OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

FIRST_SEARCH = 3
"""Words up to this length are tried before a proof is attempted: most wrong theorems fall here, in no time."""
SEARCHED, REFUSED = 12_000_000, 2_000_000
"""Steps of the last search, and of that where no rule derives the network: nobody is to wait long for a refusal."""
DISTANT = 300
"""Symbols up to which words are run exactly where there is no closed form."""
POLISHING = 3_000_000
"""Steps for a shorter word, once one is found."""


def last_search(construction: Construction) -> int:
    """The greatest length for which there are at most MOST_WORDS words up to it: 8 for two symbols."""
    symbols = len(construction.language.alphabet)
    return max(n for n in range(40) if sum(symbols**m for m in range(n + 1)) <= MOST_WORDS)


def runs_long(construction: Construction) -> bool:
    """Whether exact runs, with which a margin is compared, take so long that they come last."""
    network = construction.network
    return isinstance(network, Encoder) and network.normed


def late(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, steps: int
) -> Iterator[Counterexample | NoWord]:
    """Counterexamples, each shorter than the one before, or a margin's side without words; derivation: if there is one.

    All of it takes about so many steps, and POLISHING at most once a word is found. That the last word is a shortest
    one is not said.
    """
    budget, found = Budget(steps), False
    longest: int | None = None
    for share, look in _searches(construction, theorem, derivation):
        part = budget.share(share)
        given, best = part.left, None if longest == -1 else _tried(look, longest, part)
        budget.settle(given, part)
        if best is not None:
            yield best
            longest = best.length - 1
            budget = budget if found else Budget(min(budget.left, POLISHING))
            found = True
    if not found and isinstance(theorem, Margin):
        shortest = 0 if runs_long(construction) else FIRST_SEARCH + 1
        short = unattained(construction, theorem, last_search(construction), shortest)
        if short is not None:
            yield short


Search = Callable[[int | None, Budget], Counterexample | None]
"""A search for words of up to so many symbols, of any number where that is None."""


def _tried(search: Search, longest: int | None, budget: Budget) -> Counterexample | None:
    """What a search finds."""
    try:
        return search(longest, budget)
    except (Underivable, ValueError, ArithmeticError):  # what only the interpreter reads
        return None


def _searches(
    construction: Construction, theorem: OnWords, derivation: Derivation | None
) -> Iterator[tuple[float, Search]]:
    """The searches, each with the share that it may take of the work that is left to it."""
    short = max(last_search(construction), FIRST_SEARCH)
    short_words = partial(search, shortest=FIRST_SEARCH + 1)

    def at_most(limit: int, look: Callable[..., Counterexample | None], *known: object) -> Search:
        def longest(upto: int | None) -> int:
            return limit if upto is None else min(limit, upto)

        return lambda upto, budget: look(construction, theorem, *known, longest=longest(upto), budget=budget)

    if runs_long(construction):  # the other searches would take all there is
        yield 1 / 2, at_most(LONGEST_RUN, search_distant)
    if derivation is not None:
        among = [at_most(LONGEST_RUN, search_states, derivation), at_most(short, search_critical, derivation)]
        yield 1 / 3, lambda upto, budget: search_guided(construction, theorem, derivation, upto, budget)
        for each in reversed(among) if derivation.sums else among:  # equal sums are found at critical values, if at all
            yield 1 / 2, each
    if derivation is not None or not runs_long(construction):
        yield 1 / 2, at_most(LONGEST_SPOKEN, search_named, derivation)
    yield 1 / 2, at_most(short, short_words)
    if derivation is None:  # of which critical values could be asked
        if not runs_long(construction):
            yield 1 / 2, at_most(DISTANT, search_distant)
        yield 1 / 2, at_most(short, search_extreme)
    yield 1, at_most(LONGEST_RUN, search_patterns, derivation)
