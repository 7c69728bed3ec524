"""Words that are bred: what becomes of parents, and that a search finds by it what no family holds."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.support.fakes import Fake
from weightproof.constructions.languages.languages import is_balanced
from weightproof.constructions.library import load
from weightproof.constructions.meaning.running import parameter_values
from weightproof.numeric.model.transformer import PROBABILITY, Rule, Transformer
from weightproof.numeric.search import breeding
from weightproof.numeric.search.breeding import CHANGES, Bred, children, crossed, fittest, resized, without
from weightproof.numeric.search.search import Finding, Search

SIGN = Rule("logit > 0")
WORD = "0010110111"


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_a_word_of_the_same_length(change: breeding.Change) -> None:
    random = Random(0)
    found = {change(WORD, "01", random) for _ in range(300)}
    assert {len(word) for word in found} == {len(WORD)}
    assert len(found) > 5
    kept = [word for word in found if Counter(word) == Counter(WORD)]
    assert (len(kept) == len(found)) == (change is not breeding.changed)


def test_children_are_new_and_differ() -> None:
    known = {WORD}
    found = children([WORD, "1" * 10], "01", Random(0), 50, known)
    assert len(found) == len({*found}) == 50
    assert known == {WORD, *found}
    assert {*children(["01"], "01", Random(0), 50, set())} == {"00", "01", "10", "11"}
    assert crossed("0000", "1111", Random(1)) in ("1111", "0111", "0011", "0001")


def test_the_fittest_are_the_nearest_and_some_of_each_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breeding, "PARENTS", 3)
    monkeypatch.setattr(breeding, "OF_A_SIDE", 2)
    bred = [Bred(str(number), number in (8, 9), float(number)) for number in (5, 9, 3, 4, 8, 7, 1)]
    assert [each.word for each in fittest(bred)] == ["1", "3", "4", "8", "9"]


@pytest.mark.parametrize("length", [2, 24, 36, 37])
def test_a_word_of_another_length_is_of_the_same_side(length: int) -> None:
    found = resized("01" * 15, length, "01", Random(0), is_balanced)
    if length % 2:
        assert found is None
    else:
        assert found is not None
        assert (len(found), is_balanced(found)) == (length, True)


def test_words_with_symbols_taken_out() -> None:
    assert {*without("0110", 1, Random(0), 9)} == {"110", "010", "011"}
    assert {*without("0110", 2, Random(0), 99)} == {"10", "00", "01", "11"}
    assert len(without(WORD * 9, 2, Random(0), 20)) <= 20


def bred(fake: Fake, without: bool = False) -> Finding:
    search = Search(fake.construction, fake.model, fake.names, 1 << 22)
    if without:
        search._breed = lambda *given: None  # type: ignore[method-assign]
    [finding] = search.run((SIGN,), 60)
    return finding


def hidden(word: str) -> float:
    """Right; the nearer to being wrong the more 1s stand at every third place and 0s elsewhere, wrong with 34 of these,
    where there are 40 symbols at least."""
    alike = sum((symbol == "1") == (place % 3 == 0) for place, symbol in enumerate(word[:40]))
    right = 1.0 if word.count("1") % 2 else -1.0
    return right * (34 - alike) / 40 if len(word) >= 40 else right


def test_what_no_family_holds_is_bred_and_shortened() -> None:
    """Which words fail nobody says; that some are nearly wrong leads there."""
    assert bred(Fake("parity", logit=hidden), without=True).failure is None
    finding = bred(Fake("parity", logit=hidden))
    assert finding.failure is not None
    assert (len(finding.failure.word), finding.of_families, finding.exhausted) == (40, True, False)
    assert (finding.searched, finding.searched_to, finding.in_full) == ("families", 39, ((0, 39),))


def test_a_short_word_that_dyck1_margin_loses_is_bred() -> None:
    """By probability in bfloat16; of the families and a few drawn words the shortest has 60 symbols."""
    construction = load("dyck1-margin")
    model = Transformer(construction, dtype="bfloat16", attention="strict")
    names = parameter_values(construction)
    [finding] = Search(construction, model, names, 1 << 22).run((PROBABILITY,), 50)
    assert finding.failure is not None
    word = finding.failure.word
    assert len(word) <= 50
    assert (finding.failure.member, is_balanced(word)) == (True, True)
    assert model.probabilities(model.logits([word])).tolist() == [0.5]
