"""The search for a word that a theorem is wrong about, after its proof has failed: from quick to thorough, until the
time is up. What is found has been replayed; that nothing was found says nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from constructions.schema import Construction
from proofs.critical import search_critical
from proofs.guided import search_guided
from proofs.least import NoWord, unattained
from proofs.refute import MOST_WORDS, search
from proofs.theorem import Margin, OnWords
from proofs.verdict import Counterexample
from symbolic.derivation import Derivation
from symbolic.vocabulary import Underivable

FIRST_SEARCH = 3
"""Words up to this length are tried before a proof is attempted: most wrong theorems fall here, in no time."""
LONGEST_WORD = 600
"""No longer words are looked for: the replay of this one takes seconds."""
SECONDS = 8.0
"""For all of the late search, where its caller says nothing."""
SHARE = 1 / 2
"""Each search may take this share of the time that is left."""


def last_search(construction: Construction) -> int:
    """The greatest length for which there are at most MOST_WORDS words up to it: 8 for two symbols."""
    symbols = len(construction.language.alphabet)
    return max(n for n in range(40) if sum(symbols**m for m in range(n + 1)) <= MOST_WORDS)


def late(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, seconds: float = SECONDS
) -> Counterexample | NoWord | None:
    """A counterexample, or a margin's side without words, found within about `seconds`; derivation: if there is one.

    Every search is given the length below which a word would be shorter than what was found before it.
    """
    end = time.monotonic() + seconds
    best: Counterexample | None = None
    for attempt in _searches(construction, theorem, derivation):
        longest = LONGEST_WORD if best is None else len(best.word) - 1
        now = time.monotonic()
        try:
            best = attempt(longest, now + (end - now) * SHARE) or best
        except (Underivable, ValueError):  # a formula that only the interpreter reads
            continue
    if best is None and isinstance(theorem, Margin):
        return unattained(construction, theorem, last_search(construction), FIRST_SEARCH + 1)
    return best


Attempt = Callable[[int, float], Counterexample | None]


def _searches(construction: Construction, theorem: OnWords, derivation: Derivation | None) -> Iterator[Attempt]:
    short = max(last_search(construction), FIRST_SEARCH)
    if derivation is not None:
        yield lambda longest, deadline: search_guided(construction, theorem, derivation, longest, deadline)
        yield lambda longest, deadline: search_critical(
            construction, theorem, derivation, min(short, longest), deadline
        )
    yield lambda longest, deadline: search(construction, theorem, min(short, longest), FIRST_SEARCH + 1, deadline)
