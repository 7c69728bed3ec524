"""Negative controls: nonzero weights of networks that take the argmax over tokens changed, one at a time.

A changed network must be refuted with a word after which it predicts otherwise, or proved again because the change is
harmless: then brute force over short words must find nothing either. Never `unknown`, but of the second task: there a
change may be wrong after words alone that have some e^(N^4) noise symbols, which nothing can run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from weightproof.constructions.library import load, predictors
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import predict
from weightproof.proofs.changes import CHANGES, changes
from weightproof.proofs.predicting.replaying import misprediction
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities import subject
from weightproof.proofs.quantities.subject import Subject
from weightproof.proofs.refuting.refute import words
from weightproof.proofs.stated import theorems_of
from weightproof.proofs.theorem import Predicts
from weightproof.proofs.verdict import Counterexample, Proved, Refuted, Unknown

HEADER = "weights changed\ttried\trefuted with a word\tproved harmless\tunknown"
TOO_LONG = ("noisy-majority-end", "noisy-majority-end-as-printed", "noisy-majority-end-silent-2")
"""Of which the theorem about all words is asked, and verdicts may stay open; of their changes every third is made."""
SAMPLE = 3
LONGEST = {3: 4, 4: 3}
"""Symbols of the words that are all run, by the size of the alphabet."""


def _replays(construction: Construction, found: Counterexample) -> bool:
    again = predict(construction, found.word, found.parameters)
    return again.token == found.predicted and found.accepts == (again.decided and again.token == found.right)


@pytest.mark.controls
@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("name", predictors())
def test_changed_weights_are_refuted_or_harmless(
    name: str, what: str, count_row: Callable[[str, str, Sequence[int]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "SECONDS", 0.1)  # the wall in front of `proved` compares what is compared here, too
    proved = [theorem for theorem in theorems_of(name) if theorem.expected == "proved"]
    theorem = next(t for t in proved if name not in TOO_LONG or "everywhere" in t.name)
    assert isinstance(theorem, Predicts)
    tally: Counter[str] = Counter()
    wrong: list[tuple[str, object]] = []
    made = [change for change in changes(load(name)) if change.what == what]
    for change in made[:: SAMPLE if name in TOO_LONG else 1]:
        [result] = prove(change.construction, [theorem])
        tally[result.verdict.name] += 1
        match result.verdict:
            case Refuted(counterexample=Counterexample() as found):
                if not _replays(change.construction, found):
                    wrong.append((change.place, found))
            case Proved() | Unknown() as verdict:
                if isinstance(verdict, Unknown) and name not in TOO_LONG:
                    wrong.append((change.place, verdict))
                defaults = {p.name: str(p.default) for p in change.construction.parameters}
                alphabet = change.construction.language.alphabet
                subject_of = Subject(change.construction)
                for word in words(alphabet, LONGEST[len(alphabet)]):
                    if misprediction(subject_of, theorem, word, defaults) is not None:
                        wrong.append((change.place, word))
    count_row(HEADER, name, [tally.total(), tally["refuted"], tally["proved"], tally["unknown"]])
    assert tally.total() > 0
    assert not wrong, wrong
