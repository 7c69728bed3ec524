"""Where rounding breaks the networks that run Turing machines, row by row: a machine, a simulator, a dtype."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import log2
from typing import Any

from weightproof.constructions.library import network_of, simulation_of
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.machines.running import SIMULATORS
from weightproof.measurable import Measurable, fails_at
from weightproof.terminal.page import Cell, Page, Table

Row = dict[str, Any]
RULE = "runs the machine"
LONGEST = 30
"""Symbols of the longest words that are run, unless fewer are asked for."""
KEY = ("construction", "sha256", "simulator", "dtype", "device", "attention", "max_length")


@dataclass(frozen=True)
class Subject:
    """One search: which machine, as it was named, run by what, and how."""

    argument: str
    machine: TuringMachine
    simulator: str
    dtype: str
    device: str
    attention: str
    longest: int

    @property
    def network(self) -> MachineNetwork:
        return network_of(self.machine)

    @property
    def key(self) -> Row:
        table = {state: dict(row) for state, row in self.machine.table.items()}
        weights = plain(self.network.rnn) | {"name": ""}
        values = (
            self.argument,
            fingerprint({"table": plain(table), "network": weights}),
            self.simulator,
            self.dtype,
            self.device,
            self.attention,
            self.longest,
        )
        return dict(zip(KEY, values, strict=True))


FARTHEST = 600
"""Symbols of the longest words on which a family is run, unless fewer are asked for."""


@dataclass(frozen=True)
class Family:
    """One search: which family of transformers, in what; on a recurrent network that holds the token it has read."""

    argument: str
    dtype: str
    device: str
    attention: str
    longest: int

    simulator = "of a reader"
    """Of the recurrent network that holds what it reads."""

    @property
    def simulation(self) -> Simulation:
        from weightproof.numeric.machines.reading import reader

        return simulation_of(self.argument, reader())

    @property
    def key(self) -> Row:
        weights = fingerprint({"network": plain(self.simulation.network)})
        values = (self.argument, weights, self.simulator, self.dtype, self.device, self.attention, self.longest)
        return dict(zip(KEY, values, strict=True))


def families(
    names: Sequence[str], dtypes: Sequence[str], devices: Sequence[str], attentions: Sequence[str], max_length: int
) -> list[Family]:
    """All combinations; InputError where one cannot be run."""
    from weightproof.numeric.decoding.encoder_decoder import EncoderDecoderTransformer

    if max_length < 1:
        raise InputError(f"--max-length {max_length} leaves no word to run: give 1 or more")
    found = [
        Family(name, dtype, device, attention, min(max_length, FARTHEST))
        for name, device, attention, dtype in product(names, devices, attentions, dict.fromkeys(dtypes))
    ]
    for each in found:
        EncoderDecoderTransformer(each.simulation.network, ("a", "b"), each.dtype, each.device, each.attention)
    return found


def misread(family: Family) -> Row:
    """The row of a family; lengths are symbols of words."""
    from weightproof.constructions.languages.notation import compact
    from weightproof.numeric.machines.every_word import certified
    from weightproof.numeric.machines.reading import first_misread
    from weightproof.numeric.rounding.formats import FORMATS
    from weightproof.numeric.rounding.model import is_modelled

    place = family.dtype, family.device, family.attention, family.longest
    found, reached = first_misread(family.simulation, *place)
    return family.key | {
        "parameters": {},
        "rule": "reads its input",
        "certified_safe_length": certified(family.simulation, FORMATS[family.dtype], family.longest)
        if is_modelled(family.device, family.attention)
        else None,
        "exact_for_ever": None,
        "first_failing_length": None if found is None else len(found.word),
        "least": False,
        "witness": found
        and {
            "word": compact(found.word),
            "step": found.step,
            "unit": family.simulation.rnn.units[0],
            "computed": str(found.computed),
            "wanted": found.wanted,
        },
        "mechanism": found and f"after step {found.step} it holds {found.computed:.6g} of a and not {found.wanted:.6g}",
        "searched": "sampled",
        "searched_to": 0,
        "looked_to": reached,
    }


def subjects(
    machines: Sequence[tuple[str, TuringMachine]],
    dtypes: Sequence[str],
    devices: Sequence[str],
    attentions: Sequence[str],
    max_length: int,
) -> list[Subject]:
    """All combinations with all simulators, the lowest precision of each first; InputError where one cannot be run."""
    from weightproof.numeric.machines.search import simulator
    from weightproof.numeric.rounding.formats import FORMATS

    if max_length < 1:
        raise InputError(f"--max-length {max_length} leaves no word to run: give 1 or more")
    result = []
    for (argument, machine), device, attention, name in product(machines, devices, attentions, SIMULATORS):
        for dtype in dict.fromkeys(dtypes):
            simulator(network_of(machine), None, dtype, device, attention)
        for dtype in sorted(dict.fromkeys(dtypes), key=lambda dtype: FORMATS[dtype].precision):
            result.append(Subject(argument, machine, name, dtype, device, attention, min(max_length, LONGEST)))
    return result


def measured(subject: Subject) -> Row:
    """The row of a subject, certified for any order of summation.

    exact_for_ever: of the recurrent network, cells of half tapes with which no rounding occurs in any number of steps;
    a certified length beyond it is about the first max_steps steps of the machine.
    """
    from weightproof.constructions.languages.notation import compact
    from weightproof.numeric.machines.exactness import longest_exact
    from weightproof.numeric.machines.search import MOST_STEPS, certified, rounding, search, simulator
    from weightproof.numeric.rounding.formats import FORMATS
    from weightproof.numeric.rounding.model import is_modelled

    network, family = subject.network, SIMULATORS[subject.simulator]
    simulation = simulation_of(family, network.rnn) if family else None
    run = simulator(network, simulation, subject.dtype, subject.device, subject.attention)
    found = search(network, run, subject.longest)
    exact = None if family else longest_exact(network, FORMATS[subject.dtype], subject.longest)
    covered = is_modelled(subject.device, subject.attention)
    safe = certified(network, simulation, subject.dtype, subject.longest) if covered else None
    row = subject.key | {
        "parameters": {},
        "rule": RULE,
        "certified_safe_length": safe if exact is None or safe is None else max(exact, safe),
        "exact_for_ever": exact,
        "first_failing_length": None,
        "least": found.least,
        "witness": None,
        "mechanism": None,
        "bits_a_cell": log2(2 * len(subject.machine.symbols)),
        "searched": "exhaustive" if found.searched_to == found.looked_to else "sampled",
        "searched_to": found.searched_to,
        "looked_to": found.looked_to,
        "max_steps": MOST_STEPS,
        "unfinished": found.unfinished,
    }
    if (at := found.departure) is None:
        return row
    begun = rounding(network, run, at, subject.dtype)
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


def measurable(subject: Subject | Family) -> Measurable:
    """As it is measured, or taken from a file of results."""
    found = misread if isinstance(subject, Family) else measured
    label = f"{subject.argument} {subject.simulator} {subject.dtype}"
    return Measurable(label, subject.key, partial(found, subject))  # type: ignore[arg-type]


def report(page: Page, rows: Sequence[Row]) -> None:
    """The rows as a table, and how each witness is lost."""
    header = ("machine", "simulator", "dtype", "attention", "certified", "fails at", "word", "step", "all words to")
    cells = [_cells(row) for row in rows]
    page.table(Table(header, cells, right=frozenset({"certified", "fails at", "step", "all words to"})))
    if any(row["rule"] == RULE for row in rows):
        page.line(
            "Lengths are cells of tape: those of the word and those that the head has visited. A step is one of the"
        )
        page.line("network, which is off there by half of what lies between two symbols under the head, or more.")
    if any(row["rule"] != RULE for row in rows):
        page.line(
            "Lengths of families are symbols of words, on which a recurrent network is run that holds what it reads."
        )
    for row in rows:
        if row["mechanism"] is not None:
            page.heading(f"{row['construction']}, {row['simulator']}, {row['dtype']}, {row['attention']}")
            page.line(row["mechanism"], indent=1)


def _cells(row: Row) -> list[str | Cell]:
    witness, certified = row["witness"], row["certified_safe_length"]
    return [
        Cell(row["construction"], "bold"),
        row["simulator"],
        row["dtype"],
        row["attention"],
        "-" if certified is None else str(certified),
        Cell(fails_at(row), "green" if witness is None else "red"),
        "" if witness is None else witness["word"] or "(empty)",
        "" if witness is None else str(witness["step"]),
        str(row["searched_to"]),
    ]
