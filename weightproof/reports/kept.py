"""What commands have reached, in a file: put there as soon as all about one thing is there, and taken from there while
nothing that decides it has changed.

What is unknown is not kept: it is tried anew. What is taken rests on the file. A digest beside each entry tells damage;
it is no signature, and whoever writes the file can write another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from weightproof import keeping
from weightproof.constructions.files import locked
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import fingerprint
from weightproof.parallel.program import program_now
from weightproof.values import Misfit, data_of, value

T = TypeVar("T")
MEND = "delete it there, or name another file"


@dataclass(frozen=True)
class Shelf(Generic[T]):
    """What a command keeps. listed: what the entries are called in its file; found: what an entry has beside its key,
    which is of that kind, as `values.value` has it; is_settled: whether nothing in it is unknown."""

    command: str
    listed: str
    found: str
    kind: Any
    is_settled: Callable[[T], bool]


@dataclass(frozen=True)
class Asked:
    """Something that is asked for. subject: as the user named it; content: all that decides what comes of it, beside
    the program, as data; wrong: why what a file has cannot be what comes of it, None where it can."""

    subject: str
    content: Callable[[], Mapping[str, Any]]
    wrong: Callable[[Any], str | None] = lambda found: None

    def key(self, program: str) -> Key:
        """Under which what comes of it is kept."""
        return Key(self.subject, fingerprint(self.content()), program)


@dataclass(frozen=True)
class Key:
    """All that decides what comes of something. subject: as the user named it; content, program: SHA-256 of what that
    is, with what is asked of it, and of what answers, limits and libraries among it."""

    subject: str
    content: str
    program: str


def program_sha256() -> str:
    """That of the program as it is now."""
    return fingerprint(program_now())


@dataclass(frozen=True)
class InFile:
    """Where results are kept. what: they are called so; taken: how many of those that were asked for were there before;
    kept: how many are there by now."""

    file: Path
    what: str
    taken: int
    kept: int

    def __str__(self) -> str:
        return f"{self.file} holds {self.kept} of them"

    def told(self, reached: int) -> str:
        """How many of those that there are rest on the file, and how many do not."""
        of = f"{self.what} taken from {self.file}, on which they rest: {self.taken}"
        return f"{of}; reached now: {reached - self.taken}; kept there by now: {self.kept}"


@dataclass(frozen=True)
class Keeping(Generic[T]):
    """The file that goes with one call, if any does. keys: of what is asked for, none where there is no file; taken:
    what earlier calls have kept there of it, by its number."""

    shelf: Shelf[T]
    file: Path | None
    asked: Sequence[Asked]
    keys: Sequence[Key]
    taken: Mapping[int, T]

    @classmethod
    def begun(cls, shelf: Shelf[T], file: Path | None, asked: Sequence[Asked]) -> Keeping[T]:
        """InputError where the file is none of the command, where it is damaged, or where it could not be written."""
        if file is None:
            return cls(shelf, None, asked, (), {})
        program = program_sha256()
        keys = [each.key(program) for each in asked]
        known = taken_up(shelf, file, keys)
        taken = {number: known[key] for number, key in enumerate(keys) if key in known}
        for number, found in taken.items():
            if (wrong := asked[number].wrong(found)) is not None:
                raise InputError(f"{file}: {asked[number].subject}: {wrong}; {MEND}")
        return cls(shelf, file, asked, keys, taken)

    @property
    def missing(self) -> list[int]:
        """The numbers of what is to be reached now."""
        return [number for number in range(len(self.asked)) if number not in self.taken]

    def added(self, number: int, found: T) -> bool:
        """Whether it is in the file now: not where the user's file or the program was changed in the meantime, as
        nobody knows then what was read."""
        if self.file is None or self.asked[number].key(program_sha256()) != self.keys[number]:
            return False
        return added(self.shelf, self.file, self.keys[number], found)


def taken_up(shelf: Shelf[T], file: Path, keys: Sequence[Key]) -> dict[Key, T]:
    """What earlier calls have kept there under these keys; InputError as of `Keeping`."""
    entries = keeping.taken_up(file, lambda place: _read(shelf, place))
    return {key: _found(shelf, file, entries[key]) for key in keys if key in entries}


def added(shelf: Shelf[T], file: Path, key: Key, found: T) -> bool:
    """Whether it is kept there now, beside whatever else is there: not where something in it is unknown."""
    if not shelf.is_settled(found):
        return False
    entry = {**vars(key), shelf.found: data_of(found)}
    with locked(file):
        entries = _read(shelf, file)
        entries.setdefault(key, entry | {"sha256": fingerprint(entry)})
        keeping.put(file, {shelf.listed: [*entries.values()]})
    return True


def _read(shelf: Shelf[Any], file: Path) -> dict[Key, dict[str, Any]]:
    """All of it, of whatever program."""
    found: dict[Key, dict[str, Any]] = {}
    for place, entry in enumerate(keeping.content(file, shelf.command, (shelf.listed,))[shelf.listed]):
        where = f"{file}: {shelf.listed}[{place}]"
        if not isinstance(entry, dict):
            raise InputError(f"{where} is no object; {MEND}")
        subject = entry.get("subject")
        where += f", {subject}:" if isinstance(subject, str) else ""
        bare = {name: each for name, each in entry.items() if name != "sha256"}
        if entry.get("sha256") != fingerprint(bare):
            raise InputError(f"{where} is not as it was written, by its digest; {MEND}")
        try:
            key = value(Key, {"is": "Key"} | {name: each for name, each in bare.items() if name != shelf.found})
        except Misfit as error:
            raise InputError(f"{where} {error}; {MEND}") from error
        found[key] = entry
    return found


def _found(shelf: Shelf[T], file: Path, entry: Mapping[str, Any]) -> T:
    try:
        made: T = value(shelf.kind, entry.get(shelf.found), shelf.found)
    except Misfit as error:
        raise InputError(f"{file}: {entry['subject']}: {error}; {MEND}") from error
    return made
