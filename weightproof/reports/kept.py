"""The verdicts of `prove` in a file: put there as soon as all theorems about something have one, and taken from there
while nothing that decides them has changed.

Theorems about one thing share its derivation, the work of which counts for the first that asks for it: so they are kept
together, and taken or proved together, lest a limit of work cuts off what it did not before. What is unknown is not
kept: it is tried anew.

A verdict that is taken rests on the file. A digest beside each tells damage; it is no signature, and whoever writes the
file can write another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof import keeping
from weightproof.constructions.files import locked
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.parallel.program import program_now
from weightproof.proofs.verdict import Result, Unknown
from weightproof.values import Misfit, value

LIST = "verdicts"
"""What they are called in the file."""
MEND = "delete it there, or name another file"


@dataclass(frozen=True)
class Key:
    """All that decides verdicts. subject: what they are about, as the user named it; content, program: SHA-256 of what
    that is, with the theorems as they are stated, and of what proves them, limits and libraries among it."""

    subject: str
    content: str
    program: str


def prover() -> str:
    """The SHA-256 of what proves now."""
    return fingerprint(program_now())


@dataclass(frozen=True)
class InFile:
    """Where verdicts are kept; taken: how many of those that were asked for were there before; kept: how many are there
    by now."""

    file: Path
    taken: int
    kept: int

    def __str__(self) -> str:
        return f"{self.file} holds {self.kept} of them"


def taken_up(file: Path, wanted: Mapping[Key, int]) -> dict[Key, tuple[Result, ...]]:
    """What earlier calls have kept there of what is wanted, which has so many theorems; InputError where that is no
    file of `prove`, where it is damaged, or where nothing could be written."""
    entries = keeping.taken_up(file, _read)
    return {key: _results(file, key, entries[key], number) for key, number in wanted.items() if key in entries}


def added(file: Path, key: Key, results: Sequence[Result]) -> bool:
    """Whether they are kept there now, beside whatever else is there: not where one is unknown."""
    if any(isinstance(result.verdict, Unknown) for result in results):
        return False
    entry = {**plain(key), "theorems": [plain(result) for result in results]}
    with locked(file):
        entries = _read(file)
        entries.setdefault(key, entry | {"sha256": fingerprint(entry)})
        keeping.put(file, {LIST: [*entries.values()]})
    return True


def _read(file: Path) -> dict[Key, dict[str, Any]]:
    """All of it, of whatever program."""
    found: dict[Key, dict[str, Any]] = {}
    for place, entry in enumerate(keeping.content(file, "prove", (LIST,))[LIST]):
        where = f"{file}: {LIST}[{place}]"
        if not isinstance(entry, dict):
            raise InputError(f"{where} is no object; {MEND}")
        subject = entry.get("subject")
        where += f", {subject}:" if isinstance(subject, str) else ""
        bare = {name: each for name, each in entry.items() if name != "sha256"}
        if entry.get("sha256") != fingerprint(bare):
            raise InputError(f"{where} is not as it was written, by its digest; {MEND}")
        try:
            key = value(Key, {name: each for name, each in bare.items() if name != "theorems"})
        except Misfit as error:
            raise InputError(f"{where} {error}; {MEND}") from error
        found[key] = entry
    return found


def _results(file: Path, key: Key, entry: Mapping[str, Any], number: int) -> tuple[Result, ...]:
    try:
        results: tuple[Result, ...] = value(tuple[Result, ...], entry.get("theorems"), "theorems")
    except Misfit as error:
        raise InputError(f"{file}: {key.subject}: {error}; {MEND}") from error
    if len(results) != number:
        raise InputError(f"{file}: {key.subject}: {len(results)} verdicts, and {number} theorems; {MEND}")
    return results
