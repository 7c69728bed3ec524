"""Every word of every length, run: the same as one after the other, and less for a changed weight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.streams import names_of
from tests.support.unusual import recogniser
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.numeric.model.transformer import PROBABILITY, Rule, Transformer
from weightproof.numeric.search import search as module
from weightproof.numeric.search.search import exhausted

OWN = Rule("logit > 0")
LONGEST = 7
"""Symbols of the words that are run one after the other."""


def strict(construction: Construction, dtype: str = "bfloat16") -> Transformer:
    return Transformer(construction, dtype=dtype, attention="strict")


def reached(construction: Construction, rule: Rule, safe: int = -1) -> int:
    return exhausted(construction, strict(construction), names_of(construction), rule, safe)


def one_by_one(construction: Construction, rule: Rule) -> int:
    """Below the first word of at most LONGEST symbols that is decided wrongly."""
    model = strict(construction)
    for word in words("01", LONGEST):
        if bool(rule.accepts(model, model.logits([word]))[0]) != construction.language.member(word):
            return len(word) - 1
    return LONGEST


def shifted() -> Construction:
    """An accepted word is at 1/(2n) in `one`; here at 1/8 less."""
    original = load("one")
    readout = original.network.readout
    lower = replace(readout, W=replace(readout.W, bias={"logit": "-1/8"}))
    return replace(original, network=replace(original.network, readout=lower))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than words of LONGEST symbols, with and without quadratic time, and not all in one batch."""
    monkeypatch.setattr(module, "MOST_EXHAUSTED", 2 * 2**LONGEST * LONGEST**2)
    monkeypatch.setattr(module, "LEAST_EXHAUSTED", 1)
    monkeypatch.setattr(module, "BATCH", 50)


@pytest.mark.parametrize("rule", [OWN, PROBABILITY], ids=lambda rule: rule.name)
@pytest.mark.parametrize("construction", [load("dyck1"), load("one"), shifted()], ids=["dyck1", "one", "shifted"])
def test_it_is_what_running_one_word_after_the_other_says(construction: Construction, rule: Rule) -> None:
    assert min(reached(construction, rule), LONGEST) == one_by_one(construction, rule)


def test_a_margin_that_is_wrong_makes_it_smaller() -> None:
    assert reached(shifted(), OWN) < 4 < LONGEST <= reached(load("one"), OWN)


def test_what_is_known_to_be_right_is_not_run_and_what_is_dear_is_not_either(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reached(shifted(), OWN, 5) == 5
    assert reached(load("one"), OWN, 40) == 40
    assert reached(load("one"), OWN, 10**15) == 10**15
    monkeypatch.setattr(module, "MOST_EXHAUSTED", 2**3 * 3**2)
    assert 3 <= reached(load("one"), OWN) < LONGEST


def test_words_over_one_letter_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one of each length: what counts is how many are run."""
    construction = recogniser("n >= 2", lambda word, **_: len(word) > 0, alphabet=("1",))
    monkeypatch.setattr(module, "LEAST_EXHAUSTED", module.MOST_EXHAUSTED // 20)
    assert reached(construction, OWN) == 19
