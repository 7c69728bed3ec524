"""Negative controls: every nonzero weight of every construction changed, one at a time.

A changed network must be refuted with a word, or proved again because the change is harmless: then brute force over
short words must find nothing either. Never `unknown`, and never a wrong `proved`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from constructions.interpreter import run
from constructions.library import load, names
from proofs.changes import CHANGES, changes
from proofs.prove import prove, theorems_of
from proofs.refute import counterexample, words
from proofs.theorem import Decides
from proofs.verdict import Proved, Refuted

HEADER = "weights changed\ttried\trefuted with a word\tproved harmless\tunknown"
LONGEST = 7


def _theorems(name: str) -> list[Decides]:
    """What is proved for all lengths; for a refuted construction, what is refuted."""
    unbounded = [t for t in theorems_of(name) if isinstance(t, Decides) and t.up_to is None]
    return [t for t in unbounded if t.expected == "proved"] or unbounded


@pytest.mark.controls
@pytest.mark.parametrize(("name", "what"), [(name, what) for name in names() for what in CHANGES])
def test_changed_weights_are_refuted_or_harmless(
    name: str, what: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    original = load(name)
    tally: Counter[str] = Counter()
    wrong = []
    for change in (change for change in changes(original) if change.what == what):
        for result in prove(change.construction, _theorems(name)):
            verdict = result.verdict
            tally[verdict.name] += 1
            match verdict:
                case Refuted(counterexample=found):
                    replayed = run(change.construction, found.word, found.parameters)
                    if replayed.accepts != found.accepts or replayed.accepts == found.member:
                        wrong.append((change.place, result.theorem, found))
                case Proved():
                    theorem = next(t for t in _theorems(name) if t.name == result.theorem)
                    defaults = {p.name: str(p.default) for p in original.parameters}
                    missed = [
                        word
                        for word in words(original.language.alphabet, LONGEST)
                        if counterexample(change.construction, theorem, word, defaults) is not None
                    ]
                    if missed:
                        wrong.append((change.place, result.theorem, missed[0]))
                case _:
                    wrong.append((change.place, result.theorem, verdict))
    count_row(HEADER, name, [tally.total(), tally["refuted"], tally["proved"], tally["unknown"]])
    assert tally.total() > 0
    assert not wrong, wrong
