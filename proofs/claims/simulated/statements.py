"""Claims about transformers that simulate recurrent networks: for all of those of `SIZES`, every word and every step.

A statement is judged at a generic step of each moment of a run, whose input is what the induction says, by comparing
polynomials. What differs is false only where a run shows it: a recurrent network, a word and a step. Otherwise it stays
open.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from flint import fmpq

from weightproof.constructions.claims.stepwise import (
    SHARE,
    Attends,
    BlockMatrix,
    Blocks,
    Holds,
    Ratio,
    Row,
    Simulates,
    Stepwise,
)
from weightproof.constructions.machines import rnn as recurrent
from weightproof.constructions.machines.rnn import RNN, State, every_rnn, numbered
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.decoding import DecodedStep, decoded_steps, next_input
from weightproof.constructions.meaning.interpreter import Vector
from weightproof.constructions.scalars.exact import Real
from weightproof.proofs.carried import HALVED, STEP, Invariant, share
from weightproof.proofs.claims.simulated.blocks import judge_blocks, judge_matrix
from weightproof.proofs.claims.simulated.known import (
    generic,
    in_range,
    inputs_of,
    moment_of,
    reaches,
    row_value,
    run_value,
    run_values,
)
from weightproof.proofs.claims.simulated.ratios import ratio_difference, ratio_on_run
from weightproof.proofs.machines.deciding import decide_simulation
from weightproof.proofs.machines.diverging import BEHIND, LONGEST_WORD, network_that_diverges, numberings, words
from weightproof.proofs.machines.prove import SCOPE, SIZES
from weightproof.proofs.machines.simulates import Obligation, before, input_at, obligations, start_gap
from weightproof.proofs.quantities import outcome
from weightproof.proofs.quantities.outcome import NO_VALUE, Difference, Fails, Open, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.machines import decoder, parts
from weightproof.symbolic.machines.encoder import POSITION, encoded
from weightproof.symbolic.machines.polynomial import Polynomial
from weightproof.symbolic.machines.recurrent import Values, applied

ZERO, NOUGHT = Polynomial(), fmpq(0)
EVERY = f"every RNN of {len(SIZES)} sizes, {SCOPE}"
CERTIFIED = outcome.Holds(EVERY, Evidence.CERTIFICATE.value)


@dataclass(frozen=True)
class Family:
    """Transformers for recurrent networks, and what the input of each step is said to hold beside the state."""

    name: str
    simulation: Callable[[RNN], Simulation]
    invariant: Callable[[RNN], Invariant]


@dataclass(frozen=True)
class Apart:
    """Where a vector and print differ at a generic step: the coordinate, and what it holds; None where that is not
    derived, and why."""

    where: str
    found: str


def judge_family(family: Family, statement: Callable[[RNN], Stepwise]) -> Outcome:
    """What comes of a statement about a family, for all sizes."""
    for units, inputs, symbols in SIZES:
        fractions = getattr(statement(every_rnn(units, inputs, symbols)), "fractions", False)
        network = every_rnn(units, inputs, symbols, embedded_in_fractions=fractions)
        said = statement(network)
        match said:
            case Blocks():
                return judge_blocks(said)
            case BlockMatrix():
                found = judge_matrix(family.simulation(network), said)
                if not isinstance(found, outcome.Holds):
                    return found
                continue
            case Simulates():
                apart = _of_simulation(family, network)
            case _:
                apart = next(_differences(family, network, said), None)
        if apart is not None:
            difference = _run_apart(family, statement)
            if difference is None:
                return Open(f"{apart.where}: {apart.found}")
            return Fails(told(f"{apart.where}: {apart.found}"), difference)
    return WEIGHTS_OF_ALL if isinstance(said, BlockMatrix) else CERTIFIED


WEIGHTS_OF_ALL = outcome.Holds(f"the weights, {len(SIZES)} sizes", "")


def _of_simulation(family: Family, network: RNN) -> Apart | None:
    decided = decide_simulation(family.simulation(network), family.invariant(network))
    return None if decided.gap is None else Apart(*decided.gap)


def _differences(family: Family, network: RNN, said: Holds | Ratio | Attends) -> Iterator[Apart]:
    """Where a statement about steps is not what is derived."""
    simulation, invariant = family.simulation(network), family.invariant(network)
    if isinstance(said, Holds) and said.place in ("keys", "values"):
        yield from _of_encoder(simulation, said)
        return
    if isinstance(said, Holds) and said.place == "input":
        yield from _of_runs(family, simulation, invariant, said)
    for each in obligations(network):
        if not reaches(said.steps, getattr(said, "ahead", 0), moment_of(each)):
            continue
        try:
            yield from _at(simulation, invariant, said, each)
        except Underivable as error:
            yield Apart(each.name, f"not derived: {error}")


def _at(
    simulation: Simulation, invariant: Invariant, said: Holds | Ratio | Attends, each: Obligation
) -> Iterator[Apart]:
    network, rnn = simulation.network, simulation.rnn
    given, earlier = input_at(each, rnn, invariant), before(invariant, rnn)
    layers = decoder.layer_steps(network, given, earlier, each.moment)
    match said:
        case Holds():
            known = generic(rnn, each, said.ahead)
            yield from _unequal(each.name, _place(simulation, said, given, layers, each), said.rows, known)
        case Ratio():
            for found in ratio_difference(said, rnn, each, layers):
                yield Apart(each.name, found)
        case Attends():
            look = layers[said.layer - 1].looks[0]
            alone = set(each.moment.shares) == {each.moment.token}
            as_said = look.rule == "token" or alone if said.same else look.rule == "mean"
            if not as_said or said.first != 0 or said.counted != "t'":
                seen = "with its token" if look.rule == "token" else "of 0 ... t'"
                yield Apart(each.name, f"the same weight at each position {seen}")


def _place(
    simulation: Simulation, said: Holds, given: Values, layers: tuple[decoder.LayerStep, ...], each: Obligation
) -> Values:
    network = simulation.network
    if said.place == "input":
        return given
    if said.place == "next":
        return decoder.next_input(network, layers[-1].output, each.moment.step)
    made = layers[said.layer - 1]
    feed_forward = network.layers[said.layer - 1].feed_forward
    match said.place:
        case "looked":
            return parts.added(*(look.added for look in made.looks))
        case "attended":
            return made.attended
        case "hidden":
            return made.hidden
        case "update":
            return {} if feed_forward is None else parts.linear(feed_forward.second, made.hidden)
    return made.output


def _of_runs(family: Family, simulation: Simulation, invariant: Invariant, said: Holds) -> Iterator[Apart]:
    """Whether inputs are what the induction says: that of step 0, or by the induction those of all steps."""
    if said.steps != "t = 0":
        gap = _of_simulation(family, simulation.rnn)
    else:
        found = start_gap(simulation, invariant)
        gap = None if found is None else Apart("before the first step", str(found))
    if gap is not None:
        yield gap


def _of_encoder(simulation: Simulation, said: Holds) -> Iterator[Apart]:
    rnn, network = simulation.rnn, simulation.network
    [head] = network.layers[said.layer - 1].cross_heads
    memory = encoded(network.encoder, dict.fromkeys(rnn.tokens), next(obligations(rnn)).moment.region)
    for token in rnn.tokens:
        made = applied(head.W_K, memory[token]) if said.place == "keys" else parts.valued(head, memory[token])
        known = {**inputs_of(rnn, token), "1": Polynomial.number(1), "j": Polynomial.atom(POSITION)}
        yield from _unequal(f"token {token!r}", made, said.rows, known)


def _unequal(where: str, made: Values, rows: Mapping[str, Row], known: Values) -> Iterator[Apart]:
    for name in dict.fromkeys((*rows, *made)):
        found = made.get(name, ZERO)
        try:
            if found == row_value(rows.get(name, {}), known):
                continue
        except KeyError as error:
            yield Apart(where, f"{name!r} is {found}, and {error.args[0]} has no value there that can be told")
            continue
        yield Apart(where, f"{name!r} is {found}")


def _run_apart(family: Family, statement: Callable[[RNN], Stepwise]) -> Difference | None:
    """A recurrent network of one unit and one input, as few of whose numbers as possible are not 0, a word and a step
    where a run differs from print."""
    for symbols in (1, 2):
        general = every_rnn(1, 1, symbols)
        if isinstance(statement(general), Simulates):
            found = network_that_diverges(family.simulation, general)
            if found is None:
                continue
            what = f"{found.unit} of the output vector of step {found.step}"
            return Difference(what, found.expected, found.found, found.word, found.parameters)
        fractions = getattr(statement(general), "fractions", False)
        for numbers in numberings(general):
            if fractions and any(numbers.get(name, "0") in OUTSIDE for name in _embeddings(general)):
                continue
            simulation = family.simulation(numbered(general, numbers))
            for word in itertools.takewhile(lambda word: len(word) <= LONGEST_WORD, words(general.alphabet)):
                difference = _on_run(family, simulation, statement(simulation.rnn), word)
                if difference is not None:
                    return replace(difference, parameters=numbers)
            if symbols == 2:  # the numbers have been tried
                break
    return None


OUTSIDE = ("-1", "2")
"""Of the numbers that are tried, those outside [0, 1]."""


def _embeddings(rnn: RNN) -> set[str]:
    return {w.source for row in rnn.embedding.WE.values() for w in row.values()}


def _on_run(family: Family, simulation: Simulation, said: Stepwise, word: str) -> Difference | None:
    assert isinstance(said, Holds | Ratio | Attends)
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
        return next_input(simulation.network, step.output, t + 1, n + 1)
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
    return layer.output


def _attended_on_run(said: Attends, word: str, t: int, step: DecodedStep) -> Difference | None:
    tokens = (recurrent.BEGIN, *word, recurrent.END)
    last = min(t, len(tokens) - 1)
    found = step.layers[said.layer - 1].weights[0]
    counted = tokens[: last + 1] if said.counted == "t'" else tokens[:-1]
    number = sum(token == tokens[last] or not said.same for token in counted)
    for position, weight in enumerate(found):
        chosen = said.first <= position <= last and (tokens[position] == tokens[last] or not said.same)
        printed = "0" if not chosen else str(recurrent.ONE / number) if number else NO_VALUE
        if printed != str(weight):
            return Difference(f"weight of position {position} in layer {said.layer}", printed, str(weight))
    return None
