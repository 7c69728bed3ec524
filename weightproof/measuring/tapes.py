"""Where rounding breaks the networks that run Turing machines, row by row: a machine, a simulator, a dtype."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log2

from weightproof.constructions.library import network_of, simulation_of
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.kinds import Measuring
from weightproof.machines.running import SIMULATORS
from weightproof.measuring.kept import Row, Rows
from weightproof.measuring.session import Advance, Place, places

RULE = "runs the machine"
READER = "of a reader"
"""The simulator in rows of a family: on the recurrent network that holds what it reads."""
LONGEST_WORD = 30
"""Symbols of the longest words that are run, unless fewer are asked for."""
FARTHEST = 600
"""Symbols of the longest words on which a family is run, unless fewer are asked for."""


@dataclass(frozen=True)
class TapeSearch:
    """Of a network that runs a Turing machine, as that was named: the recurrent one, or one that simulates it."""

    argument: str
    machine: TuringMachine
    simulator: str
    place: Place

    @property
    def network(self) -> MachineNetwork:
        return network_of(self.machine)

    @property
    def key(self) -> Row:
        table = {state: dict(row) for state, row in self.machine.table.items()}
        weights = plain(self.network.rnn) | {"name": ""}
        made = fingerprint({"table": plain(table), "network": weights})
        return self.place.key(self.argument, made, simulator=self.simulator)

    def measured(self, kept: Rows, advance: Advance) -> Rows:
        advance(f"{self.argument} {self.simulator} {self.place.dtype}", 0)
        return Rows(rows=(self.key | _departs(self),))


@dataclass(frozen=True)
class ReaderSearch:
    """Of a family of transformers for recurrent networks, on one that holds the token it has read."""

    argument: str
    place: Place

    @property
    def simulation(self) -> Simulation:
        from weightproof.numeric.simulation.reading import reader

        return simulation_of(self.argument, reader())

    @property
    def key(self) -> Row:
        made = fingerprint({"network": plain(self.simulation.network)})
        return self.place.key(self.argument, made, simulator=READER)

    def measured(self, kept: Rows, advance: Advance) -> Rows:
        advance(f"{self.argument} {self.place.dtype}", 0)
        return Rows(rows=(self.key | _misread(self),))


def of_family(argument: str, how: Measuring) -> list[ReaderSearch]:
    """In all places; InputError where it cannot be run in one of them."""
    from weightproof.numeric.decoding.networks import EncoderDecoderTransformer

    found = [ReaderSearch(argument, at_most(place, FARTHEST)) for place in places(how)]
    for each in found:
        place = each.place
        EncoderDecoderTransformer(each.simulation.network, ("a", "b"), place.dtype, place.device, place.attention)
    return found


def of_machine(argument: str, machine: TuringMachine, how: Measuring) -> list[TapeSearch]:
    """By every simulator, in all places; InputError where one cannot be run."""
    from weightproof.numeric.simulation.search import simulator

    wanted = [(name, at_most(place, LONGEST_WORD)) for name in SIMULATORS for place in places(how)]
    for _, place in wanted:
        simulator(network_of(machine), None, place.dtype, place.device, place.attention)
    return [TapeSearch(argument, machine, name, place) for name, place in wanted]


def at_most(place: Place, longest: int) -> Place:
    """The same, no farther."""
    return replace(place, max_length=min(place.max_length, longest))


def _misread(family: ReaderSearch) -> Row:
    """Lengths are symbols of words."""
    from weightproof.constructions.languages.notation import compact
    from weightproof.numeric.rounding.formats import FORMATS
    from weightproof.numeric.rounding.model import is_modelled
    from weightproof.numeric.simulation.reading import certified, first_misread

    simulation, place = family.simulation, family.place
    found, reached = first_misread(simulation, place.dtype, place.device, place.attention, place.max_length)
    return {
        "parameters": {},
        "rule": "reads its input",
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


def _departs(search: TapeSearch) -> Row:
    """Certified for any order of summation.

    exact_for_ever: of the recurrent network, cells of half tapes with which no rounding occurs in any number of steps;
    a certified length beyond it is about the first max_steps steps of the machine.
    """
    from weightproof.constructions.languages.notation import compact
    from weightproof.numeric.rounding.formats import FORMATS
    from weightproof.numeric.rounding.model import is_modelled
    from weightproof.numeric.simulation.exactness import longest_exact
    from weightproof.numeric.simulation.search import MOST_STEPS, certified, rounding, simulator
    from weightproof.numeric.simulation.search import search as departure

    network, family, place = search.network, SIMULATORS[search.simulator], search.place
    simulation = simulation_of(family, network.rnn) if family else None
    run = simulator(network, simulation, place.dtype, place.device, place.attention)
    found = departure(network, run, place.max_length)
    exact = None if family else longest_exact(network, FORMATS[place.dtype], place.max_length)
    covered = is_modelled(place.device, place.attention)
    safe = certified(network, simulation, place.dtype, place.max_length) if covered else None
    row: Row = {
        "parameters": {},
        "rule": RULE,
        "certified_safe_length": safe if exact is None or safe is None else max(exact, safe),
        "exact_for_ever": exact,
        "first_failing_length": None,
        "least": found.least,
        "witness": None,
        "mechanism": None,
        "bits_a_cell": log2(2 * len(search.machine.symbols)),
        "searched": "exhaustive" if found.searched_to == found.looked_to else "sampled",
        "searched_to": found.searched_to,
        "looked_to": found.looked_to,
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
