"""Negative controls: nonzero weights of networks that predict a token or a class changed, one at a time.

A changed network must be refuted with a word after which it predicts otherwise, or proved again because the change is
harmless: then brute force over short words must find nothing either. Never `unknown`. Of the second task a change may
be wrong after words alone that have some e^(N^4) noise symbols, which nothing can run: they are counted, once more
with more bits and with twice as many of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tests.support.changes import changes
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, predictors
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import predict
from weightproof.constructions.meaning.schema import Encoder
from weightproof.proofs.changes import CHANGES
from weightproof.proofs.next_token import counting, replaying
from weightproof.proofs.next_token.counting import Long, misprediction
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities import analysis
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.refuting.long import marked, read
from weightproof.proofs.theorem import Predicts, theorems_of
from weightproof.proofs.verdict import Counterexample, Proved, Refuted, Unknown

HEADER = "weights changed\ttried\trefuted with a word\trefuted by counting\tproved harmless\tunknown"
KINDS = ("refuted", "counted", "proved", "unknown")
TOO_LONG = ("noisy-majority-end", "noisy-majority-end-as-printed", "noisy-majority-end-silent-2")
"""Of which the theorem about all words is asked; of their changes every sixth is made."""
SAMPLE = 6
LONGEST = {3: 4, 4: 3}
"""Symbols of the words that are all run, by the size of the alphabet."""


RUN = re.compile(r"(.*)(.)\{2\^(\d+)\}(.*)")
"""How the word of a counterexample is written that has been counted."""


def _recounts(
    construction: Construction, theorem: Predicts, found: Counterexample, monkeypatch: pytest.MonkeyPatch
) -> bool:
    network, parts = construction.network, RUN.fullmatch(found.word)
    assert isinstance(network, Encoder)
    with monkeypatch.context() as patch:
        patch.setattr(counting, "BITS", 2 * counting.BITS)
        if parts is None:
            runs = marked(network, read(found.word))
            once = counting.misprediction_in_runs(construction, theorem, runs, found.parameters)
            return once is not None and once.predicted == found.predicted
        before, symbol, k, after = parts.groups()
        long = Long((*before, *after), len(before), symbol)
        again = [misprediction(construction, theorem, long, found.parameters, int(k) + more) for more in (0, 1)]
    return all(each is not None and each.predicted == found.predicted for each in again)


def _replays(construction: Construction, found: Counterexample) -> bool:
    again = predict(construction, found.word, found.parameters)
    return again.token == found.predicted and found.accepts == (again.decided and again.token == found.right)


@pytest.mark.controls
@pytest.mark.usefixtures("little_search")  # of words that are too long to be run it finds none
@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("name", predictors())
def test_changed_weights_are_refuted_or_harmless(
    name: str, what: str, count_row: Callable[[str, str, Sequence[int]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "WORK", 40_000)  # the wall in front of `proved` compares what is compared here, too
    proved = [theorem for theorem in theorems_of(name) if theorem.expected == "proved"]
    theorem = next(t for t in proved if name not in TOO_LONG or "everywhere" in t.name)
    assert isinstance(theorem, Predicts)
    tally: Counter[str] = Counter()
    wrong: list[tuple[str, object]] = []
    for change in changes(load(name), (what,), SAMPLE if name in TOO_LONG else 1):
        [result] = prove(change.construction, [theorem], timeout=90.0)
        match result.verdict:
            case Refuted(counterexample=Counterexample(counted=True) as found):
                tally["counted"] += 1
                if not _recounts(change.construction, theorem, found, monkeypatch):
                    wrong.append((change.place, found))
            case Refuted(counterexample=Counterexample() as found):
                tally["refuted"] += 1
                if not _replays(change.construction, found):
                    wrong.append((change.place, found))
            case Proved() | Unknown() as verdict:
                tally[verdict.name] += 1
                if isinstance(verdict, Unknown):
                    wrong.append((change.place, verdict))
                defaults = {p.name: str(p.default) for p in change.construction.parameters}
                alphabet = change.construction.language.alphabet
                known = Analysis(change.construction)
                for word in words(alphabet, LONGEST[len(alphabet)]):
                    if replaying.misprediction(known, theorem, word, defaults) is not None:
                        wrong.append((change.place, word))
    count_row(HEADER, name, [tally.total(), *(tally[kind] for kind in KINDS)])
    assert tally.total() > 0
    assert not wrong, wrong
