"""Masked transformers of unique hard attention: what they recognise at all lengths, and what is read of their masks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.proofs.automata.drawn import construction, masked
from tests.proofs.automata.test_reading import mistake
from tests.proofs.automata.unique import CASES, A, B, head, of
from weightproof import repair
from weightproof.constructions.meaning.choices import Reach
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.automata import attention, reaches
from weightproof.proofs.automata.attention import READING
from weightproof.proofs.automata.network import read
from weightproof.proofs.automata.reaches import Side, reach_of
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.symbolic.algebra.vocabulary import Underivable

DECIDES = Decides("decides", "it accepts the words of the language and no others", given="n >= 1")
MISTAKES = [(name, mistake) for name, case in CASES.items() for mistake in case.mistakes]


@pytest.mark.parametrize("name", CASES)
def test_a_network_is_proved_to_recognise_its_language(name: str) -> None:
    [result] = prove(CASES[name].construction(), [DECIDES], timeout=120)
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_a_mistake_is_refuted_by_a_word(name: str, mistake: str) -> None:
    case = CASES[name]
    made = case.construction(mistake)
    [result] = prove(made, [DECIDES], timeout=120)
    assert isinstance(result.verdict, Refuted)
    word = result.verdict.counterexample.word
    assert run(made, word).accepts != case.member(word)


REPAIRED = {
    ("contains ab", "the position before is its own"): ("mask", "causal", "strictly-causal"),
    ("each a before b", "any b behind"): ("normaliser", "rightmost", "leftmost"),
}


@pytest.mark.parametrize(("name", "mistake"), REPAIRED)
def test_a_mask_that_is_wrong_is_repaired(name: str, mistake: str) -> None:
    field, old, new = REPAIRED[name, mistake]
    said = str(repair(CASES[name].construction(mistake)))
    assert re.search(rf"layer 1, head 1, {field} +{old} +{new}\nproved, all lengths", said)


def test_each_network_has_two_mistakes_at_least() -> None:
    assert len(CASES) >= 10
    assert all(len(case.mistakes) >= 2 for case in CASES.values())


READ = (1000, 1001, 1006, 1019, 1051, 1126, 1138, 1146, 1209)


@pytest.mark.parametrize("seed", READ)
def test_the_logit_of_a_drawn_network_is_where_its_path_says(seed: int) -> None:
    assert mistake(masked(seed)) is None


@pytest.mark.controls
@pytest.mark.parametrize("start", range(20_000, 21_000, 100))
def test_so_is_that_of_many_drawn_networks(start: int) -> None:
    read_ones = 0
    for seed in range(start, start + 100):
        try:
            assert mistake(masked(seed), 4) is None, seed
        except Underivable:
            continue
        read_ones += 1
    assert read_ones > 30


Mistake = Callable[..., Any]
REACH, BEFORE, BETTER = attention.reach_of, attention.before, attention._better


def _one_more(side: Side | None) -> Side | None:
    return None if side is None else Side(side.near + 1, side.far)


PLANTED: dict[str, tuple[str, Mistake, tuple[str, ...]]] = {
    "a strict mask that shows the own position": (
        "reach_of",
        lambda *given: replace(found, least=0) if (found := REACH(*given)).least == 1 else found,
        ("contains ab", "ab star", "Dyck of depth 2"),
    ),
    "a mask that shows what is before, too": (
        "reach_of",
        lambda *given: replace(REACH(*given), most=None),
        ("each a before b", "second to last is a", "Dyck of depth 2"),
    ),
    "the nearest that is not seen": (
        "before",
        lambda reach: _one_more(BEFORE(reach)),
        ("contains ab", "starts with aab"),
    ),
    "a tie that is taken the other way": (
        "_better",
        lambda best, other, side, later: BETTER(best, other, -side, later),
        ("first is a", "last is b", "contains ab", "each a before b"),
    ),
    "a window that is ignored": (
        "reach_of",
        lambda given, *rest: REACH(replace(given, sees=None), *rest),
        ("an a among the last three", "starts with aab"),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_mistake_in_the_reading_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    part, wrong, seen_in = PLANTED[name]
    assert [mistake(_as_drawn(each), 4) for each in seen_in] == [None] * len(seen_in)
    monkeypatch.setattr(attention, part, wrong)
    assert all(mistake(_as_drawn(each), 4) is not None for each in seen_in)


def _as_drawn(name: str) -> Encoder:
    """The network of a case over the symbols of drawn ones."""
    network = CASES[name].network()
    table = network.embedding.WE
    return replace(network, embedding=replace(network.embedding, WE={"0": table["a"], "1": table["b"]}))


@pytest.mark.parametrize("mask", ["strictly-causal", "strictly-future"])
def test_a_mean_that_has_no_value_at_an_end_is_refused_though_nothing_reads_it(mask: Any) -> None:
    for normaliser in ("softmax", "hardmax"):
        network = of(Layer((head({"h": {A: 1}}, normaliser, mask),)), logit={"h": 1})  # type: ignore[arg-type]
        with pytest.raises(Underivable, match=r"^layer 1, head 1: a network without a value: a position sees nothing"):
            read(construction(_over_bits(network)))


def _over_bits(network: Encoder) -> Encoder:
    table = network.embedding.WE
    return replace(network, embedding=replace(network.embedding, WE={"0": table["a"], "1": table["b"]}))


def test_a_mean_of_all_that_is_behind_is_refused() -> None:
    network = of(Layer((head({"h": {A: 1}}, "hardmax", "future"),)), logit={"h": 1}, position="first")
    with pytest.raises(Underivable, match="a mean over what neither all positions see nor those up to their own"):
        read(construction(_over_bits(network)))


WINDOWS: dict[str, Reach | None] = {
    "i - j < 3": Reach(most=2),
    "3 > i - j": Reach(most=2),
    "j >= i - 2": Reach(most=2),
    "j - i < 3": Reach(least=-2),
    "2*i < 2*j + 5": Reach(most=2),
    "i - j == 2": Reach(2, 2),
    "i - j >= 1 and j > i - 4": Reach(1, 3),
    "2*(i - j) == 3": Reach(2, 1),
    "-(j - i) <= 1": Reach(most=1),
    "i + j < 3": None,
    "j == 0": None,
    "i - j != 1": None,
    "i % 2 == j % 2": None,
    "i - j < 2 or j == 0": None,
    "i - j < n": None,
    "1 < 2": None,
}


@pytest.mark.parametrize("formula", WINDOWS)
def test_a_formula_that_bounds_i_less_j_is_a_window_and_others_are_refused(formula: str) -> None:
    given = Head({}, sees=formula)
    expected = WINDOWS[formula]
    if expected is None:
        with pytest.raises(
            Underivable, match=r"knows a formula of what is seen, as .* is, where it bounds i - j alone$"
        ):
            reach_of(given, READING, "layer 1")
        return
    assert reach_of(given, READING, "layer 1") == expected
    scalars = Expression(formula)
    for i in range(6):
        for j in range(6):
            assert expected.shows(i, j) == _holds(scalars, i, j)


def _holds(formula: Expression, i: int, j: int) -> bool:
    return bool(eval(formula.source, {"i": i, "j": j}))  # as Python, which such a formula is


def test_both_sides_of_a_reach() -> None:
    assert (reaches.before(Reach()), reaches.behind(Reach())) == (Side(1, None), Side(1, None))
    assert (reaches.before(Reach(1)), reaches.behind(Reach(1))) == (Side(1, None), None)
    assert (reaches.before(Reach(2, 4)), reaches.behind(Reach(-3, 1))) == (Side(2, 4), Side(1, 3))
    assert [reaches.nearest(Reach(1, 3), offset) for offset in (-2, 0, 2, 5)] == [1, 1, 2, 3]


def test_weights_of_a_window_are_those_of_what_is_there() -> None:
    """Behind a window of two a b weighs twice what an a does."""
    [layer] = of(
        Layer(
            (Head({"h": {A: 1}}, {"s": {"one": 1}}, {"s": {B: 1}}, scale="log(2)", sees="i - j < 2", mask="causal"),)
        ),
        logit={"h": 1},
    ).layers
    network = _over_bits(of(layer, logit={"h": 1}))
    assert mistake(network) is None
    irrational = replace(layer, heads=(replace(layer.heads[0], scale=Expression("1")),))
    with pytest.raises(Underivable, match="a mean over a window, with weights that are not known exactly"):
        read(construction(_over_bits(of(irrational, logit={"h": 1}))))
