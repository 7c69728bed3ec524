"""What `derive` writes that is no construction: Turing machines and families of simulators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from weightproof.constructions.library import AS_PRINTED, FAMILIES
from weightproof.constructions.machines.files import find_machine
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.document.blocks import Block
from weightproof.kinds import kind_of, kinds
from weightproof.machines import deriving, machine_deriving
from weightproof.terminal.page import Page


@dataclass(frozen=True)
class Derivable:
    """A machine, a recurrent network or a family, as the user named it, and what it is called; what is told of it, and
    in a section whether all verdicts are the expected ones."""

    argument: str
    name: str
    payload: Callable[[], dict[str, Any]]
    section: Callable[[], tuple[tuple[Block, ...], bool]]
    report: Callable[[Page, bool], None]


def derivable(given: str | Path | object) -> Derivable | None:
    """A machine or a recurrent network, or what a name or a path names, if it names one of them; InputError for a
    malformed machine."""
    match given:
        case TuringMachine():
            return _of_machine(given.name, given)
        case RNN():
            return Derivable(
                given.name,
                given.name,
                partial(deriving.payload_of_network, given),
                partial(deriving.section_of_network, given),
                lambda page, with_steps: deriving.report_of_network(page, given, with_steps),
            )
        case str() | Path():
            return _named(str(given))
    return None


def _named(argument: str) -> Derivable | None:
    if argument in FAMILIES | AS_PRINTED:
        return Derivable(
            argument,
            argument,
            partial(deriving.payload, argument),
            partial(deriving.section, argument),
            lambda page, with_steps: deriving.report(page, argument, with_steps),
        )
    if (kind := kind_of(argument)) is not None:
        return Derivable(
            argument,
            argument,
            partial(kind.payload, argument),
            partial(kind.section, argument),
            lambda page, with_steps: kind.report(page, argument, with_steps),
        )
    machine = find_machine(argument)
    return None if machine is None else _of_machine(argument, machine)


def _of_machine(argument: str, machine: TuringMachine) -> Derivable:
    return Derivable(
        argument,
        machine.name,
        partial(machine_deriving.payload, argument, machine),
        partial(machine_deriving.section, machine),
        lambda page, with_steps: machine_deriving.report(page, machine, with_steps),
    )


def everything() -> Iterator[str]:
    """The families. A machine or a circuit is one example of what is proved of all of them, and takes pages: it is
    written where it is named."""
    yield from (*FAMILIES, *AS_PRINTED)
    for kind in kinds():
        yield from kind.families()
