"""What was checked counts as long as it is the same proof."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proofs.kernel.test_coq import DEVELOPMENT, FACTS, with_file
from weightproof.constructions.library import load
from weightproof.proofs import kernel
from weightproof.proofs.kernel import checked
from weightproof.proofs.kernel.checked import RECORD, Record, hash_of, strengthened
from weightproof.proofs.kernel.development import Development
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import Decides, Predicts
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Result, Unknown

ONE = load("one")
THEOREM = Decides("recognises", "its language")
PROVED = Result(
    "one", "recognises", "its language", (), None, Proved("all lengths", Evidence.CERTIFICATE), "proved", (), {}, 1, 1
)


def write(monkeypatch: pytest.MonkeyPatch, found: Development | Unwritten) -> None:
    def settled(*_: object) -> Development:
        if isinstance(found, Unwritten):
            raise found
        return found

    monkeypatch.setattr(checked, "settled", settled)


def evidence(record: Record, result: Result = PROVED) -> Evidence | None:
    verdict = strengthened(record, ONE, THEOREM, result.verdict)
    return None if isinstance(verdict, Unknown) else verdict.evidence


def test_what_was_checked_rests_on_the_kernel_and_what_is_written_otherwise_by_now_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = Record("8.16.1", {"one": {"recognises": hash_of(DEVELOPMENT)}})
    write(monkeypatch, DEVELOPMENT)
    assert evidence(record) is Evidence.KERNEL
    for other in (Record("8.16.1", {}), Record("8.16.1", {"one": {"margin": hash_of(DEVELOPMENT)}})):
        assert evidence(other) is Evidence.CERTIFICATE
    unknown = Result("one", "recognises", "it", (), None, Unknown("no rule"), "proved", (), {}, 1, 1)
    assert evidence(record, unknown) is None
    refuted = replace(PROVED, verdict=Refuted(Counterexample("one", "1", {}, accepts=False, member=True)))
    assert evidence(record, refuted) is Evidence.KERNEL
    assert evidence(Record("8.16.1", {}), refuted) is None
    assert not record.holds(ONE, Predicts("recognises", "its language"), PROVED.verdict)
    write(monkeypatch, with_file("Facts.v", f"{FACTS}\n"))
    assert evidence(record) is Evidence.CERTIFICATE
    write(monkeypatch, Unwritten("the closed forms"))
    assert evidence(record) is Evidence.CERTIFICATE


WRITES = """
from weightproof.proofs.kernel.checked import hash_of
from weightproof.proofs.kernel.development import development
from weightproof.proofs.theorem import stated
construction, theorems = stated()["dyck1"]
print(hash_of(development(construction, theorems[0])))
"""


def test_a_proof_is_written_as_the_same_text_whatever_order_python_gives_its_sets() -> None:
    """Or it would count as checked in one process, and not in another."""

    def printed(seed: str) -> str:
        here = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(
            [sys.executable, "-c", WRITES], env=here, capture_output=True, text=True, check=True
        ).stdout

    assert printed("1") == printed("2") != ""


def test_the_hash_covers_every_file_and_the_theorem() -> None:
    others = [with_file(name, f"{text} ") for name, text in DEVELOPMENT.files.items()]
    others.append(Development(DEVELOPMENT.files, "Proof_small.other"))
    others.append(replace(DEVELOPMENT, refutes=True))
    assert len({hash_of(DEVELOPMENT), *map(hash_of, others)}) == 1 + len(others)


def test_the_record_is_written_as_it_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record = Record.read()
    assert record.text() == RECORD.read_text()
    monkeypatch.setattr(checked, "RECORD", tmp_path / "checked.json")
    other = Record("9.0", {"one": {"recognises": "ab"}})
    (tmp_path / "checked.json").write_text(other.text())
    assert Record.read() == other


COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)


def test_what_comes_with_the_program_assumes_nothing() -> None:
    """Beside what is printed of each theorem: an axiom that none of them uses is none of ours either."""
    shipped = sorted(Path(kernel.__path__[0]).glob("*.v"))
    assert shipped
    words = ["Axioms?", "Parameters?", "Conjectures?", "Admitted", "admit", "give_up", "bypass_check"]
    assuming = re.compile(rf"\b({'|'.join(words)}|Unset (Guard|Universe|Positivity) Checking)\b")
    assert assuming.search("Lemma a : False. Admitted.")
    assert len(next(path for path in shipped if path.name == "Transformer.v").read_text().splitlines()) <= 200
    for path in shipped:
        assert assuming.search(COMMENT.sub("", path.read_text())) is None, path
