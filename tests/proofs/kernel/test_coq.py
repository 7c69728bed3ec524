"""What Coq has not checked is never said to be: planted mistakes, changed files, interrupted runs."""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from weightproof.constructions.meaning.inputs import InputError
from weightproof.proofs.kernel import coq
from weightproof.proofs.kernel.coq import Coq, Rejected, axioms, check, project, written
from weightproof.proofs.kernel.development import Development
from weightproof.proofs.verdict import Checked

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
FACTS = "Lemma least : forall n : nat, 0 <= n. Proof. intros n. induction n; auto. Qed.\n"
STATEMENT = "Definition recognises : Prop := forall n : nat, 0 <= n.\n"
PROOF = """\
From Weightproof Require Import Facts.
From Weightproof Require Statement_small.
Theorem recognises : Statement_small.recognises.
Proof. exact least. Qed.
"""
DEVELOPMENT = Development(
    {"Facts.v": FACTS, "Statement_small.v": STATEMENT, "Proof_small.v": PROOF}, "Proof_small.recognises"
)
ENDLESS = """\
Fixpoint doubled (n : nat) := match n with 0 => 1 | S m => doubled m + doubled m end.
Definition large := Eval vm_compute in doubled 60.
"""
ASSUMPTIONS = "Assumptions_small.v"
ALL = [*DEVELOPMENT.files, ASSUMPTIONS]


def with_file(name: str, text: str) -> Development:
    return replace(DEVELOPMENT, files={**DEVELOPMENT.files, name: text})


def checked(folder: Path, development: Development = DEVELOPMENT) -> tuple[Checked, list[str]]:
    """What Coq says, and what it compiled for that."""
    compiled: list[str] = []
    with before_each(lambda path: compiled.append(path.name)):
        return check(development, folder), compiled


@contextmanager
def before_each(done: Callable[[Path], None]) -> Iterator[None]:
    """Something that is done whenever a file is to be compiled."""
    compile_ = coq._compile

    def replaced(found: Coq, path: Path, processor: int) -> str:
        done(path)
        return compile_(found, path, processor)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coq, "_compile", replaced)
        yield


def rejected(folder: Path, development: Development) -> str:
    with pytest.raises(Rejected) as error:
        check(development, folder)
    assert "\n" not in str(error.value)
    return str(error.value)


@with_coq
def test_a_proof_is_checked_and_rests_on_nothing(tmp_path: Path) -> None:
    found, compiled = checked(tmp_path)
    assert compiled == ALL
    assert [(each.name, each.lines) for each in found.files] == [*zip(ALL, (1, 1, 4, 7), strict=True)]
    assert all(each.seconds > 0 for each in found.files)
    assert found.axioms == ()
    assert (tmp_path / "_CoqProject").read_text() == project(ALL)


@with_coq
def test_the_axioms_of_the_real_numbers_are_allowed_and_told(tmp_path: Path) -> None:
    reals = "Require Import Reals.\nLemma zero : Rmult R0 R1 = R0. Proof. apply Rmult_0_l. Qed.\n"
    statement = "Require Import Reals.\nDefinition recognises : Prop := Rmult R0 R1 = R0.\n"
    proof = PROOF.replace("exact least", "exact zero")
    files = {"Facts.v": reals, "Statement_small.v": statement, "Proof_small.v": proof}
    found, _ = checked(tmp_path, replace(DEVELOPMENT, files=files))
    assert "Coq.Reals.ClassicalDedekindReals.sig_forall_dec" in found.axioms
    assert set(found.axioms) <= set(coq.ALLOWED.values())


PLANTED = {
    "admitted": ("Lemma least : forall n : nat, 0 <= n. Admitted.\n", "Facts.least"),
    "an axiom": (f"Axiom false : False.\n{FACTS.replace('induction n; auto', 'destruct false')}", "Facts.false"),
    "a parameter": ("Parameter least : forall n : nat, 0 <= n.\n", "Facts.least"),
    "an axiom that is called as one of those that are allowed": (
        f"Axiom classic : False.\n{FACTS.replace('induction n; auto', 'destruct classic')}",
        "Facts.classic",
    ),
    "one in a module that is called as theirs": (
        "Module Classical_Prop. Axiom classic : False. End Classical_Prop.\n"
        + FACTS.replace("induction n; auto", "destruct Classical_Prop.classic"),
        "Facts.Classical_Prop.classic",
    ),
    "no guard": (
        "Unset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\nSet Guard Checking.\n"
        + FACTS.replace("induction n; auto", "destruct (loop 0)"),
        "Facts.loop is assumed to be guarded.",
    ),
}


@with_coq
@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_not_proved_is_noticed(tmp_path: Path, planted: str) -> None:
    text, named = PLANTED[planted]
    told = f"the proof rests on what is not proved: {named}"
    assert rejected(tmp_path, with_file("Facts.v", text)) == told
    assert rejected(tmp_path, with_file("Facts.v", text)) == told  # and by the record


@with_coq
def test_a_proof_of_something_else_is_noticed(tmp_path: Path) -> None:
    weaker = PROOF.replace("Statement_small.recognises.", "True.").replace("exact least", "exact I")
    assert rejected(tmp_path, with_file("Proof_small.v", weaker)).startswith(f"{ASSUMPTIONS}, line 6: The term")
    stronger = "Definition recognises : Prop := forall n : nat, 1 <= n.\n"
    assert rejected(tmp_path, with_file("Statement_small.v", stronger)).startswith("Proof_small.v, line 4: The term")


@with_coq
def test_what_does_not_compile_is_told_with_its_place(tmp_path: Path) -> None:
    wrong = "Fixpoint f (n : nat) : nat := n.\n" + FACTS.replace("auto", "exact (le_S _ _ I)")
    told = rejected(tmp_path, with_file("Facts.v", wrong))
    open_goal = "Goal True. Proof. idtac. Qed.\n"
    assert "incomplete proof" in rejected(tmp_path, with_file("Facts.v", open_goal))
    assert told == 'Facts.v, line 2: The term "I" has type "True" while it is expected to have type "?n <= ?m".'


@with_coq
def test_what_is_unchanged_is_not_checked_again_and_what_changed_is(tmp_path: Path) -> None:
    before, _ = checked(tmp_path)
    assert checked(tmp_path) == (before, [])
    commented = with_file("Facts.v", f"(* least *)\n{FACTS}")
    assert checked(tmp_path, commented)[1] == ["Facts.v"]  # of which the same comes out, for those that need it
    renamed = with_file("Facts.v", f"Definition two := 2.\n{FACTS}")
    assert checked(tmp_path, renamed)[1] == ["Facts.v", "Proof_small.v", ASSUMPTIONS]
    assert checked(tmp_path, renamed)[1] == []


@with_coq
def test_a_file_that_was_edited_is_written_anew(tmp_path: Path) -> None:
    checked(tmp_path)
    (tmp_path / "Statement_small.v").write_text("Definition recognises : Prop := True.\n")
    assert checked(tmp_path)[1] == []  # what is compiled is compiled from the right text
    assert (tmp_path / "Statement_small.v").read_text() == STATEMENT


@with_coq
def test_a_compiled_file_that_is_missing_or_another_one_is_made_again(tmp_path: Path) -> None:
    checked(tmp_path)
    (tmp_path / "Facts.vo").unlink()
    assert checked(tmp_path)[1] == ["Facts.v"]
    (tmp_path / "Proof_small.vo").write_bytes(b"forged")
    assert checked(tmp_path)[1] == ["Proof_small.v"]
    for record in tmp_path.glob(".*.json"):
        record.write_text("{")
    assert checked(tmp_path)[1] == ALL


@with_coq
def test_another_version_checks_all_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked(tmp_path)
    found = Coq.found()
    monkeypatch.setattr(Coq, "found", classmethod(lambda cls: replace(found, version="99.0")))
    again, compiled = checked(tmp_path)
    assert (again.coq, compiled) == ("99.0", ALL)


@with_coq
@pytest.mark.parametrize("file", ["Proof_small.v", "Facts.vo"])
def test_what_is_changed_while_it_is_checked_is_not_checked(tmp_path: Path, file: str) -> None:
    """Nor is it from then on, by a record that was made on the way."""

    def changed(path: Path) -> None:
        if path.name == "Proof_small.v":
            (tmp_path / file).write_bytes((tmp_path / file).read_bytes() + b" ")

    with before_each(changed), pytest.raises(Rejected):
        check(DEVELOPMENT, tmp_path)
    assert "Proof_small.v" in checked(tmp_path)[1]


@with_coq
def test_what_takes_too_much_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(Rejected, match=r"^Facts.v: given up after 1 s of processor time$"):
        check(with_file("Facts.v", ENDLESS), tmp_path, processor=1)
    assert not (tmp_path / "Facts.vo").exists()


@with_coq
def test_an_interruption_ends_the_compiler_and_leaves_nothing_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def interrupted(self: object) -> None:
        started.append(self.pid)  # type: ignore[attr-defined]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("subprocess.Popen.communicate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            check(DEVELOPMENT, tmp_path)
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)
    assert checked(tmp_path)[1] == ALL


def test_a_full_disk_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Coq, "found", classmethod(lambda cls: Coq("coqc", "8.16.1")))
    monkeypatch.setattr(coq, "write", full)
    assert rejected(tmp_path, DEVELOPMENT) == f"{tmp_path / '_CoqProject'}: No space left on device"


def _check(folder: Path, text: str) -> str:
    try:
        check(with_file("Facts.v", text), folder)
    except Rejected as error:
        return str(error)
    return "checked"


@with_coq
def test_several_processes_take_turns_in_a_folder(tmp_path: Path) -> None:
    """What writes something else under the same name disturbs, and is never taken for it."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.starmap(_check, [(tmp_path / "same", FACTS)] * 4) == ["checked"] * 4
        wrong = PLANTED["admitted"][0]
        found = pool.starmap(_check, [(tmp_path / "other", text) for text in (FACTS, wrong) * 4], chunksize=1)
    assert "checked" not in found[1::2]
    assert _check(tmp_path / "other", FACTS) == "checked"
    assert _check(tmp_path / "other", wrong) == "the proof rests on what is not proved: Facts.least"


@with_coq
def test_a_folder_lists_the_files_of_all_its_developments(tmp_path: Path) -> None:
    checked(tmp_path)
    other = Development(
        {"Facts.v": FACTS}
        | {n.replace("small", "other"): t.replace("small", "other") for n, t in DEVELOPMENT.files.items()},
        "Proof_other.recognises",
    )
    assert checked(tmp_path, other)[1] == ["Statement_other.v", "Proof_other.v", "Assumptions_other.v"]
    listed = (tmp_path / "_CoqProject").read_text().splitlines()
    assert set(listed[1:]) == {*ALL, *written(other)}
    assert checked(tmp_path)[1] == []


LOADED = "Loaded library files: \n  Coq.Init.Logic\n  Weightproof.Facts\n\n"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "what Coq says of the files that it has read cannot be read: ''"),
        ("Closed under the global context", "files that it has read cannot be read: 'Closed"),
        ("Loaded library files:", "files that it has read cannot be read"),
        (f"{LOADED}", "the assumptions cannot be read: ''"),
        (f"{LOADED}Axioms:", "the assumptions cannot be read: 'Axioms:'"),
        (f"{LOADED}Section Variables:\na", "the assumptions cannot be read: 'Section Variables:'"),
        (f"{LOADED}Closed under the global context\nmore", "the assumptions cannot be read: 'Closed"),
        (f"{LOADED}Axioms:\nclassic\nb : False", "rests on what is not proved: b"),
        (f"{LOADED[:-1]}  mathcomp.all\nClosed under the global context", "files that are not its own: mathcomp.all"),
    ],
)
def test_what_is_not_understood_proves_nothing(said: str, why: str) -> None:
    with pytest.raises(Rejected, match=re.escape(why)):
        axioms(said, ["Facts.v"])
    assert axioms(f"{LOADED}Axioms:\nclassic : forall P : Prop, P\n  more", ["Facts.v"]) == (coq.ALLOWED["classic"],)


@with_coq
def test_a_file_of_another_development_is_not_its_own(tmp_path: Path) -> None:
    """Which is there by chance, and would not be where the proof stands alone."""
    checked(tmp_path)
    without = replace(DEVELOPMENT, files={name: text for name, text in DEVELOPMENT.files.items() if name != "Facts.v"})
    assert rejected(tmp_path, without) == "the proof needs files that are not its own: Weightproof.Facts"


def compiler(folder: Path, script: str) -> None:
    path = folder / "coqc"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_without_coq_a_line_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"is not here; on Debian and Ubuntu: apt-get install coq; .* 8.16 or newer$"):
        Coq.found()


@pytest.mark.parametrize(("script", "version"), [("echo 8.9.1 4.07", "8.9.1"), ("exit 1", "unknown"), ("", "unknown")])
def test_one_that_is_too_old_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, version: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    compiler(tmp_path, script)
    with pytest.raises(InputError, match=f"is of version {version}; .* 8.16 or newer$"):
        Coq.found()


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("kill -9 $$", "Facts.v: coqc was ended by signal 9"),
        ("exit 3", "Facts.v: coqc ended with status 3"),
        ("exit 0", "Facts.v: coqc ended without a compiled file"),
        ("echo 'Fatal error: out of memory' >&2; exit 2", "Facts.v: Fatal error: out of memory"),
    ],
)
def test_a_compiler_that_fails_otherwise_has_checked_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    compiler(tmp_path, f'[ "$1" = --print-version ] && echo 8.16.1 4.13.1 && exit\n{script}')
    assert rejected(tmp_path / "folder", DEVELOPMENT) == told
    assert list((tmp_path / "folder").glob(".*.json")) == []
