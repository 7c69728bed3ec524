"""`precision` of a decoder: prompts that a format loses, and formats that lose none."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from weightproof.cli import main
from weightproof.measuring import prompts
from weightproof.proofs.covering import searching

FILE = """
from dataclasses import replace

from tests.support.contest import of_digits
from weightproof.constructions.library import load
from weightproof.proofs.covering import searching
from weightproof.proofs.theorem import theorems_of

entry = load("ENTRY")
construction = replace(entry, name="adder", network=replace(entry.network, readout=CHANGED))
theorems = tuple(of_digits(each, 1) for each in theorems_of("ENTRY"))
"""
UNCHANGED = "entry.network.readout"
ONE_IS_MORE = (
    "replace(entry.network.readout, W=replace(entry.network.readout.W, bias={**entry.network.readout.W.bias, '1': 50}))"
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(prompts.DRAWN, "explicit", 200)
    monkeypatch.setitem(prompts.DRAWN, "strict", 20)
    monkeypatch.setattr(searching, "FEW", 1)  # what is run one by one has no margin


@pytest.fixture
def adder(tmp_path: Path) -> Any:
    def of(entry: str = "lichengliu03-50", readout: str = UNCHANGED, name: str = "adder") -> str:
        file = tmp_path / f"{name}.py"
        file.write_text(FILE.replace("ENTRY", entry).replace("CHANGED", readout))
        return str(file)

    return of


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Any]:
    assert main(["precision", *arguments, "--json"]) == 0
    found: list[Any] = json.loads(capsys.readouterr().out)["rows"]
    return found


def test_all_prompts_are_certified_or_one_is_lost(adder: Any, capsys: pytest.CaptureFixture[str]) -> None:
    dtypes = ("bfloat16", "float32", "float64")
    low, between, high = rows(capsys, adder(), *(option for dtype in dtypes for option in ("--dtype", dtype)))
    assert (high["certified_safe_length"], high["uncertified"], high["first_failing_length"]) == (22, None, None)
    assert (low["certified_safe_length"], low["first_failing_length"], low["prompts"]) == (0, 22, 200)
    assert low["uncertified"] == "nothing is known of how far outputs may be off"
    assert (between["certified_safe_length"], between["first_failing_length"]) == (0, None)
    assert between["uncertified"].startswith("two outputs may be off by ")
    witness = low["witness"]
    assert main(["precision", adder(), "--dtype", "bfloat16"]) == 0
    told = capsys.readouterr().out
    [command] = re.findall("^  weightproof (run .*)$", told, re.MULTILINE)
    assert main(shlex.split(command)) == 0
    assert f" {witness['appended']} " in capsys.readouterr().out
    assert f"not certified: {low['uncertified']}" in told
    assert f"{witness['appended']} is appended, and not {witness['right']}" in told


def test_what_is_not_said_of_an_activation_is_certified_of_strict_attention_alone(
    adder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--dtype", "float64", "--attention", "explicit", "--attention", "strict")
    explicit, strict = rows(capsys, adder("zcbtrak-6"), *options)
    assert (explicit["certified_safe_length"], strict["certified_safe_length"]) == (0, 31)
    assert "silu has no bound on rounding" in explicit["uncertified"]


def test_what_exact_arithmetic_loses_is_not_counted_and_certifies_nothing(
    adder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    [row] = rows(capsys, adder(readout=ONE_IS_MORE), "--dtype", "float64")
    assert (row["certified_safe_length"], row["first_failing_length"]) == (0, None)
    assert row["uncertified"] == "over the reals it is not proved, or not by sets of prompts alone"
    [row] = rows(capsys, adder(readout=ONE_IS_MORE), "--dtype", "bfloat16")
    assert row["first_failing_length"] is None or row["witness"]["appended"] != row["witness"]["right"]


def test_a_theorem_of_the_same_name_about_the_same_weights_has_a_margin_of_its_own(
    adder: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    [right] = rows(capsys, adder(), "--dtype", "float64")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        Path(adder()).read_text()
        + "first = theorems[0]\n"
        + "never = replace(first.transducer, step=lambda carry, a, b: (0, '0'))\n"
        + "theorems = (replace(first, transducer=never),)\n"
    )
    [other] = rows(capsys, str(wrong), "--dtype", "float64")
    assert (right["certified_safe_length"], other["certified_safe_length"]) == (22, 0)


def test_a_lost_prompt_is_replayed(adder: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "rows.json"
    rows(capsys, adder(), "--dtype", "bfloat16", "--keep", str(kept))
    assert main(["precision", "--replay", str(kept)]) == 0
    assert "1 of 1 hold" in capsys.readouterr().out
    data = json.loads(kept.read_text())
    data["rows"][0]["witness"] |= {"word": "0" * 22, "right": " ".join("0" * 11)}
    kept.write_text(json.dumps(data))
    assert main(["precision", "--replay", str(kept)]) == 1
    del data["rows"][0]["witness"]["appended"]
    kept.write_text(json.dumps(data))
    assert main(["precision", "--replay", str(kept)]) == 2


def test_a_decoder_of_which_nothing_says_what_it_computes_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "adder.py"
    file.write_text("from weightproof.constructions.adderboard.lichengliu03_50 import construction\n")
    assert main(["precision", str(file)]) == 2
    assert "no theorem says what it computes; state one by Computes(NAME, ...)" in capsys.readouterr().err
