"""Bad input: exit status 2, nothing on standard output, one line on standard error that says what to mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from weightproof.cli import main

GOOD_FILE = """
from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

head = Head(W_V={"balance": {"[w=0]": -1, "[w=1]": 1}})
construction = Construction(
    name="majority",
    title="more 1s than 0s",
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

COMMAND_LINES = [
    ("", "Missing command"),
    ("shwo parity", "Did you mean 'show'?"),
    ("run", "Missing argument 'NAME|FILE.py|MACHINE'"),
    ("run parity", "Missing argument 'WORD'"),
    ("run parity 01 10", "unexpected extra argument"),
    ("list --bogus", "No such option: --bogus"),
    ("run one -1", "begins with - stands behind --, as in: run NAME -- -1"),
    ("show -mine.py", "begins with - stands behind --"),
    ("run one -- -1", "symbol '-' at index 0 of the word is not in the alphabet"),
    ("show -- -mine.py", "-mine.py: no such file"),
    ("run parity 01 --param", "requires an argument"),
    ("run nonsense 01", "unknown construction 'nonsense'; weightproof list has all names"),
    ("show nonsense.py", "nonsense.py: no such file"),
    ("show parity --part layer-9", "no part 'layer-9'; there are language, embedding, layer-1"),
    ("run parity 012", "symbol '2' at index 2 of the word is not in the alphabet {0, 1}"),
    ("run parity 01 --param c=0", "c = 0 is outside its domain c > 0"),
    ("run parity 01 --param b=1", "no parameter 'b'; it has c"),
    ("run one 01 --param c=1", "no parameter 'c'; it has none"),
    ("run parity 01 --param c=1.5", "write a fraction such as 1/2"),
    ("run parity 01 --param c=((", "not a well-formed expression"),
    ("run parity 01 --param c=x", "unknown name 'x'"),
    ("run parity 01 --param c=1/0", "division by zero"),
    ("run parity 01 --param c", "write NAME=VALUE"),
    ("run parity 01 --param c=1 --param c=2", "given twice"),
    ("run dyck1-depth 01 --param D=1/2", "no natural number"),
    ("run parity 01 --dtype float12", "float12"),
    ("run parity 01 --dtype float32 --device nowhere", "nowhere"),
    ("run parity 01 --dtype float32 --attention loud", "loud"),
    ("run parity 01 --device cpu", "add --dtype"),
    ("prove", "name a construction or a FILE.py, or give --all"),
    ("prove nonsense", "unknown construction 'nonsense'"),
    ("prove parity --timeout 0", "--timeout 0 is no time limit"),
    ("prove parity --timeout -3", "--timeout -3 is no time limit"),
    ("prove parity --timeout nan", "--timeout nan is no time limit"),
    ("claims parity --timeout 0", "--timeout 0 is no time limit"),
    ("claims fraknoi2024-formulas --timeout inf", "--timeout inf is no time limit"),
    ("prove parity --timeout inf", "--timeout inf is no time limit"),
    ("prove parity --timeout soon", "--timeout"),
    ("prove parity --smt /dev/null/obligations", "name a directory that can be written to"),
    ("prove parity --smt /proc", "name a directory that can be written to"),
]


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that bad input gets."""
    status = main(arguments)
    captured = capsys.readouterr()
    assert status == 2
    assert captured.out == ""
    assert captured.err.startswith("weightproof: ")
    assert captured.err.endswith("\n")
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize(("line", "says"), COMMAND_LINES, ids=[line or "nothing" for line, _ in COMMAND_LINES])
def test_bad_command_line(capsys: pytest.CaptureFixture[str], line: str, says: str) -> None:
    assert says in complaint(capsys, *line.split())


FILES = [
    ("not Python", "head = ", "head == (", "was never closed"),
    ("no construction", "construction = ", "konstruction = ", "defines no 'construction'"),
    ("misspelt field", "coordinates=", "koordinates=", "koordinates"),
    ("missing module", "head = ", "import nowhere_to_be_found\nhead = ", "nowhere_to_be_found"),
    ("unknown coordinate", '"[w=0]": -1', '"[w=2]": -1', "coordinate '[w=2]' does not exist; did you mean"),
    ("float weight", '"[w=0]": -1', '"[w=0]": -1.5', "weights are exact: write '-3/2'"),
    ("NaN weight", '"[w=0]": -1', '"[w=0]": float("nan")', "NaN and infinity have no place"),
    ("weight with unknown name", '"[w=0]": -1', '"[w=0]": "c"', "may use only"),
    ("scores that do not meet", "Head(", 'Head(W_Q={"q": {"[w=0]": 1}}, ', "W_Q and W_K have different score"),
    ("matrix as a list", '{"balance": {"[w=0]": -1, "[w=1]": 1}}', "[[-1, 1]]", "is no mapping from names"),
    ("heads that are no tuple", "heads=(head,)", "heads=head", "not a tuple"),
    ("token without embedding", ', "CLS": {}', "", "token 'CLS' has no embedding"),
    ("readout with another row", '"logit"', '"verdict"', "one output row 'logit'"),
    ("formula that is cut off", "> count('0')\"", '>"', "not a well-formed expression"),
]


@pytest.mark.parametrize("command", ["show", "prove"])
@pytest.mark.parametrize(("old", "new", "says"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_bad_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, old: str, new: str, says: str
) -> None:
    assert old in GOOD_FILE
    path = tmp_path / "mine.py"
    path.write_text(GOOD_FILE.replace(old, new, 1))
    line = complaint(capsys, command, str(path))
    assert str(path) in line
    assert says in line


def test_the_good_file_is_good(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD_FILE)
    assert main(["show", str(path)]) == 0
    assert main(["run", str(path), "011"]) == 0
    assert "1/4 = 0.25" in capsys.readouterr().out


def test_a_membership_function_that_fails_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD_FILE.replace('word.count("1") >', 'word.tally("1") >', 1))
    assert "language MAJORITY, member('')" in complaint(capsys, "run", str(path), "01")
