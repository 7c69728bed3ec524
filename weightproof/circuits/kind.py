"""Circuits as every command takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from weightproof.circuits import deriving, running, showing
from weightproof.circuits.given import member
from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import CIRCUITS
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Block
from weightproof.kinds import Options
from weightproof.measurable import Measurable
from weightproof.proofs.circuits.prove import of_circuit, of_family, prove_circuit, prove_circuit_family
from weightproof.reports.proving import Simulated
from weightproof.terminal.page import Page, Table, open_page
from weightproof.terminal.streams import emit

HEADING = "circuits"


def names() -> tuple[str, ...]:
    return (*CIRCUITS, *SHIPPED)


def families() -> tuple[str, ...]:
    return tuple(CIRCUITS)


def knows(argument: str) -> bool:
    return argument in CIRCUITS or find_circuit(argument) is not None


def listed() -> list[dict[str, Any]]:
    return showing.rows()


def overview() -> Table:
    return showing.overview()


def show(argument: str, given: Mapping[str, str], as_json: bool) -> None:
    if as_json:
        emit(showing.payload(argument, given))
    else:
        showing.draw(open_page(), argument, given)


def run(argument: str, word: str, given: Mapping[str, str], options: Options) -> bool:
    if options.dtypes or options.device or options.attention:
        raise InputError(f"{argument} computes in numbers of s bits: leave out --dtype, --device and --attention")
    found = running.ran(member(argument, given, len(word)), word, options.max_steps)
    if options.as_json:
        emit(running.payload(found))
    else:
        running.report(open_page(), found, options.steps, options.with_trace)
    return found.agrees


def theorems(argument: str) -> Simulated:
    if argument in CIRCUITS:
        return Simulated(argument, len(of_family(argument)), partial(prove_circuit_family, argument))
    circuit = find_circuit(argument)
    assert circuit is not None
    return Simulated(argument, len(of_circuit(circuit)), partial(prove_circuit, circuit))


def section(argument: str) -> tuple[tuple[Block, ...], bool]:
    return deriving.section(argument)


def report(page: Page, argument: str, with_steps: bool) -> None:
    deriving.report(page, argument, with_steps)


def payload(argument: str) -> dict[str, Any]:
    return deriving.payload(argument)


def measure(
    argument: str, dtypes: Sequence[str], devices: Sequence[str], attentions: Sequence[str], longest: int
) -> list[Measurable]:
    raise InputError(
        f"{argument} computes in numbers of s bits, not in a dtype; 'weightproof show {next(iter(CIRCUITS))}' says in "
        "which formats it is right"
    )
