"""What `derive` makes of several, by all cores or by a cluster: what was reached, and how the command ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from weightproof.appendix.appendix import Written, file_name, letter, written_alone
from weightproof.constructions.meaning.inputs import InputError
from weightproof.parallel.pieces import Gone, Workers
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.deadline import TimeUp
from weightproof.proofs.theorem import Appends, ClosedForm
from weightproof.proofs.verdict import Result, Unknown
from weightproof.reported import Ending
from weightproof.reports.explanation import Derivable
from weightproof.reports.kept import Asked, InFile, Keeping, Shelf
from weightproof.stating import theorems_about
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED, progress

T = TypeVar("T")
Wanted = Callable[[], Sequence[Derivable]]


@dataclass(frozen=True)
class Form(Generic[T]):
    """What is made of each: made: of something that was named, and its number, from 0; beside: what decides that beside
    its content, of that number; shelf: how a file keeps it."""

    made: Callable[[Derivable, int], T]
    beside: Callable[[int], Mapping[str, Any]]
    shelf: Shelf[T]


@dataclass(frozen=True)
class Made(Generic[T]):
    """In the order in which they were asked for. interrupted: those that were reached before; gone: so were those who
    made them; kept: the file that they are in, if they were to be in one."""

    found: tuple[T, ...]
    interrupted: bool = False
    gone: Gone | None = None
    kept: InFile | None = None

    @property
    def ending(self) -> Ending:
        """Status 0 only if every verdict is the expected one; the line says which are not, and what rests on a file."""
        reached = f"{len(self.found)} derivation{'s' * (len(self.found) != 1)}"
        there = "" if self.kept is None else f"; {self.kept}"
        if self.interrupted:
            return Ending(INTERRUPTED, f"interrupted after {reached}{there}")
        if self.gone is not None:
            return Ending(BAD_INPUT, f"{self.gone} after {reached}; begin once more for the others{there}")
        results = [result for each in self.found if isinstance(each, Written) for result in each.results]
        others = [_told(result) for result in results if not result.as_expected]
        told = [] if self.kept is None else [self.kept.told(len(self.found))]
        if others:
            told.insert(0, f"not as expected, {len(others)} of {len(results)} theorems: {'; '.join(others)}")
        return Ending(int(bool(others)), "; ".join(told) or None)


def _told(result: Result) -> str:
    return f"{result.construction}, {result.theorem}: {result.verdict.name}, expected {result.expected}"


def made(wanted: Wanted, form: Form[T], workers: Workers | None = None, file: Path | None = None) -> Made[T]:
    """What is made of all; what has no derivation says why. Ctrl-C ends it early and keeps what is there.

    wanted: is asked for what was named here, and once more in each process. workers: who makes them; all cores of this
    computer, if none are given. file: from which they are taken, and in which they are kept.
    """
    found: dict[int, T] = {}
    interrupted, gone, taken, kept = False, None, 0, 0
    try:
        asked = wanted()
        for each in asked:
            if each.source is not None:
                theorems_about(each.source)  # what is malformed is found out now, not after minutes of proofs
        keeping = Keeping.begun(form.shelf, file, [_asked(each, form.beside(n)) for n, each in enumerate(asked)])
        found |= keeping.taken
        taken, missing = len(found), keeping.missing
        if workers is None and min(processors(), len(missing)) > 1:
            workers = Processes(min(processors(), len(missing)))
        with progress(len(asked)) as advance:
            advance("the document", len(found))
            for number, result in _made(asked, missing, form, wanted, workers):
                found[number] = result
                kept += keeping.added(number, result)
                advance(asked[number].name, len(found))
    except KeyboardInterrupt:
        interrupted = True
    except Gone as error:
        gone = error
    there = None if file is None else InFile(file, form.shelf.listed, taken, taken + kept)
    return Made(tuple(found[number] for number in sorted(found)), interrupted, gone, there)


def _asked(each: Derivable, beside: Mapping[str, Any]) -> Asked:
    return Asked(each.argument, lambda: {**each.content(), **beside})


def _made(
    asked: Sequence[Derivable], missing: Sequence[int], form: Form[T], wanted: Wanted, workers: Workers | None
) -> Iterator[tuple[int, T]]:
    if workers is None or not missing:
        return ((number, form.made(asked[number], number)) for number in missing)
    order = [number for number in _longest_first(asked) if number in missing]
    return ((number, result) for number, _, result in workers.spread(partial(_pieces, wanted, form), order))


def _pieces(wanted: Wanted, form: Form[T]) -> list[Callable[[], Iterable[T]]]:
    return [partial(_piece, form, each, number) for number, each in enumerate(wanted())]


def _piece(form: Form[T], each: Derivable, number: int) -> Iterator[T]:
    yield form.made(each, number)


def _longest_first(asked: Sequence[Derivable]) -> list[int]:
    """The numbers of those first of which most is to be proved: no process waits long at the end."""

    def work(number: int) -> int:
        source = asked[number].source
        if source is None:
            return 0
        of_words = [theorem for theorem in theorems_about(source) if not isinstance(theorem, ClosedForm | Appends)]
        proofs = sum(4 if getattr(theorem, "invariant", None) is not None else 1 for theorem in of_words)
        return proofs * (1 + len(source.transforms))

    return sorted(range(len(asked)), key=work, reverse=True)


def section_of(each: Derivable, number: int) -> Written:
    """The section of that number, from 0; InputError where it takes too long."""
    if each.source is not None:
        return written_alone(each.source, number)
    try:
        blocks, results = each.section(letter(number))
    except TimeUp as late:
        raise InputError(f"{each.name}: {late}") from late
    return Written((file_name(each.name), blocks), results)


def _is_settled(section: Written) -> bool:
    return section.is_judged and not any(isinstance(result.verdict, Unknown) for result in section.results)


SECTIONS = Form[Written](
    lambda each, number: section_of(each, number),
    lambda number: {"section": letter(number)},
    Shelf("derive", "derivations", "made", Written, _is_settled),
)
"""Derivations, proofs and judged claims, as sections of a document."""
DATA = Form[dict[str, Any]](
    lambda each, number: each.data(),
    lambda number: {"section": None},
    Shelf("derive", "derivations", "made", dict[str, Any], lambda data: True),
)
"""The JSON; InputError where there is no derivation."""
DATA_OR_REASON = replace(
    DATA,
    made=lambda each, number: _or_reason(each),
    shelf=replace(DATA.shelf, is_settled=lambda data: REASON not in data),
)
"""The same, and in the place of what has no derivation the reason why."""
REASON = "reason"


def _or_reason(each: Derivable) -> dict[str, Any]:
    try:
        return each.data()
    except InputError as error:
        return {"construction": each.argument, "closed_form": None, REASON: str(error)}
