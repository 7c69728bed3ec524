"""What a command line can name beside constructions and Turing machines: families of networks, kind by kind."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from weightproof.constructions.meaning.inputs import InputError

if TYPE_CHECKING:
    from weightproof.document.blocks import Block
    from weightproof.measurable import Measurable
    from weightproof.reports.proving import Simulated
    from weightproof.terminal.page import Page, Table

MODULES = ("weightproof.circuits.kind", "weightproof.sums.kind")
"""Each a `Kind`, imported where it is asked."""


@dataclass(frozen=True)
class Options:
    """How a member of a family is run; one that does not apply is refused where it is given."""

    dtypes: tuple[str, ...] = ()
    device: tuple[str, ...] = ()
    attention: tuple[str, ...] = ()
    with_trace: bool = False
    steps: bool = False
    max_steps: int | None = None
    as_json: bool = False


class Kind(Protocol):
    """A module with these functions. given: the values of --param, which say which member of a family is meant."""

    HEADING: str

    def names(self) -> tuple[str, ...]:
        """The built-in ones."""
        ...

    def families(self) -> tuple[str, ...]:
        """Those of the built-in ones that speak of every member."""
        ...

    def knows(self, argument: str) -> bool:
        """Whether an argument names one, by its name or by its file."""
        ...

    def listed(self) -> list[dict[str, Any]]: ...

    def overview(self) -> Table: ...

    def show(self, argument: str, given: Mapping[str, str], as_json: bool) -> None: ...

    def run(self, argument: str, word: str, given: Mapping[str, str], options: Options) -> bool:
        """Whether it agrees with what it is to compute."""
        ...

    def theorems(self, argument: str) -> Simulated: ...

    def printed(self, argument: str) -> tuple[str, ...]:
        """Under which names `claims` judges what is printed about it, or about the family that it belongs to."""
        ...

    def section(self, argument: str) -> tuple[tuple[Block, ...], bool]:
        """Of a document, and whether all verdicts in it are the expected ones."""
        ...

    def report(self, page: Page, argument: str, with_steps: bool) -> None: ...

    def payload(self, argument: str) -> dict[str, Any]: ...

    def measure(
        self, argument: str, dtypes: Sequence[str], devices: Sequence[str], attentions: Sequence[str], longest: int
    ) -> list[Measurable]:
        """The searches of `precision`; InputError where there are none."""
        ...


def kinds() -> tuple[Kind, ...]:
    return tuple(cast(Kind, importlib.import_module(module)) for module in MODULES)


def kind_of(argument: str) -> Kind | None:
    """That of what an argument names; None where it names none of them. InputError for a malformed file."""
    return next((kind for kind in kinds() if kind.knows(argument)), None)


def require_claims(argument: str) -> None:
    """InputError, with what to ask for instead, for a member of a family, or a family, of which print does not speak
    under its own name."""
    if (kind := kind_of(argument)) is not None and argument not in kind.printed(argument):
        known = " or ".join(kind.printed(argument))
        raise InputError(f"{argument}: no claims are known about it; ask for {known}")
