"""`make kernel`: has Coq check every proof and refutation that can be written, and writes down what it has checked.

Which theorems these are is nowhere typed in: every one that speaks of the logit is tried. What was checked
once has to check again; what can be written and is refused by Coq is told.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from weightproof.constructions.files import write
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, Text
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.deadline import PATIENT
from weightproof.proofs.expected import as_expected
from weightproof.proofs.kernel import coq
from weightproof.proofs.kernel.checked import RECORD, Record, hash_of
from weightproof.proofs.kernel.coq import LIBRARY, Coq, Rejected, check
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import AboutLogits, stated
from weightproof.proofs.verdict import Checked, Compiled, Evidence, Unchecked
from weightproof.reported import Ending, Reported
from weightproof.terminal import page
from weightproof.terminal.streams import BAD_INPUT, INTERRUPTED, complain, progress

MODULES = "checked"
"""The file in the folder that names what was checked, as Coq's other program is to be told."""

SHARED = frozenset(path.name for path in Path(coq.__file__).parent.glob("*.v"))
"""The files that come with the program, which every proof has."""


PROCESSOR = 240
"""Seconds for each file, some five times what the slowest takes that is checked: one that takes much longer does not
hold up all others."""


@dataclass(frozen=True)
class Tried:
    """A theorem about a construction. mark: the hash of its proof, "" where none is written."""

    construction: str
    theorem: str
    found: Checked | Unchecked
    mark: str = ""


@dataclass(frozen=True, repr=False)
class Kernel(Reported):
    """What the kernel has checked. before: what was written down, last time."""

    tried: tuple[Tried, ...]
    coq: str
    before: Record

    @property
    def record(self) -> Record:
        """As it was, where the same proofs were checked: another version of Coq that checks them changes nothing."""
        proofs: dict[str, dict[str, str]] = {}
        for each in self.tried:
            if isinstance(each.found, Checked):
                proofs.setdefault(each.construction, {})[each.theorem] = each.mark
        return self.before if proofs == self.before.proofs else Record(self.coq, proofs)

    @property
    def modules(self) -> str:
        """By theorem, the one file that needs all others of its proof, by its name in Coq."""
        ends = [each.found.files[-1].name for each in self.tried if isinstance(each.found, Checked)]
        return "".join(f"{LIBRARY}.{Path(name).stem}\n" for name in ends)

    @property
    def failed(self) -> list[str]:
        """The theorems that were checked before, and are refused by Coq now."""
        return [
            f"{each.construction}, {each.theorem}"
            for each in self.tried
            if _is(each, written=True) and each.theorem in self.before.proofs.get(each.construction, {})
        ]

    @property
    def ending(self) -> Ending:
        """Status 1 where a proof does not check any more, or other ones do than it was written down."""
        if self.failed:
            return Ending(1, f"not checked any more: {'; '.join(self.failed)}")
        if self.record != self.before:
            return Ending(1, f"{RECORD.name} said something else, and is written anew; make manifest has to follow")
        return Ending()

    @property
    def data(self) -> dict[str, Any]:
        return {"coq": self.coq, "proofs": self.record.proofs}

    def report(self) -> Iterator[Plain]:
        checked = [(each, each.found) for each in self.tried if isinstance(each.found, Checked)]
        rows: list[list[Text]] = [
            [*_named(each), *_size(_own(found)), Styled(Evidence.KERNEL, "green")] for each, found in checked
        ]
        every = {file.name: file for _, found in checked for file in found.files}
        if shared := [file for file in every.values() if file.name in SHARED]:
            rows.append(["", "what they share", *_size(shared), ""])
        rows += [
            [*_named(each), "", "", Styled("not checked", "bold red")]
            for each in self.tried
            if isinstance(each.found, Unchecked) and each.found.written
        ]
        yield Table(("construction", "theorem", "lines", "coqc", "evidence"), rows, right=frozenset({"lines", "coqc"}))
        yield from _reasons("Not checked", [each for each in self.tried if _is(each, written=True)])
        yield from _reasons("Not written", [each for each in self.tried if _is(each, written=False)])
        axioms = sorted({axiom for _, found in checked for axiom in found.axioms})
        lines, seconds = _size([*every.values()])
        number = f"{len(checked)} of {len(self.tried)} theorems checked by Coq {self.coq}"
        yield Heading(3, f"{number}; {lines} lines, {seconds} of coqc")
        yield Paragraph(f"axioms: {', '.join(axioms) or 'none'}", 1)


def _named(each: Tried) -> tuple[str, str]:
    return each.construction, each.theorem


def _own(found: Checked) -> list[Compiled]:
    """The files that are written for a theorem."""
    return [file for file in found.files if file.name not in SHARED]


def _size(files: Sequence[Compiled]) -> tuple[str, str]:
    """Lines, and seconds of coqc."""
    return f"{sum(file.lines for file in files):,}", f"{sum(file.seconds for file in files):.1f} s"


def _is(each: Tried, written: bool) -> bool:
    return isinstance(each.found, Unchecked) and each.found.written == written


def _reasons(title: str, tried: Sequence[Tried]) -> Iterator[Plain]:
    """By what is missing or wrong, of which theorems."""
    by_reason: dict[str, list[str]] = {}
    for each in tried:
        assert isinstance(each.found, Unchecked)
        by_reason.setdefault(each.found.reason, []).append(f"{each.construction}, {each.theorem}")
    if by_reason:
        yield Heading(3, title)
    for reason, theorems in by_reason.items():
        yield Paragraph(f"{reason}: {'; '.join(theorems)}", 1)


Stated = tuple[Construction, AboutLogits]


def all_stated() -> list[Stated]:
    """The theorems that speak of the logit, with those that are expected to be refuted."""
    return [
        (construction, theorem)
        for construction, theorems in stated().values()
        for theorem in theorems
        if isinstance(theorem, AboutLogits)
    ]


def tried(construction: Construction, theorem: AboutLogits, folder: Path) -> Iterator[Tried]:
    mark = ""
    found: Checked | Unchecked
    try:
        proof = as_expected(construction, theorem, PATIENT)
        mark = hash_of(proof)
        found = check(proof, folder, PROCESSOR)
    except (Unwritten, Rejected) as error:
        found = Unchecked(written=bool(mark), reason=" ".join(str(error).split()))
    yield Tried(construction.name, theorem.name, found, mark)


def _pieces(folder: Path) -> list[Callable[[], Iterator[Tried]]]:
    return [partial(tried, *each, folder) for each in all_stated()]


def in_rounds(wanted: Sequence[Stated]) -> list[int]:
    """The first theorem about each network, then the second ones, and so on. Two processes with theorems about one
    network would both need its closed forms, and while one has them compiled the other one would wait."""
    seen = Counter[str]()
    rounds = list[int]()
    for construction, _ in wanted:
        rounds.append(seen[construction.name])
        seen[construction.name] += 1
    return sorted(range(len(wanted)), key=rounds.__getitem__)


def checked(folder: Path) -> Kernel:
    """All of them, on all cores. InputError where there is no Coq."""
    version, wanted, found = Coq.found().version, all_stated(), dict[int, Tried]()
    with progress(len(wanted)) as advance:
        advance("", 0)
        for number, _, each in Processes(processors()).spread(partial(_pieces, folder), in_rounds(wanted)):
            found[number] = each
            advance(f"{each.construction}, {each.theorem}", len(found))
    return Kernel(tuple(found[number] for number in sorted(found)), version, Record.read())


def main(folder: Path) -> int:
    try:
        found = checked(folder)
    except InputError as error:
        complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("interrupted; what is checked so far is not checked again")
        return INTERRUPTED
    page.show(found.report())
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / MODULES, found.modules)
    if not found.failed and found.record != found.before:
        write(RECORD, found.record.text())
    if found.ending.complaint is not None:
        complain(found.ending.complaint)
    return found.ending.status


if __name__ == "__main__":
    from weightproof.reports import kernel  # where other processes find what they are told to do: not in __main__

    sys.exit(kernel.main(Path(sys.argv[1])))
