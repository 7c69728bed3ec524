"""Negative controls: every nonzero weight of every construction and of every example file changed, one at a time.

A changed network must be refuted with a word, or proved again because the change is harmless: then brute force over
short words must find nothing either. Never a wrong `proved`, and never `unknown`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from tests.support.places import EXAMPLES
from weightproof.constructions.library import load_file, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, run
from weightproof.proofs.changes import CHANGES, changes
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.quantities import analysis
from weightproof.proofs.refuting.refute import UNDEFINED, counterexample, words
from weightproof.proofs.stated import stated
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Counterexample, Proved, Refuted

HEADER = "weights changed\ttried\trefuted with a word\tproved harmless\tunknown"
TIMEOUT = 30.0
"""Seconds for one theorem."""


@dataclass(frozen=True)
class Sample:
    """Which changes of a transformed construction are made: one of how many, in how much time for one theorem."""

    one_of: int = 1
    timeout: float = TIMEOUT


TRANSFORMED = {
    "one+remove-centering+layer-norm": Sample(timeout=90.0),
    "first+remove-centering+layer-norm": Sample(one_of=2, timeout=60.0),
    "parity+remove-centering+layer-norm": Sample(one_of=16, timeout=45.0),
    "dyck1+remove-centering+layer-norm": Sample(one_of=12, timeout=90.0),
    "dyck1-margin+remove-centering+layer-norm": Sample(one_of=9, timeout=90.0),
    "dyck1-depth+remove-centering+layer-norm": Sample(one_of=20, timeout=120.0),
    "dyck1-depth-margin+remove-centering+layer-norm": Sample(one_of=29, timeout=120.0),
    "palindrome-isometric+remove-centering+layer-norm": Sample(one_of=3, timeout=90.0),
    "first+fix:c=1+scale-attention-by-log-length": Sample(),
    "first-one-layer+fix:c=1+scale-attention-by-log-length": Sample(one_of=2),
    "first+remove-centering+layer-norm:epsilon=0+sharpen": Sample(one_of=12, timeout=60.0),
    "parity+remove-centering+layer-norm:epsilon=0+sharpen": Sample(one_of=80, timeout=30.0),
    "dyck1-margin+remove-centering+layer-norm:epsilon=0+sharpen": Sample(one_of=20, timeout=90.0),
    "one+sharpen": Sample(one_of=11),
    "parity+sharpen": Sample(one_of=13),
}

LONGEST = {2: 6, 3: 4}
"""Symbols of the words that are all run, by the size of the alphabet."""


@pytest.fixture(autouse=True)
def _little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall in front of every `proved` compares what is compared here, too."""
    monkeypatch.setattr(analysis, "WORK", 40_000)


def _subject(name: str) -> tuple[Construction, list[Decides]]:
    """A construction of which theorems are stated, or a user's, with what is proved of it for all lengths; or else what
    is refuted."""
    path = next((path for path in EXAMPLES if path.stem == name), None)
    if path is None:
        construction, theorems = stated()[name]
    else:
        file = load_file(path)
        construction, theorems = file.construction, file.theorems or default_theorems(file.construction)
    unbounded = [t for t in theorems if isinstance(t, Decides) and t.up_to is None]
    return construction, [t for t in unbounded if t.expected == "proved"] or unbounded


def _replays(construction: Construction, found: Counterexample) -> bool:
    try:
        replayed = run(construction, found.word, found.parameters, found.bits)
    except NoValue:
        return found.logit == UNDEFINED
    return replayed.accepts == found.accepts != found.member


@pytest.mark.controls
@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("name", [*names(), *(path.stem for path in EXAMPLES), *TRANSFORMED])
def test_changed_weights_are_refuted_or_harmless(
    name: str, what: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    original, theorems = _subject(name)
    tally: Counter[str] = Counter()
    wrong = []
    sample = TRANSFORMED.get(name, Sample())
    for change in [change for change in changes(original) if change.what == what][:: sample.one_of]:
        for result in prove(change.construction, theorems, timeout=sample.timeout):
            verdict = result.verdict
            tally[verdict.name] += 1
            match verdict:
                case Refuted(counterexample=found):
                    if not _replays(change.construction, found):
                        wrong.append((change.place, result.theorem, found))
                case Proved():
                    theorem = next(t for t in theorems if t.name == result.theorem)
                    defaults = {p.name: str(p.default) for p in original.parameters}
                    missed = [
                        word
                        for word in words(original.language.alphabet, LONGEST[len(original.language.alphabet)])
                        if counterexample(change.construction, theorem, word, defaults) is not None
                    ]
                    if missed:
                        wrong.append((change.place, result.theorem, missed[0]))
                case _:
                    wrong.append((change.place, result.theorem, verdict))
    count_row(HEADER, name, [tally.total(), tally["refuted"], tally["proved"], tally["unknown"]])
    assert tally.total() > 0
    assert not wrong, wrong
