"""`prove`: the table, the JSON, the exit status, an interruption. A script replaces the prover in all but the last."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import weightproof.manifest.pages
import weightproof.stating  # noqa: F401  what needs the modules that the script replaces is read before
from weightproof.cli import main
from weightproof.constructions.library import names
from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.theorem import Decides, Transformed
from weightproof.proofs.verdict import Counterexample, Evidence, Folders, Proved, Refuted, Result, Unknown, Verdict
from weightproof.reports import proving
from weightproof.subjects import adder, circuit, machine, recurrent, registry

KEYS = {
    "construction", "theorem", "statement", "verdict", "expected", "scope", "evidence", "solvers", "counterexample",
    "seconds", "given", "accepts",
}  # fmt: skip
PROVED = Proved("all lengths", Evidence.CERTIFICATE)
REFUTED = Refuted(Counterexample("parity", "01", {"c": "log(2)"}, member=True, accepts=False, logit="-1/9"))
TIMED_OUT = Unknown("solver time-out after 20 s", obligation="n even, k odd", timed_out=True)
OPEN = Unknown("no rule applies", obligation="n odd")

MISTAKEN_FILE = """
from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

head = Head(W_V={"balance": {"[w=0]": "-1/2", "[w=1]": 1}})
construction = Construction(
    name="mistaken",
    title="more 1s than 0s, with one weight that is wrong",
    source="a test",
    language=Language(
        name="MAJORITY",
        alphabet=("0", "1"),
        member=lambda word: word.count("1") > word.count("0"),
        characterisation="count('1') > count('0')",
    ),
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "balance"),
        embedding=Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {}}),
        layers=(Layer(heads=(head,)),),
        readout=Readout(Linear({"logit": {"balance": 1}})),
    ),
)
"""


class Script:
    """Stands in for `proofs.prove` and `proofs.theorem`: gives the verdicts it is told, and can be interrupted before
    the last."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.verdicts: Sequence[Verdict] = ()
        self.expected: Any = "proved"
        self.given: tuple[str, ...] = ()
        self.accepts: str | None = None
        self.interrupted = False
        self.calls: list[dict[str, Any]] = []
        module = ModuleType("weightproof.proofs.prove")
        module.default_theorems = lambda construction: (Decides("recognises", "its language"),)  # type: ignore[attr-defined]
        module.prove = self.prove  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "weightproof.proofs.prove", module)
        stated = ModuleType("weightproof.proofs.theorem")
        stated.theorems_of = lambda name: tuple(Decides(f"theorem {k}", "it holds") for k in range(3))  # type: ignore[attr-defined]
        stated.of_transformed = lambda: ()  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "weightproof.proofs.theorem", stated)
        monkeypatch.setattr(registry, "predictors", tuple)  # of which no theorem like these is stated
        monkeypatch.setattr(proving, "processors", lambda: 1)  # others do not know of the script

    def prove(self, construction: Construction, theorems: Sequence[Any], **options: Any) -> Iterator[Result]:
        self.calls.append({"construction": construction.name, "theorems": theorems, **options})
        for number, verdict in enumerate(self.verdicts):
            yield Result(
                construction.name, f"theorem {number}", "it holds", self.given, self.accepts, verdict, self.expected,
                ("z3 5.4.0",), {"certificate": 2}, seconds=1.25, solver_seconds=0.5,
            )  # fmt: skip
        if self.interrupted:
            raise KeyboardInterrupt


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return Script(monkeypatch)


@pytest.mark.parametrize(
    ("verdicts", "expected", "status"),
    [
        ([PROVED], "proved", 0),
        ([REFUTED], "refuted", 0),
        ([REFUTED], "proved", 1),
        ([PROVED], "refuted", 1),
        ([PROVED, OPEN], "proved", 1),
        ([PROVED, TIMED_OUT], "proved", 2),
    ],
)
def test_exit_status(
    script: Script, capsys: pytest.CaptureFixture[str], verdicts: list[Verdict], expected: str, status: int
) -> None:
    script.verdicts, script.expected = verdicts, expected
    assert main(["prove", "parity"]) == status
    captured = capsys.readouterr()
    assert captured.err.count("\n") == (1 if status == 2 else 0)
    assert len([line for line in captured.out.splitlines() if line.startswith("parity ")]) == len(verdicts)


def test_what_is_given_and_accepted_is_part_of_what_is_said(script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    script.verdicts, script.given, script.accepts = [PROVED], ("n <= 2", "c = log(2)"), "count('1') == 0"
    main(["prove", "parity"])
    table = capsys.readouterr().out
    assert "n <= 2 and c = log(2)" in table.splitlines()[1]
    assert "parity, theorem 0: count('1') == 0" in table
    main(["prove", "parity", "--json"])
    [row] = json.loads(capsys.readouterr().out)["theorems"]
    assert (row["given"], row["accepts"]) == (["n <= 2", "c = log(2)"], "count('1') == 0")


def test_json_has_every_key(script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    script.verdicts = [PROVED, REFUTED, OPEN]
    main(["prove", "parity", "--json"])
    data = json.loads(capsys.readouterr().out)
    proved, refuted, unknown = data["theorems"]
    assert data["complete"] is True
    assert all(row.keys() >= KEYS and isinstance(row["seconds"], float) for row in data["theorems"])
    assert (proved["scope"], proved["evidence"], proved["counterexample"]) == ("all lengths", "certificate", None)
    assert refuted["counterexample"]["word"] == "01"
    assert refuted["scope"] is None
    assert refuted["counterexample"]["command"].startswith("weightproof run parity ")
    assert (unknown["verdict"], unknown["reason"]) == ("unknown", "no rule applies")


def test_a_long_word_stands_in_short_in_the_table(script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    script.verdicts = [replace(REFUTED, counterexample=replace(REFUTED.counterexample, word="1" + "0" * 450))]
    main(["prove", "parity"])
    assert "word '10{450}'  " in capsys.readouterr().out.splitlines()[1]


def test_text_shows_how_to_replay_and_why_something_is_unknown(
    script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    script.verdicts = [PROVED, REFUTED, OPEN]
    assert main(["prove", "parity"]) == 1
    text = capsys.readouterr().out
    assert "\x1b" not in text
    header, *rows = text.splitlines()[:4]
    columns = ["construction", "theorem", "given", "verdict", "scope", "evidence", "solver time"]
    assert [part.strip() for part in header.split("  ") if part.strip()] == columns
    assert len({row.index("theorem") for row in rows} | {header.index("theorem")}) == 1
    assert "    weightproof run parity '01' --param c='log(2)'" in text.splitlines()
    assert "no rule applies" in text
    assert "open: n odd" in text
    assert text.splitlines()[-1] == "3 theorems: 1 proved, 1 refuted, 1 unknown; 2 not as expected; 3.8 s"


def test_a_time_out_is_said_in_one_line_after_the_table(script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    script.verdicts = [PROVED, TIMED_OUT]
    assert main(["prove", "parity", "--timeout", "20"]) == 2
    captured = capsys.readouterr()
    assert "certificate" in captured.out
    assert captured.err == (
        "weightproof: given up after 20 s, open: parity, theorem 1, n even, k odd; give more with --timeout SECONDS\n"
    )


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_interruption_keeps_what_was_reached(script: Script, capsys: pytest.CaptureFixture[str], form: str) -> None:
    script.verdicts, script.interrupted = [PROVED, PROVED], True
    assert main(["prove", "--all", *(["--json"] if form == "json" else [])]) == 130
    captured = capsys.readouterr()
    assert captured.err == "weightproof: interrupted after 2 theorems; what was reached is above\n"
    assert len(script.calls) == 1
    if form == "json":
        data = json.loads(captured.out)
        assert data["complete"] is False
        assert len(data["theorems"]) == 2
    else:
        assert captured.out.count("certificate") == 2


def test_all_are_the_built_in_constructions_and_those_transformed_ones_of_which_theorems_are_stated(
    script: Script, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sharp = Transformed("one", ("sharpen:eta=1/7",), (Decides("recognises", "a test"),))
    monkeypatch.setattr(sys.modules["weightproof.proofs.theorem"], "of_transformed", lambda: (sharp,))
    for kind in (adder, circuit, recurrent):  # proving all of them is for other tests
        assert [*kind.named()]
        monkeypatch.setattr(kind, "named", lambda: ())
    monkeypatch.setattr(machine, "named", lambda: ("busy-beaver-3",))
    main(["prove", "--all"])
    assert "busy-beaver-3" in capsys.readouterr().out
    assert [call["construction"] for call in script.calls] == [*names(), "one+sharpen:eta=1/7"]
    assert script.calls[-1]["theorems"] == sharp.theorems


def test_options_reach_the_prover_and_nothing_is_proved_twice(script: Script, tmp_path: Path) -> None:
    directory = tmp_path / "obligations"
    main(["prove", "parity", "one", "parity", "--timeout", "3", "--smt", str(directory)])
    folders = Folders(smt=directory)
    assert [call["construction"] for call in script.calls] == ["parity", "one"]
    assert all((call["timeout"], call["folders"]) == (3.0, folders) for call in script.calls)
    assert directory.is_dir()


def test_obligations_of_one_name_are_not_written_over_those_of_another(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("my.net", "my-net"):
        (tmp_path / f"{name}.py").write_text(MISTAKEN_FILE.replace('name="mistaken"', f'name="{name}"'))
    directory = tmp_path / "obligations"
    assert main(["prove", str(tmp_path / "my.net.py"), str(tmp_path / "my-net.py"), "--smt", str(directory)]) == 2
    assert "is not alone with that name" in capsys.readouterr().err
    assert not directory.exists()


def test_a_counterexample_of_a_file_replays_from_the_file(
    script: Script, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mistaken.py"
    path.write_text(MISTAKEN_FILE)
    script.verdicts = [Refuted(Counterexample("mistaken", "01", {}, member=False, accepts=True, logit="1/6"))]
    assert main(["prove", str(path)]) == 1
    assert script.calls[0]["theorems"] == (Decides("recognises", "its language"),)
    assert f"weightproof run {path} '01'" in capsys.readouterr().out


def test_theorems_of_a_file_must_be_theorems(
    script: Script, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mistaken.py"
    path.write_text(MISTAKEN_FILE + "theorems = ('it is right',)\n")
    assert main(["prove", str(path)]) == 2
    assert capsys.readouterr().err.count("theorems[0] is of type str") == 1


def test_the_prover_proves_parity(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "parity", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["theorems"]
    assert rows
    assert all(row["construction"] == "parity" and row["verdict"] == row["expected"] for row in rows)


def test_the_prover_refutes_a_planted_mistake_with_a_word_that_replays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mistaken.py"
    path.write_text(MISTAKEN_FILE)
    assert main(["prove", str(path), "--json"]) == 1
    refuted = [row for row in json.loads(capsys.readouterr().out)["theorems"] if row["verdict"] == "refuted"]
    assert refuted
    word = refuted[0]["counterexample"]["word"]
    assert main(["run", str(path), word, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["member"] != answer["accepts"]
