"""`make kernel`: what was checked is written down, and has to check again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.kernel.test_coq import DEVELOPMENT, FACTS, with_coq, with_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel import checked
from weightproof.proofs.kernel.checked import Record, hash_of
from weightproof.proofs.kernel.development import Development
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import Decides
from weightproof.reports import kernel

STATED = ("one", "first", "parity")
ADMITTED = with_file("Facts.v", FACTS.replace("intros n. induction n; auto. Qed.", "Admitted."))


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """In the place of the one that is kept. All is done in this process, which alone knows of what stands in."""
    path = tmp_path / "checked.json"
    path.write_text(Record("8.16.1", {}).text())
    monkeypatch.setattr(checked, "RECORD", path)
    monkeypatch.setattr(kernel, "RECORD", path)
    monkeypatch.setattr(kernel, "processors", lambda: 0)
    few = [pair for pair in kernel.all_stated() if pair[0].name in STATED and pair[1].name == "recognises"]
    monkeypatch.setattr(kernel, "all_stated", lambda: few)
    return path


def write(monkeypatch: pytest.MonkeyPatch, **found: Development) -> None:
    def as_expected(construction: Construction, theorem: Decides, timeout: float) -> Development:
        if construction.name not in found:
            raise Unwritten("the closed forms")
        return found[construction.name]

    monkeypatch.setattr(kernel, "as_expected", as_expected)


@with_coq
def test_what_is_checked_is_written_down_and_told_until_it_stands_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Path
) -> None:
    write(monkeypatch, one=DEVELOPMENT)
    assert kernel.main(tmp_path / "coq") == 1
    captured = capsys.readouterr()
    assert "make manifest has to follow" in captured.err
    assert [line.split()[:2] for line in captured.out.splitlines()[:2]] == [
        ["construction", "theorem"],
        ["one", "recognises"],
    ]
    assert "the closed forms: parity, recognises; first, recognises" in captured.out
    assert "1 of 3 theorems checked by Coq" in captured.out
    assert (tmp_path / "coq" / "checked").read_text() == "Weightproof.Assumptions_small\n"
    assert Record.read().proofs == {"one": {"recognises": hash_of(DEVELOPMENT)}}
    written = record.read_bytes()
    assert kernel.main(tmp_path / "coq") == 0
    assert (capsys.readouterr().err, record.read_bytes()) == ("", written)


@with_coq
def test_what_was_checked_and_does_not_check_any_more_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Path
) -> None:
    record.write_text(Record("8.16.1", {"first": {"recognises": "a hash"}}).text())
    before = record.read_bytes()
    write(monkeypatch, one=DEVELOPMENT, first=ADMITTED)
    assert kernel.main(tmp_path / "coq") == 1
    captured = capsys.readouterr()
    assert captured.err == "weightproof: not checked any more: first, recognises\n"
    assert "rests on what is not proved: Facts.least: first, recognises" in captured.out
    assert record.read_bytes() == before


@with_coq
def test_what_coq_refuses_and_never_checked_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Path
) -> None:
    write(monkeypatch, first=ADMITTED)
    assert kernel.main(tmp_path / "coq") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "not checked" in captured.out
    assert "rests on what is not proved: Facts.least: first, recognises" in captured.out
    assert Record.read().proofs == {}


@with_coq
def test_what_can_be_written_no_more_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Path
) -> None:
    record.write_text(Record("8.16.1", {"one": {"recognises": "a hash"}}).text())
    write(monkeypatch)
    assert kernel.main(tmp_path / "coq") == 1
    assert "said something else" in capsys.readouterr().err
    assert Record.read().proofs == {}


def test_without_coq_a_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kernel.main(tmp_path / "coq") == 2
    assert "apt-get install coq" in capsys.readouterr().err


def test_every_theorem_that_says_which_words_are_accepted_is_tried() -> None:
    found = [(construction.name, theorem.name) for construction, theorem in kernel.all_stated()]
    assert len(found) > 30
    assert len(set(found)) == len(found)
    assert {("parity", "recognises"), ("palindrome-as-printed", "recognises")} <= set(found)


def test_no_two_theorems_about_one_network_are_begun_before_each_network_had_one() -> None:
    wanted = kernel.all_stated()
    order = kernel.in_rounds(wanted)
    assert sorted(order) == [*range(len(wanted))]
    about = [wanted[number][0].name for number in order]
    networks = set(about)
    assert len(networks) < len(about)
    assert set(about[: len(networks)]) == networks
