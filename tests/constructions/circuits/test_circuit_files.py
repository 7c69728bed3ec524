"""Circuits as people write them: ASCII AIGER, read by us and by py-aiger, and gates on a line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import aiger
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjunction, inputs_of, negation, values
from weightproof.constructions.circuits.family import every_circuit
from weightproof.constructions.circuits.files import SHIPPED, find_circuit, read_circuit, written
from weightproof.constructions.meaning.inputs import InputError

GOOD = """\
aag 4 2 0 2 2
2
4
9
3
8 6 5
6 2 5
i0 x
o1 not x
c
a title
more
"""


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Circuit]:
    def reads(text: str | bytes) -> Circuit:
        path = tmp_path / "mine.aag"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_circuit(path)

    return reads


Reads = Callable[[str | bytes], Circuit]


def test_a_file_becomes_gates_in_the_order_of_what_they_read(read: Reads) -> None:
    circuit = read(GOOD)
    assert (circuit.name, circuit.title, circuit.inputs) == ("mine", "a title", 2)
    assert circuit.gates == (negation(2), conjunction(1, 3), conjunction(4, 3), negation(5), negation(1))
    assert circuit.outputs == (6, 7)
    assert read(GOOD.replace("\n", "\r\n")) == circuit
    assert read(GOOD[: GOOD.index("c\n")]).title == ""
    assert read(GOOD[: GOOD.index("a title")]).title == ""
    assert read(GOOD.replace("a title", "\x1b[31ma\ttitle")).title == "[31matitle"


def test_constants_are_made_of_the_first_input(read: Reads) -> None:
    circuit = read("aag 3 2 0 4 1\n4\n2\n1\n0\n6\n5\n6 1 2\n")
    assert circuit.gates == (negation(1), conjunction(1, 3), negation(4), conjunction(5, 2))
    assert circuit.outputs == (5, 4, 6, 3)
    for word in inputs_of(circuit):
        assert outputs(circuit, word) == [True, False, word[1] == "1", word[0] == "0"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("aag 4 2 0 2 2", "aig 4 2 0 2 2", "1: binary AIGER; convert it by `aigtoaig mine.aig mine.aag`"),
        ("aag 4 2 0 2 2", "circuit", "1: an ASCII AIGER file begins with 'aag' and its five numbers"),
        ("aag 4 2 0 2 2", "", "1: an ASCII AIGER file begins"),
        ("aag 4 2 0 2 2", "aag 4 2 0 2", "1: write 'aag' and five numbers: the greatest variable, inputs, latches,"),
        ("aag 4 2 0 2 2", "aag 4 2 0 2 -2", "1: write 'aag' and five numbers"),
        ("aag 4 2 0 2 2", "aag 4 2 0 2 2 1", "1: write 'aag' and five numbers"),
        ("aag 4 2 0 2 2", "aag 4 2 0 2 " + "9" * 5000, "1: write 'aag' and five numbers"),
        ("aag 4 2 0 2 2", "aag 5 2 1 2 2", "1: it has latches, 1 of them"),
        ("aag 4 2 0 2 2", "aag 4 0 0 2 2", "1: a circuit without inputs"),
        ("aag 4 2 0 2 2", "aag 3 2 0 2 2", "1: the greatest variable is 3, but 2 inputs and 2 ANDs have one each"),
        ("aag 4 2 0 2 2", "aag 9 2 0 2 3", "8: 'i0 x' is not an AND; write its literal and the two that it reads"),
        ("aag 4 2 0 2 2", "aag 4 2 0 2 1", "7: '6 2 5' is no name like 'i0 x', and no comment has begun"),
        ("\n4\n", "\n5\n", "3: literal 5 is inverted; an input has an even one"),
        ("\n4\n", "\n0\n", "3: literal 0 is a constant, not an input"),
        ("\n4\n", "\n2\n", "3: literal 2 is defined again; line 2 defines it"),
        ("\n4\n", "\n4 6\n", "3: '4 6' is not an input; write one literal"),
        ("\n4\n", "\nx\n", "3: 'x' is not an input; write one literal"),
        ("\n4\n", "\n\n", "3: '' is not an input; write one literal"),
        ("\n9\n", "\n10\n", "4: literal 10 is beyond 9, of the greatest variable of the header"),
        ("aag 4 2 0 2 2\n2\n4\n9", "aag 5 2 0 2 2\n2\n4\n10", "4: literal 10 is read, but no input and no AND is"),
        ("8 6 5", "9 6 5", "6: literal 9 is inverted; an AND has an even one"),
        ("8 6 5", "4 6 5", "6: literal 4 is defined again; line 3 defines it"),
        ("8 6 5", "6 2 5", "7: literal 6 is defined again; line 6 defines it"),
        ("8 6 5", "8 6", "6: '8 6' is not an AND"),
        ("6 2 5", "6 2 9", "6: a cycle of the variables"),
        ("6 2 5", "6 7 5", "7: a cycle of the variables 3 -> 3"),
        ("i0 x", "i2 x", "8: a name for i2; there are 2 inputs and 2 outputs"),
        ("i0 x", "l0 x", "8: a name for l0"),
        ("i0 x", "name", "8: 'name' is no name like 'i0 x'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(read: Reads, old: str, new: str, says: str) -> None:
    assert old in GOOD
    with pytest.raises(InputError, match=rf"^\S*mine\.aag:{re.escape(says)}") as error:
        read(GOOD.replace(old, new, 1))
    assert "\n" not in str(error.value)


@given(st.data())
def test_any_text_is_read_or_refused_in_one_line(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    lines = GOOD.splitlines()
    kind = data.draw(st.sampled_from(("cut", "bytes", "line")))
    if kind == "cut":
        text = GOOD[: data.draw(st.integers(0, len(GOOD)))].encode()
    elif kind == "bytes":
        text = data.draw(st.binary(max_size=40))
    else:
        number = data.draw(st.integers(0, len(lines) - 1))
        text = "\n".join(
            [*lines[:number], data.draw(st.text("0123456789 aigco", max_size=12)), *lines[number + 1 :]]
        ).encode()
    path = tmp_path_factory.mktemp("any") / "any.aag"
    path.write_bytes(text)
    try:
        said = read_circuit(path).name
    except InputError as error:
        said = str(error)
    assert "\n" not in said


def test_files_that_end_too_early_and_files_that_are_not_there(read: Reads, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r":6: the file ends here, where the header in line 1 promises an AND$"):
        read("\n".join(GOOD.splitlines()[:6]))
    with pytest.raises(InputError, match="no such file; name a circuit's AIGER file"):
        read_circuit(tmp_path / "missing.aag")
    with pytest.raises(InputError, match="is no text"):
        read(b"aag 1 1 0 0 0\n\xff")


def outputs(circuit: Circuit, word: str) -> list[bool]:
    carried = values(circuit, word)
    return [carried[wire - 1] for wire in circuit.outputs]


@st.composite
def files(draw: st.DrawFn) -> tuple[int, int, str]:
    """How many inputs and outputs there are, and the text: variables with gaps, and ANDs in any order."""
    inputs, ands, count = draw(st.integers(1, 4)), draw(st.integers(0, 8)), draw(st.integers(1, 3))
    gap = draw(st.integers(0, 3))
    variables = draw(st.permutations(range(1, inputs + ands + gap + 1)))[: inputs + ands]
    lines, read = [], [0, 1, *(2 * variable + sign for variable in variables[:inputs] for sign in (0, 1))]
    for variable in variables[inputs:]:
        lines.append(f"{2 * variable} {draw(st.sampled_from(read))} {draw(st.sampled_from(read))}")
        read += [2 * variable, 2 * variable + 1]
    wanted = [draw(st.sampled_from(read)) for _ in range(count)]
    text = [
        f"aag {inputs + ands + gap} {inputs} 0 {count} {ands}",
        *(str(2 * variable) for variable in variables[:inputs]),
        *map(str, wanted),
        *draw(st.permutations(lines)),
        *(f"i{number} i{number}" for number in range(inputs)),
        *(f"o{number} o{number}" for number in range(count)),
    ]
    return inputs, count, "".join(f"{line}\n" for line in text)


def by_oracle(inputs: int, count: int, text: str) -> Iterator[list[bool]]:
    """What py-aiger says of all inputs."""
    oracle = aiger.parser.parse(text)
    for bits in itertools.product((False, True), repeat=inputs):
        found, _ = oracle({f"i{number}": bit for number, bit in enumerate(bits) if f"i{number}" in oracle.inputs})
        yield [bool(found[f"o{number}"]) for number in range(count)]


@settings(max_examples=300, deadline=None)
@given(files())
def test_py_aiger_reads_the_same(tmp_path_factory: pytest.TempPathFactory, file: tuple[int, int, str]) -> None:
    inputs, count, text = file
    path = tmp_path_factory.getbasetemp() / "generated.aag"
    path.write_text(text)
    circuit = read_circuit(path)
    assert [outputs(circuit, word) for word in inputs_of(circuit)] == list(by_oracle(inputs, count, text))
    assert len({gate for gate in circuit.gates if gate.kind == "NOT"}) == sum(
        gate.kind == "NOT" for gate in circuit.gates
    )


def number(bits: str) -> int:
    return int(bits, 2)


MEANT: dict[str, Callable[[str], str]] = {
    "full-adder": lambda word: f"{word.count('1'):02b}"[::-1],
    "majority-of-3": lambda word: str(int(word.count("1") >= 2)),
    "parity-of-4": lambda word: str(word.count("1") % 2),
    "two-bit-multiplier": lambda word: f"{number(word[:2]) * number(word[2:]):04b}",
    "two-bit-comparator": lambda word: str(int(number(word[:2]) > number(word[2:]))),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_circuits_compute_what_they_are_called(name: str) -> None:
    circuit = find_circuit(name)
    assert circuit is not None
    assert circuit.name == name
    assert circuit.title
    for word in inputs_of(circuit):
        assert "".join("01"[bit] for bit in outputs(circuit, word)) == MEANT[name](word)


def test_all_shipped_files_have_names_and_other_arguments_name_none() -> None:
    folder = Path(read_circuit.__code__.co_filename).parent / "shipped"
    assert {path.stem for path in folder.iterdir()} == set(SHIPPED)
    assert find_circuit("parity") is None
    assert find_circuit(str(folder / "full-adder.aag")) == find_circuit("full-adder")


def test_gates_on_a_line_are_what_circuits_are_named() -> None:
    for circuit in itertools.chain(*(every_circuit(2, gates) for gates in range(3))):
        assert written(circuit.name, 2) == circuit
    assert written(" AND(1,2)  NOT(3) ", 2) == Circuit("AND(1,2) NOT(3)", 2, (Gate("AND", 1, 2), Gate("NOT", 3, 3)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("OR(1,2)", "'OR(1,2)' is no gate; write gates like NOT(1) AND(1,2)"),
        ("NOT(1,2)", "is no gate"),
        ("AND(1)", "is no gate"),
        ("AND(1, 2)", "is no gate"),
        ("AND(0,1)", "is no gate"),
        ("NOT(1)AND(1,2)", "is no gate"),
        ("NOT(" + "1" * 5000 + ")", "is no gate"),
        ("NOT(\u0661)", "is no gate"),
        ("NOT(3)", "gate 3 reads wire 3, which does not stand before it"),
        ("NOT(1) AND(1,9)", "gate 4 reads wire 9, which is missing"),
    ],
)
def test_other_lines_are_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        written(text, 2)
