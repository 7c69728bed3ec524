"""Negative controls: every nonzero weight of every construction and of every example file changed, one at a time.

A changed network must be refuted with a word, or proved again because the change is harmless: then brute force over
short words must find nothing either. Never a wrong `proved`, and never `unknown`.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from tests.support.changes import changes
from tests.support.places import EXAMPLES
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load_file, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue
from weightproof.constructions.meaning.running import run
from weightproof.proofs.changes import CHANGES
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prove import default_theorems, proofs
from weightproof.proofs.prover import PROVING
from weightproof.proofs.quantities import analysis
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.refuting import search
from weightproof.proofs.refuting.refute import UNDEFINED, counterexample
from weightproof.proofs.theorem import Decides, stated
from weightproof.proofs.verdict import Counterexample, Proved, Refuted
from weightproof.symbolic.derivation import Derivation

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
    """The wall in front of every `proved` compares what is compared here, too; and one word is as good as a shorter."""
    monkeypatch.setattr(analysis, "WORK", 40_000)
    monkeypatch.setattr(search, "POLISHING", 0)


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


def _missed(construction: Construction, theorem: Decides) -> str | None:
    """A short word that a theorem is wrong of, at the default parameters."""
    defaults = {p.name: str(p.default) for p in construction.parameters}
    alphabet = construction.language.alphabet
    tried = words(alphabet, LONGEST[len(alphabet)])
    return next((word for word in tried if counterexample(construction, theorem, word, defaults) is not None), None)


def _closed_form(known: Analysis, timeout: float) -> object:
    """All that a proof is made from, where a closed form was derived, and is what the interpreter runs."""
    derived = known.maybe_derived(None, Deadline.after(timeout * PROVING))
    if not isinstance(derived, Derivation):
        return None
    known.runs(None, {})
    parts = (derived.logit, *(tuple(part.items()) for part in (derived.sums, derived.scales, derived.nonzero)))
    return *parts, derived.facts


@functools.cache
def _proved(name: str) -> set[object]:
    """The closed forms of changed networks of which all theorems have been proved."""
    return set()


@pytest.mark.controls
@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("name", [*TRANSFORMED, *names(), *(path.stem for path in EXAMPLES)])
def test_changed_weights_are_refuted_or_harmless(
    name: str, what: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    """Of harmless changes with one closed form one is proved; each is derived and run."""
    original, theorems = _subject(name)
    tally: Counter[str] = Counter()
    wrong: list[tuple[str, str, object]] = []
    sample = TRANSFORMED.get(name, Sample())
    made = list(changes(original, (what,), sample.one_of))
    for change in made:
        known = Analysis(change.construction)
        missed = {theorem.name: _missed(change.construction, theorem) for theorem in theorems}
        harmless = all(word is None for word in missed.values())
        form = _closed_form(known, sample.timeout) if harmless else None
        if form is not None and form in _proved(name):
            tally["proved"] += len(theorems)
            continue
        verdicts = set()
        for proof in proofs(change.construction, theorems, timeout=sample.timeout, analysis=known):
            result = proof.result
            tally[result.verdict.name] += 1
            verdicts.add(result.verdict.name)
            match result.verdict:
                case Refuted(counterexample=found) if _replays(change.construction, found):
                    pass
                case Proved() if missed[result.theorem] is None:
                    pass
                case verdict:
                    wrong.append((change.place, result.theorem, (verdict, missed[result.theorem])))
        if form is not None and verdicts == {"proved"}:
            _proved(name).add(form)
    count_row(HEADER, name, [tally.total(), tally["refuted"], tally["proved"], tally["unknown"]])
    assert tally.total() > 0 if made else next(changes(original), None)  # they are among those of another kind
    assert not wrong, wrong
