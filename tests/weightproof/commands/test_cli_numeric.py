"""`run --dtype`: the floating-point answers beside the exact one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flint import arb

from weightproof.cli import main
from weightproof.constructions.library import load
from weightproof.numeric.certificate.bound import output_balls


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["run", *arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    data: dict[str, Any] = json.loads(captured.out, parse_constant=pytest.fail)
    return data


def test_every_dtype_and_kind_of_attention_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--dtype", "float64", "--dtype", "float32", "--attention", "explicit", "--attention", "strict"]
    data = answer(capsys, "parity", "0110", *options)
    assert data["logit"] == "-3/77"
    rows = data["numeric"]
    assert [(row["dtype"], row["attention"]) for row in rows] == [
        ("float64", "explicit"),
        ("float64", "strict"),
        ("float32", "explicit"),
        ("float32", "strict"),
    ]
    for row in rows:
        assert row.keys() >= {"dtype", "device", "logit", "accepts"}
        assert output_balls(load("parity"), "0110", dtype=row["dtype"])["logit"].contains(arb(row["logit"]))
        assert row["accepts"] is False


def test_a_dtype_alone_runs_on_the_processor(capsys: pytest.CaptureFixture[str]) -> None:
    [row] = answer(capsys, "first", "10", "--dtype", "bfloat16")["numeric"]
    assert (row["device"], row["attention"]) == ("cpu", "explicit")


def test_a_logit_that_is_no_number_is_text_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    [row] = answer(capsys, "first", "10", "--dtype", "float16", "--param", "c=1000000")["numeric"]
    assert (row["logit"], row["accepts"]) == ("nan", False)


def test_the_report_says_where_floating_point_disagrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "first", "10", "--dtype", "float16", "--dtype", "float64", "--param", "c=1000000"]) == 0
    text = capsys.readouterr().out.split("In floating point\n")[1]
    cells = [re.split(" {2,}", line.strip()) for line in text.splitlines()]
    assert cells[0] == ["dtype", "device", "attention", "logit", "rule", "accepts", "agrees"]
    assert cells[1] == ["float16", "cpu", "explicit", "nan", "logit > 0", "no", "no"]
    assert cells[2][3:] == ["nan", "probability > 1/2", "no", "no"]
    assert cells[3][4:] == ["logit > 0", "yes", "yes"]
