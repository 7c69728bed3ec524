"""`claims`: judges what is printed about constructions, and what is to be said of each judgement in a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from weightproof.constructions.claims.published import Claims, Printed
from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.library import printed_of
from weightproof.constructions.meaning.construction import Construction, after
from weightproof.named import Named, claims_about
from weightproof.proofs.claims.judging import READING, Judged, Judgement, judge_claims, judge_printed
from weightproof.proofs.prove import Proof
from weightproof.proofs.quantities.explanation import Explanation, explained, joined
from weightproof.proofs.quantities.outcome import NOTHING, Difference, Fails, Holds, Open
from weightproof.stating import theorems_about
from weightproof.terminal.streams import progress

STYLES = {"true": "green", "true-under": "green", "false": "bold red", "ambiguous": "bold yellow", "unknown": "yellow"}
ODD = ("false", "ambiguous")


@dataclass(frozen=True)
class About:
    """What claims are about: a construction, or None for a family of them, and for formulas that are about none.
    argument: what a command line calls it; is_own: it is the user's, or transformed."""

    name: str
    title: str
    source: str
    argument: str
    is_own: bool
    construction: Construction | None


@dataclass(frozen=True)
class Section:
    """The judgements about one construction or family, and those of the corrections that speak of it, by their slip."""

    about: About
    claims: Claims
    judgements: tuple[Judgement, ...]
    corrections: Mapping[str, Judgement]


@dataclass(frozen=True)
class Claimed:
    """Something about which something is claimed, by its name; judged: with so many seconds of counted work for one
    reading of a claim."""

    name: str
    judged: Callable[[float], Section]


def sections(wanted: Sequence[Claimed], timeout: float = READING) -> list[Section]:
    """Judges what is claimed about each, in so many seconds of counted work for one reading of a claim."""
    result: list[Section] = []
    with progress(len(wanted)) as advance:
        for each in wanted:
            advance(each.name, len(result))
            result.append(each.judged(timeout))
    return result


def judged(source: Named, known: Sequence[Proof] = (), timeout: float = READING) -> Section | None:
    """The judgements about one construction; None where nothing is claimed about it. known: proofs of its theorems."""
    claims = claims_about(source)
    if claims is None:
        return None
    name = source.construction.name
    printed = [slip for claim in claims.claims for slip in claim.slips]
    slips = {slip.id: slip for slip in printed if after(slip.about, slip.transforms) == name}
    corrections = tuple(slip.correction for slip in slips.values())
    theorems = theorems_about(source)
    judgements = tuple(judge_claims(source.construction, claims, theorems, known, timeout, corrections))
    own, corrected = judgements[: len(claims.claims)], judgements[len(claims.claims) :]
    construction = source.construction
    about = About(name, construction.title, construction.source, source.argument, source.is_own, construction)
    return Section(about, claims, own, dict(zip(slips, corrected, strict=True)))


def judged_named(name: str, timeout: float = READING) -> Section:
    """The judgements about what `printed_of` knows by a name."""
    printed = printed_of(name)
    assert printed is not None
    return judged_printed(name, printed, timeout)


def judged_printed(name: str, printed: Printed, timeout: float = READING) -> Section:
    """The judgements about no single construction, and those of all corrections."""
    claims = printed.claims
    slips = {slip.id: slip for claim in claims.claims for slip in claim.slips}
    corrected = judge_printed((slip.correction for slip in slips.values()), timeout)
    about = About(name, printed.title, printed.source, name, False, None)
    return Section(about, claims, judge_printed(claims.claims, timeout), dict(zip(slips, corrected, strict=True)))


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


def note(judgement: Judgement) -> Explanation:
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


def evidence(read: Judged) -> str:
    """What a verdict rests on."""
    match read.outcome:
        case Holds(scope=scope, evidence=basis):
            return f"{scope}, {basis}" if basis else scope
        case Fails(difference=difference):
            return difference.basis
    return "-"
