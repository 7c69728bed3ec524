"""`prove --kernel DIR`: what Coq has checked is said to be, and of all else why it was not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.kernel.test_coq import ASSUMPTIONS, DEVELOPMENT, ENDLESS, FACTS, with_coq, with_file
from tests.support.places import TESTS
from weightproof.cli import main
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel import settling
from weightproof.proofs.kernel.coq import Coq
from weightproof.proofs.kernel.development import Development
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import Decides

MINE, MISTAKE = (str(TESTS / "examples" / name) for name in ("more_ones.py", "planted_mistake.py"))
ADMITTED = with_file("Facts.v", FACTS.replace("intros n. induction n; auto. Qed.", "Admitted."))


def write(monkeypatch: pytest.MonkeyPatch, found: Development | None) -> None:
    """Stands in for what writes proofs."""

    def development(construction: Construction, theorem: Decides) -> Development:
        if found is None:
            raise Unwritten("the closed\nforms")
        return found

    monkeypatch.setattr(settling, "development", development)


def theorems(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> list[dict[str, Any]]:
    assert main(["prove", *arguments, "--json"]) == status
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["theorems"]
    return found


@with_coq
def test_what_is_checked_is_proved_by_the_kernel(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write(monkeypatch, DEVELOPMENT)
    arguments = MINE, "--kernel", str(tmp_path / "coq")
    [theorem] = theorems(capsys, *arguments)
    assert (theorem["verdict"], theorem["scope"], theorem["evidence"]) == ("proved", "all lengths", "kernel")
    kernel = theorem["kernel"]
    assert (kernel["written"], kernel["checked"], kernel["reason"], kernel["axioms"]) == (True, True, None, [])
    assert [each["name"] for each in kernel["files"]] == [*DEVELOPMENT.files, ASSUMPTIONS]
    assert main(["prove", *arguments]) == 0
    text = capsys.readouterr().out
    assert "all lengths  kernel " in text
    assert "kernel: 4 files, 13 lines, " in text
    assert f"s of coqc {Coq.found().version}; axioms: none" in text


@with_coq
def test_what_is_not_checked_leaves_the_verdict_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = MINE, "--kernel", str(tmp_path)
    told = "the proof rests on what is not proved: Facts.least"
    for found, written, reason in ((None, False, "the closed forms"), (ADMITTED, True, told)):
        write(monkeypatch, found)
        [theorem] = theorems(capsys, *arguments)
        assert (theorem["verdict"], theorem["evidence"]) == ("proved", "certificate")
        kernel = theorem["kernel"]
        assert (kernel["written"], kernel["checked"], kernel["reason"]) == (written, False, reason)
        assert main(["prove", *arguments]) == 0
        text = capsys.readouterr().out
        assert f"kernel: not {'checked' if written else 'written'}: {reason}" in text
        assert "all lengths  certificate " in text


@with_coq
def test_no_kernel_makes_a_refuted_theorem_true(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], library: Path
) -> None:
    write(monkeypatch, DEVELOPMENT)
    [theorem] = theorems(capsys, MISTAKE, "--kernel", str(library), status=1)
    assert (theorem["verdict"], theorem["evidence"]) == ("refuted", "kernel")
    *_, refutation, last = (each["name"] for each in theorem["kernel"]["files"])
    assert refutation == "Refutes_planted_mistake__recognises.v"
    assert "verified : ~ Weightproof.Statement_planted_mistake__recognises.recognises" in (library / last).read_text()


@with_coq
def test_a_refutation_that_is_not_checked_leaves_the_word_that_was_replayed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(settling, "refutation", lambda *_: ADMITTED)
    [theorem] = theorems(capsys, MISTAKE, "--kernel", str(tmp_path), status=1)
    assert (theorem["verdict"], theorem["evidence"]) == ("refuted", None)
    assert theorem["kernel"]["reason"] == "the proof rests on what is not proved: Facts.least"
    assert main(["prove", MISTAKE, "--kernel", str(tmp_path)]) == 1
    assert "replayed exactly" in capsys.readouterr().out


@with_coq
def test_of_every_other_theorem_it_is_said_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write(monkeypatch, DEVELOPMENT)
    others = theorems(capsys, "noisy-majority", "--kernel", str(tmp_path))
    assert {each["kernel"]["reason"] for each in others} == {"theorems that do not speak of a logit"}
    [gates] = theorems(capsys, "full-adder", "--kernel", str(tmp_path))
    assert gates["kernel"]["reason"] == "the definition in Coq of what is no encoder"


@with_coq
def test_the_time_of_the_call_is_that_of_coq_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write(monkeypatch, with_file("Facts.v", ENDLESS))
    [theorem] = theorems(capsys, MINE, "--kernel", str(tmp_path), "--timeout", "8")
    assert (theorem["verdict"], theorem["evidence"]) == ("proved", "certificate")
    assert theorem["kernel"]["reason"] == "time-out of 8 s in the check by Coq"


def test_without_the_option_nothing_is_said_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert [each["kernel"] for each in theorems(capsys, MINE)] == [None]


def test_without_coq_nothing_is_begun(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["prove", MINE, "--kernel", str(tmp_path / "coq")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "apt-get install coq" in captured.err
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "coq").exists()


@with_coq
@pytest.mark.parametrize("folder", ["/dev/null/coq", "/proc"])
def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_proved(
    capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    assert main(["prove", MINE, "--kernel", folder]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"weightproof: --kernel {folder}: ")
    assert captured.err.endswith("name a directory that can be written to\n")


@with_coq
def test_proofs_of_one_name_are_not_written_over_those_of_another(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    again = tmp_path / "again.py"
    shutil.copy(MINE, again)
    assert main(["prove", MINE, str(again), "--kernel", str(tmp_path / "coq")]) == 2
    assert "--kernel: more-ones is not alone with that name" in capsys.readouterr().err
