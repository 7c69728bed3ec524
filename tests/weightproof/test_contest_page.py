"""The page of a contest's entries: what comes out of one, and that the page that is there is of these weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.contest import of_digits
from tests.support.places import ROOT
from weightproof.constructions.entry import Entry
from weightproof.constructions.library import entries, load
from weightproof.constructions.meaning.record import digest
from weightproof.manifest import contest
from weightproof.manifest.contest import Asked, Row, asked, blocks, kept, page, written
from weightproof.manifest.executed import DTYPES
from weightproof.measuring import prompts
from weightproof.measuring.prompts import Form
from weightproof.proofs.covering import searching
from weightproof.proofs.theorem import Computes, theorems_of

SHORT = "cosminscn-130"
FINDINGS = ROOT / "findings"


def carrying_nothing(carry: int, a: str, b: str) -> tuple[int, str]:
    return 0, str((int(a) + int(b)) % 10)


@pytest.fixture(scope="module")
def rows() -> tuple[Row, Row]:
    """An entry on numbers of two digits, as it is; and said to carry nothing into the next place."""
    [theorem] = theorems_of(SHORT)
    assert isinstance(theorem, Computes)
    short = of_digits(theorem, 2)
    entry = Entry("somebody", 130, "all of them", "not run")
    right = Asked(SHORT, entry, load(SHORT), short)
    wrong = replace(right, theorem=replace(short, transducer=replace(short.transducer, step=carrying_nothing)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(prompts.DRAWN, "explicit", 200)
        patch.setattr(searching, "FEW", 1)  # what is run one by one has no margin
        found = right.settled(), wrong.settled()
    assert None not in found
    return found  # type: ignore[return-value]


def test_what_comes_of_an_entry(rows: tuple[Row, Row]) -> None:
    right, wrong = rows
    assert (right.verdict, right.words, right.note) == ("proved", 10**4, "")
    assert right.sets is not None
    assert float(right.margin or 0) > 0
    assert (wrong.verdict, wrong.words, wrong.margin) == ("refuted", None, None)
    assert "'the token' is" in wrong.note
    assert wrong.sha256 == right.sha256 == digest(load(SHORT))


def test_what_is_run_in_floats(rows: tuple[Row, Row]) -> None:
    """What a wrong transducer says is right is what all carries refute."""
    right, wrong = rows
    assert [(each.dtype, each.inputs) for each in right.executed] == [(dtype, 200) for dtype in DTYPES]
    assert [each.wrong for each in right.executed][:2] == [0, 0]
    assert [bool(each.certified) for each in right.executed] == [True, False, False]
    assert all(each.wrong > 50 and not each.certified for each in wrong.executed)
    told = page([right])
    assert f"| {SHORT} | proved, explicit | open: none wrong of 200 |" in told
    assert f"- {SHORT}, float32: two outputs may be off by " in told
    assert f"- {SHORT}, float64: {wrong.executed[0].first}" in page([wrong])
    prompt, appended = wrong.executed[0].first.split(", not ")[0].split(" ")
    assert prompt.isdigit()
    assert len(appended) == 11


def test_inputs_that_are_drawn() -> None:
    """The same ones each time, of which every other one adds up to 9 in all places but one."""
    [theorem] = theorems_of(SHORT)
    assert isinstance(theorem, Computes)
    form = Form.of(load(SHORT), theorem)
    words = [*form.drawn(100)]
    assert words == [*form.drawn(100)]
    nines = 0
    for given, appended in words:
        a, b = "".join(given[:10]), "".join(given[11:21])
        assert "".join(appended) == f"{int(a) + int(b):011d}"[::-1]
        nines += sum(int(x) + int(y) == 9 for x, y in zip(a, b, strict=True)) >= 9
    assert nines >= 50


def test_the_page_says_it(rows: tuple[Row, Row]) -> None:
    right, wrong = rows
    told = page([right, replace(wrong, name="other")])
    assert "2 entries: 1 proved, 1 refuted, 0 unknown." in told
    assert f"| {right.name} | somebody | 130 | proved | {right.sets:,} | {right.margin} |" in told
    assert "| other | somebody | 130 | refuted, expected proved | - | - |" in told
    assert f"- other: {wrong.note.split(':')[0]}" in told
    assert f"- {SHORT}, other" in told


def test_what_is_there_of_the_same_weights_is_kept(rows: tuple[Row, Row], tmp_path: Path) -> None:
    right, wrong = rows
    file = tmp_path / "contest.json"
    assert list(kept(file)) == []
    written([right], tmp_path)
    now = replace(right, **asked(SHORT).known)
    assert now != right
    assert list(kept(file)) == [now]
    assert (tmp_path / "contest.md").read_text() == page([right])
    for other in (
        replace(right, sha256=right.sha256[::-1]),
        replace(right, statement="appends something else"),
        replace(right, name="nobody-1"),
        replace(right, verdict="unknown"),
    ):
        written([other, wrong], tmp_path)
        assert [each.note for each in kept(file)] == [wrong.note]


def test_a_proof_is_made_where_none_is_kept(
    rows: tuple[Row, Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, _ = rows
    names, proved = entries()[:4], []

    def settled(self: Asked) -> Row:
        proved.append(self.name)
        return replace(right, name=self.name, **self.known)

    monkeypatch.setattr(contest, "entries", lambda: names)
    monkeypatch.setattr(Asked, "settled", settled)
    contest.main(tmp_path)
    contest.main(tmp_path)
    marks = [asked(name).known["sha256"] for name in names]
    assert proved == [name for place, name in enumerate(names) if marks[place] not in marks[:place]]
    assert len(proved) < len(names)
    assert [each.name for each in kept(tmp_path / "contest.json")] == list(names)


def test_what_the_clock_cuts_off_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "entries", lambda: entries()[:1])
    monkeypatch.setattr(contest, "LIMIT", 0.01)
    contest.main(tmp_path)
    assert list(kept(tmp_path / "contest.json")) == []
    assert (
        f"0 entries: 0 proved, 0 refuted, 0 unknown. Not settled so far: {entries()[0]}."
        in (tmp_path / "contest.md").read_text()
    )


def test_what_networks_are_made_of() -> None:
    found = {name: ", ".join(blocks(load(name))) for name in entries()}
    assert found["lichengliu03-50"] == "1 layer, width 4, 2 heads, relu"
    assert found["xangma-197"] == "2 layers, width 5, 4 heads, rotary, gated silu, root mean square"
    assert found["alexlitz-36"] == "2 layers, width 17, 3 heads, bias, sink, gated relu, relu"
    assert found["fblissjr-33"] == "1 layer, width 3, 3 heads, bias, sees, relu"


def test_the_page_that_is_there_is_of_the_weights_that_are() -> None:
    there = [Row.read(each) for each in json.loads((FINDINGS / "contest.json").read_text())["entries"]]
    names = [each.name for each in there]
    assert names == [name for name in entries() if name in names], "make contest"
    assert (FINDINGS / "contest.md").read_text() == page(there), "make contest"
    for each in there:
        now = asked(each.name).known
        assert {name: getattr(each, name) for name in now} == now, "make contest"
