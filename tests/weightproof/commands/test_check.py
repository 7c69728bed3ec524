"""`prove --covering` and `check`: what is written is checked in another process, and what is not shown, or is no
certificate of the construction, is refused in a line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.covering.certificates import nodes
from tests.proofs.covering.trained import TRAINED
from weightproof.cli import main
from weightproof.constructions.meaning.record import digest
from weightproof.proofs.covering.certificate import Certificate, Positions, written

FILE = """
from dataclasses import replace
from tests.proofs.covering.adders import adder, adds

construction = adder(2)
theorems = (adds(2),)
"""
WORSE = "construction = replace(construction, network=replace(construction.network, layers=()))\n"
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """The exit status, and what was said on standard output and standard error."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        status = main([*map(str, arguments)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a construction, one of other weights, and the certificate of a theorem about the first."""
    folder = tmp_path_factory.mktemp("certificates")
    (folder / "sums.py").write_text(FILE)
    (folder / "worse.py").write_text(FILE + WORSE)
    (folder / "other.py").write_text(FILE.replace("(adds(2),)", "(replace(adds(2), name='sums'),)"))
    assert main(["prove", str(folder / "sums.py"), "--covering", str(folder)]) == 0
    return folder


NAME = "adder-of-2-1-adds.json.gz"


def test_what_is_written_is_said_and_checked(folder: Path, said: Said) -> None:
    status, out, _ = said("prove", folder / "sums.py", "--covering", folder)
    assert status == 0
    assert f"adder of 2, adds: {folder / NAME}\n" in out
    assert f"weightproof check {folder / 'sums.py'} {folder / NAME}" in out
    status, out, err = said("check", folder / "sums.py", folder / NAME)
    assert (status, err) == (0, "")
    assert out.startswith("adder of 2, adds: shown, all inputs; 10,000 words; ")
    assert out.count("\n") == 1


def test_the_json_has_all_of_it(folder: Path, said: Said) -> None:
    _, out, _ = said("prove", folder / "sums.py", "--covering", folder, "--json")
    (theorem,) = json.loads(out)["theorems"]
    assert theorem["certificate"] == {
        "file": str(folder / NAME),
        "size": (folder / NAME).stat().st_size,
        "reason": None,
    }
    _, out, _ = said("check", folder / "sums.py", folder / NAME, "--json")
    data = json.loads(out)
    assert data["shown"]
    assert {key: data[key] for key in ("words", "sets", "run")} == {
        key: theorem["covered"][key] for key in ("words", "sets", "run")
    }


def test_what_is_not_shown_is_refused_with_status_1(folder: Path, said: Said, tmp_path: Path) -> None:
    data = json.loads(gzip.decompress((folder / NAME).read_bytes()))
    next(nodes(data, "layer"))["parts"].pop()
    path = tmp_path / "less.json.gz"
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    status, out, err = said("check", folder / "sums.py", path)
    assert (status, err) == (1, "")
    assert out.startswith("adder of 2, adds: not shown: ")
    assert "words in no set" in out
    assert out.count("\n") == 1
    status, out, _ = said("check", folder / "sums.py", path, "--json")
    assert status == 1
    assert not json.loads(out)["shown"]


def test_what_cannot_be_checked_is_refused_with_status_2(folder: Path, said: Said, tmp_path: Path) -> None:
    def refused(*arguments: Any) -> str:
        status, out, err = said("check", *arguments)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        return err

    assert "with other weights or words than" in refused(folder / "worse.py", folder / NAME)
    assert "is of 'adds', which is no theorem of" in refused(folder / "other.py", folder / NAME)
    assert "No such file" in refused(folder / "sums.py", tmp_path / "none.json.gz")
    assert "it is no file of gzip" in refused(folder / "sums.py", folder / "sums.py")
    assert "no construction, of which alone there are certificates" in refused("increment", folder / NAME)


def test_a_theorem_about_no_word_is_not_shown(said: Said, tmp_path: Path) -> None:
    file, path = tmp_path / "none.py", tmp_path / "none.json.gz"
    file.write_text(
        "from tests.proofs.covering.trained import TRAINED as construction\n"
        "from weightproof import Decides\n"
        "theorems = (Decides('none', 'says nothing', given='n < 0', up_to=2),)\n"
    )
    positions = tuple(Positions(length, ()) for length in (1, 2))
    written(Certificate("trained", digest(TRAINED), "none", positions), path)
    status, out, _ = said("check", file, path)
    assert (status, out) == (
        1,
        "trained, none: not shown: no word satisfies the hypothesis: the theorem may be vacuous\n",
    )


def test_what_is_not_covered_has_no_certificate(said: Said, tmp_path: Path) -> None:
    status, out, _ = said("prove", "one", "--covering", tmp_path)
    assert status == 0
    assert "none, as it is not proved by covering" in out
    assert not [*tmp_path.iterdir()]
    status, out, _ = said("prove", "increment", "--covering", tmp_path, "--json")
    assert json.loads(out)["theorems"][0]["certificate"]["reason"] == "it is not proved by covering"
