"""Claims about transformers that simulate recurrent networks: judged for all of those of `SIZES`, every word and every
step. Print speaks of every size: so what is true there is sampled, and the scope says at which.

A statement is judged at a generic step of each moment of a run, whose input is what the induction says, by comparing
polynomials. What differs is false only where a run shows it: a recurrent network, a word and a step. Otherwise it stays
open.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from weightproof.constructions.claims.stepwise import (
    Attends,
    BlockMatrix,
    Blocks,
    Holds,
    Keys,
    OfEvery,
    Ratio,
    Row,
    Simulates,
    Stepwise,
)
from weightproof.constructions.library import simulation_of
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.proofs.claims.simulated.blocks import judge_blocks, judge_matrix, keys_made, same_number
from weightproof.proofs.claims.simulated.known import (
    generic,
    inputs_of,
    moment_of,
    reaches,
    row_value,
)
from weightproof.proofs.claims.simulated.ratios import ratio_difference, tokens_of
from weightproof.proofs.claims.simulated.runs import Family, run_apart
from weightproof.proofs.quantities import outcome
from weightproof.proofs.quantities.outcome import Fails, Open, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.simulation.deciding import decide_simulation
from weightproof.proofs.simulation.prove import OF_SIZES, SIZED, SIZES, invariant_of
from weightproof.proofs.simulation.simulates import InductionStep, before, induction_steps, input_at, start
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder, parts
from weightproof.symbolic.simulation.encoder import POSITION, encoded
from weightproof.symbolic.simulation.polynomial import Polynomial
from weightproof.symbolic.simulation.recurrent import Values, applied

ZERO = Polynomial()
HOLDS = outcome.Holds(OF_SIZES, Evidence.SAMPLED.value)


@dataclass(frozen=True)
class Apart:
    """Where a vector and print differ at a generic step: the coordinate, and what it holds; None where that is not
    derived, and why."""

    where: str
    found: str


@dataclass(frozen=True)
class GenericStep:
    """A step at a moment from the input that the induction says; layers: what each makes of it, or why that is not
    derived."""

    each: InductionStep
    given: Values
    layers: tuple[decoder.LayerStep, ...] | Underivable


@functools.cache
def _simulation(family: Family, size: tuple[int, int, int], fractions: bool) -> Simulation:
    """That of every recurrent network of a size."""
    return family.simulation(every_rnn(*size, embedded_in_fractions=fractions))


@functools.cache
def _generic_steps(family: Family, size: tuple[int, int, int], fractions: bool) -> tuple[GenericStep, ...]:
    """A step at each moment of its runs: the same for all that is claimed."""
    simulation = _simulation(family, size, fractions)
    rnn, invariant = simulation.rnn, family.invariant(simulation.rnn)
    made: list[GenericStep] = []
    for each in induction_steps(rnn):
        given, earlier = input_at(each, rnn, invariant), before(invariant, rnn)
        try:
            layers = decoder.layer_steps(simulation.network, given, earlier, each.moment)
        except Underivable as error:
            made.append(GenericStep(each, given, error))
        else:
            made.append(GenericStep(each, given, layers))
    return tuple(made)


@functools.cache
def _induction(family: Family, size: tuple[int, int, int], fractions: bool) -> Apart | None:
    """The first obligation of the induction that is not closed."""
    simulation = _simulation(family, size, fractions)
    decided = decide_simulation(simulation, family.invariant(simulation.rnn))
    return None if decided.gap is None else Apart(*decided.gap)


@functools.cache
def family_of(name: str) -> Family:
    """The built-in family of that name."""
    return Family(name, lambda rnn: simulation_of(name, rnn), lambda rnn: invariant_of(name, rnn))


def judge_every(said: OfEvery) -> Outcome:
    return judge_family(family_of(said.family), said.made)


def judge_family(family: Family, statement: Callable[[RNN], Stepwise]) -> Outcome:
    """What comes of a statement about a family, for all sizes."""
    fractions = getattr(statement(every_rnn(1, 1, 1)), "fractions", False)
    for size in SIZES:
        simulation = _simulation(family, size, fractions)
        said = statement(simulation.rnn)
        match said:
            case Blocks():
                return judge_blocks(said)
            case Keys():
                made = keys_made(simulation.network.encoder)
                apart = None if same_number(said.number, made) else Apart("keys of the encoder", str(made))
            case BlockMatrix():
                found = judge_matrix(simulation, said)
                if not isinstance(found, outcome.Holds):
                    return found
                continue
            case Simulates():
                apart = _induction(family, size, fractions)
            case Holds() | Ratio() | Attends():
                apart = next(_differences(family, size, fractions, said), None)
            case _:
                raise TypeError(f"{type(said).__name__}: no judge of such a statement")
        if apart is not None:
            difference = run_apart(family, statement)
            if difference is None:
                return Open(f"{apart.where}: {apart.found}")
            return Fails(told(f"{apart.where}: {apart.found}"), difference)
    return WEIGHTS_OF_ALL if isinstance(said, BlockMatrix) else HOLDS


WEIGHTS_OF_ALL = outcome.Holds(f"the weights, {SIZED}", Evidence.SAMPLED.value)


def _differences(
    family: Family, size: tuple[int, int, int], fractions: bool, said: Holds | Ratio | Attends
) -> Iterator[Apart]:
    """Where a statement about steps is not what is derived."""
    simulation = _simulation(family, size, fractions)
    if isinstance(said, Holds) and said.place in ("keys", "values"):
        yield from _of_encoder(simulation, said)
        return
    if isinstance(said, Holds) and said.place == "input":
        yield from _of_runs(family, size, fractions, said)
    ahead = getattr(said, "ahead", 0)
    reached = [
        step for step in _generic_steps(family, size, fractions) if reaches(said.steps, ahead, moment_of(step.each))
    ]
    spoken_of, network = not isinstance(said, Ratio), simulation.network
    for step in reached:
        if isinstance(step.layers, Underivable):
            yield Apart(step.each.name, f"not derived: {step.layers}")
            continue
        match said:
            case Holds():
                known, made = generic(simulation.rnn, step.each, said.ahead), _place(simulation, said, step)
                if said.place == "input" and moment_of(step.each) == "begin":  # of a run, whose first state is 0
                    known, made = (_with_units_0(simulation.rnn, each) for each in (known, made))
                yield from _unequal(step.each.name, made, said.rows, known)
            case Ratio():
                for token in tokens_of(said, simulation, step.each, step.layers):
                    spoken_of = True
                    if (derived := ratio_difference(said, network, step.each, step.layers, token)) is not None:
                        yield Apart(step.each.name, derived)
            case Attends():
                look = step.layers[said.layer - 1].looks[0]
                alone = set(step.each.moment.shares) == {step.each.moment.token}
                as_said = look.rule == "token" or alone if said.same else look.rule == "mean"
                if not as_said or said.first != 0 or said.counted != "t'":
                    seen = "with its token" if look.rule == "token" else "of 0 ... t'"
                    yield Apart(step.each.name, f"the same weight at each position {seen}")
    if not spoken_of:
        yield Apart("every step in the range", "there is no such position")


def _with_units_0(rnn: RNN, values: Values) -> Values:
    return {name: value.replaced(dict.fromkeys(rnn.units, ZERO)) for name, value in values.items()}


def _place(simulation: Simulation, said: Holds, step: GenericStep) -> Values:
    network, layers = simulation.network, step.layers
    assert not isinstance(layers, Underivable)
    if said.place == "input":
        return step.given
    if said.place == "next":
        return decoder.next_input(network, layers[-1].output, step.each.moment.step)
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
        case "output":
            return made.output
        case "keys" | "values":
            raise TypeError(said)  # of the encoder, which has no steps
    PROVER.refuse("place", said.place)


def _of_runs(family: Family, size: tuple[int, int, int], fractions: bool, said: Holds) -> Iterator[Apart]:
    """Whether inputs are what the induction says: that of step 0, or by the induction those of all steps."""
    if said.steps != "t = 0":
        gap = _induction(family, size, fractions)
    else:
        simulation = _simulation(family, size, fractions)
        found = start(simulation, family.invariant(simulation.rnn)).gap()
        gap = None if found is None else Apart("before the first step", str(found))
    if gap is not None:
        yield gap


def _of_encoder(simulation: Simulation, said: Holds) -> Iterator[Apart]:
    rnn, network = simulation.rnn, simulation.network
    [head] = network.layers[said.layer - 1].cross_heads
    memory = encoded(network.encoder, dict.fromkeys(rnn.tokens), next(induction_steps(rnn)).moment.region)
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
