"""Every theorem about machines and simulators; and that what is changed is refuted, and what is lost is noticed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from tests.constructions.machines.test_turing import shipped
from tests.controls.random_machines import machines, networks
from weightproof.constructions.library import FAMILIES, network_of, simulation_of
from weightproof.constructions.machines.numbered import every_rnn, numbered, with_numbers
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.schema import Embedding, FeedForward, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.prover import SCOPE, Decided, checked, proved
from weightproof.proofs.simulation import deciding
from weightproof.proofs.simulation.deciding import decide_run, decide_simulation
from weightproof.proofs.simulation.diverging import configurations, run_diverges, simulation_diverges
from weightproof.proofs.simulation.passages import Followed, Passage
from weightproof.proofs.simulation.prove import (
    invariant_of,
    of_family,
    passages_of,
)
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown
from weightproof.symbolic.simulation.polynomial import Polynomial, Region

POSITIONS, MASKS = "rnn-by-encoder-decoder", "rnn-by-directional"


def decided(family: str, network: RNN) -> Decided:
    return decide_simulation(simulation_of(family, network), invariant_of(family, network))


PRINTED = [
    ("rnn-by-encoder-decoder-as-printed", "aaa", {"f_a_x1": "1", "W_h1_x1": "1"}, (3, "h1", "1", "0")),
    ("rnn-by-directional-as-printed", "a", {"f_a_x1": "-1", "W_h1_x1": "-1"}, (2, "h1", "0", "1")),
]


@pytest.mark.parametrize(("family", "word", "numbers", "wrong"), PRINTED)
def test_what_is_printed_fails_of_a_network(
    family: str, word: str, numbers: dict[str, str], wrong: tuple[int, str, str, str]
) -> None:
    """The smallest one that was found; no shorter word does."""
    found = next(proved(of_family(family))).verdict
    assert isinstance(found, Refuted)
    told = found.counterexample
    assert (told.word, told.parameters) == (word, numbers)
    assert told.step is not None
    assert (told.step.number, told.step.unit, told.step.expected, told.step.found) == wrong
    simulation = simulation_of(family, numbered(every_rnn(1, 1, 1), numbers))
    assert with_numbers(simulation_of(family, every_rnn(1, 1, 1)), numbers) == simulation
    assert simulation_diverges(simulation, word) == replace(told, parameters={})
    assert all(simulation_diverges(simulation, "a" * shorter) is None for shorter in range(len(word)))
    [right] = [name for name in FAMILIES if family.startswith(name)]
    assert simulation_diverges(simulation_of(right, numbered(every_rnn(1, 1, 1), numbers)), word) is None


@pytest.mark.controls
@settings(max_examples=15, deadline=None)
@given(machines())
def test_networks_of_random_machines_are_proved(machine: TuringMachine) -> None:
    network = network_of(machine)
    assert decide_run(network, passages_of(network)).gap is None
    for family in FAMILIES:
        assert decided(family, network.rnn).gap is None


@settings(max_examples=40, deadline=None)
@given(networks())
def test_transformers_of_random_networks_are_proved(network: RNN) -> None:
    for family in FAMILIES:
        assert decided(family, network).gap is None


def changed(linear: Linear, row: str, column: str, to: object) -> Linear:
    """With one weight set; column "" is the bias."""
    if not column:
        return Linear(linear.weights, {**linear.bias, row: to})
    return Linear({**linear.weights, row: {**linear.weights[row], column: to}}, linear.bias)


NETWORK = network_of(shipped("increment"))


def with_weight(network: MachineNetwork, row: str, column: str, to: object) -> MachineNetwork:
    part = "W_h" if column else "W_x"
    return replace(network, rnn=replace(network.rnn, **{part: changed(getattr(network.rnn, part), row, column, to)}))


WRONG_NETWORKS = {
    "the place does not shrink": ("place", "place", "1/5"),
    "a digit is too large": ("digit 1", "place", 1),
    "a top is never found": ("1: right >= 2", "right", 3),
    "the next state is lost": ("state carry", "3: state carry", 0),
    "it never starts": ("go", "", "-1"),
    "it halts at once": ("halted", "begun", 1),
}


@pytest.mark.parametrize(("row", "column", "to"), WRONG_NETWORKS.values(), ids=WRONG_NETWORKS)
def test_a_network_that_does_not_run_the_machine_is_refuted(row: str, column: str, to: object) -> None:
    network = with_weight(NETWORK, row, column, to)
    outcome = decide_run(network, passages_of(network))
    found = outcome.counterexample
    assert found is not None
    assert outcome.gap is not None
    assert run_diverges(network, found.word) == found
    assert run_diverges(NETWORK, found.word) is None
    assert isinstance(outcome.verdict(SCOPE), Refuted)
    assert found.step is not None
    assert found.step.expected != found.step.found


def with_feed_forward(simulation: Simulation, layer: int, part: str, **at: Any) -> Simulation:
    layers = list(simulation.network.layers)
    old = layers[layer].feed_forward
    assert old is not None
    new: FeedForward = replace(old, **{part: changed(getattr(old, part), **at)})  # type: ignore[arg-type]
    layers[layer] = replace(layers[layer], feed_forward=new)
    return replace(simulation, network=replace(simulation.network, layers=tuple(layers)))


def with_network(simulation: Simulation, **parts: Any) -> Simulation:
    return replace(simulation, network=replace(simulation.network, **parts))


def with_cross_head(simulation: Simulation, layer: int, **parts: Any) -> Simulation:
    layers = list(simulation.network.layers)
    [head] = layers[layer].cross_heads
    layers[layer] = replace(layers[layer], cross_heads=(replace(head, **parts),))
    return with_network(simulation, layers=tuple(layers))


TWO = every_rnn(2, 1, 2)
SMALL = replace(
    numbered(
        TWO,
        {
            "f_a_x1": 1, "f_b_x1": "1/2", "f_end_x1": "1/4", "W_h1_h1": "1/2", "W_h1_h2": "1/4", "W_h2_h1": "-1/3",
            "W_h2_h2": "1/2", "W_h1_x1": "1/4", "W_h2_x1": 1, "b_h1": "1/8",
        },
    ),
    name="small",
)  # fmt: skip
WRONG = {
    "positions: a weight": lambda s: with_feed_forward(s, 0, "first", row="new h1", column="h2", to="1/3"),
    "positions: the old state stays": lambda s: with_feed_forward(s, 0, "second", row="h2", column="old h2", to="-1/2"),
    "positions: one step late": lambda s: with_network(s, PE={"t": "i - 1", "1": 1}),
    "positions: the position doubles": lambda s: with_network(
        s, feedback=changed(s.network.feedback, "h1", "h1", 1), PE={"t": "2*i", "1": 1}
    ),
    "positions: scores the other way": lambda s: with_cross_head(s, 0, scale=-1),
    "positions: dot": lambda s: with_cross_head(s, 0, score="dot"),
    "positions: the time is fed back": lambda s: with_network(
        s, feedback=Linear({**s.network.feedback.weights, "t": {"t": 1}})
    ),
    "masks: no mask": lambda s: with_cross_head(s, 0, mask="none"),
    "masks: a share is not compared": lambda s: with_feed_forward(
        s, 0, "first", row="grown b", column="w before b", to=0
    ),
    "masks: the end is loud": lambda s: with_feed_forward(s, 0, "second", row="delta a", column="half", to=1),
    "masks: it starts late": lambda s: with_network(s, seed={"2^-t": 0}),
    "masks: the scale is 0": lambda s: with_cross_head(s, 1, scale=0),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_transformer_that_does_not_simulate_is_refuted(what: str) -> None:
    family = POSITIONS if what.startswith("positions") else MASKS
    right = simulation_of(family, SMALL)
    assert decided(family, SMALL).gap is None
    wrong = WRONG[what](right)
    outcome = decide_simulation(wrong, invariant_of(family, SMALL))
    found = outcome.counterexample
    assert found is not None
    assert replayed(wrong, found) == found
    assert replayed(right, found) is None
    assert isinstance(outcome.verdict(SCOPE), Refuted)


@pytest.mark.parametrize("called", ["saturated(2*h)", "positive saturated(2*h)", "rectified(h)", "unknown h"])
def test_a_unit_may_be_called_like_what_the_derivation_makes(called: str) -> None:
    """Where h is to be the saturated value of 2h, that of a unit that is called so is none."""
    rnn = RNN(
        "r", ("a",), ("h", called), ("x",), Embedding({"a": {"x": 1}}),
        Linear({"h": {"h": 2}, called: {called: 1}}), Linear({}),
    )  # fmt: skip
    right = simulation_of(POSITIONS, rnn)
    assert decided(POSITIONS, rnn).gap is None
    wrong = with_feed_forward(right, 0, "first", row="new h", column="h", to=0)
    outcome = decide_simulation(
        with_feed_forward(wrong, 0, "first", row="new h", column=called, to=1), invariant_of(POSITIONS, rnn)
    )
    assert outcome.gap is not None
    assert isinstance(outcome.verdict(SCOPE), Refuted)


def replayed(simulation: Simulation, found: Counterexample) -> Counterexample | None:
    """What is seen of a simulation on the word, from the state that was put in, if one was."""
    assert found.step is not None
    put_in = found.step.put_in
    state = {unit: evaluate(Expression(put_in.get(unit, "0")), {}) for unit in simulation.rnn.units}
    return simulation_diverges(simulation, found.word, found.step.at, state if put_in else None)


def test_a_case_that_no_word_reaches_is_refuted_from_another_configuration() -> None:
    """`busy-beaver-3` never finds a 1 on its left in state A on a 1, when its word is empty or of 1s; its network is to
    have this case, too."""
    network = network_of(shipped("busy-beaver-3"))
    wrong = with_weight(network, "3: state B", "2: A, '1' beside '0'", 1)
    assert decide_run(network, passages_of(network)).gap is None
    outcome = decide_run(wrong, passages_of(network))
    found = outcome.counterexample
    assert found is not None
    assert found.step is not None
    tried = configurations(network.machine, 2)
    if found.step.put_in:
        assert any(run_diverges(wrong, "", each) == found for each in tried)
    assert all(run_diverges(network, "", each) is None for each in tried)


def test_a_change_that_only_a_state_shows_is_refuted_from_it() -> None:
    """On no word is the unit h1 of this network more than 0; it is to be simulated from every state."""
    quiet = numbered(TWO, {"W_h1_h1": 1, "W_h2_h1": "1/2"})
    right = simulation_of(POSITIONS, quiet)
    wrong = with_feed_forward(right, 0, "first", row="new h1", column="h1", to="1/2")
    assert all(simulation_diverges(wrong, word) is None for word in ("", "a", "ab", "bbbb"))
    found = decide_simulation(wrong, invariant_of(POSITIONS, quiet)).counterexample
    assert found is not None
    assert found.step is not None
    assert found.step.put_in
    assert replayed(wrong, found) == found
    assert replayed(right, found) is None
    assert "if before step" in found.note


def test_a_word_of_three_symbols_is_found_among_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more symbols make more words, and more states to put in: each takes its turn."""
    counts = {"f_a_x1": 1, "f_b_x1": "1/2", "W_h1_x1": "1/2", "W_h1_h1": "1/2"}
    right = simulation_of(MASKS, numbered(every_rnn(1, 1, 3), counts))
    wrong = with_network(right, feedback=changed(right.network.feedback, "w before #", "w before #", "1/2"))
    tried: list[Counterexample | None] = []

    def run(*arguments: Any) -> Counterexample | None:
        tried.append(simulation_diverges(*arguments))
        return tried[-1]

    monkeypatch.setattr(deciding, "simulation_diverges", run)
    found = decide_simulation(wrong, invariant_of(MASKS, right.rnn)).counterexample
    assert found is not None
    assert found.step is not None
    assert (len(found.word), found.step.put_in) == (3, {})
    assert replayed(right, found) is None
    assert len(tried) < 60


HARMLESS = {
    "2^-t begins with 1/2": lambda s: with_network(s, seed={"2^-t": "1/2"}),
    "2^-t grows": lambda s: with_feed_forward(s, 0, "second", row="2^-t", column="half", to=1),
    "the share of # twice": lambda s: with_feed_forward(s, 0, "first", row="w #", column="w #", to=2),
    "the shares of # add up": lambda s: with_feed_forward(s, 0, "second", row="w before #", column="w before #", to=0),
    "they double": lambda s: with_network(s, feedback=changed(s.network.feedback, "w before #", "w before #", 2)),
    "what is not read of $": lambda s: with_feed_forward(s, 0, "first", row="w $", column="w $", to=-1),
}
"""Of the directional transformer: what its invariant says is not so, and still each token is found."""


@pytest.mark.parametrize("what", HARMLESS)
def test_what_is_harmless_is_proved_from_what_runs_show(what: str) -> None:
    changed_one = HARMLESS[what](simulation_of(MASKS, SMALL))
    outcome = decide_simulation(changed_one, invariant_of(MASKS, SMALL))
    assert (outcome.gap, outcome.counterexample) == (None, None)


@pytest.mark.controls
def test_what_is_right_and_not_proved_stays_open() -> None:
    """Without a mask in the second layer the query of "$", 2^-(t+1), is compared with the growth of a share, which is
    at least 1/(t (t+1)), and greater: that is not known here."""
    wrong = with_cross_head(simulation_of(MASKS, SMALL), 1, mask="none")
    outcome = decide_simulation(wrong, invariant_of(MASKS, SMALL))
    assert outcome.counterexample is None
    assert outcome.gap is not None
    assert "whether 'a' has a greater score than '$'" in outcome.gap[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_wrong_of_every_network_stays_open(family: str) -> None:
    """There is nothing to run, and so nothing to refute it with."""
    wrong = with_feed_forward(simulation_of(family, TWO), -1, "second", row="h2", column="old h2", to="-1/2")
    outcome = decide_simulation(wrong, invariant_of(family, TWO))
    assert outcome.counterexample is None
    assert isinstance(outcome.verdict(SCOPE), Unknown)


@pytest.mark.controls
@pytest.mark.parametrize("family", FAMILIES)
def test_a_wrong_invariant_proves_nothing(family: str) -> None:
    """It is an unknown: the transformer is right. What runs show instead of 2^-t, that it is positive, is enough; that
    the shares are something in [0, 1] is not."""
    right = invariant_of(family, SMALL)
    simulation = simulation_of(family, SMALL)
    no_step = {name: "1" if said in ("t", "2^-t") else said for name, said in right.items()}
    for wrong, verdicts in ((no_step, (Unknown if family == POSITIONS else Proved)), ({}, Unknown)):
        outcome = decide_simulation(simulation, wrong)
        assert outcome.counterexample is None
        assert isinstance(outcome.verdict(SCOPE), verdicts)


def test_a_proof_that_a_word_contradicts_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Followed, "gap", None)
    network = with_weight(NETWORK, "state carry", "3: state carry", 0)
    with pytest.raises(AssertionError, match="proved, but on"):
        decide_run(network, passages_of(network))


def test_a_unit_that_is_not_there_is_noticed() -> None:
    wanted = Passage("halts", Region(), {}, (), {"gone": Polynomial.number(1)})
    assert wanted.followed(NETWORK.rnn).gap == "there is no unit 'gone'"


def test_the_verdicts_are_told() -> None:
    closed = (checked("step", None),) * 3
    assert Decided(closed).verdict(SCOPE) == Proved(SCOPE, Evidence.CERTIFICATE)
    assert Decided(closed, None, ("step", "open")).verdict(SCOPE) == Unknown("open", "step")
