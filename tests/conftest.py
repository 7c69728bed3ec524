"""What the suites share: the examples that are drawn, and the tables at the end of a run."""

from __future__ import annotations

import importlib
import json
import pkgutil
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from typer._click.globals import get_current_context

import weightproof.numeric  # noqa: F401 - before any test loads torch
from tests.support.schemas import faults
from weightproof import commands
from weightproof.terminal.streams import emit

TABLES, COUNTS = "tables", "counts"

# The same examples on every machine: what passed here passes there, however slow it is.
settings.register_profile("the same everywhere", deadline=None, derandomize=True)
settings.load_profile("the same everywhere")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--until", type=float, metavar="SECONDS", help="begin no long suite after this time, in seconds since 1970"
    )


NO_TIME = "no time was left to begin it"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """On a slow machine some of the long suites are left out, and told at the end, rather than none of them landing."""
    until = item.config.getoption("--until")
    if until is not None and time.time() > until and item.get_closest_marker("controls"):
        pytest.skip(NO_TIME)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is asked of one construction runs in one process, where it is derived and proved once; what takes longest
    alone, as do reports and documents, comes first."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/weightproof/"))
    for item in items:
        if item.get_closest_marker("proofs") and not item.nodeid.startswith("tests/proofs/"):
            raise pytest.UsageError(f"{item.nodeid} is of `make proofs`, which looks into tests/proofs alone")
        callspec = getattr(item, "callspec", None)
        name = None if callspec is None else callspec.params.get("name")
        if isinstance(name, str) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(name))


_under_way: set[str] = set()
"""The tests that have begun and not ended, in any process."""


def pytest_runtest_logstart(nodeid: str) -> None:
    _under_way.add(nodeid)


def pytest_runtest_logfinish(nodeid: str) -> None:
    _under_way.discard(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A process that dies ends the run, and what ran is told: its tests would be waited for without end."""
    if error:
        pytest.exit(f"process {node.gateway.id} died ({error}) while there ran: {', '.join(sorted(_under_way))}", 1)


@pytest.fixture(autouse=True, scope="session")
def every_document_is_what_its_schema_says() -> Iterator[None]:
    """Whatever test has a command write JSON in its own process."""
    with pytest.MonkeyPatch.context() as patch:
        for found in pkgutil.iter_modules(commands.__path__, "weightproof.commands."):
            module = importlib.import_module(found.name)
            if hasattr(module, "emit"):
                patch.setattr(module, "emit", _held)
        yield


def _held(data: dict[str, Any]) -> None:
    command = str(get_current_context().info_name)
    if wrong := faults(command, json.loads(json.dumps(data))):
        pytest.fail(f"{command} --json: {'; '.join(wrong)}")  # no Exception, of which the program makes a line
    emit(data)


@pytest.fixture
def little_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work for the last search: where no word is to be found, all of it is done."""
    from weightproof.proofs import deciding

    monkeypatch.setattr(deciding, "SEARCHED", 500_000)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder with what every proof and every refutation rests on, compiled by Coq, which takes most of a minute: once
    for all processes of a run, of which each waits for a file that another one compiles."""
    from weightproof.constructions.library import load
    from weightproof.proofs.expected import as_expected
    from weightproof.proofs.kernel.coq import check
    from weightproof.proofs.theorem import Decides, theorems_of

    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if hasattr(request.config, "workerinput") else own) / "compiled"
    folder.mkdir(exist_ok=True)
    for name in ("one", "first-one-layer"):  # of which one theorem is proved, and the other one refuted
        recognises = next(each for each in theorems_of(name) if isinstance(each, Decides))
        check(as_expected(load(name), recognises), folder)
    return folder


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, compiled: Path) -> Path:
    """A module's own, in which none of it is compiled again."""
    folder = tmp_path_factory.mktemp("kernel") / "library"
    shutil.copytree(compiled, folder)
    return folder


@pytest.fixture
def table_row(
    record_property: Callable[[str, object], None], request: pytest.FixtureRequest
) -> Callable[[str, Sequence[str]], None]:
    """Adds a row to a table that is printed at the end of the run; header and cells joined by tabs.

    The rows are in the order in which the tests are written, whichever process ends first.
    """

    def add(header: str, cells: Sequence[str]) -> None:
        record_property(TABLES, (header, request.session.items.index(request.node), list(cells)))

    return add


@pytest.fixture
def count_row(record_property: Callable[[str, object], None]) -> Callable[[str, str, Sequence[int]], None]:
    """As `table_row`, for numbers: rows of the same name, from several tests, are added up."""

    def add(header: str, name: str, numbers: Sequence[int]) -> None:
        record_property(COUNTS, (header, name, list(numbers)))

    return add


def _tell_left_out(terminalreporter: Any) -> None:
    left = [report.nodeid for report in terminalreporter.stats.get("skipped", []) if NO_TIME in str(report.longrepr)]
    if left:
        terminalreporter.write_line("")
        terminalreporter.write_line(f"{len(left)} tests were NOT run, as {NO_TIME}:")
        for file, number in sorted(Counter(name.partition("::")[0] for name in left).items()):
            terminalreporter.write_line(f"  {number:5} of {file}")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was left out, and the tables that the tests have filled."""
    from weightproof.document.blocks import Table
    from weightproof.terminal.page import write

    _tell_left_out(terminalreporter)

    placed: dict[str, list[tuple[int, Sequence[str]]]] = {}
    counts: dict[str, dict[str, list[int]]] = {}
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for key, value in [item for report in reports if report.when == "call" for item in report.user_properties]:
        if key == TABLES:
            header, place, cells = value
            placed.setdefault(header, []).append((place, cells))
        elif key == COUNTS:
            header, name, numbers = value
            rows = counts.setdefault(header, {})
            rows[name] = [a + b for a, b in zip(rows.get(name, [0] * len(numbers)), numbers, strict=True)]
    tables = {header: [cells for _, cells in sorted(rows)] for header, rows in placed.items()}
    for header, sums in counts.items():
        total = [sum(column) for column in zip(*sums.values(), strict=True)]
        tables[header] = [[name, *map(str, numbers)] for name, numbers in [*sums.items(), ("all", total)]]
    for header, lines in tables.items():
        terminalreporter.write_line("")
        titles = header.split("\t")
        right = frozenset(titles[1:] if header in counts else [title for title in titles if "time" in title])
        write([Table(titles, lines, right=right)], sys.stdout)
