"""Every mask and normaliser, with windows and without, against an evaluator of its own; and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from tests.constructions.meaning.masked_words import CASES, WORDS, added, construction
from tests.test_choices import DECODER, SIMULATION, constructed
from weightproof.constructions.checks.networks import refuse_malformed
from weightproof.constructions.meaning import interpreter
from weightproof.constructions.meaning.choices import REACHES, Reach
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.interpreter import NoValue
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Mask, Normaliser
from weightproof.constructions.meaning.trace import trace


def as_run(mask: Mask, normaliser: Normaliser, sees: str | None, word: str) -> list[Fraction] | None:
    """What the interpreter makes of every position."""
    made = construction(mask, normaliser, sees)
    try:
        ran = run(made, word, unread=True)
    except NoValue:
        return None
    return [Fraction(str(vector["found"])) for vector in ran.streams[-1]]


@pytest.mark.parametrize(("mask", "normaliser", "sees"), CASES)
def test_what_a_head_adds_is_what_its_choices_say(mask: Mask, normaliser: Normaliser, sees: str | None) -> None:
    for word in WORDS:
        assert as_run(mask, normaliser, sees, word) == added(mask, normaliser, sees, word), word


MASKS: tuple[Mask, ...] = ("none", "causal", "strictly-causal", "future", "strictly-future")


@pytest.mark.parametrize(("mask", "other"), [*pairwise(MASKS)])
def test_a_mask_that_is_read_as_another_one_is_seen(mask: Mask, other: Mask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(interpreter.SEEN, mask, interpreter.SEEN[other])
    assert any(as_run(mask, "rightmost", None, word) != added(mask, "rightmost", None, word) for word in WORDS[:40])


@pytest.mark.parametrize(("name", "other"), [("leftmost", "rightmost"), ("rightmost", "hardmax")])
def test_a_tie_that_is_taken_otherwise_is_seen(name: Normaliser, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(interpreter.WEIGHTS, name, interpreter.WEIGHTS[other])
    assert any(as_run("none", name, None, word) != added("none", name, None, word) for word in WORDS[:40])


@pytest.mark.parametrize("normaliser", ["softmax", "hardmax"])
@pytest.mark.parametrize(("mask", "position"), [("strictly-causal", 0), ("strictly-future", 2)])
def test_a_mean_over_nothing_is_refused_though_nothing_reads_it(
    mask: Mask, normaliser: Normaliser, position: int
) -> None:
    made = construction(mask, normaliser, None, "first" if position else "last")
    with pytest.raises(NoValue, match=f"^layer 1, head 1: position {position} sees nothing; let it see some"):
        run(made, "abc")


def test_weights_of_one_position_are_traced_and_a_position_may_see_none() -> None:
    made = construction("strictly-causal", "rightmost", None)
    found = trace(made, run(made, "bac", unread=True))
    [head] = found.layers[0].heads
    assert dict(head.weights) == {0: (), 1: (1,), 2: (1, 0)}
    ahead = construction("strictly-future", "leftmost", "j - i <= 1 and i - j <= 2")
    [head] = trace(ahead, run(ahead, "bac", unread=True)).layers[0].heads
    assert dict(head.weights) == {0: (None, 1), 1: (None, None, 1), 2: ()}


@pytest.mark.parametrize("mask", ["none", "future", "strictly-future"])
def test_a_decoder_does_not_look_ahead(mask: Mask) -> None:
    [layer] = DECODER.layers
    with pytest.raises(ConstructionError, match=f"the heads of a decoder are causal, and the mask '{mask}' is not"):
        refuse_malformed(
            "tried",
            replace(DECODER, layers=(replace(layer, heads=(replace(layer.heads[0], mask=mask),)),)),
            ("0", "1"),
            (),
        )


@pytest.mark.parametrize("mask", ["future", "strictly-future"])
def test_nor_does_a_decoder_behind_an_encoder(mask: Mask) -> None:
    network = SIMULATION.network
    [layer] = network.layers
    changed = replace(layer, cross_heads=(replace(layer.cross_heads[0], mask=mask),))
    with pytest.raises(ConstructionError, match=f"the mask '{mask}' looks ahead, and a decoder sees what is there"):
        refuse_malformed("tried", replace(network, layers=(changed,)), ("a",), ())


@pytest.mark.parametrize("mask", MASKS)
def test_a_reach_shows_what_the_interpreter_does(mask: Mask) -> None:
    """The table of the other readings is another one than the interpreter's."""
    for count in range(1, 6):
        for i in range(count + 2):
            shown = [*interpreter.SEEN[mask](i, count)]
            assert [*REACHES[mask].span(i, count)] == shown
            assert [j for j in range(count) if REACHES[mask].shows(i, j)] == shown


def test_a_window_within_a_mask() -> None:
    window = Reach(most=2).within(REACHES["strictly-causal"])
    assert window == Reach(1, 2)
    assert [*window.span(4, 9)] == [2, 3]
    assert [*Reach(2, 1).span(4, 9)] == []
    assert [mask for mask, reach in REACHES.items() if reach.looks_ahead] == ["none", "future", "strictly-future"]


def test_what_is_not_refused_is_a_decoder_of_strictly_causal_heads() -> None:
    """Each token is what stood before the last one."""
    [layer] = DECODER.layers
    head = replace(layer.heads[0], mask="strictly-causal", normaliser="rightmost")
    changed = replace(DECODER, layers=(replace(layer, heads=(head,)),))
    refuse_malformed("tried", changed, ("0", "1"), ())
    assert constructed(changed).network is changed
