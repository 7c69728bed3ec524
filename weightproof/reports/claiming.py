"""`claims`: judges what is printed about constructions, and what the judgements come to: what is to be said of each in
a line; the mistakes of print behind what is false, each once; how constructions depart from print; how many statements
there are of each kind and verdict.

What is printed at one place of a paper is one statement, of however many constructions it is judged. Transcription
checks are counted apart: what they compare was typed from the same page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

from weightproof.constructions.claims.published import Claims, Printed, Published, Slip
from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.library import load, of_papers, paper_of, printed_of
from weightproof.constructions.meaning.construction import Construction, after
from weightproof.constructions.meaning.inputs import InputError
from weightproof.named import Named, claims_about, printed, resolve
from weightproof.parallel.pieces import Gone, Workers
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.changes import weights
from weightproof.proofs.claims import judging
from weightproof.proofs.prove import Proof
from weightproof.proofs.quantities.explanation import Explanation, explained, joined
from weightproof.proofs.quantities.outcome import NOTHING, Difference, Fails, Holds, Open, Outcome
from weightproof.reports.formulas import FormulaError, plain
from weightproof.reports.kept import Asked, InFile, Keeping, Shelf
from weightproof.stating import theorems_about
from weightproof.terminal.streams import progress
from weightproof.values import data_of

STYLES = {"true": "green", "true-under": "green", "false": "bold red", "ambiguous": "bold yellow", "unknown": "yellow"}
ODD = ("false", "ambiguous")


@dataclass(frozen=True)
class About:
    """What claims are about: a construction, or None for a family of them, and for formulas that are about none.
    argument: what a command line calls it; is_own: it is the user's, or transformed; paper: the folder of the paper in
    which it is printed, "" for a user's file."""

    name: str
    title: str
    source: str
    argument: str
    is_own: bool
    construction: Construction | None
    paper: str

    @property
    def citation(self) -> str:
        return self.source.removeprefix("after ").partition(",")[0]


Outcomes = tuple[tuple[Outcome, ...], ...]
"""Of the readings of each claim, and of each correction behind these."""


def are_settled(outcomes: Outcomes) -> bool:
    """Whether none of them is open."""
    return not any(isinstance(each, Open) for readings in outcomes for each in readings)


@dataclass(frozen=True)
class Section:
    """The judgements about one construction or family, and those of the corrections that speak of it, by their slip."""

    about: About
    claims: Claims
    judgements: tuple[judging.Judgement, ...]
    corrections: Mapping[str, judging.Judgement]

    @property
    def outcomes(self) -> Outcomes:
        every = (*self.judgements, *self.corrections.values())
        return tuple(tuple(read.outcome for read in judgement.readings) for judgement in every)

    @property
    def is_settled(self) -> bool:
        """Whether no reading is open."""
        return are_settled(self.outcomes)


@dataclass(frozen=True)
class ToJudge:
    """Claims, what they are about, and the corrections of their slips that speak of it, by the slip; judge: judges such
    claims, with so many seconds of counted work for one reading."""

    about: About
    claims: Claims
    corrections: Mapping[str, Published]
    judge: Callable[[Sequence[Published], float], Sequence[judging.Judgement]]

    @property
    def every(self) -> tuple[Published, ...]:
        return (*self.claims.claims, *self.corrections.values())

    def judged(self, timeout: float) -> Section:
        return self._section(self.judge(self.every, timeout))

    def of_outcomes(self, outcomes: Outcomes) -> Section | None:
        """The section whose readings came to that; None where there are others."""
        if len(outcomes) != len(self.every):
            return None
        construction = self.about.construction
        found = [judging.of_outcomes(*each, construction) for each in zip(self.every, outcomes, strict=True)]
        judgements = [each for each in found if each is not None]
        return self._section(judgements) if len(judgements) == len(found) else None

    def _section(self, judgements: Sequence[judging.Judgement]) -> Section:
        number = len(self.claims.claims)
        corrected = dict(zip(self.corrections, judgements[number:], strict=True))
        return Section(self.about, self.claims, tuple(judgements[:number]), corrected)


@dataclass(frozen=True)
class Claimed:
    """Something about which something is claimed, by its name, and as the user named it; about: all that decides what
    its claims come to, beside these, the program and the seconds, as data."""

    name: str
    argument: str
    about: Callable[[], Mapping[str, Any]]
    to_judge: Callable[[], ToJudge]

    def outcomes(self, timeout: float) -> Outcomes:
        """With so many seconds of counted work for one reading of a claim."""
        return self.to_judge().judged(timeout).outcomes

    def section(self, outcomes: Outcomes) -> Section:
        found = self.to_judge().of_outcomes(outcomes)
        assert found is not None
        return found

    @property
    def asked(self) -> Asked:
        """As the file of outcomes has it."""
        return Asked(self.argument, self.content, self._wrong)

    def content(self) -> dict[str, Any]:
        """The same with the claims."""
        return {**self.about(), "claims": said(self.to_judge().claims)}

    def _wrong(self, outcomes: Outcomes) -> str | None:
        return "outcomes of other readings" if self.to_judge().of_outcomes(outcomes) is None else None


def said(claims: Claims) -> Any:
    """Claims as data. A function in one is told by its name: its code stands in a file of the program or the user."""
    return _named(data_of(claims))


def _named(data: Any) -> Any:
    match data:
        case dict():
            return {str(name): _named(each) for name, each in data.items()}
        case list():
            return [_named(each) for each in data]
        case None | str() | int() | float():
            return data
    return data.__qualname__ if isinstance(data, FunctionType) else repr(data)


@dataclass(frozen=True)
class Sections:
    """The judgements about all that were wanted, or those that there were when it was interrupted, or when whoever
    judged was gone. kept: the file that they are in, if they were to be in one."""

    found: tuple[Section, ...]
    interrupted: bool = False
    gone: Gone | None = None
    kept: InFile | None = None


Wanted = Callable[[], Sequence[Claimed]]
OUTCOMES = Shelf[Outcomes]("claims", "judged", "outcomes", Outcomes, are_settled)
MANY = 8
"""So many that it takes longer to judge them than to begin other processes."""


def sections(
    wanted: Wanted,
    timeout: float = judging.READING,
    workers: Workers | None = None,
    here: bool = False,
    file: Path | None = None,
) -> Sections:
    """Judges what is claimed about each, in so many seconds of counted work for one reading of a claim. Ctrl-C ends it
    early and keeps what is there.

    wanted: is asked for it here, and once more in each process. workers: who judges; if none are given, all cores of
    this computer where there is much to judge, unless it is to be done here, by a clock that others have not. file:
    from which outcomes are taken, and in which they are kept.
    """
    found: dict[int, Section] = {}
    interrupted, gone, kept = False, None, 0
    listed = wanted()
    keeping = Keeping.begun(OUTCOMES, file, [each.asked for each in listed])
    found |= {number: listed[number].section(outcomes) for number, outcomes in keeping.taken.items()}
    taken, missing = _number(found.values()), keeping.missing
    if workers is None and not here and len(missing) >= MANY and processors() > 1:
        workers = Processes(min(processors(), len(missing)))
    with progress(len(listed)) as advance:
        advance("", len(found))
        try:
            for number, outcomes in _outcomes(listed, missing, wanted, timeout, workers):
                found[number] = listed[number].section(outcomes)
                advance(listed[number].name, len(found))
                if keeping.added(number, outcomes):
                    kept += _number([found[number]])
        except KeyboardInterrupt:
            interrupted = True
        except Gone as error:
            gone = error
    there = None if file is None else InFile(file, "statements", taken, taken + kept)
    return Sections(tuple(found[number] for number in sorted(found)), interrupted, gone, there)


def _number(found: Iterable[Section]) -> int:
    return sum(len(section.judgements) for section in found)


def _outcomes(
    listed: Sequence[Claimed], missing: Sequence[int], wanted: Wanted, timeout: float, workers: Workers | None
) -> Iterator[tuple[int, Outcomes]]:
    if workers is None or not missing:
        return ((number, listed[number].outcomes(timeout)) for number in missing)
    spread = workers.spread(partial(_pieces, wanted, timeout), missing)
    return ((number, outcomes) for number, _, outcomes in spread)


def _pieces(wanted: Wanted, timeout: float) -> list[Callable[[], Iterator[Outcomes]]]:
    return [partial(_piece, each, timeout) for each in wanted()]


def _piece(claimed: Claimed, timeout: float) -> Iterator[Outcomes]:
    yield claimed.outcomes(timeout)


def judged(source: Named, known: Sequence[Proof] = (), timeout: float = judging.READING) -> Section | None:
    """The judgements about one construction; None where nothing is claimed about it. known: proofs of its theorems."""
    claims = claims_about(source)
    return None if claims is None else source_to_judge(source, claims, known).judged(timeout)


def require_plain(argument: str, claims: Claims) -> None:
    """InputError where a line of the claims has no plain text, in which all but TeX has it; before any is judged."""
    for claim in claims.claims:
        lines = [("printed", claim.printed)]
        for slip in claim.slips:
            lines += [(f"slip {slip.id}", slip.cause), (f"slip {slip.id}, correction", slip.correction.printed)]
        for place, text in lines:
            try:
                plain(text)
            except FormulaError as error:
                raise InputError(f"{argument}: claim {claim.id}, {place}: {error}; write it otherwise") from error


def source_to_judge(source: Named, claims: Claims, known: Sequence[Proof] = ()) -> ToJudge:
    """What is claimed about a construction. known: proofs of its theorems."""
    construction = source.construction
    name = construction.name
    every = {slip.id: slip for claim in claims.claims for slip in claim.slips}
    corrections = {id: slip.correction for id, slip in every.items() if after(slip.about, slip.transforms) == name}

    def judge(wanted: Sequence[Published], timeout: float) -> Sequence[judging.Judgement]:
        number, theorems = len(claims.claims), theorems_about(source)
        return [*judging.judge_claims(construction, claims, theorems, known, timeout, wanted[number:])]

    about = About(
        name, construction.title, construction.source, source.argument, source.is_own, construction, _paper(source)
    )
    return ToJudge(about, claims, corrections, judge)


def _paper(source: Named) -> str:
    if not source.is_named or source.named not in of_papers():
        return ""
    return paper_of(source.named, source.transforms if printed(source.named, source.transforms) is not None else ())


def named_to_judge(name: str) -> ToJudge:
    """What `printed_of` knows by a name."""
    printed = printed_of(name)
    assert printed is not None
    return printed_to_judge(name, printed, paper_of(name))


def printed_to_judge(name: str, printed: Printed, paper: str = "") -> ToJudge:
    """What is claimed about no single construction, and all corrections. paper: as `About` has it."""
    claims = printed.claims
    corrections = {slip.id: slip.correction for claim in claims.claims for slip in claim.slips}
    about = About(name, printed.title, printed.source, name, False, None, paper)
    return ToJudge(about, claims, corrections, judging.judge_printed)


def settled(found: Sequence[Section]) -> bool:
    """Whether no verdict is unknown, those of the corrections included."""
    judgements = [j for section in found for j in (*section.judgements, *section.corrections.values())]
    return all(judgement.verdict != "unknown" for judgement in judgements)


def late(found: Sequence[Section], timeout: float) -> str | None:
    """One line about the judgements that were given up, if any was."""
    judgements = [j for section in found for j in (*section.judgements, *section.corrections.values())]
    stopped = [j.claim.id for j in judgements if isinstance(j.deciding.outcome, Open) and j.deciding.outcome.timed_out]
    if not stopped:
        return None
    return f"given up after {timeout:g} s, open: {'; '.join(dict.fromkeys(stopped))}; give more with --timeout SECONDS"


def note(judgement: judging.Judgement) -> Explanation:
    """What is to be said beside the verdict, in a line; nothing where nothing is.

    Of true-under: the conventions, and where the literal reading fails; of what is false: the slips behind it.
    """
    deciding = judgement.deciding
    outcome = deciding.outcome
    match judgement.verdict:
        case "ambiguous" | "false":
            senses = [f"{each.name}: {each.word}" for each in judgement.readings if judgement.verdict == "ambiguous"]
            return explained("; ".join((*senses, *(f"slip {slip.id}" for slip in judgement.claim.slips))))
        case "unknown":
            return explained(outcome.reason) if isinstance(outcome, Open) else NOTHING
        case "true-under":
            assert judgement.difference is not None
            return explained(f"{deciding.name}; literally it fails{_at(judgement.difference)}")
    sense = NOTHING if deciding.reading.sense is None else explained(deciding.reading.sense)
    also = outcome.note if isinstance(outcome, Holds) else NOTHING
    return joined((part for part in (sense, also) if part.pieces), "; ")


def _at(difference: Difference) -> str:
    """On what print and weights differ."""
    if difference.word is None:
        return f": {difference.printed} is printed, {difference.found} derived"
    word = quoted(difference.word) if difference.word else "the empty word"
    given = "".join(f", {name} = {value}" for name, value in difference.parameters.items())
    return f" on {word}{given}" + ("" if difference.position is None else f", position {difference.position}")


def evidence(read: judging.Judged) -> str:
    """What a verdict rests on."""
    match read.outcome:
        case Holds(scope=scope, evidence=basis):
            return f"{scope}, {basis}" if basis else scope
        case Fails(difference=difference):
            return difference.basis
    return "-"


PRINTED = "-as-printed"
"""What the name of a construction ends with that has the weights exactly as they are printed."""


@dataclass(frozen=True)
class Affected:
    """A statement that is false or ambiguous, with the construction that it is about.

    told: the slip under which it is told already, where it has more than one.
    """

    section: Section
    judgement: judging.Judgement
    told: str | None = None


@dataclass(frozen=True)
class Mistake:
    """A slip with the judgement of its correction, and the statements that name it."""

    slip: Slip
    correction: judging.Judgement
    affected: tuple[Affected, ...]


def mistakes(found: Sequence[Section]) -> tuple[Mistake, ...]:
    """The distinct slips behind the sections' statements, in the order in which they occur."""
    affected: dict[str, list[Affected]] = {}
    slips: dict[str, Slip] = {}
    for section in found:
        for judgement in section.judgements:
            told: str | None = None
            for slip in judgement.claim.slips:
                slips.setdefault(slip.id, slip)
                affected.setdefault(slip.id, []).append(Affected(section, judgement, told))
                told = told or slip.id
    judged = _corrections(found, slips)
    return tuple(Mistake(slip, judged[id], tuple(affected[id])) for id, slip in slips.items())


def _corrections(found: Sequence[Section], slips: dict[str, Slip]) -> dict[str, judging.Judgement]:
    """The judgements of the corrections; of those about a construction without a section here they are made now."""
    judged = {id: judgement for section in found for id, judgement in section.corrections.items()}
    open_ones = [slip for id, slip in slips.items() if id not in judged]
    for about, transforms in dict.fromkeys((slip.about, slip.transforms) for slip in open_ones):
        wanted = [slip for slip in open_ones if (slip.about, slip.transforms) == (about, transforms)]
        source = resolve(about, transforms)
        claims = Claims(about, *(slip.correction for slip in wanted), transforms=transforms)
        judgements = judging.judge_claims(source.construction, claims, theorems_about(source))
        judged |= dict(zip((slip.id for slip in wanted), judgements, strict=True))
    return judged


def unexplained(found: Sequence[Section]) -> tuple[Affected, ...]:
    """What is false or ambiguous without a slip that says why."""
    return tuple(
        Affected(section, judgement)
        for section in found
        for judgement in section.judgements
        if judgement.verdict in ODD and not judgement.claim.slips
    )


@dataclass(frozen=True)
class Repair:
    """How a construction departs from print. said: in a sentence; weights: place, weight here, weight as printed, where
    the construction with the weights as printed stands beside it."""

    construction: str
    said: str
    weights: tuple[tuple[str, str, str], ...] = ()


def repairs(found: Sequence[Section]) -> tuple[Repair, ...]:
    """Of the sections that speak of a construction that departs from print."""
    result = []
    for section in found:
        about = section.about
        beside = about.name + PRINTED
        changed: tuple[tuple[str, str, str], ...] = ()
        if about.construction is not None and not about.is_own and beside in of_papers():
            changed = differences(about.construction, load(beside))
        if section.claims.repair or changed:
            result.append(Repair(about.name, section.claims.repair, changed))
    return tuple(result)


def differences(here: Construction, printed: Construction) -> tuple[tuple[str, str, str], ...]:
    """Place, weight here, weight in the other construction, of every weight that is not the same."""
    ours, theirs = _weights(here), _weights(printed)
    places = dict.fromkeys((*ours, *theirs))
    both = ((place, ours.get(place, "0"), theirs.get(place, "0")) for place in places)
    return tuple(row for row in both if row[1] != row[2])


def _weights(construction: Construction) -> dict[str, str]:
    return {place: weight.source for place, weight, _ in weights(construction.encoder)}


STRICTEST: tuple[judging.VerdictName, ...] = ("unknown", "false", "ambiguous", "true-under", "true")
"""Of the verdicts on one statement about several constructions, the first one of these counts."""


@dataclass(frozen=True)
class Statement:
    """What is printed at one place, with the judgements of it, one for each construction that it is about."""

    judgements: tuple[judging.Judgement, ...]

    @property
    def verdict(self) -> judging.VerdictName:
        there = {judgement.verdict for judgement in self.judgements}
        return next(verdict for verdict in STRICTEST if verdict in there)

    @property
    def transcribed(self) -> bool:
        return all(judgement.claim.transcribed for judgement in self.judgements)

    @property
    def slips(self) -> set[str]:
        """The mistakes behind it, by their ids."""
        odd = (judgement for judgement in self.judgements if judgement.verdict in ODD)
        return {slip.id for judgement in odd for slip in judgement.claim.slips}


def statements(found: Sequence[Section]) -> tuple[Statement, ...]:
    """The distinct statements, in the order in which they occur."""
    together: dict[tuple[str, str, str], list[judging.Judgement]] = {}
    for section in found:
        about = section.about
        for judgement in section.judgements:
            claim = judgement.claim
            together.setdefault((about.paper or about.citation, claim.place, claim.printed), []).append(judgement)
    return tuple(Statement(tuple(judgements)) for judgements in together.values())


def derived(found: Sequence[Section]) -> tuple[Statement, ...]:
    """The distinct statements that are no transcription checks."""
    return tuple(statement for statement in statements(found) if not statement.transcribed)


def transcribed(found: Sequence[Section]) -> tuple[Statement, ...]:
    """The distinct statements that are transcription checks."""
    return tuple(statement for statement in statements(found) if statement.transcribed)


Row = tuple[str, ...]


def by_construction(found: Sequence[Section]) -> tuple[Row, tuple[Row, ...]]:
    """Header and rows: construction, statements, each verdict, transcription checks, and distinct slips of both; what
    all come to last, where a statement about several constructions is counted once."""
    there = {statement.verdict for statement in statements(found)}
    used = [verdict for verdict in judging.VERDICTS if verdict != "unknown" or verdict in there]
    rows = [_counted(section.about.name, (section,), used) for section in found]
    header = ("construction", "statements", *used, "transcribed", "slips")
    return header, (*rows, _counted("all", found, used))


def _counted(name: str, found: Sequence[Section], used: Sequence[str]) -> Row:
    verdicts = Counter[str](statement.verdict for statement in derived(found))
    slips = set[str]().union(*(statement.slips for statement in statements(found)))
    numbers = (len(derived(found)), *(verdicts[verdict] for verdict in used), len(transcribed(found)), len(slips))
    return (name, *map(str, numbers))


def summary(found: Sequence[Section]) -> tuple[str, ...]:
    """The counts, in sentences."""
    of_both = statements(found)
    odd = [statement for statement in of_both if statement.verdict in ODD]
    slips = set[str]().union(*(statement.slips for statement in of_both))
    return (
        f"{len(derived(found))} statements, each counted once, of however many constructions it is judged: "
        f"{verdicts(derived(found))}.",
        f"Not counted there are {len(transcribed(found))} transcription checks, a matrix, a shape or a number compared "
        f"with the data typed from it: {verdicts(transcribed(found))}.",
        f"False or ambiguous are {len(odd)} of both; the number of distinct slips behind them is {len(slips)}."
        if odd
        else "None is false or ambiguous.",
    )


def verdicts(counted: Sequence[Statement]) -> str:
    """How many there are of each verdict, in words."""
    numbers = Counter[str](statement.verdict for statement in counted)
    return ", ".join(f"{numbers[verdict]} {verdict}" for verdict in judging.VERDICTS if numbers[verdict]) or "none"
