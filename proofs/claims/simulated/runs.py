"""Where print is wrong about a family of transformers: a recurrent network, a word and a step, run exactly."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from flint import fmpq

from weightproof.constructions.claims.stepwise import (
    SHARE,
    Attends,
    Holds,
    Keys,
    Ratio,
    Simulates,
    Stepwise,
)
from weightproof.constructions.machines import rnn as recurrent
from weightproof.constructions.machines.numbered import every_rnn, with_numbers
from weightproof.constructions.machines.rnn import RNN, State
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.interpreter import DecodedStep, Vector, decoded_steps
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.simulated.known import (
    in_range,
    run_value,
    run_values,
)
from weightproof.proofs.claims.simulated.ratios import ratio_on_run
from weightproof.proofs.quantities.outcome import NO_VALUE, Difference
from weightproof.proofs.simulation.diverging import BEHIND, LONGEST_WORD, network_that_fails, numberings, words
from weightproof.proofs.simulation.holding import HALVED, STEP, Invariant
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.simulation.given import share

NOUGHT = fmpq(0)


@dataclass(frozen=True)
class Family:
    """Transformers for recurrent networks, and what the input of each step is said to hold beside the state."""

    name: str
    simulation: Callable[[RNN], Simulation]
    invariant: Callable[[RNN], Invariant]


def run_apart(family: Family, statement: Callable[[RNN], Stepwise]) -> Difference | None:
    """A recurrent network of one unit, one input and one symbol, as few of whose numbers as possible are not 0, a word
    and a step where a run differs from print."""
    general = every_rnn(1, 1, 1)
    said = statement(general)
    if isinstance(said, Simulates) and not said.fractions:
        found = network_that_fails(family.simulation, general)
        if found is None or (wrong := found.step) is None:
            return None
        what = f"{wrong.unit} of the output vector of step {wrong.number}"
        return Difference(what, wrong.expected, wrong.found, found.word, found.parameters)
    if not isinstance(said, Holds | Ratio | Attends | Keys) or (
        isinstance(said, Holds) and said.place in ("keys", "values")
    ):
        return None
    fractions, simulations = isinstance(said, Holds) and said.fractions, family.simulation(general)
    for numbers in numberings(general):
        if fractions and any(numbers.get(name, "0") in OUTSIDE for name in _embeddings(general)):
            continue
        simulation = with_numbers(simulations, numbers)
        for word in itertools.takewhile(lambda word: len(word) <= LONGEST_WORD, words(general.alphabet)):
            difference = _on_run(family, simulation, said, word)
            if difference is not None:
                return replace(difference, parameters=numbers)
    return None


OUTSIDE = ("-1", "2")
"""Of the numbers that are tried, those outside [0, 1]."""


def _embeddings(rnn: RNN) -> set[str]:
    return {w.source for row in rnn.embedding.WE.values() for w in row.values()}


def _on_run(
    family: Family, simulation: Simulation, said: Holds | Ratio | Attends | Keys, word: str
) -> Difference | None:
    if isinstance(said, Keys):
        return _keys_on_run(simulation, said, word)
    rnn, n, ahead = simulation.rnn, len(word) + 1, getattr(said, "ahead", 0)
    invariant = family.invariant(rnn)
    state: State = dict.fromkeys(rnn.units, NOUGHT)
    runs = zip(recurrent.states(rnn, word), decoded_steps(simulation.network, word), strict=True)
    for t, (after, step) in enumerate(itertools.islice(runs, n + 1 + BEHIND)):
        known = run_values(rnn, word, t, state, after, ahead)
        assumed = _assumed(invariant, rnn, state, run_values(rnn, word, t, state, after, 0))
        state = after
        # Print speaks of a step whose input is as it says; only of the input itself it is said of every step of a run.
        as_assumed = all(value == assumed.get(name, NOUGHT) for name, value in step.input.items())
        if not in_range(said.steps, t - ahead, n) or not (as_assumed or _is_of_runs(said)):
            continue
        match said:
            case Holds():
                found = _held_on_run(simulation, said, step, known, t, n)
            case Ratio():
                found = ratio_on_run(said, simulation, word, t, step)
            case Attends():
                found = _attended_on_run(said, word, t, step)
        if found is not None:
            return replace(found, what=f"step {t}: {found.what}", word=word)
    return None


def _assumed(invariant: Invariant, rnn: RNN, state: State, known: Mapping[str, Real]) -> Vector:
    """The input of a step as the induction says it; coordinates that are missing hold 0."""
    exactly = {STEP: known["t"], HALVED: known["2^-t"], **{share(token): known[SHARE + token] for token in rnn.tokens}}
    held = {name: exactly[said] if said in exactly else fmpq(int(str(said))) for name, said in invariant.items()}
    return {**state, **held}


def _held_on_run(
    simulation: Simulation, said: Holds, step: DecodedStep, known: Mapping[str, Real], t: int, n: int
) -> Difference | None:
    made = _run_place(simulation, said, step, t, n)
    for name in dict.fromkeys((*said.rows, *made)):
        found = made.get(name, NOUGHT)
        wanted = run_value(said.rows.get(name, {}), known)
        if found != wanted:
            return Difference(f"{name} of {PLACES[said.place]}", str(wanted), str(found))
    return None


def _keys_on_run(simulation: Simulation, said: Keys, word: str) -> Difference | None:
    """At step n, which masks let see all of them."""
    n = len(word) + 1
    step = next(itertools.islice(decoded_steps(simulation.network, word), n, None))
    wanted, found = evaluate(said.number, {"n": fmpq(n)}), len(step.layers[0].weights[0])
    return None if wanted == found else Difference(f"step {n}: keys", str(wanted), str(found), word)


def _is_of_runs(said: Stepwise) -> bool:
    return isinstance(said, Holds) and said.place == "input"


PLACES = {
    "input": "the input",
    "keys": "the keys",
    "values": "the values",
    "looked": "what the cross head adds",
    "attended": "the vector behind the cross head",
    "hidden": "the hidden units",
    "update": "what the feed-forward network adds",
    "output": "the output of the layer",
    "next": "the next input",
}


def _run_place(simulation: Simulation, said: Holds, step: DecodedStep, t: int, n: int) -> Vector:
    if said.place == "input":
        return step.input
    if said.place == "next":
        return step.next_input
    layer = step.layers[said.layer - 1]
    match said.place:
        case "looked":
            return layer.looked
        case "attended":
            return layer.attended
        case "hidden":
            return layer.hidden
        case "update":
            return layer.update
        case "output":
            return layer.output
        case "keys" | "values":
            raise TypeError(said)  # of the encoder, which has no steps
    PROVER.refuse("place", said.place)


def _attended_on_run(said: Attends, word: str, t: int, step: DecodedStep) -> Difference | None:
    tokens = (recurrent.BEGIN, *word, recurrent.END)
    last = min(t, len(tokens) - 1)
    found = step.layers[said.layer - 1].weights[0]
    counted = PROVER.of("count", said.counted, {"t'": tokens[: last + 1], "n - 1": tokens[:-1]})
    number = sum(token == tokens[last] or not said.same for token in counted)
    for position, weight in enumerate(found):
        chosen = said.first <= position <= last and (tokens[position] == tokens[last] or not said.same)
        printed = "0" if not chosen else str(recurrent.ONE / number) if number else NO_VALUE
        if printed != str(weight):
            return Difference(f"weight of position {position} in layer {said.layer}", printed, str(weight))
    return None
