"""The command: everything that is built in, as pages."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from tests.support.browser import browser, needs_browser
from tests.weightproof.site.test_in_browser import PHONE, needs_axe, violations
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


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """The folder, and the files that the command says are in it. A formula that could not be converted would be an
    error here."""
    folder, said = tmp_path_factory.mktemp("whole"), io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main(["site", "-o", str(folder), "--json"]) == 0
    return folder, {each["name"] for each in json.loads(said.getvalue())["files"]}


@pytest.mark.controls
@pytest.mark.xdist_group("whole site")
def test_everything_that_is_built_in_has_a_page(whole: tuple[Path, set[str]]) -> None:
    folder, said = whole
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == said
    assert {path.name for path in folder.iterdir()} >= BESIDE | {"manual"}
    assert broken(folder) == set()


@pytest.mark.controls
@pytest.mark.xdist_group("whole site")
@needs_browser
@needs_axe
def test_axe_finds_nothing_on_any_page_of_it(whole: tuple[Path, set[str]]) -> None:
    with browser() as opened:
        for path in sorted(whole[0].glob("*.html")):
            opened.open(path, width=PHONE)
            assert violations(opened) == [], path
