"""All that can be named, kind by kind, and the subject behind a name, a file or a value of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from weightproof.constructions.library import (
    AS_PRINTED,
    FORMULAS,
    claims_of_transformed,
    load_claims,
    names,
    of_papers,
    paper_of,
    predictors,
)
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import predicts
from weightproof.constructions.meaning.schema import Decoder, EncoderDecoder
from weightproof.kinds import Measuring
from weightproof.named import Named, parted, resolve, source_of
from weightproof.results import Measurements
from weightproof.subjects import adder, circuit, machine, printed, recurrent
from weightproof.subjects.machine import Machine
from weightproof.subjects.network import DecoderSubject, EncoderDecoderSubject, EncoderSubject, Network, Predictor
from weightproof.subjects.recurrent import Recurrent
from weightproof.subjects.subject import Listing, Subject

if TYPE_CHECKING:
    from weightproof.measuring.kept import Row
    from weightproof.measuring.replaying import Replayed
    from weightproof.measuring.session import Search
    from weightproof.parallel.pieces import Workers
    from weightproof.proofs.theorem import Theorem
    from weightproof.reports.claiming import Claimed

Given = str | Path | Construction | TuringMachine | RNN
"""What Python may hand over: a name, a path, or the thing itself."""
OTHERS: tuple[ModuleType, ...] = (circuit, adder, machine, recurrent, printed)
"""The kinds beside constructions. Each module has `found`, the subject behind an argument, `listed`, the lines of
`list`, and `named`, the built-in ones."""


def subject_of(given: Given, transforms: Sequence[str] = ()) -> Subject:
    """What was named, after the transformations that are asked for; InputError where it is none, or malformed."""
    match given:
        case TuringMachine():
            return Machine(given.name, given, is_named=False)
        case RNN():
            return Recurrent(given)
        case Construction():
            return of_source(source_of(given))
    argument = str(given)
    other = next((found for kind in OTHERS if (found := kind.found(argument)) is not None), None)
    if other is None:
        return of_source(resolve(argument, transforms))
    if transforms:
        raise InputError(f"{argument} is {other.kind.noun}, and only constructions are transformed; leave out --with")
    assert isinstance(other, Subject)
    return other


def of_source(source: Named) -> Network:
    """The subject that a construction is."""
    construction = source.construction
    match construction.network:
        case Decoder():
            return DecoderSubject(source)
        case EncoderDecoder():
            return EncoderDecoderSubject(source)
    return Predictor(source) if predicts(construction) else EncoderSubject(source)


def with_theorems(subject: Subject, theorems: Sequence[Theorem] | None) -> Subject:
    """The subject with theorems in the place of its own, where some are given; InputError where it is no
    construction."""
    if theorems is None:
        return subject
    if subject.source is None:
        raise InputError(
            f"{subject.argument} is {subject.kind.noun}, which has theorems of its own; leave out theorems"
        )
    return of_source(replace(subject.source, theorems=tuple(theorems)))


def listings() -> Iterator[Listing]:
    """The lines of `list` about all kinds beside constructions."""
    for kind in (machine, circuit, adder, recurrent, printed):
        yield from kind.listed()


def everything(verb: str, transforms: Sequence[str] = ()) -> Iterator[Subject]:
    """What `--all` is: all that is built in and takes the verb, or the constructions that read out a logit, transformed
    as asked."""
    yield from (subject_of(name, transforms) for name in names())
    if transforms:
        return
    yield from map(subject_of, predictors())
    if verb in ("prove", "derive"):
        from weightproof.proofs.theorem import of_transformed

        yield from (subject_of(each.named, each.transforms) for each in of_transformed())
    for kind in (recurrent, printed, machine, circuit, adder):
        others = map(subject_of, kind.named())
        yield from (each for each in others if verb in each.kind.takes and (verb != "precision" or each.is_measurable))


def taken(verb: str) -> Iterator[str]:
    """The names of all that is built in and takes the verb."""
    every = (*of_papers(), *(name for kind in OTHERS for name in kind.named()), *FORMULAS)
    return (name for name in every if verb in subject_of(name).kind.takes)


def claimed(transforms: Sequence[str] = ()) -> list[Subject]:
    """All of which something is printed, the constructions first, then what they become by transformations; or the
    constructions alone, transformed as asked."""
    built_in = [subject_of(name, transforms) for name in of_papers() if load_claims(name) is not None]
    if transforms:
        return built_in
    return [
        *built_in,
        *(subject_of(claims.construction, claims.transforms) for claims in claims_of_transformed()),
        *map(subject_of, (*AS_PRINTED, *FORMULAS, *circuit.with_claims())),
    ]


def printed_in(paper: str) -> list[Subject]:
    """All of which something is printed in one paper, by the name of its folder; InputError where nothing is."""
    every = [(subject, paper_of(*parted(subject.argument))) for subject in claimed()]
    if found := [subject for subject, printed in every if printed == paper]:
        return found
    raise InputError(f"no paper {paper!r} is judged here; there are {', '.join(dict.fromkeys(p for _, p in every))}")


def to_judge(arguments: Sequence[str], paper: str | None, transforms: Sequence[str]) -> list[Claimed]:
    """What is claimed about those that a command line names, or in one paper; in all papers, where nothing is named."""
    if paper is not None:
        subjects = printed_in(paper)
    else:
        subjects = subjects_of(arguments, False, "claims", transforms) if arguments else claimed(transforms)
    return [subject.claims() for subject in subjects]


def subjects_of(
    arguments: Sequence[str], everything_built_in: bool, verb: str, transforms: Sequence[str]
) -> list[Subject]:
    """What a command line names, each once, behind those of `--all`, and each taken by the verb; InputError where there
    is none."""
    found = list(everything(verb, transforms)) if everything_built_in else []
    known = {subject.argument for subject in found}
    found += [subject_of(name, transforms) for name in dict.fromkeys(arguments) if name not in known]
    if not found:
        doing = {"precision": "measure", "claims": "judge"}.get(verb, verb)
        raise InputError(f"nothing to {doing}: name a construction or a FILE.py, or give --all")
    return found


Subjects = Callable[[], Sequence[Subject]]


def measured(subjects: Subjects, how: Measuring, file: Path | None, workers: Workers | None = None) -> Measurements:
    """Where rounding breaks each; rows are kept in the file, and those it has are not measured again. Of several, each
    takes the options and the parameters that it has; InputError for one that none has.

    subjects: is asked for them here, and once more in each process of the workers, if any are given.
    """
    from weightproof.measuring.session import measure

    return Measurements(*measure(partial(_searches, subjects, how), file, workers), file=file)


def _searches(subjects: Subjects, how: Measuring) -> list[Search]:
    return [search for subject, each in options_of_each(subjects(), how) for search in subject.searches(each)]


def replayed(file: Path, max_length: int | None) -> Replayed:
    """The witnesses of the rows of a file, run here, but for longer ones; InputError for what is no file of rows."""
    from weightproof.measuring.kept import read
    from weightproof.measuring.replaying import replay

    return replay(read(file), search_of, max_length, file)


def search_of(row: Row) -> Search:
    """The search that a row is of, for words as long as its witness; InputError where what it is of is not there, or
    cannot be run, or is another network by now."""
    from weightproof.measuring.kept import ENCODER

    named, transforms = parted(row["construction"])
    subject = subject_of(named, transforms)
    place = (row["dtype"],), (row["device"],), (row["attention"],)
    how = Measuring(row["parameters"], *place, max(2, row["first_failing_length"]), row.get(ENCODER))
    wanted = how.restricted(subject.kind.takes.get("precision", frozenset(how.given)))
    for search in subject.searches(wanted):
        key = search.key
        if all(row.get(name) == value for name, value in key.items() if name not in ("sha256", "max_length")):
            if key["sha256"] != row["sha256"]:
                raise InputError(
                    f"{row['construction']}: its weights have changed since: the network has the SHA-256 "
                    f"{key['sha256'][:12]}... and the row's has {row['sha256'][:12]}..."
                )
            return search
    raise InputError(f"{row['construction']}: it is not measured with these parameters, or by that simulator, any more")


def options_of_each(subjects: Sequence[Subject], how: Measuring) -> Sequence[tuple[Subject, Measuring]]:
    """The subjects, with how each is measured; InputError as in `measured`."""
    if len(subjects) == 1:
        return [(subjects[0], how)]
    takes = [subject.kind.takes.get("precision", frozenset(how.given)) for subject in subjects]
    if unknown := [option for option in how.given if not any(option in taken for taken in takes)]:
        raise InputError(f"precision of none of these takes {unknown[0]}; leave it out")
    known = [[p.name for p in subject.source.construction.parameters] if subject.source else [] for subject in subjects]
    if unknown := [name for name in how.parameters if not any(name in names for names in known)]:
        raise InputError(f"none of the constructions has a parameter {unknown[0]!r}; leave out --param {unknown[0]}")
    strange = {name for name in how.attentions if not any(name in subject.attentions for subject in subjects)}

    def of(subject: Subject, taken: frozenset[str], names: Sequence[str]) -> Measuring:
        own = how.restricted(taken)
        attentions = tuple(name for name in own.attentions if name in strange or name in subject.attentions)
        values = {name: value for name, value in own.parameters.items() if name in names}
        return replace(own, parameters=values, attentions=attentions)

    return [(each, of(each, taken, names)) for each, taken, names in zip(subjects, takes, known, strict=True)]
