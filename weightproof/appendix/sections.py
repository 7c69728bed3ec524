"""The sections of a document, made by all cores or by a cluster: what was reached, and how the command ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from weightproof.appendix.appendix import Written, file_name, letter, written_alone
from weightproof.constructions.meaning.inputs import InputError
from weightproof.parallel.pieces import Gone, Workers
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.deadline import TimeUp
from weightproof.proofs.theorem import Appends, ClosedForm
from weightproof.proofs.verdict import Result
from weightproof.reported import Ending
from weightproof.reports.explanation import Derivable
from weightproof.stating import theorems_about
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED, progress

Wanted = Callable[[], Sequence[Derivable]]


@dataclass(frozen=True)
class Sections:
    """In the order in which they were asked for. interrupted: those that were reached before; gone: so were those who
    made them."""

    found: tuple[Written, ...]
    interrupted: bool = False
    gone: Gone | None = None

    @property
    def ending(self) -> Ending:
        """Status 0 only if every verdict is the expected one; the line says which are not."""
        reached = f"{len(self.found)} section{'s' * (len(self.found) != 1)}"
        if self.interrupted:
            return Ending(INTERRUPTED, f"interrupted after {reached}{', which are written' if self.found else ''}")
        if self.gone is not None:
            return Ending(BAD_INPUT, f"{self.gone} after {reached}; begin once more for the others")
        results = [result for each in self.found for result in each.results]
        others = [_told(result) for result in results if not result.as_expected]
        if others:
            return Ending(1, f"not as expected, {len(others)} of {len(results)} theorems: {'; '.join(others)}")
        return Ending()


def _told(result: Result) -> str:
    return f"{result.construction}, {result.theorem}: {result.verdict.name}, expected {result.expected}"


def sections(wanted: Wanted, workers: Workers | None = None) -> Sections:
    """Derivations, proofs and judged claims; what has no derivation says why. Ctrl-C ends it early and keeps what is
    there.

    wanted: is asked for what was named here, and once more in each process. workers: who makes them; all cores of this
    computer, if none are given.
    """
    found: dict[int, Written] = {}
    interrupted, gone = False, None
    try:
        asked = wanted()
        for each in asked:
            if each.source is not None:
                theorems_about(each.source)  # what is malformed is found out now, not after minutes of proofs
        if workers is None and min(processors(), len(asked)) > 1:
            workers = Processes(min(processors(), len(asked)))
        with progress(len(asked)) as advance:
            advance("the document", 0)
            for number, result in _each(asked) if workers is None else _shared_out(wanted, asked, workers):
                found[number] = result
                advance(asked[number].name, len(found))
    except KeyboardInterrupt:
        interrupted = True
    except Gone as error:
        gone = error
    return Sections(tuple(found[number] for number in sorted(found)), interrupted, gone)


def _each(asked: Sequence[Derivable]) -> Iterator[tuple[int, Written]]:
    return ((number, section_of(each, number)) for number, each in enumerate(asked))


def _shared_out(wanted: Wanted, asked: Sequence[Derivable], workers: Workers) -> Iterator[tuple[int, Written]]:
    return ((number, result) for number, _, result in workers.spread(partial(_pieces, wanted), _longest_first(asked)))


def _pieces(wanted: Wanted) -> list[Callable[[], Iterable[Written]]]:
    return [partial(_piece, each, number) for number, each in enumerate(wanted())]


def _piece(each: Derivable, number: int) -> Iterator[Written]:
    yield section_of(each, number)


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
