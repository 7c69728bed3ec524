"""Where rounding breaks the networks that run Turing machines, row by row: a machine, a simulator, a dtype."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import log2

from weightproof.constructions.languages.notation import compact, expand
from weightproof.constructions.library import network_of, simulation_of
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.inputs import refuse_foreign
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.kinds import Measuring
from weightproof.machines.running import SIMULATORS
from weightproof.measuring.kept import NOT_LOST, Row, reached
from weightproof.measuring.session import Again, Place, RowSearch, places

RULE, READS = "runs the machine", "reads its input"
READER = "of a reader"
"""The simulator in rows of a family: on the recurrent network that holds what it reads."""
LONGEST_WORD = 30
"""Symbols of the longest words that are run, unless fewer are asked for."""
FARTHEST = 600
"""Symbols of the longest words on which a family is run, unless fewer are asked for."""


def of_family(argument: str, how: Measuring) -> list[RowSearch]:
    """In all places; InputError where it cannot be run in one of them."""
    from weightproof.numeric.decoding.networks import EncoderDecoderTransformer

    wanted = [at_most(place, FARTHEST) for place in places(how)]
    for place in wanted:
        network = read_by(argument).network
        EncoderDecoderTransformer(network, ("a", "b"), place.dtype, place.device, place.attention)
    return [reader_search(argument, place) for place in wanted]


def reader_search(argument: str, place: Place) -> RowSearch:
    """Of a family of transformers for recurrent networks, on one that holds the token it has read."""
    simulation = read_by(argument)
    key = place.key(argument, fingerprint({"network": plain(simulation.network)}), simulator=READER)
    found, once_more = partial(_misread, simulation, place), partial(_misread_again, simulation, place)
    return RowSearch(f"{argument} {place.dtype}", key, READS, found, once_more)


def read_by(family: str) -> Simulation:
    """The network of a family that holds the token it has read."""
    from weightproof.numeric.simulation.reading import reader

    return simulation_of(family, reader())


def of_machine(argument: str, machine: TuringMachine, how: Measuring) -> list[RowSearch]:
    """By every simulator, in all places; InputError where one cannot be run."""
    from weightproof.numeric.simulation.search import simulator

    wanted = [(name, at_most(place, LONGEST_WORD)) for name in SIMULATORS for place in places(how)]
    for _, place in wanted:
        simulator(network_of(machine), None, place.dtype, place.device, place.attention)
    return [tape_search(argument, machine, name, place) for name, place in wanted]


def tape_search(argument: str, machine: TuringMachine, simulator: str, place: Place) -> RowSearch:
    """Of a network that runs a Turing machine, as that was named: the recurrent one, or one that simulates it."""
    table = {state: dict(row) for state, row in machine.table.items()}
    weights = plain(network_of(machine).rnn) | {"name": ""}
    key = place.key(argument, fingerprint({"table": plain(table), "network": weights}), simulator=simulator)
    of = machine, simulator, place
    doing = f"{argument} {simulator} {place.dtype}"
    return RowSearch(doing, key, RULE, partial(_departs, *of), partial(_departs_again, *of))


def at_most(place: Place, longest: int) -> Place:
    """The same, no farther."""
    return replace(place, max_length=min(place.max_length, longest))


def _misread(simulation: Simulation, place: Place) -> Row:
    """Lengths are symbols of words."""
    from weightproof.numeric.rounding.formats import FORMATS
    from weightproof.numeric.rounding.model import is_modelled
    from weightproof.numeric.simulation.reading import certified, first_misread

    found, reached = first_misread(simulation, place.dtype, place.device, place.attention, place.max_length)
    return {
        "parameters": {},
        "certified_safe_length": certified(simulation, FORMATS[place.dtype], place.max_length)
        if is_modelled(place.device, place.attention)
        else None,
        "exact_for_ever": None,
        "first_failing_length": None if found is None else len(found.word),
        "least": False,
        "witness": found
        and {
            "word": compact(found.word),
            "step": found.step,
            "unit": simulation.rnn.units[0],
            "computed": str(found.computed),
            "wanted": found.wanted,
        },
        "mechanism": found and f"after step {found.step} it holds {found.computed:.6g} of a and not {found.wanted:.6g}",
        "searched": "sampled",
        "searched_to": 0,
        "looked_to": reached,
    }


def _misread_again(simulation: Simulation, place: Place, row: Row) -> Again:
    from weightproof.numeric.simulation.reading import misread, model_of

    witness, alphabet = row["witness"], simulation.rnn.alphabet
    word = expand(witness["word"], alphabet)
    refuse_foreign(row["construction"], alphabet, word)
    found = misread(*model_of(simulation, place.dtype, place.device, place.attention), [word])
    if found is None:
        return Again(False, False, f"reads all {len(word)} symbols")
    return Again(
        len(word) == row["first_failing_length"],
        (found.step, str(found.computed)) == (witness["step"], witness["computed"]),
        f"of {len(word)} symbols, after step {found.step} it holds {found.computed!r} of a and not {found.wanted:.6g}",
    )


def _departs_again(machine: TuringMachine, simulated_by: str, place: Place, row: Row) -> Again:
    from weightproof.numeric.simulation.search import MOST_STEPS, Runs, departures, simulator

    witness, network, family = row["witness"], network_of(machine), SIMULATORS[simulated_by]
    word = expand(witness["word"], machine.alphabet)
    refuse_foreign(row["construction"], machine.alphabet, word)
    simulation = simulation_of(family, network.rnn) if family else None
    run = simulator(network, simulation, place.dtype, place.device, place.attention)
    found = departures(Runs(network, [word], MOST_STEPS), run([word]))
    if not found:
        return Again(False, False, f"does what the machine does, in {MOST_STEPS} steps of it or until it halts")
    [at] = found
    return Again(
        at.cells == row["first_failing_length"],
        (at.step, at.unit, str(at.computed)) == (witness["step"], witness["unit"], witness["computed"]),
        f"with {at.cells} cells of tape, after step {at.step}, {at.unit!r} is {at.computed!r} and not {at.wanted:.6g}",
    )


def _departs(machine: TuringMachine, simulated_by: str, place: Place) -> Row:
    """Certified for any order of summation.

    exact_for_ever: of the recurrent network, cells of half tapes with which no rounding occurs in any number of steps;
    a certified length beyond it is about the first max_steps steps of the machine.
    """
    from weightproof.numeric.rounding.formats import FORMATS
    from weightproof.numeric.rounding.model import is_modelled
    from weightproof.numeric.simulation.exactness import longest_exact
    from weightproof.numeric.simulation.search import MOST_STEPS, certified, rounding, simulator
    from weightproof.numeric.simulation.search import search as departure

    network, family = network_of(machine), SIMULATORS[simulated_by]
    simulation = simulation_of(family, network.rnn) if family else None
    run = simulator(network, simulation, place.dtype, place.device, place.attention)
    found = departure(network, run, place.max_length)
    exact = None if family else longest_exact(network, FORMATS[place.dtype], place.max_length)
    covered = is_modelled(place.device, place.attention)
    safe = certified(network, simulation, place.dtype, place.max_length) if covered else None
    row: Row = {
        "parameters": {},
        "certified_safe_length": safe if exact is None or safe is None else max(exact, safe),
        "exact_for_ever": exact,
        **NOT_LOST,
        "least": found.least,
        "bits_a_cell": log2(2 * len(machine.symbols)),
        **reached(found.searched_to, found.looked_to),
        "max_steps": MOST_STEPS,
        "unfinished": found.unfinished,
    }
    if (at := found.departure) is None:
        return row
    begun = rounding(network, run, at, place.dtype)
    start = "every unit is the exact one rounded until then; "
    if begun is not None:
        start = f"{begun.unit!r} is the first that is not the exact one rounded, after step {begun.step}; "
    held = f"{at.unit!r} is {at.computed:.6g} and not {at.wanted:.6g}"
    return row | {
        "first_failing_length": at.cells,
        "witness": {
            "word": compact(at.word),
            "machine_step": at.number,
            "step": at.step,
            "unit": at.unit,
            "computed": str(at.computed),
            "wanted": at.wanted,
            "first_rounded": None if begun is None else {"step": begun.step, "unit": begun.unit, "off": begun.off},
        },
        "mechanism": f"{start}after step {at.step}, where step {at.number} of the machine begins, {held}",
    }
