"""Families that add, as every command takes them: what they are called, and what each command does with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from weightproof.constructions.library import ADDERS, COUNTERS, FORMULAS
from weightproof.constructions.meaning.inputs import InputError
from weightproof.kinds import Options
from weightproof.sums import showing
from weightproof.sums.given import FAMILIES
from weightproof.terminal.page import open_page
from weightproof.terminal.streams import emit

if TYPE_CHECKING:
    from weightproof.document.blocks import Block
    from weightproof.measurable import Measurable
    from weightproof.reports.proving import Simulated
    from weightproof.terminal.page import Page, Table

HEADING = "sums"
WAVES = "sums of waves and rational numbers are compared, by exact arithmetic, and no solver is asked"


def names() -> tuple[str, ...]:
    return FAMILIES


def families() -> tuple[str, ...]:
    return FAMILIES


def knows(argument: str) -> bool:
    return argument in FAMILIES


def listed() -> list[dict[str, Any]]:
    """The JSON of `list`."""
    return showing.listed()


def overview() -> Table:
    return showing.overview()


def show(argument: str, given: Mapping[str, str], as_json: bool) -> None:
    """The family with names, or one member where parameters are given."""
    if as_json:
        emit(showing.payload(argument, given))
    else:
        showing.draw(open_page(), argument, given)


def run(argument: str, word: str, given: Mapping[str, str], options: Options) -> bool:
    """One member on a word; whether it agrees with what it is to compute, exactly."""
    from weightproof.sums import running

    if options.steps or options.max_steps is not None:
        raise InputError(f"{argument}: --steps and --max-steps are for what runs step by step; leave them out")
    payload, made = running.ran(argument, word, given, options)
    if options.as_json:
        emit(payload)
    elif argument in ADDERS:
        running.report_adder(open_page(), made[0], made[1], options.with_trace)
    else:
        running.report_counter(open_page(), *made)
    return bool(payload["agrees"])


def theorems(argument: str) -> Simulated:
    from weightproof.proofs.sums.prove import number_of_theorems, prove_family
    from weightproof.reports.proving import Simulated

    return Simulated(argument, number_of_theorems(argument), partial(prove_family, argument), WAVES)


def printed(argument: str) -> tuple[str, ...]:
    """The formulas of the paper that it is from."""
    paper = (ADDERS | COUNTERS)[argument][0].split(".")[0]
    return tuple(name for name, (module, _) in FORMULAS.items() if module.split(".")[0] == paper)


def section(argument: str) -> tuple[tuple[Block, ...], bool]:
    """Of a document, and whether all verdicts in it are the expected ones."""
    from weightproof.sums import deriving

    return deriving.section(argument)


def report(page: Page, argument: str, with_steps: bool) -> None:
    """The derivation as text."""
    from weightproof.sums import deriving

    deriving.report(page, argument, with_steps)


def payload(argument: str) -> dict[str, Any]:
    """The derivation as JSON."""
    from weightproof.sums import deriving

    return deriving.payload(argument)


def measure(
    argument: str, dtypes: Sequence[str], devices: Sequence[str], attentions: Sequence[str], longest: int
) -> list[Measurable]:
    """The searches of `precision`, one a dtype, device and attention, and of addition one more with all frequencies."""
    from weightproof.measurable import Measurable
    from weightproof.sums import precision

    return [
        Measurable(f"{argument} {each.dtype}", each.key, partial(precision.measured, each))
        for each in precision.subjects(argument, dtypes, devices, attentions, longest)
    ]
