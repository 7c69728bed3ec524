"""The command: everything that is built in, as pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.weightproof.site.test_manual import BESIDE
from tests.weightproof.site.test_pages import broken
from weightproof.cli import main
from weightproof.website import building
from weightproof.website.building import Site


def test_the_command_says_what_it_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Site(tmp_path / "site", {"index.html": 7, "one.html": 1000}, as_expected=False)
    monkeypatch.setattr(building, "built", lambda folder, rows: made)
    assert main(["site", "-o", str(tmp_path / "site"), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["files"] == [{"name": "index.html", "bytes": 7}, {"name": "one.html", "bytes": 1000}]
    assert main(["site", "-o", str(tmp_path / "site")]) == 1
    assert "2 pages, 1,007 bytes" in capsys.readouterr().out
    (tmp_path / "site" / "mine.txt").write_text("")
    assert main(["site", "-o", str(tmp_path / "site")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.controls
def test_everything_that_is_built_in_has_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A formula that could not be converted would be an error here."""
    assert main(["site", "-o", str(tmp_path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {each["name"] for each in said["files"]} == written
    assert {path.name for path in tmp_path.iterdir()} >= BESIDE | {"manual"}
    assert broken(tmp_path) == set()
