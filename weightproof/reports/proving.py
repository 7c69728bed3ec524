"""`prove`: runs theorems, many of them on all cores, and reports what was reached, also when it is interrupted."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from weightproof.constructions.languages.notation import quoted
from weightproof.document.blocks import Code, Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.parallel.pieces import Gone, Workers
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.deadline import TIMEOUT, TimeUp, clock
from weightproof.proofs.theorem import EVERYTHING
from weightproof.proofs.verdict import (
    NOWHERE,
    Certified,
    Checked,
    Counterexample,
    Folders,
    Proved,
    Refuted,
    Result,
    Unchecked,
    Unknown,
    Written,
)
from weightproof.reported import Ending, Reported
from weightproof.reports.kept import Asked, InFile, Keeping, Shelf
from weightproof.reports.verdicts import in_sets
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED, progress


@dataclass(frozen=True)
class Outcome:
    """A verdict, with the construction as the user named it, so that a counterexample can be replayed from it.

    is_named: a command line can name it.
    """

    argument: str
    is_named: bool
    result: Result

    @property
    def counterexample(self) -> Counterexample | None:
        match self.result.verdict:
            case Refuted(counterexample=counterexample):
                return replace(counterexample, construction=self.argument)
        return None

    @property
    def replay(self) -> str | None:
        """How the user runs the counterexample: as a command, or in Python where the construction was made there; None
        where a machine was, and for a word that is too long to be run."""
        found = self.counterexample
        if found is None or self.is_named:
            return None if found is None else found.command()
        if found.step is not None or found.counted:
            return None
        given = "".join(f", {name}={value!r}" for name, value in found.parameters.items())
        return f"weightproof.run(construction, {found.word!r}{given})"

    @property
    def timed_out(self) -> bool:
        verdict = self.result.verdict
        return isinstance(verdict, Unknown) and verdict.timed_out

    @property
    def open(self) -> str:
        """The theorem, with the obligation that stayed open."""
        verdict = self.result.verdict
        obligation = verdict.obligation if isinstance(verdict, Unknown) else None
        place = f"{self.result.construction}, {self.result.theorem}"
        return place if obligation is None else f"{place}, {obligation}"


@dataclass(frozen=True)
class Stated:
    """What was named, as the user named it, with the theorems about it: how many there are, and their results, with so
    many seconds of counted work for each; proofs are written to the folders that are given, or the result says why they
    are not. is_named: as in `Outcome`. content: all that decides the results, beside the program and the seconds, as
    data. transforms: how many transformations made it of what has the
    name, each of which makes it longer to prove."""

    argument: str
    is_named: bool
    number: int
    results: Callable[[float, Folders], Iterator[Result]]
    content: Callable[[], Mapping[str, Any]]
    transforms: int = 0

    def outcome(self, result: Result) -> Outcome:
        return Outcome(self.argument, self.is_named, result)

    def outcomes(self, seconds: float, folders: Folders) -> Iterator[Outcome]:
        """Of its theorems, in their order."""
        return map(self.outcome, self.results(seconds, folders))

    @property
    def asked(self) -> Asked:
        """As the file of verdicts has it: theorems about one thing share its derivation, the work of which counts for
        the first that asks for it; so they are kept together, and taken or proved together, lest a limit of work cuts
        off what it did not before."""
        return Asked(self.argument, self.content, self._wrong)

    def _wrong(self, results: Sequence[Result]) -> str | None:
        return None if len(results) == self.number else f"{len(results)} verdicts, and {self.number} theorems"


@dataclass(frozen=True, repr=False)
class Results(Reported):
    """Theorems with their verdicts, in their order.

    seconds: of counted work, for each theorem; interrupted: what was reached before; late: the time of the call was up;
    gone: so were those who did the work. kept: the file that they are in, if they were to be in one.
    """

    outcomes: tuple[Outcome, ...]
    seconds: float = TIMEOUT
    interrupted: bool = False
    late: TimeUp | None = None
    gone: Gone | None = None
    kept: InFile | None = None

    def __iter__(self) -> Iterator[Result]:
        return (outcome.result for outcome in self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __getitem__(self, theorem: str) -> Result:
        """By the name of the theorem; KeyError if there is none."""
        return {result.theorem: result for result in self}[theorem]

    def __bool__(self) -> NoReturn:
        raise TypeError("results have no truth value; ask whether they are .as_expected, or match on their verdicts")

    @property
    def as_expected(self) -> bool:
        """Whether every verdict is the expected one; unknown never is."""
        return all(result.as_expected for result in self)

    @property
    def ending(self) -> Ending:
        """Status 0 only if every verdict is the expected one. A time-out: the limit that was given is to be mended."""
        there = "" if self.kept is None else f"; {self.kept}"
        if self.interrupted:
            reached = f" after {_plural(len(self), 'theorem')}; what was reached is above" if self.outcomes else ""
            return Ending(INTERRUPTED, f"interrupted{reached}{there}")
        if self.late is not None:
            reached = f", after {_plural(len(self), 'theorem')}" if self.outcomes else ""
            return Ending(BAD_INPUT, f"{self.late}{reached}; give more with --timeout SECONDS")
        if self.gone is not None:
            again = f"{self.gone} after {_plural(len(self), 'theorem')}; begin once more for the others"
            return Ending(BAD_INPUT, f"{again}{there}")
        late = "; ".join(outcome.open for outcome in self.outcomes if outcome.timed_out)
        if late:
            told = f"given up after {self.seconds:g} s, open: {late}; give more with --timeout SECONDS"
            return Ending(BAD_INPUT, told)
        return Ending(int(not self.as_expected))

    @property
    def data(self) -> dict[str, Any]:
        complete = not self.interrupted and self.late is None and self.gone is None
        return as_data(self.outcomes, complete, 0 if self.kept is None else self.kept.taken)

    def report(self) -> Iterator[Plain]:
        yield from report(self.outcomes)
        if self.kept is not None and self.outcomes:
            yield Paragraph(self.kept.told(len(self)))


Wanted = Callable[[], Sequence[Stated]]
VERDICTS = Shelf[tuple[Result, ...]](
    "prove",
    "verdicts",
    "theorems",
    tuple[Result, ...],
    lambda results: not any(isinstance(result.verdict, Unknown) for result in results),
)
MANY = 8
"""So many that it takes longer to prove them than to begin other processes."""


def proved(
    wanted: Wanted,
    timeout: float | None,
    folders: Folders = NOWHERE,
    workers: Workers | None = None,
    file: Path | None = None,
) -> Results:
    """All theorems of all; Ctrl-C ends it early and keeps what is there. Where many are wanted, and no time is set,
    all cores prove: a limit by the wall clock is kept by this process alone.

    wanted: is asked for what was named when the clock runs, as reading files takes its time, and once more in each
    process. timeout: seconds for all of it, which limit the work as well. folders: to which proofs are written.
    workers: who proves, without a timeout; all cores of this computer, if none are given. file: from which verdicts are
    taken, and in which they are kept; without a timeout and folders.
    """
    seconds = TIMEOUT if timeout is None else timeout
    found: dict[tuple[int, int], Outcome] = {}
    interrupted, late, gone = False, None, None
    taken = kept = 0
    try:
        with clock(timeout):
            stated = wanted()
            keeping = Keeping.begun(VERDICTS, file, [each.asked for each in stated])
            for number, results in keeping.taken.items():
                found |= {(number, place): stated[number].outcome(result) for place, result in enumerate(results)}
            taken, missing = len(found), keeping.missing
            if workers is None and timeout is None and len(missing) >= MANY and processors() > 1:
                workers = Processes(min(processors(), len(missing)))
            try:
                with progress(sum(each.number for each in stated)) as advance:
                    advance(stated[0].argument, len(found))
                    for number, place, outcome in _outcomes(stated, missing, wanted, workers, seconds, folders):
                        found[number, place] = outcome
                        advance(stated[number].argument, len(found))
                        of_it = _of(found, number)
                        if len(of_it) == stated[number].number and keeping.added(number, of_it):
                            kept += len(of_it)
            except KeyboardInterrupt:
                interrupted = True
    except TimeUp as error:
        late = error
    except Gone as error:
        gone = error
    return Results(
        tuple(found[key] for key in sorted(found)),
        seconds,
        interrupted,
        late,
        gone,
        None if file is None else InFile(file, "verdicts", taken, taken + kept),
    )


def _of(found: Mapping[tuple[int, int], Outcome], number: int) -> tuple[Result, ...]:
    """What there is about one thing."""
    return tuple(found[key].result for key in sorted(found) if key[0] == number)


def _outcomes(
    stated: Sequence[Stated],
    missing: Sequence[int],
    wanted: Wanted,
    workers: Workers | None,
    seconds: float,
    folders: Folders,
) -> Iterator[tuple[int, int, Outcome]]:
    """Of what is missing, each with the number of what it is about, and its place among the theorems about that."""
    if workers is not None and missing:
        order = sorted(missing, key=lambda number: -stated[number].transforms)  # the longest first
        yield from workers.spread(partial(_pieces, wanted, seconds, folders), order)
    else:
        for number in missing:
            for place, outcome in enumerate(stated[number].outcomes(seconds, folders)):
                yield number, place, outcome


def _pieces(wanted: Wanted, seconds: float, folders: Folders) -> list[Callable[[], Iterator[Outcome]]]:
    return [partial(each.outcomes, seconds, folders) for each in wanted()]


def as_data(outcomes: Sequence[Outcome], complete: bool = True, taken: int = 0) -> dict[str, Any]:
    """The JSON; complete: nothing was interrupted; taken: how many were in a file."""
    return {"theorems": [_theorem(outcome) for outcome in outcomes], "complete": complete, "taken": taken}


def _theorem(outcome: Outcome) -> dict[str, Any]:
    result = outcome.result
    verdict, counterexample = result.verdict, outcome.counterexample
    return {
        "construction": result.construction,
        "theorem": result.theorem,
        "statement": result.statement,
        "given": list(result.hypotheses),
        "accepts": result.accepts,
        "predicts": result.predicts,
        "invariant": result.invariant,
        "verdict": verdict.name,
        "expected": result.expected,
        "as_expected": result.as_expected,
        "scope": verdict.scope if isinstance(verdict, Proved) else None,
        "evidence": None if isinstance(verdict, Unknown) or verdict.evidence is None else verdict.evidence.value,
        "words": verdict.words if isinstance(verdict, Proved) else None,
        "covered": asdict(verdict.covered) if isinstance(verdict, Proved) and verdict.covered is not None else None,
        "right_up_to": verdict.right_up_to if isinstance(verdict, Refuted) else None,
        "solvers": list(result.solvers),
        "obligations": dict(result.obligations),
        "counterexample": None if counterexample is None else _counterexample(counterexample, outcome.replay),
        "reason": verdict.reason if isinstance(verdict, Unknown) else None,
        "open_obligation": verdict.obligation if isinstance(verdict, Unknown) else None,
        "smt": None if result.written is None else _smt(result.written),
        "kernel": None if result.kernel is None else _kernel(result.kernel),
        "certificate": None if result.certified is None else _certified(result.certified),
        "seconds": float(result.seconds),
        "solver_seconds": float(result.solver_seconds),
    }


def _smt(written: Written) -> dict[str, Any]:
    return {"written": written.files, "reason": written.reason or None}


def _certified(certified: Certified) -> dict[str, Any]:
    return {"file": certified.file or None, "size": certified.size, "reason": certified.reason or None}


def _kernel(found: Checked | Unchecked) -> dict[str, Any]:
    if isinstance(found, Unchecked):
        return {
            "written": found.written,
            "checked": False,
            "reason": found.reason,
            "coq": None,
            "files": [],
            "axioms": [],
        }
    return {
        "written": True,
        "checked": True,
        "reason": None,
        "coq": found.coq,
        "files": [{"name": each.name, "lines": each.lines, "seconds": each.seconds} for each in found.files],
        "axioms": list(found.axioms),
    }


def _counterexample(counterexample: Counterexample, replay: str | None) -> dict[str, Any]:
    step = counterexample.step
    if step is not None:
        return {
            "word": counterexample.word,
            "parameters": dict(counterexample.parameters),
            "put_in": dict(step.put_in),
            "at": step.at,
            "step": step.number,
            "unit": step.unit,
            "expected": step.expected,
            "found": step.found,
            "note": counterexample.note,
            "command": replay,
        }
    return {
        "word": counterexample.word,
        "parameters": dict(counterexample.parameters),
        "member": counterexample.member,
        "accepts": counterexample.accepts,
        "logit": counterexample.logit,
        "note": counterexample.note,
        "bits": counterexample.bits,
        "counted": counterexample.counted,
        "right": counterexample.right,
        "predicted": counterexample.predicted,
        "command": replay,
    }


def report(outcomes: Sequence[Outcome]) -> Iterator[Plain]:
    """The table of verdicts, and beneath it, as far as there is anything to say, MORE."""
    if not outcomes:
        return
    header = ("construction", "theorem", "given", "verdict", "scope", "evidence", "solver time")
    yield Table(header, [_row(outcome.result) for outcome in outcomes], right=frozenset({"solver time"}))
    more = {title: [block for each in outcomes for block in told(each)] for title, told in MORE.items()}
    more |= {"Written as SMT-LIB 2": [*_written(outcomes)], "Checked by Coq": [*_by_kernel(outcomes)]}
    more |= {"Certificates": [block for each in outcomes for block in _certificate(each)]}
    for title, blocks in more.items():
        if blocks:
            yield Heading(3, title)
            yield from blocks
    yield Heading(3, _summary(outcomes))


def _row(result: Result) -> list[Text]:
    verdict = result.verdict
    name = verdict.name if result.as_expected else f"{verdict.name}, expected {result.expected}"
    if result.as_expected and isinstance(verdict, Refuted):
        name += ", as expected"
    style = "green" if result.as_expected else "bold yellow" if isinstance(verdict, Unknown) else "bold red"
    match verdict:
        case Proved():
            scope, evidence = verdict.scope, verdict.evidence.value
        case Refuted():
            scope = f"word {quoted(verdict.counterexample.word)}"
            evidence = verdict.rests_on
        case Unknown():
            scope, evidence = "-", "-"
    given, seconds = " and ".join(result.hypotheses) or "-", f"{result.solver_seconds:.2f} s"
    return [result.construction, result.theorem, given, Styled(name, style), scope, evidence, seconds]


def _about(result: Result, said: object) -> Paragraph:
    return Paragraph(f"{result.construction}, {result.theorem}: {said}", 1)


def _accepted(outcome: Outcome) -> Iterator[Plain]:
    """Other words than the language's are part of the theorem."""
    if outcome.result.accepts is not None:
        yield _about(outcome.result, outcome.result.accepts)


def _invariant(outcome: Outcome) -> Iterator[Plain]:
    """As it may be given."""
    if outcome.result.invariant is not None:
        yield _about(outcome.result, outcome.result.invariant)


def _predicted(outcome: Outcome) -> Iterator[Plain]:
    """After which words a right token is predicted, where that is not after all of them."""
    result = outcome.result
    for token, where in (result.predicts or {}).items():
        words = {EVERYTHING: "always"}.get(where, where)
        yield Paragraph(f"{result.construction}, {result.theorem}, {token!r}: {words}", 1)


def _words_run(outcome: Outcome) -> Iterator[Plain]:
    """How many words a bounded check ran, and how fast."""
    result = outcome.result
    if isinstance(result.verdict, Proved) and (words := result.verdict.words) is not None:
        rate = f"{words / result.seconds:,.0f} a second" if result.seconds > 0 else "in no time"
        yield _about(result, f"{words:,}, {rate}")


def _words_covered(outcome: Outcome) -> Iterator[Plain]:
    """In how many sets words were decided, and how clearly."""
    verdict = outcome.result.verdict
    if isinstance(verdict, Proved) and (covered := verdict.covered) is not None:
        yield _about(outcome.result, in_sets(covered))


def _replay(outcome: Outcome) -> Iterator[Plain]:
    if outcome.counterexample is not None:
        yield _about(outcome.result, failure(outcome.counterexample))
    verdict = outcome.result.verdict
    if isinstance(verdict, Refuted) and verdict.right_up_to:
        yield Paragraph(f"no shorter word is wrong: all of n <= {verdict.right_up_to} positions are covered", 2)
    if outcome.replay is not None:
        yield Paragraph(Code(outcome.replay), 2)


def failure(counterexample: Counterexample) -> str:
    """The word and what is wrong there; where the network decides it well, the theorem is about its logit."""
    if counterexample.step is not None:
        return f"{quoted(counterexample.word)}: {counterexample.note}"
    word, logit = quoted(counterexample.word), f"logit {counterexample.logit}"
    if counterexample.right is not None:
        told = f"{word}: {counterexample.note}; {counterexample.right!r} is ahead by {counterexample.logit}"
        return f"{told}; {counterexample.evidence}" if counterexample.counted else told
    if counterexample.note:
        return f"{word} has {logit}; {counterexample.note}"
    if counterexample.member == counterexample.accepts:
        return f"fails on {word}, {logit}"
    wanted = "accepted" if counterexample.member else "rejected"
    answer = "accepts" if counterexample.accepts else "rejects"
    return f"{word} is to be {wanted}, but the network {answer} it, {logit}"


def _open(outcome: Outcome) -> Iterator[Plain]:
    verdict = outcome.result.verdict
    if isinstance(verdict, Unknown):
        yield _about(outcome.result, verdict.reason)
        if verdict.obligation is not None:
            yield Paragraph(f"open: {verdict.obligation}", 2)


def _written(outcomes: Sequence[Outcome]) -> Iterator[Plain]:
    """How many obligations were written, and of which theorems none, and why."""
    found = [(outcome.result, outcome.result.written) for outcome in outcomes if outcome.result.written is not None]
    if files := sum(written.files for _, written in found):
        of = sum(written.files > 0 for _, written in found)
        yield Paragraph(f"{_plural(files, 'obligation')} of {_plural(of, 'theorem')}", 1)
    left_out = Counter(
        (result.construction, "not all" if written.files else "nothing", written.reason)
        for result, written in found
        if written.reason
    )
    for (construction, what, reason), number in left_out.items():
        yield Paragraph(f"{construction}: {what} of {_plural(number, 'theorem')}, as {reason}", 1)


def _by_kernel(outcomes: Sequence[Outcome]) -> Iterator[Plain]:
    """What the kernel has checked, and of which theorems it has not, and why."""
    unchecked = Counter[tuple[str, str]]()
    for result in (outcome.result for outcome in outcomes):
        if isinstance(result.kernel, Checked):
            yield _about(result, f"kernel: {_size(result.kernel)}")
        elif result.kernel is not None and result.kernel.written:
            yield _about(result, f"kernel: {result.kernel}")
        elif result.kernel is not None:
            unchecked[result.construction, str(result.kernel)] += 1
    for (construction, why), number in unchecked.items():
        yield Paragraph(f"{construction}, {_plural(number, 'theorem')}: kernel: {why}", 1)


def _certificate(outcome: Outcome) -> Iterator[Plain]:
    """The file of a proof by covering, and how it is checked; or why there is none."""
    certified = outcome.result.certified
    if certified is None:
        return
    if certified.reason:
        yield _about(outcome.result, f"none, as {certified.reason}")
        return
    yield _about(outcome.result, certified.file)
    if outcome.is_named:
        yield Paragraph(Code(f"weightproof check {outcome.argument} {shlex.quote(certified.file)}"), 2)


def _size(checked: Checked) -> str:
    lines, seconds = (sum(getattr(each, of) for each in checked.files) for of in ("lines", "seconds"))
    names = ", ".join(axiom.rpartition(".")[2] for axiom in checked.axioms) or "none"
    files = _plural(len(checked.files), "file")
    return f"{files}, {lines:,} lines, {seconds:.1f} s of coqc {checked.coq}; axioms: {names}"


MORE = {
    "Accepted words, where they are not those of the language": _accepted,
    "Invariants that were found": _invariant,
    "Where the right output is predicted": _predicted,
    "Words that were run": _words_run,
    "Words in sets": _words_covered,
    "Counterexamples": _replay,
    "Unknown": _open,
}
"""By their titles, what is said of each beneath the table of verdicts."""


def _summary(outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.result.verdict.name for outcome in outcomes)
    parts = [f"{counts[name]} {name}" for name in ("proved", "refuted", "unknown") if counts[name]]
    odd = sum(not outcome.result.as_expected for outcome in outcomes)
    seconds = sum(outcome.result.seconds for outcome in outcomes)
    verdicts = f"{_plural(len(outcomes), 'theorem')}: {', '.join(parts)}"
    return f"{verdicts}; {f'{odd} not as expected' if odd else 'all as expected'}; {seconds:.1f} s"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
