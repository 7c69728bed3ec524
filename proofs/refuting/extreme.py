"""Short words at values of a real parameter that lie far out.

A mistake that takes, say, a strong attention to show is found there where there is no closed form with critical values.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.proofs.refuting.refute import counterexample, in_balls, likely_words
from weightproof.proofs.theorem import OnWords
from weightproof.proofs.verdict import Counterexample

FAR = ("8", "64", "512", "1/8", "1/64", "1/512")
"""Values of a real parameter. The nearest come first: beyond them a logit may be too small for the balls."""


def search_extreme(
    construction: Construction, theorem: OnWords, longest: int, deadline: float
) -> Counterexample | None:
    """The first counterexample among likely words of up to `longest` symbols, one real parameter far out and the others
    at their defaults; deadline: as `time.monotonic` tells it. Words are run in balls alone."""
    replay = in_balls(construction)
    for length in range(longest + 1):
        for word in likely_words(construction, theorem, length):
            for parameters in extremes(construction):
                if time.monotonic() > deadline:
                    return None
                try:
                    found = counterexample(construction, theorem, word, parameters, replay=replay)
                except InputError:  # outside the parameter's domain
                    continue
                if found is not None:
                    return found
    return None


def extremes(construction: Construction) -> Iterator[dict[str, str]]:
    """Parameter values to try, some of which may lie outside the domains."""
    defaults = {p.name: str(p.default) for p in construction.parameters}
    for parameter in construction.parameters:
        if not parameter.is_natural:
            yield from (defaults | {parameter.name: value} for value in FAR)
