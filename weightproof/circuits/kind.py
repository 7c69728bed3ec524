"""Circuits as every command takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from weightproof.circuits import listing
from weightproof.circuits.listing import REGULAR
from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import CIRCUITS, claims_of_circuits
from weightproof.constructions.meaning.inputs import InputError
from weightproof.kinds import Options

if TYPE_CHECKING:
    from weightproof.document.blocks import Block
    from weightproof.measurable import Measurable
    from weightproof.reports.proving import Simulated
    from weightproof.terminal.page import Page, Table

HEADING = "circuits"
TABLES = "rows of a table and values of gates are compared, in arithmetic of s bits, and no solver is asked"


def names() -> tuple[str, ...]:
    return (*CIRCUITS, *SHIPPED)


def families() -> tuple[str, ...]:
    return tuple(CIRCUITS)


def knows(argument: str) -> bool:
    return argument in CIRCUITS or argument.startswith(REGULAR) or find_circuit(argument) is not None


def listed() -> list[dict[str, Any]]:
    return listing.rows()


def overview() -> Table:
    return listing.overview()


def show(argument: str, given: Mapping[str, str], as_json: bool) -> None:
    from weightproof.circuits import showing
    from weightproof.terminal.page import open_page
    from weightproof.terminal.streams import emit

    if as_json:
        emit(showing.payload(argument, given))
    else:
        showing.draw(open_page(), argument, given)


def run(argument: str, word: str, given: Mapping[str, str], options: Options) -> bool:
    from weightproof.circuits import running
    from weightproof.circuits.given import member
    from weightproof.terminal.page import open_page
    from weightproof.terminal.streams import emit

    if options.dtypes or options.device or options.attention:
        raise InputError(f"{argument} computes in numbers of s bits: leave out --dtype, --device and --attention")
    found = running.ran(member(argument, given, word), options.max_steps)
    if options.as_json:
        emit(running.payload(found))
    else:
        running.report(open_page(), found, options.steps, options.with_trace)
    return found.agrees


def theorems(argument: str) -> Simulated:
    from weightproof.constructions.circuits.regular import automaton_of
    from weightproof.proofs.circuits.prove import (
        of_automaton,
        of_circuit,
        of_family,
        prove_automaton,
        prove_circuit,
        prove_circuit_family,
    )
    from weightproof.reports.proving import Simulated

    if argument in CIRCUITS:
        return Simulated(argument, len(of_family(argument)), partial(prove_circuit_family, argument), TABLES)
    if argument.startswith(REGULAR):
        regular = automaton_of(argument.removeprefix(REGULAR))
        stated = of_automaton(argument, regular)
        return Simulated(argument, len(stated), partial(prove_automaton, argument, regular), TABLES)
    circuit = find_circuit(argument)
    assert circuit is not None
    return Simulated(argument, len(of_circuit(circuit)), partial(prove_circuit, circuit), TABLES)


def printed(argument: str) -> tuple[str, ...]:
    """Print speaks of the decoder that runs every circuit."""
    return tuple(name for name in CIRCUITS if claims_of_circuits(name) is not None)


def _refuse_regular(argument: str) -> None:
    if argument.startswith(REGULAR):
        raise InputError(
            f"{argument} has a circuit for each length; derive {next(iter(CIRCUITS))}, which runs all of them"
        )


def section(argument: str) -> tuple[tuple[Block, ...], bool]:
    from weightproof.circuits import deriving

    _refuse_regular(argument)
    return deriving.section(argument)


def report(page: Page, argument: str, with_steps: bool) -> None:
    from weightproof.circuits import deriving

    _refuse_regular(argument)
    deriving.report(page, argument, with_steps)


def payload(argument: str) -> dict[str, Any]:
    from weightproof.circuits import deriving

    _refuse_regular(argument)
    return deriving.payload(argument)


def measure(
    argument: str, dtypes: Sequence[str], devices: Sequence[str], attentions: Sequence[str], longest: int
) -> list[Measurable]:
    raise InputError(
        f"{argument} computes in numbers of s bits, not in a dtype; 'weightproof show {next(iter(CIRCUITS))}' says in "
        "which formats it is right"
    )
