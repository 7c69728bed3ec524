"""Regular expressions as the prover and covering read them, against what the interpreter says of every short word."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from tests.proofs.automata import test_soundness
from tests.proofs.automata.test_sentences import MARKERS, wrong
from tests.support.expressions import drawn
from weightproof.constructions.scalars import patterns
from weightproof.proofs import patterns as read
from weightproof.proofs.automata.acceptors import automaton
from weightproof.proofs.automata.sentences import Matches
from weightproof.proofs.patterns import FIRST, Positions, positions

WORDS = ["".join(word) for length in range(8) for word in itertools.product("01", repeat=length)]
FEW = 40


def differing(text: str) -> str | None:
    """The first word of which the two readings say something different."""
    told = positions(text)
    for word in WORDS:
        state = FIRST
        for symbol in word:
            state = told.after(state, symbol)
        if told.accepts(state) != patterns.matches(text, word):
            return word
    return None


@pytest.mark.parametrize("seed", range(FEW))
def test_both_readings_of_an_expression_say_the_same(seed: int) -> None:
    assert differing(drawn(seed)) is None, drawn(seed)


@pytest.mark.parametrize("seed", range(8))
def test_so_does_the_automaton_of_the_sentence(seed: int) -> None:
    """Between markers, too."""
    text = drawn(1_000 + seed)
    for begin, end in MARKERS:
        assert wrong(f"matches({text!r})", begin, end) is None, text


@pytest.mark.controls
@pytest.mark.parametrize("seed", range(FEW, 300))
def test_both_readings_of_many_expressions_say_the_same(seed: int) -> None:
    assert differing(drawn(seed)) is None, drawn(seed)


def unjoined(self: Positions, last: read.State, first: read.State) -> None:
    """As if nothing followed but by the choice of one symbol."""
    for place in last:
        self._follows[place] |= frozenset(sorted(first)[:1])


def never_empty(self: Positions, left: read._Part, right: read._Part) -> read._Part:
    """As if no part had the empty word."""
    self._join(left.last, right.first)
    return read._Part(left.first or right.first, right.last or left.last, left.empty and right.empty)


@pytest.mark.parametrize(("method", "mistake"), [("_join", unjoined), ("_then", never_empty)])
def test_a_mistake_in_one_of_them_is_seen(method: str, mistake: object, monkeypatch: pytest.MonkeyPatch) -> None:
    positions.cache_clear()
    monkeypatch.setattr(Positions, method, mistake)
    try:
        assert any(differing(drawn(seed)) is not None for seed in range(FEW))
    finally:
        positions.cache_clear()


def test_the_automaton_is_the_least() -> None:
    """A state for each of the four parts, and one for words that do not match whatever comes."""
    found = automaton(Matches("0*1*0*1*"), tuple((token, frozenset()) for token in "01C"), frozenset("01"))
    assert len(found.table) == 5
    assert len(found.accepting) == 4


EXPRESSIONS = (
    "", ".*", ".+", "(..)*", ".*1", ".*0.", "1.*", "0*", ".*1.*", ".*0.*0.*", "1*0?1*", "(0*10*1)*0*", ".*01.*",
    ".*11.*", "(0|10)*1?", "0*1*0*1*", "(.0)*.?", "0*1*", ".{0,5}", "(.{2}){3}|.{0,5}|.{7,}",
)  # fmt: skip


@pytest.mark.controls
def test_what_automata_say_of_drawn_networks_by_expressions_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof that a short word contradicts would be an AssertionError, and so a refutation by a word that does not."""
    said = tuple(f"{sign}matches({text!r})" for sign in ("", "not ") for text in EXPRESSIONS)
    monkeypatch.setattr(test_soundness, "FORMULAS", said)
    found = Counter(test_soundness.outcome(seed)[0] for seed in range(1_000, 1_060))
    assert found["proved"] > 5
    assert found["refuted"] > 2
