"""Words whose runs are as long as a number that the theorem names: what is wrong first at some number is wrong there.

They are a few shapes of two symbols, and come at parameter values that the theorem names, too, which a search symbol by
symbol does not reach: to tell the depths of brackets apart takes many states, and each of many values of D its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.counting import Runs
from weightproof.constructions.scalars.budget import Budget
from weightproof.proofs.refuting.critical import beside, named, relations, settings, settings_without_derivation
from weightproof.proofs.refuting.long import LONGEST_RUN, counterexample_in_runs, merged, symbols_in
from weightproof.proofs.refuting.patterns import LEAD, SYMBOLS
from weightproof.proofs.refuting.refute import by_interest, run_steps
from weightproof.proofs.theorem import OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation


def search_named(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, longest: int, budget: Budget
) -> Counterexample | None:
    """The first counterexample of at most so many symbols, shortest first."""
    try:
        known = None if derivation is None else relations(theorem, derivation)
    except (Underivable, ValueError):  # a formula that only the interpreter reads
        known = None
    tried = settings_without_derivation(construction, theorem) if known is None else settings(construction, known)
    numbers = [number for number in beside(named(construction, theorem)) if 1 < number <= longest]
    for runs in _words(by_interest(construction, theorem)[:SYMBOLS], numbers):
        symbols = symbols_in(runs)
        if symbols > longest:
            return None
        steps = LEAD * symbols if known is not None else run_steps(construction, min(symbols, LONGEST_RUN))
        for parameters in tried:
            if not budget.allows(steps):
                return None
            lead = None if known is None else known.reader
            found = counterexample_in_runs(construction, theorem, runs, parameters, lead)
            if found is not None:
                return found
    return None


def _words(symbols: Sequence[str], numbers: Sequence[int]) -> Iterator[Runs]:
    """One run, two, with one of these numbers of symbols each or a single one, and two symbols that alternate; shortest
    first."""
    found: list[Runs] = [((symbol, number),) for symbol in symbols for number in numbers]
    for left, right in itertools.permutations(symbols, 2):
        found += [merged(((left, a), (right, b))) for a, b in itertools.product((1, *numbers), repeat=2)]
        found += [merged(((left, 1), (right, 1)) * number) for number in numbers]
    yield from sorted(dict.fromkeys(found), key=symbols_in)
