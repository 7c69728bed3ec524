"""The search for a word that a theorem is wrong about, after its proof has failed: from quick to thorough, until the
time is up. What is found has been replayed; that nothing was found says nothing.
"""

from __future__ import annotations

import time

from constructions.schema import Construction
from proofs.critical import search_critical
from proofs.least import NoWord, unattained
from proofs.refute import MOST_WORDS, search
from proofs.theorem import Margin, OnWords
from proofs.verdict import Counterexample
from symbolic.derivation import Derivation

FIRST_SEARCH = 3
"""Words up to this length are tried before a proof is attempted: most wrong theorems fall here, in no time."""
LONGEST_WORD = 40
SECONDS = 8.0
"""For all of the late search, where its caller says nothing."""


def last_search(construction: Construction) -> int:
    """The greatest length for which there are at most MOST_WORDS words up to it: 8 for two symbols."""
    symbols = len(construction.language.alphabet)
    return max(n for n in range(LONGEST_WORD + 1) if sum(symbols**m for m in range(n + 1)) <= MOST_WORDS)


def late(
    construction: Construction, theorem: OnWords, derivation: Derivation | None, seconds: float = SECONDS
) -> Counterexample | NoWord | None:
    """A counterexample, or a margin's side without words, found within about `seconds`; derivation: if there is one."""
    deadline = time.monotonic() + seconds
    longest = last_search(construction)
    found = None if derivation is None else search_critical(construction, theorem, derivation, longest, deadline)
    found = found or search(construction, theorem, longest, FIRST_SEARCH + 1, deadline)
    if found is None and isinstance(theorem, Margin):
        return unattained(construction, theorem, longest, FIRST_SEARCH + 1)
    return found
