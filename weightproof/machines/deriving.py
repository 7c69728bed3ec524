"""What is derived of families of simulators, and of what they make of a recurrent network: one step at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weightproof.constructions.library import FAMILIES, simulation_of
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.document.blocks import Block, Heading, Math, Paragraph
from weightproof.machines import simulation_proof
from weightproof.machines.formulas import scores, scores_typed, typed, vector
from weightproof.machines.simulation_proof import REASONS
from weightproof.proofs.prover import Obligation
from weightproof.proofs.simulation.prove import invariant_of
from weightproof.proofs.simulation.simulates import InductionStep, before, induction_steps, input_at
from weightproof.reports.explanation import UNDERIVABLE, ShownStep, WithTheorems
from weightproof.reports.matrices import weights
from weightproof.reports.wording import headed, worded
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder
from weightproof.symbolic.simulation.decoder import LayerStep
from weightproof.symbolic.simulation.polynomial import Values


@dataclass(frozen=True)
class AtMoment:
    """What is made at a moment; reason: why there is no closed form, if there is none."""

    obligation: InductionStep
    given: Values
    layers: tuple[LayerStep, ...]
    following: Values
    reason: str = ""


def moments(simulation: Simulation, family: str) -> Iterator[AtMoment]:
    """Every moment of a run, from the input that the theorem's invariant says."""
    network, invariant = simulation.network, invariant_of(family, simulation.rnn)
    for each in induction_steps(simulation.rnn):
        given = input_at(each, simulation.rnn, invariant)
        try:
            layers = decoder.layer_steps(network, given, before(invariant, simulation.rnn), each.moment)
        except Underivable as error:
            yield AtMoment(each, given, (), {}, str(error))
            continue
        yield AtMoment(each, given, layers, decoder.next_input(network, layers[-1].output, each.moment.step))


def network_shown(family: str) -> Simulation:
    """That of the recurrent networks of one unit, one input and one symbol, whatever their numbers are."""
    return simulation_of(family, every_rnn(1, 1, 1))


class SimulatorExplained(WithTheorems):
    """One step of the transformer of a family, at each moment of a run, whatever the recurrent network is."""

    brief = "feedback"

    def __init__(self, family: str) -> None:
        self.family, self.simulation = family, network_shown(family)
        self.title = f"{family}: {self.simulation.title}"

    def opening(self) -> Iterator[Block]:
        yield Heading(1, self.simulation.title)
        yield Paragraph((f"Source: {self.simulation.source}. Shown is one step for ", *_numbers(), "."))

    def weights(self) -> Iterator[Block]:
        return weights(self.simulation.network)

    def blocks(self) -> Iterator[Block]:
        return derivation(self.simulation, self.family)

    def proof(self, theorem: str, closed: Sequence[Obligation]) -> Iterator[Block]:
        return simulation_proof.told(closed)

    def steps(self) -> Iterator[ShownStep]:
        for made in moments(self.simulation, self.family):
            yield from _steps(self.simulation, made)


class RecurrentExplained(WithTheorems):
    """One step of the transformer of each family, for one recurrent network."""

    brief = "feedback"

    def __init__(self, network: RNN) -> None:
        self.title = network.name
        self.simulations = {family: simulation_of(family, network) for family in FAMILIES}

    def weights(self) -> Iterator[Block]:
        for simulation in self.simulations.values():
            yield Paragraph(f"The weights of {simulation.name}:")
            yield from weights(simulation.network)

    def blocks(self) -> Iterator[Block]:
        for family, simulation in self.simulations.items():
            yield Paragraph(f"One step of {simulation.name}:")
            yield from derivation(simulation, family)

    def proof(self, theorem: str, closed: Sequence[Obligation]) -> Iterator[Block]:
        return simulation_proof.told(closed)

    def steps(self) -> Iterator[ShownStep]:
        for family, simulation in self.simulations.items():
            for made in moments(simulation, family):
                for step in _steps(simulation, made):
                    yield replace(step, location=f"{family}, {step.location}")


def _numbers() -> tuple[str | Math, ...]:
    return (
        "every recurrent network of one unit, one input and one symbol, whatever its numbers are: ",
        Math(r"f_{\texttt{a}}"),
        " is what a token embeds as, ",
        Math("W"),
        " and ",
        Math("b"),
        " its weights, ",
        Math(r"\sigma(x) = \min(1, \max(0, x))"),
        ", ",
        Math("h"),
        " the state at the beginning of the step, ",
        Math(r"\omega_{\texttt{a}}"),
        " the share of a token, or of two, at the positions before it",
    )


def derivation(simulation: Simulation, family: str) -> Iterator[Block]:
    """A heading for each moment, and under it what stands where; coordinates that are left out hold 0."""
    for made in moments(simulation, family):
        yield Heading(2, headed(made.obligation.name))
        yield vector("The input: ", "y", made.given)
        if made.reason:
            yield Paragraph(worded(f"There is no closed form: {made.reason}."))
            continue
        for number, (given, layer) in enumerate(zip(simulation.network.layers, made.layers, strict=True), start=1):
            for head, look in zip(given.cross_heads, layer.looks, strict=True):
                found = scores(head, "s", look.products)
                yield Paragraph((f"Layer {number}, cross head: {REASONS[look.rule]}. Scores: ", *found, "."))
                yield vector("It adds ", "o", look.added)
            if layer.hidden:
                yield vector(f"Layer {number}, hidden units: ", "u", layer.hidden)
                yield vector("The vector behind it: ", "z", layer.output)
        yield vector("The next input: ", "y'", made.following)


def _steps(simulation: Simulation, made: AtMoment) -> Iterator[ShownStep]:
    name = made.obligation.name
    if made.reason:
        yield ShownStep(UNDERIVABLE, name, typed(made.given), {}, made.reason)
        return
    for number, (given, layer) in enumerate(zip(simulation.network.layers, made.layers, strict=True), start=1):
        for index, (head, look) in enumerate(zip(given.cross_heads, layer.looks, strict=True), start=1):
            products = {token: str(product) for token, product in look.products.items()}
            where = f"{name}, layer {number}, cross head {index}"
            yield ShownStep(look.rule, where, scores_typed(head, products), typed(look.added), REASONS[look.rule])
        if layer.hidden:
            place = f"{name}, layer {number}"
            yield ShownStep("feed-forward", place, typed(layer.attended), typed(layer.output))
    yield ShownStep("feedback", name, typed(made.layers[-1].output), typed(made.following))
