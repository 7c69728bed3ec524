"""The symbolic step of an encoder-decoder against runs: at the values that its atoms have in a run it gives the vectors
of that run, every coordinate of them."""

from __future__ import annotations

import itertools
from dataclasses import fields, replace

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import networks
from tests.proofs.simulation.test_simulations_proved import SMALL
from weightproof.constructions.library import AS_PRINTED, FAMILIES, simulation_of
from weightproof.constructions.machines.rnn import BEGIN, END, RNN, states
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import Head
from weightproof.proofs.simulation.holding import HALVED, STEP, Invariant
from weightproof.proofs.simulation.prove import invariant_of
from weightproof.proofs.simulation.simulates import InductionStep, before, induction_steps
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.polynomial import Polynomial, Region

RIGHT = (*FAMILIES, "rnn-by-directional-as-printed")
"""Those whose step has a closed form; the last one where embeddings lie in [0, 1]."""


EARLIER = {"t": Polynomial.atom(decoder.EARLIER), "1": Polynomial.number(1)}
"""What is known of the inputs of earlier steps."""


def values_in_a_run(rnn: RNN, tokens: list[str], step: int, before: dict[str, fmpq]) -> dict[str, fmpq]:
    """What the atoms are at a step; before: the state."""
    seen = tokens[: min(step, len(tokens))]
    shares = {share(token): fmpq(seen.count(token), max(len(seen), 1)) for token in (BEGIN, *rnn.alphabet, END)}
    shares[share(f"{BEGIN} and {END}")] = shares[share(BEGIN)] + shares[share(END)]
    last = len(tokens) - 1
    numbers = {STEP: fmpq(step), HALVED: fmpq(1, 2**step), "1/(t+1)": fmpq(1, step + 1)}
    return {**before, **shares, **numbers, "n-1": fmpq(last), "2^-(n-1)": fmpq(1, 2**last)}


def moment_of(rnn: RNN, tokens: list[str], step: int) -> InductionStep:
    token = tokens[min(step, len(tokens) - 1)]
    *_, last = every = list(induction_steps(rnn))
    if step >= len(tokens):
        return last
    return next(each for each in every if each.moment.token == token)


def evaluated(polynomial: Polynomial, values: dict[str, fmpq], opened: dict[str, Polynomial]) -> fmpq:
    known = dict(values)
    for atom in polynomial.atoms & opened.keys():
        known[atom] = min(max(evaluated(opened[atom], values, opened), fmpq(0)), fmpq(1))
    return polynomial.at(known)


def compare_steps(simulation: Simulation, invariant: Invariant, word: str, opened: dict[str, Polynomial]) -> None:
    """Every coordinate of the output, some steps behind the word included."""
    rnn, tokens = simulation.rnn, [BEGIN, *word, END]
    h = dict.fromkeys(rnn.units, fmpq(0))
    runs = zip(states(rnn, word), decode(simulation.network, word), strict=True)
    for step, (state, vector) in enumerate(itertools.islice(runs, len(word) + 6)):
        obligation = moment_of(rnn, tokens, step)
        held = {name: obligation.before.get(said) for name, said in invariant.items()}
        input_ = {unit: obligation.before.get(unit, Polynomial()) for unit in rnn.units}
        for name, said in invariant.items():
            found = held[name]
            input_[name] = Polynomial.number(fmpq(said)) if found is None else found
        output = decoder.step(simulation.network, input_, before(invariant, rnn), obligation.moment)
        values = values_in_a_run(rnn, tokens, step, h)
        for name in simulation.network.coordinates:
            assert evaluated(output.get(name, Polynomial()), values, opened) == vector[name], (step, name)
        h = dict(state)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> dict[str, Polynomial]:
    """The saturated values that stay open, by the name of their atom."""
    found: dict[str, Polynomial] = {}
    plain = Region.saturated

    def recorded(self: Region, polynomial: Polynomial) -> Polynomial:
        result = plain(self, polynomial)
        found.update(dict.fromkeys(result.atoms - polynomial.atoms, polynomial))
        return result

    monkeypatch.setattr(Region, "saturated", recorded)
    return found


@pytest.mark.parametrize("family", RIGHT)
def test_a_symbolic_step_is_the_step_of_a_run(family: str, opened: dict[str, Polynomial]) -> None:
    @settings(max_examples=40, deadline=None)
    @given(networks(), st.data())
    def compare(rnn: RNN, data: st.DataObject) -> None:
        opened.clear()
        word = data.draw(st.text(rnn.alphabet, max_size=5))
        simulation, invariant = simulation_of(family, rnn), invariant_of(family, rnn)
        inside = all(0 <= fmpq(str(x.source)) <= 1 for row in rnn.embedding.WE.values() for x in row.values())
        if family in AS_PRINTED and not inside:
            return
        compare_steps(simulation, invariant, word, opened)

    compare()


def test_what_no_rule_covers_is_underivable() -> None:
    simulation = simulation_of("rnn-by-encoder-decoder", SMALL)
    [layer] = simulation.network.layers
    [head] = layer.cross_heads
    moment = moment_of(SMALL, [BEGIN, "a", END], 1).moment
    vector = {"t": Polynomial.atom(STEP), "1": Polynomial.number(1)}
    refused = {
        "softmax": replace_head(head, normaliser="softmax"),
        "the sign of the scale": replace_head(head, scale=-1),
        "no multiple of j - t": replace_head(head, W_K={"q1": {"1": -1}, "q2": {"1": 1}}),
        "depend on the position": replace_head(head, score="dot"),
        "the mean over all": replace_head(head, score="dot", W_Q={}, W_K={}),
    }
    for says, other in refused.items():
        network = replace(simulation.network, layers=(replace(layer, cross_heads=(other,)),))
        with pytest.raises(Underivable, match=says):
            decoder.step(network, vector, EARLIER, moment)


def test_a_cut_residual_leaves_nothing() -> None:
    """Also where no head attends: as in a run."""
    simulation = simulation_of("rnn-by-encoder-decoder", SMALL)
    [layer] = simulation.network.layers
    cut = replace(simulation.network, layers=(replace(layer, attention_residual=False, cross_heads=()),))
    moment = moment_of(SMALL, [BEGIN, "a", END], 0).moment
    found = decoder.step(cut, {"h1": Polynomial.number(1), "1": Polynomial.number(1)}, EARLIER, moment)
    assert {name: x for name, x in found.items() if x.terms} == {"h1": Polynomial.number(fmpq(1, 8))}  # b alone
    first = next(decode(cut, "a"))
    assert {name: x for name, x in first.items() if x} == {"h1": fmpq(1, 8)}


def test_scores_of_different_factors_do_not_find_the_step() -> None:
    """Behind the word, -|j - t| of "$" may be less than -|j - t|/9 of a symbol before it."""
    moment = moment_of(SMALL, [BEGIN, END], 5).moment
    away = Polynomial.atom(decoder.POSITION) - moment.step.index
    far = Polynomial.number(fmpq(1, 9)) * away
    assert decoder._finds_the_step({"a": away, END: away}, moment)
    assert not decoder._finds_the_step({"a": far, END: away}, moment)
    assert not decoder._finds_the_step({"a": Polynomial(), END: Polynomial()}, moment)


def test_names_that_say_two_things_are_refused() -> None:
    for unit in (STEP, HALVED, share("a"), "1/(t+1)", "n-1", "2^-(n-1)", "next h1", "input a", *decoder.TAKEN):
        rnn = replace(SMALL, units=("h1", "h2", unit))
        with pytest.raises(Underivable, match="is called"):
            list(induction_steps(rnn))


def replace_head(head: Head, **parts: object) -> Head:
    return Head(**{each.name: getattr(head, each.name) for each in fields(head)} | parts)  # type: ignore[arg-type]
