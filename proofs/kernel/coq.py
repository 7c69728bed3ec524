"""Has Coq check a development in a folder, and reads back on which axioms its theorem rests.

A file is compiled where it is not compiled already: a record beside it says of which text, by which version of Coq, and
with which compiled files that it needs, which compiled file was made. What is taken from a record is thereby what would
come out anew; a compiled file that is missing or another one is made again. Files are compiled one at a time in a lock
of their own, so that several processes can work in one folder, and at the end every file is still to be what it was.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from itertools import dropwhile, takewhile
from pathlib import Path
from textwrap import shorten
from typing import Self

from weightproof.constructions.files import locked, write
from weightproof.constructions.meaning.inputs import InputError
from weightproof.proofs.kernel.development import Development
from weightproof.proofs.verdict import Checked, Compiled

LIBRARY = "Weightproof"
"""The logical name of the folder."""
PROJECT = "_CoqProject"
AXIOMS = {
    "Coq.Reals.ClassicalDedekindReals": ("sig_forall_dec", "sig_not_dec"),
    "Coq.Logic.FunctionalExtensionality": ("functional_extensionality_dep",),
    "Coq.Logic.Classical_Prop": ("classic",),
}
"""Those on which Coq's real numbers rest, by the module: all that a theorem may rest on."""
ALLOWED = {name: f"{module}.{name}" for module, names in AXIOMS.items() for name in names}
STANDARD = ("Coq", "Corelib", "Stdlib")
"""What the libraries are called that come with Coq."""
OLDEST = (8, 16)
HOW_TO_GET_IT = "on Debian and Ubuntu: apt-get install coq; elsewhere: opam install coq"
LONGEST = 300
"""Characters of an error of Coq's that are told."""
PROCESSOR = 900
"""Seconds of processor time after which a file is given up: not of the clock, which goes on on a busy machine."""


class Rejected(Exception):
    """What was not checked; says why, in one line."""


@dataclass(frozen=True)
class Coq:
    """A compiler that is there."""

    path: str
    version: str

    @classmethod
    def found(cls) -> Self:
        """InputError, with how to get it, where there is none, or one that is too old."""
        path = shutil.which("coqc")
        if path is None:
            raise InputError(f"coqc, Coq's compiler, is not here; {HOW_TO_GET_IT}; {_oldest()} or newer")
        version = _version(path)
        numbers = re.match(r"(\d+)\.(\d+)", version)
        if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
            raise InputError(f"{path} is of version {version or 'unknown'}; {HOW_TO_GET_IT}; {_oldest()} or newer")
        return cls(path, version)


def _oldest() -> str:
    return ".".join(map(str, OLDEST))


@cache
def _version(path: str) -> str:
    """As 8.16.1; "" where it does not say."""
    try:
        told = subprocess.run([path, "--print-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.split()[0] if told.returncode == 0 and told.stdout.split() else ""


ASSUMPTIONS = """\
(* On which files and axioms the theorem rests, and that it says what the file of statements does, of which Coq takes no
   other proof. What is imported last has the axioms that are allowed: none but they are then called by a name alone. *)
Require {library}.{statements} {library}.{proofs}.
Print Libraries.
Require Import {modules}.
Definition verified : {claimed}{library}.{statements}.{theorem} := {library}.{proofs}.{theorem}.
Print Assumptions verified.
"""


def written(development: Development) -> dict[str, str]:
    """All files of a development, in their order: behind its own the one that prints the assumptions."""
    proofs, _, theorem = development.theorem.partition(".")
    before = "Refutes_" if development.refutes else "Proof_"
    text = ASSUMPTIONS.format(
        library=LIBRARY,
        claimed="~ " if development.refutes else "",
        statements=proofs.replace(before, "Statement_", 1),
        proofs=proofs,
        theorem=theorem,
        modules=" ".join(AXIOMS),
    )
    return {**development.files, f"{proofs.replace(before, 'Assumptions_', 1)}.v": text}


def project(names: Iterable[str]) -> str:
    """What says to Coq's tools how the folder is called, and which files are in it."""
    return "\n".join((f"-Q . {LIBRARY}", *names)) + "\n"


def check(development: Development, folder: Path, processor: int = PROCESSOR) -> Checked:
    """What Coq says of a development, whose files are written to the folder. processor: seconds for each file.

    Rejected where it does not compile, or rests on an axiom that is not allowed; InputError where there is no Coq.
    """
    coq, files = Coq.found(), written(development)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _list(files, folder)
        made: dict[str, _Made] = {}
        for name, text in files.items():
            needed = {other: each.compiled for other, each in made.items() if _names(text, other)}
            made[name] = _File(folder / name, text, needed).made(coq, processor)
        for name, each in made.items():
            if not each.is_of(folder / name, files[name]):
                raise _changed(name)
    except OSError as error:
        raise Rejected(f"{error.filename or folder}: {error.strerror}") from error
    *_, last = made.values()
    compiled = tuple(Compiled(name, _lines(files[name]), each.seconds) for name, each in made.items())
    return Checked(coq.version, compiled, axioms(last.said, files))


def axioms(said: str, files: Iterable[str]) -> tuple[str, ...]:
    """Those that Coq has printed, by their full names. Rejected where one is not allowed, where another file was read
    than these and those of the standard library, and for anything else."""
    title, *lines = [line for line in said.splitlines() if line.strip()] or [""]
    libraries = [line.strip() for line in takewhile(lambda line: line.startswith(" "), lines)]
    if title.strip() != "Loaded library files:" or not libraries:
        raise Rejected(f"what Coq says of the files that it has read cannot be read: {title!r}")
    own = {f"{LIBRARY}.{Path(name).stem}" for name in files}
    if others := [each for each in libraries if each not in own and each.partition(".")[0] not in STANDARD]:
        raise Rejected(f"the proof needs files that are not its own: {', '.join(others)}")
    return _axioms(lines[len(libraries) :] or [""])


def _axioms(told: Sequence[str]) -> tuple[str, ...]:
    head, *lines = told
    if head == "Closed under the global context" and not lines:
        return ()
    named = [line for line in lines if not line.startswith(" ")]
    if head != "Axioms:" or not named:
        raise Rejected(f"what Coq says of the assumptions cannot be read: {head!r}")
    # An axiom is "name", with its type in the lines below, or "name : type"; what is trusted otherwise is a sentence.
    strange = [line for line in named if line.partition(" : ")[0] not in ALLOWED]
    if strange:
        names = ", ".join(line.partition(" : ")[0] for line in strange)
        raise Rejected(f"the proof rests on what is not proved: {names}")
    return tuple(sorted(ALLOWED[line.partition(" : ")[0]] for line in named))


def _lines(text: str) -> int:
    return len(text.splitlines())


def _changed(name: str) -> Rejected:
    return Rejected(f"{name}, or what it needs, was changed by something else while it was checked")


def _holds(path: Path, text: str) -> bool:
    return path.exists() and path.read_bytes() == text.encode()


def _names(text: str, file: str) -> bool:
    """Whether a file may need another one, which it then names."""
    return re.search(rf"\b{re.escape(Path(file).stem)}\b", text) is not None


def _list(names: Iterable[str], folder: Path) -> None:
    """In the folder's list of files, with those of other developments, as far as they are there."""
    with locked(folder / PROJECT):
        path, here = folder / PROJECT, list(names)
        before = path.read_text().splitlines()[1:] if path.exists() else []
        others = [name for name in before if name not in here and (folder / name).exists()]
        text = project((*others, *here))
        if not _holds(path, text):
            write(path, text)


@dataclass(frozen=True)
class _Made:
    """What came of a file. of: the hash of all that it was made of; compiled: that of the compiled file; said: what Coq
    printed; seconds: how long it took."""

    of: str
    compiled: str
    said: str
    seconds: float

    def is_of(self, path: Path, text: str) -> bool:
        """Whether the compiled file is still that one, and the text beside it the one that it was made of."""
        return _hash_of(_compiled(path)) == self.compiled and _holds(path, text)


@dataclass(frozen=True)
class _File:
    """A file to compile. needed: the hashes of the compiled files that it needs, by their names."""

    path: Path
    text: str
    needed: Mapping[str, str]

    def made(self, coq: Coq, processor: int) -> _Made:
        of = _hash(json.dumps([coq.version, self.text, self.needed], sort_keys=True).encode())
        with locked(self.path):
            if not _holds(self.path, self.text):
                write(self.path, self.text)
            known = self._recorded()
            if known is not None and known.of == of and known.is_of(self.path, self.text):
                return known
            self._record.unlink(missing_ok=True)
            begin = time.monotonic()
            said = _compile(coq, self.path, processor)
            others = {other: _hash_of(_compiled(self.path.with_name(other))) for other in self.needed}
            if not _holds(self.path, self.text) or others != self.needed:  # what Coq has read is anybody's guess
                raise _changed(self.path.name)
            found = _Made(of, _hash_of(_compiled(self.path)), said, time.monotonic() - begin)
            write(self._record, json.dumps(asdict(found)))
            return found

    @property
    def _record(self) -> Path:
        return self.path.with_name(f".{self.path.stem}.json")

    def _recorded(self) -> _Made | None:
        """None where there is none that can be read."""
        try:
            return _Made(**json.loads(self._record.read_text()))
        except (FileNotFoundError, ValueError, TypeError):
            return None


def _compiled(path: Path) -> Path:
    return path.with_suffix(".vo")


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()


def _hash_of(path: Path) -> str:
    """ "" where there is no such file."""
    return _hash(path.read_bytes()) if path.exists() else ""


def _compile(coq: Coq, path: Path, processor: int) -> str:
    """What Coq prints. The process does not outlive this call, however that ends."""
    _compiled(path).unlink(missing_ok=True)
    child = subprocess.Popen(
        [coq.path, "-q", "-noglob", "-Q", ".", LIBRARY, path.name],
        cwd=path.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        process_group=0,  # Ctrl-C is for the parent, which decides what becomes of this process
        preexec_fn=lambda: _limit(processor),
    )
    try:
        said, complaint = child.communicate()
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    if child.returncode == -signal.SIGXCPU:
        raise Rejected(f"{path.name}: given up after {processor} s of processor time")
    if child.returncode:
        raise Rejected(f"{path.name}{_first_error(complaint)}" if complaint.strip() else _ended(path, child.returncode))
    if not _compiled(path).exists():
        raise Rejected(f"{path.name}: coqc ended without a compiled file")
    return said


def _limit(processor: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_CPU)  # the machine may have one of its own
    limit = processor if most == resource.RLIM_INFINITY else min(processor, most)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, most))


def _ended(path: Path, status: int) -> str:
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"{path.name}: coqc {how}"


def _first_error(complaint: str) -> str:
    """What follows the name of the file: the line, and what is wrong there. Warnings stand before the error, and what
    is known at that place stands before what is wrong."""
    place, lines = "", iter(complaint.splitlines())
    for line in lines:
        if found := re.match(r'File "[^"]*", line (\d+)', line):
            place = f", line {found[1]}"
        if line.startswith("Error:"):
            told = dropwhile(_is_known, (line.removeprefix("Error:").strip(), *lines))
            return f"{place}: {shorten(' '.join(told), LONGEST)}"
    return f": {shorten(complaint, LONGEST)}"


def _is_known(line: str) -> bool:
    """Whether a line is empty, or of the list of what is known: its head, "name : type", or what goes on from there."""
    return re.match(r"$|In environment$|[\w', ]+ :|  ", line) is not None
