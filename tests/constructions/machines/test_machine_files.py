"""Machines as people write them: the YAML of turingmachine.io and lines of the busy-beaver community."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weightproof.constructions.machines.files import find_machine, read_line, read_machine
from weightproof.constructions.machines.turing import Transition, TuringMachine, run
from weightproof.constructions.meaning.inputs import InputError

GOOD = """\
# a comment
name: to the right
input: 011
blank: ' '
start state: go
synonyms:
  end: {write: 1, R: stop}
table:
  go:
    [0,1]: R
    ' ': end
  back:
    0: {L: go}
    1: {write: 0, L}
  stop:
positions: {go: {x: 1, y: 2}}
"""
EXPORTED = "name: outside\nsource code: |\n" + "".join(f"  {line}\n" for line in GOOD.splitlines())


def written(tmp_path: Path, text: str) -> TuringMachine:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return read_machine(path)


def test_parts_that_stand_too_deep_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mine\.yaml: its parts stand too deep inside one another"):
        written(tmp_path, "[" * 10_000 + "]" * 10_000)


@pytest.mark.parametrize("text", [GOOD, EXPORTED], ids=["as written", "as exported"])
def test_a_file_of_turingmachine_io(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, text) == TuringMachine(
        name="mine",
        blank=" ",
        start="go",
        table={
            "go": {
                "0": Transition("0", "R", "go"),
                "1": Transition("1", "R", "go"),
                " ": Transition("1", "R", "stop"),
            },
            "back": {"0": Transition("0", "L", "go"), "1": Transition("0", "L", "back")},
            "stop": {},
        },
        title="to the right",
        example="011",
    )


MALFORMED = [
    ("blank: ' '", "blank:", 4, "symbol '' is no single character; a blank is written as ' '"),
    ("start state: go", "start state: gone", 5, "start state 'gone' is not in the table"),
    ("blank: ' '\n", "", 2, "no 'blank'; a machine has a blank, a start state and a table"),
    ("' ': end", "' ': and", 11, "'and' is no instruction; write L, R, a synonym, or a mapping"),
    ("' ': end", "' ':", 11, "missing instruction; write L, R, or {write: SYMBOL, L: NEXT STATE}"),
    ("' ': end", "' ': {R: gone}", 11, "state 'gone' is not in the table"),
    ("' ': end", "' ': {R: go, L: go}", 11, "an instruction moves once, L or R, not L and R"),
    ("' ': end", "' ': {write: 1}", 11, "an instruction moves once, L or R, not nowhere"),
    ("' ': end", "' ': {wriet: 1, L}", 11, "'wriet' is no part of an instruction"),
    ("' ': end", "' ': [L]", 11, "an instruction is no mapping"),
    ("' ': end", "01: L", 11, "symbol '01' is no single character"),
    ("' ': end", "0: L", 11, "state 'go' has two instructions for '0'"),
    ("  stop:", "  stop: halts", 15, "state 'stop' is no mapping from symbols to instructions"),
    ("  stop:", "  go:", 15, "'go' stands twice in the table"),
    ("  end: {write: 1, R: stop}", "  end: other", 7, "'other' is no instruction"),
    ("table:", "table: []\nother:", 8, "the table is no mapping"),
    ("[0,1]: R", "[0,1: R", 11, "expected ',' or ']'"),
    (GOOD, "", 1, "a machine is no mapping"),
    (GOOD, "\t", 1, "found character '\\\\t' that cannot start any token"),
    (GOOD, "- 1", 1, "a machine is no mapping"),
]


@pytest.mark.parametrize(("old", "new", "line", "says"), MALFORMED)
def test_a_malformed_file_is_refused_with_its_line(tmp_path: Path, old: str, new: str, line: int, says: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError) as caught:
        written(tmp_path, GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(f"{tmp_path / 'mine.yaml'}:{line}: ")
    assert says in str(caught.value).replace("'\\t'", "'\\\\t'")
    assert "\n" not in str(caught.value)


def test_the_lines_of_exported_files_are_those_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mine\.yaml:13: 'and' is no instruction"):
        written(tmp_path, EXPORTED.replace("' ': end", "' ': and"))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.yaml: no such file; name a machine's YAML file"):
        find_machine(str(tmp_path / "no.yaml"))


@given(text=st.text(max_size=40) | st.sampled_from(GOOD.splitlines()).map(lambda line: GOOD.replace(line, "", 1)))
def test_whatever_a_file_says_it_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "random.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        found = str(read_machine(path).states)
    except InputError as error:
        found = str(error)
    assert found.startswith(("(", f"{path}"))


def test_a_line_of_the_busy_beaver_community() -> None:
    """Its five 1s and 21 steps are the most of all machines of three states and two symbols."""
    machine = find_machine("1RB---_1LB0RC_1LC1LA")
    assert machine is not None
    assert machine.table["A"] == {"0": Transition("1", "R", "B")}
    found = list(run(machine, ""))
    assert len(found) - 1 == 20  # and one to a halting state
    assert read_line("1RB1RZ_1LB0RC_1LC1LA").table["Z"] == {}
    assert len(list(run(read_line("1RB1RZ_1LB0RC_1LC1LA"), ""))) - 1 == 21


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1RB1LC_1LA", "no machine; write a row of instructions like 1RB for each state, rows joined by _"),
        ("1RB2LA_1LA1RB", "writes 2, but has no column for it; it reads 0 to 1"),
        ("1XB1LC_1LA1RB", "no machine"),
    ],
)
def test_a_malformed_line_is_refused(line: str, says: str) -> None:
    with pytest.raises(InputError, match=f"^{line}: .*{says}"):
        read_line(line)


@pytest.mark.parametrize("argument", ["parity", "mine.py", "1R", "A_B", "increments"])
def test_other_arguments_name_no_machine(argument: str) -> None:
    assert find_machine(argument) is None
