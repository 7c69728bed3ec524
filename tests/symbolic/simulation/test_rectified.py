"""max(0, x) as an atom, and the heads that make it: against numbers, against runs, and where they must not."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import networks
from tests.symbolic.simulation.test_decoder import moment_of, replace_head, values_in_a_run
from tests.symbolic.simulation.test_polynomial import POLYNOMIALS, RATIONALS, REGION, SATURATED, points
from weightproof.constructions.bhattamishra2020.no_feed_forward import rnn_without_feed_forward
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import BEGIN, END, RNN, states
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import Head
from weightproof.proofs.simulation.holding import LATER, STEP, Invariant
from weightproof.proofs.simulation.simulates import before, induction_steps, input_at
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder
from weightproof.symbolic.simulation.polynomial import (
    Polynomial,
    Rectified,
    Region,
    Saturated,
    looked_at,
    rectified,
    same,
)

INVARIANT: Invariant = {"t": STEP, "1": "1", "later": LATER}
ZERO, ONE = Polynomial(), Polynomial.number(1)
A, B = Polynomial.atom("a"), Polynomial.atom("b")
NONE = fmpq(0)
EVERY = every_rnn(1, 1, 1)


def value(polynomial: Polynomial, at: dict[str, fmpq]) -> fmpq:
    """With what its own atoms stand for."""
    known = dict(at)
    for atom in polynomial.atoms - at.keys():
        assert isinstance(atom, Rectified | Saturated)
        x = max(value(atom.argument, at), NONE)
        known[atom] = x if isinstance(atom, Rectified) else min(x, fmpq(1))
    return polynomial.at(known)


@pytest.mark.controls
@given(POLYNOMIALS, RATIONALS, points())
def test_it_is_what_it_says(x: Polynomial, factor: fmpq, at: dict[str, fmpq]) -> None:
    at = {**at, SATURATED: at["x"]}
    assert value(rectified(x, REGION), at) == max(value(x, at), NONE)
    scaled = rectified(Polynomial.number(abs(factor)) * x, REGION)
    assert scaled == Polynomial.number(abs(factor)) * rectified(x, REGION)
    assert rectified(x, REGION) - rectified(Polynomial.number(-1) * x, REGION) == x


@pytest.mark.controls
@given(POLYNOMIALS, POLYNOMIALS, points())
def test_a_saturated_value_is_the_difference_of_two(x: Polynomial, other: Polynomial, at: dict[str, fmpq]) -> None:
    made = rectified(x, REGION) - rectified(x - ONE, REGION)
    saturated = REGION.saturated(x)
    if not any(monomial in REGION.equal for monomial, _ in x.terms):
        assert same(made, saturated, REGION)
    if same(made, other, REGION):
        assert value(made, at) == value(other, at)
    assert not same(made + ONE, saturated, REGION)
    assert same(x, other, REGION) == (x == other)


@pytest.mark.controls
@given(POLYNOMIALS, POLYNOMIALS, RATIONALS, points(), st.sampled_from((NONE, fmpq(1, 2), fmpq(1))))
def test_what_is_looked_at_is_one_of_two(
    right: Polynomial, ahead: Polynomial, factor: fmpq, at: dict[str, fmpq], share: fmpq
) -> None:
    left = {"row": right + Polynomial.number(factor) * ahead}
    found = looked_at(left, {"row": right}, ahead, REGION)
    assert found is not None
    of_left = fmpq(1) if value(ahead, at) > 0 else NONE if value(ahead, at) < 0 else share
    wanted = of_left * value(left["row"], at) + (1 - of_left) * value(right, at)
    assert value(found["row"], at) == wanted


def test_values_that_are_not_as_far_apart_as_their_scores_are_not_known() -> None:
    assert looked_at({"row": A}, {}, A, Region()) == {"row": rectified(A, Region())}
    for ahead in (B, A + ONE, A * A, A + B, ZERO):
        assert looked_at({"row": A}, {}, ahead, Region()) is None
    assert looked_at({"row": A}, {"row": B}, A, Region()) is None
    assert looked_at({"row": A, "other": B}, {}, A, Region()) is None
    assert looked_at({"row": A}, {}, B, Region(positive=frozenset({"b"}))) == {"row": A}
    assert looked_at({"row": A}, {}, Polynomial.number(-1) * B, Region(positive=frozenset({"b"}))) == {}


def output_at(simulation: Simulation, tokens: list[str], step: int) -> dict[str, Polynomial]:
    """The symbolic step of a run on these tokens, where step 0 is told apart."""
    rnn, network = simulation.rnn, simulation.network
    begin = next(induction_steps(rnn, put_in=False))
    each = moment_of(rnn, tokens, step) if step else begin
    first = decoder.inputs_of_layers(network, input_at(begin, rnn, INVARIANT), begin.moment) if step else ()
    return decoder.step(network, input_at(each, rnn, INVARIANT), before(INVARIANT, rnn), each.moment, first)


@pytest.mark.controls
@settings(max_examples=25, deadline=None)
@given(networks(), st.data())
def test_a_symbolic_step_is_the_step_of_a_run(rnn: RNN, data: st.DataObject) -> None:
    """Every coordinate of the output, some steps behind the word included."""
    simulation, word = rnn_without_feed_forward(rnn), data.draw(st.text(rnn.alphabet, max_size=4))
    tokens, h = [BEGIN, *word, END], dict.fromkeys(rnn.units, NONE)
    runs = zip(states(rnn, word), decode(simulation.network, word), strict=True)
    for step, (state, vector) in enumerate(itertools.islice(runs, len(word) + 5)):
        output, at = output_at(simulation, tokens, step), values_in_a_run(rnn, tokens, step, h)
        for name in simulation.network.coordinates:
            assert value(output.get(name, ZERO), at) == vector[name], (step, name)
        h = {unit: fmpq(x) for unit, x in state.items()}


def with_heads(number: int, **parts: Any) -> Simulation:
    """With other heads in a layer of the one for EVERY."""
    simulation = rnn_without_feed_forward(EVERY)
    layers = list(simulation.network.layers)
    layers[number] = replace(layers[number], **parts)
    return replace(simulation, network=replace(simulation.network, layers=tuple(layers)))


PLAIN = rnn_without_feed_forward(EVERY).network.layers
STEPS, CROSS = PLAIN[1].heads[0], PLAIN[1].cross_heads[0]


def changed(head: Head, **parts: Any) -> dict[str, tuple[Head, ...]]:
    kind = "heads" if head is STEPS else "cross_heads"
    return {kind: (replace_head(head, **parts),)}


NO_RULE = {
    "steps between may be looked at": (changed(STEPS, W_K={**STEPS.W_K, "step": {}}), 1, "earlier steps"),
    "the latest step is not the best": (changed(STEPS, W_Q={**STEPS.W_Q, "step": {"1": -1}}), 1, "earlier steps"),
    "a value that is not the score": (changed(STEPS, W_V={**STEPS.W_V, "level": {"later": 1}}), 1, "or at step 0"),
    "scores of step 0 that are not 0": (changed(STEPS, W_K={**STEPS.W_K, "x": {"1": 1}}), 1, "or at step 0"),
    "distances alone": (changed(STEPS, score="-|dot|"), 1, "earlier steps"),
    "a value that is not the score of the marker": (
        changed(CROSS, W_V={**CROSS.W_V, "level": {"[s=#]": 1}}),
        0,
        "greater score",
    ),
    "values of one score that differ": (changed(CROSS, W_V={**CROSS.W_V, "level": {"x1": 1}}), 0, "greater score"),
}


@pytest.mark.parametrize("what", NO_RULE)
def test_what_no_rule_covers_is_underivable(what: str) -> None:
    parts, step, says = NO_RULE[what]
    output_at(rnn_without_feed_forward(EVERY), [BEGIN, "a", END], step)
    with pytest.raises(Underivable, match=says):
        output_at(with_heads(1, **parts), [BEGIN, "a", END], step)


def test_a_masked_head_does_not_see_the_last_marker() -> None:
    """So nothing stands for certain but the first one, and what is seen of it is all that there is at step 0."""
    simulation = with_heads(1, **changed(CROSS, mask="causal"))
    made = output_at(simulation, [BEGIN, "a", END], 0)
    assert made["h1"] != output_at(rnn_without_feed_forward(EVERY), [BEGIN, "a", END], 0)["h1"]
