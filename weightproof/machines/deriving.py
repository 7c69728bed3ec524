"""`derive` of families of simulators, and of what they make of a recurrent network: one step at each moment of a run,
as part of a document, as text, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.library import FAMILIES, simulation_of
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.document.blocks import Block, Heading, Math, Paragraph, Plain
from weightproof.document.tex import fragment
from weightproof.machines.formulas import nonzero, scores, scores_typed, theorems, vector
from weightproof.proofs.certified import proved
from weightproof.proofs.simulation.prove import invariant_of, of_family, of_recurrent
from weightproof.proofs.simulation.simulates import InductionStep, before, induction_steps, input_at
from weightproof.proofs.verdict import Result
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder
from weightproof.symbolic.simulation.decoder import LayerStep
from weightproof.symbolic.simulation.recurrent import Values

REASONS = {
    "nothing": "its values are 0",
    "mean": "all scores are the same, so it takes the mean of what it sees",
    "token": "the token of this step has a greater score than all others that are seen",
    "two": "one of two scores is greater, or both are the same, and so are their values",
    "position": "the scores are greatest at the position of this step alone",
}
"""Why a cross head looks where it does; see `symbolic/simulation/decoder.py`."""


@dataclass(frozen=True)
class Told:
    """What is made at a moment; reason: why there is no closed form, if there is none."""

    obligation: InductionStep
    given: Values
    layers: tuple[LayerStep, ...]
    following: Values
    reason: str = ""


def moments(simulation: Simulation, family: str) -> Iterator[Told]:
    """Every moment of a run, from the input that the theorem's invariant says."""
    network, invariant = simulation.network, invariant_of(family, simulation.rnn)
    for each in induction_steps(simulation.rnn):
        given = input_at(each, simulation.rnn, invariant)
        try:
            layers = decoder.layer_steps(network, given, before(invariant, simulation.rnn), each.moment)
        except Underivable as error:
            yield Told(each, given, (), {}, str(error))
            continue
        yield Told(each, given, layers, decoder.next_input(network, layers[-1].output, each.moment.step))


def network_shown(family: str) -> Simulation:
    """That of the recurrent networks of one unit, one input and one symbol, whatever their numbers are."""
    return simulation_of(family, every_rnn(1, 1, 1))


def section(family: str) -> tuple[tuple[Block, ...], bool]:
    """The section on a family, and whether all verdicts in it are the expected ones."""
    results = list(proved(of_family(family)))
    return tuple(_section(family, results)), all(result.as_expected for result in results)


def _section(family: str, results: list[Result]) -> Iterator[Block]:
    simulation = network_shown(family)
    yield Heading(1, (simulation.title,))
    yield Paragraph((f"Source: {simulation.source}. Shown is one step for ", *_numbers(), "."))
    yield from derivation(simulation, family)
    yield from theorems(results)


def section_of_network(network: RNN) -> tuple[tuple[Block, ...], bool]:
    """The section on a recurrent network, one step of the transformer of each family, and whether all verdicts in it
    are the expected ones."""
    results = list(proved(of_recurrent(network)))
    blocks = (Heading(1, (network.name,)), *_derivations(network), *theorems(results))
    return blocks, all(result.as_expected for result in results)


def _derivations(network: RNN) -> Iterator[Block]:
    for family in FAMILIES:
        simulation = simulation_of(family, network)
        yield Paragraph((f"One step of {simulation.name}:",))
        yield from derivation(simulation, family)


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
    for told in moments(simulation, family):
        yield Heading(2, (f"{told.obligation.name[0].upper()}{told.obligation.name[1:]}",))
        yield vector("The input: ", "y", told.given)
        if told.reason:
            yield Paragraph((f"There is no closed form: {told.reason}.",))
            continue
        for number, (given, layer) in enumerate(zip(simulation.network.layers, told.layers, strict=True), start=1):
            for head, look in zip(given.cross_heads, layer.looks, strict=True):
                found = scores(head, "s", look.products)
                yield Paragraph((f"Layer {number}, cross head: {REASONS[look.rule]}. Scores: ", *found, "."))
                yield vector("It adds ", "o", look.added)
            if layer.hidden:
                yield vector(f"Layer {number}, hidden units: ", "u", layer.hidden)
                yield vector("The vector behind it: ", "z", layer.output)
        yield vector("The next input: ", "y'", told.following)


def payload(family: str) -> dict[str, Any]:
    """The JSON of a family: every part of a step at every moment."""
    simulation = network_shown(family)
    steps = [step for told in moments(simulation, family) for step in _steps(simulation, told)]
    return _payload(family, steps, derivation(simulation, family))


def payload_of_network(network: RNN) -> dict[str, Any]:
    """The JSON of a recurrent network: the same of the transformer of each family, which `location` begins with."""
    steps = [
        {**step, "location": f"{family}, {step['location']}"}
        for family in FAMILIES
        for told in moments(simulation_of(family, network), family)
        for step in _steps(simulation_of(family, network), told)
    ]
    return _payload(network.name, steps, _derivations(network))


def _payload(name: str, steps: list[dict[str, Any]], derivation: Iterator[Block]) -> dict[str, Any]:
    return {
        "construction": name,
        "closed_form": None,
        "cases": None,
        "steps": steps,
        "latex": fragment(tuple(derivation)),
    }


def _steps(simulation: Simulation, told: Told) -> Iterator[dict[str, Any]]:
    name = told.obligation.name
    if told.reason:
        yield _step("none", name, nonzero(told.given), {}, told.reason)
        return
    for number, (given, layer) in enumerate(zip(simulation.network.layers, told.layers, strict=True), start=1):
        for index, (head, look) in enumerate(zip(given.cross_heads, layer.looks, strict=True), start=1):
            where = f"{name}, layer {number}, cross head {index}"
            looked = _step(look.rule, where, {}, nonzero(look.added), REASONS[look.rule])
            products = {token: str(product) for token, product in look.products.items()}
            yield {**looked, "before": scores_typed(head, products)}
        if layer.hidden:
            place = f"{name}, layer {number}"
            yield _step("feed-forward", place, nonzero(layer.attended), nonzero(layer.output), None)
    yield _step("feedback", name, nonzero(told.layers[-1].output), nonzero(told.following), None)


def _step(rule: str, location: str, given: Values, made: Values, condition: str | None) -> dict[str, Any]:
    before, after = ({row: str(value) for row, value in values.items()} for values in (given, made))
    return {"rule": rule, "location": location, "before": before, "after": after, "condition": condition}


def report(family: str, with_steps: bool) -> Iterator[Plain]:
    """The output vector at each moment; with the steps, every part of it."""
    simulation = network_shown(family)
    yield Heading(3, f"{family}: {simulation.title}")
    yield from _report(simulation, family, with_steps)


def report_of_network(network: RNN, with_steps: bool) -> Iterator[Plain]:
    """The same of the transformer of each family."""
    for family in FAMILIES:
        simulation = simulation_of(family, network)
        yield Heading(3, simulation.name)
        yield from _report(simulation, family, with_steps)


def _report(simulation: Simulation, family: str, with_steps: bool) -> Iterator[Plain]:
    for told in moments(simulation, family):
        for step in _steps(simulation, told):
            if with_steps or step["rule"] == "feedback":
                yield Paragraph(f"{step['location']}: {step['rule']}", 1)
                for row, value in step["after"].items():
                    yield Paragraph(f"{row} = {value}", 2)
