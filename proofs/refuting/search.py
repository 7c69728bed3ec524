"""The search for a word that a theorem is wrong about, after its proof has failed: from quick to thorough, until the
time is up. What is found has been replayed; that nothing was found says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars import work
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.refuting.critical import search_critical
from weightproof.proofs.refuting.extreme import search_extreme
from weightproof.proofs.refuting.guided import search_guided
from weightproof.proofs.refuting.least import NoWord, unattained
from weightproof.proofs.refuting.patterns import search_distant, search_patterns
from weightproof.proofs.refuting.refute import MOST_WORDS, search
from weightproof.proofs.refuting.states import search_states
from weightproof.proofs.theorem import Margin, OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

FIRST_SEARCH = 3
"""Words up to this length are tried before a proof is attempted: most wrong theorems fall here, in no time."""
LONGEST_WORD = 600
"""No longer words are looked for: the replay of this one takes seconds."""
GRACE = 0.5
"""Seconds for a search to end by itself with what it has found; a single step of one may take long."""
POLISHING = 3.0
"""Seconds for a shorter word, once one is found."""


def last_search(construction: Construction) -> int:
    """The greatest length for which there are at most MOST_WORDS words up to it: 8 for two symbols."""
    symbols = len(construction.language.alphabet)
    return max(n for n in range(40) if sum(symbols**m for m in range(n + 1)) <= MOST_WORDS)


def runs_long(construction: Construction) -> bool:
    """Whether exact runs, with which a margin is compared, take so long that they come last."""
    network = construction.network
    return isinstance(network, Encoder) and network.normed


def late(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, seconds: float
) -> Iterator[Counterexample | NoWord]:
    """Counterexamples, each shorter than the one before, or a margin's side without words; derivation: if there is one.

    All of it takes about `seconds`, and POLISHING at most once a word is found. That the last word is a shortest one is
    not said.
    """
    end = work.seconds() + seconds
    longest, found = LONGEST_WORD, False
    for share, attempt in _searches(construction, theorem, derivation):
        now = work.seconds()
        best = _tried(attempt, longest, now + (end - now) * share) if longest >= 0 else None
        if best is not None:
            yield best
            longest = len(best.word) - 1
            end = end if found else min(end, work.seconds() + POLISHING)
            found = True
    if not found and isinstance(theorem, Margin):
        shortest = 0 if runs_long(construction) else FIRST_SEARCH + 1
        short = unattained(construction, theorem, last_search(construction), shortest)
        if short is not None:
            yield short


Attempt = Callable[[int, float], Counterexample | None]
"""A search for words of up to so many symbols, until `work.seconds` tells so much."""


def _tried(attempt: Attempt, longest: int, until: float) -> Counterexample | None:
    """What a search finds until then; one that does not end by itself soon after has found nothing."""
    seconds = max(until - work.seconds(), 0.0) + GRACE
    try:
        return Deadline.after(seconds).during("a search for a word", lambda: attempt(longest, until))
    except (Underivable, ValueError, ArithmeticError, TimeUp):  # what only the interpreter reads
        return None


def _searches(
    construction: Construction, theorem: OnWords, derivation: Derivation | None
) -> Iterator[tuple[float, Attempt]]:
    """The searches, each with the share that it may take of the time that is left to it."""
    short = max(last_search(construction), FIRST_SEARCH)
    if runs_long(construction):  # the other searches would take all the time there is
        yield 1 / 2, lambda longest, until: search_distant(construction, theorem, longest, until)
    if derivation is not None:
        among: list[tuple[float, Attempt]] = [
            (1 / 2, lambda longest, until: search_states(construction, theorem, derivation, longest, until)),
            (
                1 / 2,
                lambda longest, until: search_critical(construction, theorem, derivation, min(short, longest), until),
            ),
        ]
        yield 1 / 3, lambda longest, until: search_guided(construction, theorem, derivation, longest, until)
        yield from reversed(among) if derivation.sums else among  # equal sums are found at critical values, if at all
    yield 1 / 2, lambda longest, until: search(construction, theorem, min(short, longest), FIRST_SEARCH + 1, until)
    if derivation is None:  # of which critical values could be asked
        yield 1 / 2, lambda longest, until: search_extreme(construction, theorem, min(short, longest), until)
    yield 1, lambda longest, until: search_patterns(construction, theorem, derivation, longest, until)
