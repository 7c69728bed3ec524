"""Lemmas inside a step: they hold of the transformers, and not of changed ones, nor do other ones."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

from tests.proofs.simulation.test_simulations_proved import MASKS, POSITIONS, with_cross_head, with_feed_forward
from weightproof.constructions.library import simulation_of
from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.machines.simulation import Simulation
from weightproof.proofs.prover import proved, settle
from weightproof.proofs.simulation.holding import Invariant
from weightproof.proofs.simulation.lemmas import Lemma, compared, lemma_that_fails
from weightproof.proofs.simulation.prove import invariant_of, of_family
from weightproof.proofs.theorems.bhattamishra2020 import directional, encoder_decoder
from weightproof.proofs.verdict import Refuted

TWO = every_rnn(2, 1, 2)
LEMMAS = [
    *((POSITIONS, lemma) for lemma in encoder_decoder.lemmas(TWO)),
    *((MASKS, lemma) for lemma in directional.lemmas(TWO)),
]


def open_ones(simulation: Simulation, invariant: Invariant, lemma: Lemma) -> list[tuple[str, str]]:
    asked = compared(simulation, invariant, lemma)
    found = (settle([each]).gap for each in asked)
    return [gap for gap in found if gap is not None]


@pytest.mark.parametrize(("family", "lemma"), LEMMAS, ids=lambda x: x if isinstance(x, str) else x.name)
def test_every_coordinate_of_a_lemma_is_asked(family: str, lemma: Lemma) -> None:
    simulation, invariant = simulation_of(family, TWO), invariant_of(family, TWO)
    assert len(list(compared(simulation, invariant, lemma))) == (4 if lemma.place in ("keys", "values") else 5)
    assert not open_ones(simulation, invariant, lemma)
    for name in lemma.holds:
        other = replace(lemma, holds={**lemma.holds, name: "1/7"})
        assert open_ones(simulation, invariant, other), name


def by_name(name: str) -> tuple[str, Lemma]:
    return next((family, lemma) for family, lemma in LEMMAS if lemma.name == name)


CHANGED = {
    "lemma C.3, keys": lambda s: with_cross_head(s, 0, W_K={"q1": {"1": 1}, "q2": {"j": 1}}),
    "lemma C.3, values": lambda s: with_cross_head(s, 0, W_V={"x x1": {"x1": 2}}),
    "lemma C.4": lambda s: with_feed_forward(s, 0, "second", row="h1", column="old h1", to="-1/2"),
    "lemma C.5": lambda s: with_cross_head(s, 0, W_Q={"q1": {"t": 1}, "q2": {"1": 2}}),
    "lemma D.2": lambda s: with_feed_forward(s, 0, "first", row="grown a", column="w before a", to=-2),
    "lemma D.3": lambda s: with_cross_head(s, 1, W_V={"x x1": {"x1": "1/2"}}),
    "lemma D.4": lambda s: with_feed_forward(s, 1, "second", row="h2", column="new h2", to=2),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_lemma_does_not_hold_of_a_changed_transformer(name: str) -> None:
    family, lemma = by_name(name)
    simulation, invariant = simulation_of(family, TWO), invariant_of(family, TWO)
    assert open_ones(CHANGED[name](simulation), invariant, lemma)


PRINTED = [
    (f"{POSITIONS}-as-printed", "lemma C.4", ("", {}, 2, "t", "1", "0")),
    (f"{MASKS}-as-printed", "output vector, behind lemma D.4", ("a", {"f_a_x1": "-1"}, 1, "x x1", "-3/2", "0")),
]


@pytest.mark.parametrize(("family", "name", "wanted"), PRINTED)
def test_what_fails_as_printed(family: str, name: str, wanted: tuple[object, ...]) -> None:
    [result] = [each for each in proved(of_family(family)) if each.theorem == name]
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    step = found.step
    assert step is not None
    assert (found.word, found.parameters, step.number, step.unit, step.found, step.expected) == wanted
    assert result.as_expected


def test_no_run_is_found_against_a_lemma_that_holds() -> None:
    one = every_rnn(1, 1, 1)
    [lemma] = [each for each in encoder_decoder.lemmas(one) if each.name == "lemma C.4"]
    some = numbered(one, {"W_h1_h1": "1/2", "b_h1": 1, "f_a_x1": "-1", "W_h1_x1": 2})
    assert lemma_that_fails(functools.partial(simulation_of, POSITIONS), some, lemma) is None
    wrong = replace(lemma, holds={**lemma.holds, "1": "0"})
    assert lemma_that_fails(functools.partial(simulation_of, POSITIONS), some, wrong) is not None
