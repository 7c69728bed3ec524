"""A fuzz of the command line: exit status 0, 1 or 2; with 2 one line on standard error; never a traceback."""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.controls.random_command_lines import GREETING, command_lines, files
from weightproof.cli import main

HEADER = "random command lines\ttried\tstatus 0\tstatus 1\tstatus 2"


def answer(arguments: Sequence[str]) -> tuple[int, str]:
    """Exit status and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    return status, err.getvalue()


def fuzz(number: int, examples: int, folder: Path) -> Counter[int]:
    path = folder / "mine.py"
    statuses: Counter[int] = Counter()

    @seed(number)
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def lines(data: st.DataObject) -> None:
        path.write_bytes(data.draw(files(), label="file"))
        arguments = data.draw(command_lines(str(path)), label="arguments")
        status, said = answer(arguments)
        assert status in (0, 1, 2), status
        assert "Traceback" not in said
        # What a file itself prints comes first, on standard error.
        said = said.removeprefix(f"{GREETING}\n")
        if status == 2:
            assert said.startswith("weightproof: "), said
            assert said.endswith("\n"), said
            assert len(said.splitlines()) == 1, said
        statuses[status] += 1

    lines()
    return statuses


@pytest.mark.parametrize(
    ("number", "examples"),
    [(0, 120), *(pytest.param(number, 100, marks=pytest.mark.controls) for number in range(1, 6))],
)
def test_random_command_lines(
    tmp_path: Path, number: int, examples: int, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    statuses = fuzz(number, examples, tmp_path)
    count_row(HEADER, "random", [statuses.total(), statuses[0], statuses[1], statuses[2]])
    assert statuses[0] > examples // 10
    assert statuses[2] > examples // 10
