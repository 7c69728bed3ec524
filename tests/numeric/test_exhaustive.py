"""Every word of every length, run: the same as one after the other, and less for a changed weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from tests.support.streams import names_of
from tests.support.unusual import recogniser
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder
from weightproof.numeric.model.transformer import PROBABILITY, Rule, Transformer
from weightproof.numeric.search import search as module
from weightproof.numeric.search.arrangements import arrangements_are_alike, by_counts
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
    assert reached(load("one"), OWN, 400) == 400
    assert reached(load("one"), OWN, 10**15) == 10**15
    monkeypatch.setattr(module, "MOST_EXHAUSTED", 2**3 * 3**2)
    assert 3 <= reached(load("one"), OWN) < LONGEST


ENCODERS = [construction for name in names() if isinstance((construction := load(name)).network, Encoder)]


def rearranged(construction: Construction) -> list[str]:
    """Words that strict arithmetic in bfloat16 gives another logit than the same symbols in another order."""
    model, random, found = strict(construction), Random(0), []
    for length in (3, 8, 40):
        for count in {1, length // 3, length // 2, length - 1}:
            ordered = "1" * count + "0" * (length - count)
            several = [ordered, ordered[::-1], *("".join(random.sample(ordered, length)) for _ in range(6))]
            logits = model.logits(several).tolist()
            found += [word for word, logit in zip(several, logits, strict=True) if logit != logits[0]]
    return found


def changed(name: str, change: Callable[[Encoder], Encoder]) -> Construction:
    original = load(name)
    return replace(original, network=change(original.network))  # type: ignore[arg-type]


def both_letters(network: Encoder) -> Encoder:
    """An average of two numbers, the one of the 1s and the one of the 0s."""
    [layer] = network.layers
    head = replace(layer.heads[0], W_V={**layer.heads[0].W_V, "k/n": {"[w=1]": 1, "[w=0]": "1/3"}})
    return replace(network, layers=(replace(layer, heads=(head,)),))


def leaning(network: Encoder) -> Encoder:
    """The 1s are weighed by where they stand."""
    [layer] = network.layers
    head = replace(layer.heads[0], W_Q={"q": {"[w=CLS]": 1}}, W_K={"q": {"i/n": 1}})
    return replace(network, layers=(replace(layer, heads=(head,)),))


ORDERED = {"an average of two numbers": both_letters, "weights by positions": leaning}


@pytest.mark.parametrize("construction", ENCODERS, ids=lambda construction: construction.name)
def test_arrangements_that_are_said_to_be_alike_give_the_same_logits(construction: Construction) -> None:
    assert arrangements_are_alike(construction) == (construction.name in ("parity", "one"))
    assert not arrangements_are_alike(construction) or rearranged(construction) == []


@pytest.mark.parametrize("which", ORDERED)
def test_arrangements_that_differ_are_told_apart(which: str) -> None:
    construction = changed("one", ORDERED[which])
    assert rearranged(construction) != []
    assert not arrangements_are_alike(construction)


@pytest.mark.parametrize(
    "formula",
    ["w[1] == '1'", "count('1', 3) == 1", "all(w[j] == '1' for j in positions)", "count('10') == 1", "matches('1*')"],
)
def test_a_language_that_looks_at_positions_tells_words_apart(formula: str) -> None:
    original = load("one")
    language = replace(original.language, characterisation=formula)
    assert arrangements_are_alike(original)
    assert not arrangements_are_alike(replace(original, language=language))


def test_words_of_the_same_counts_are_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(by_counts("01", 3)) == ["000", "001", "011", "111"]
    monkeypatch.setattr(module, "MOST_EXHAUSTED", 80_000)
    assert reached(load("parity"), OWN) == 28


def test_words_over_one_letter_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one of each length: what counts is how many are run."""
    construction = recogniser("n >= 2", lambda word, **_: len(word) > 0, alphabet=("1",))
    monkeypatch.setattr(module, "LEAST_EXHAUSTED", module.MOST_EXHAUSTED // 20)
    assert reached(construction, OWN) == 19
