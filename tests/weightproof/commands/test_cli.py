"""The front door: `list`, `show`, `run`; what they print in a pipe and on a terminal, and their JSON."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import subprocess
import sys
import tomllib
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.commands.list import _commands
from weightproof.constructions.claims.published import value_of
from weightproof.constructions.library import (
    AS_PRINTED,
    FAMILIES,
    FORMULAS,
    load,
    load_claims,
    names,
    predictors,
    recipes,
    trained,
)
from weightproof.constructions.machines.files import SHIPPED
from weightproof.constructions.meaning.record import digest, plain
from weightproof.constructions.meaning.running import Run
from weightproof.constructions.meaning.running import run as exact_run
from weightproof.constructions.scalars.exact import ball
from weightproof.kinds import KINDS
from weightproof.reports import running
from weightproof.subjects import adder, circuit
from weightproof.terminal.page import _fitted

HEAVY = {"sympy", "torch", "z3", "cvc5", "matplotlib", "numpy"}
ESCAPE = re.compile("\x1b")
BOXES = re.compile("[\u2500-\u257f]")

Call = Callable[..., str]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Standard output of a command that succeeds and says nothing on standard error."""

    def run_command(*arguments: str) -> str:
        status = main(arguments)
        captured = capsys.readouterr()
        assert (status, captured.err) == (0, "")
        return captured.out

    return run_command


def in_terminal(*arguments: str, columns: int = 80) -> str:
    """What a command writes to a terminal, on both streams."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(columns)}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "weightproof", *arguments], stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(ours)
    assert process.wait() == 0
    return b"".join(chunks).decode()


def without_escapes(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


def test_the_version_is_that_of_the_package(call: Call) -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert call("--version") == f"weightproof {package['version']}\n"


def test_list_json_has_every_construction_and_key(call: Call) -> None:
    listed = json.loads(call("list", "--json"))
    assert [row["name"] for row in listed["recipes"]] == list(recipes())
    assert [row["name"] for row in listed["trained"]] == list(trained())
    rows = listed["constructions"]
    assert [row["name"] for row in rows] == [*names(), *predictors()]
    for row in rows:
        assert row.keys() >= {
            "name", "title", "language", "source", "architecture", "layers", "heads", "width", "parameters",
        }  # fmt: skip
        construction = load(row["name"])
        assert row["width"] == len(construction.network.coordinates)
        assert [parameter["name"] for parameter in row["parameters"]] == [p.name for p in construction.parameters]


def test_list_in_a_pipe_is_one_aligned_line_a_construction(call: Call) -> None:
    constructions, predicting, machines, *others, families = call("list").split("\n\n")
    assert all(name in families for name in (*FAMILIES, *AS_PRINTED, *FORMULAS, *recipes(), *trained()))
    for kind, more, table in zip((circuit, adder), (("regular:REGEX",), ()), others, strict=True):
        assert {line.split()[0] for line in table.splitlines()[1:]} == {*kind.named(), *more}
    assert [line.split()[0] for line in predicting.splitlines()[1:]] == list(predictors())
    lines = constructions.splitlines()
    assert len(lines) == 1 + len(names())
    assert [line.split()[0] for line in machines.splitlines()[1:]] == list(SHIPPED)
    start = lines[0].index("source")
    assert all(line[start - 2 : start] == "  " and line[start] != " " for line in lines)
    assert all(load(name).source in line for name, line in zip(names(), lines[1:], strict=True))


def test_list_says_which_commands_take_what(call: Call) -> None:
    """As they are refused, of which test_contract.py speaks."""
    _, *rows = (re.split("  +", line) for line in call("list", "--commands").strip().splitlines())
    said = {name: set(verbs.split(", ")) for name, verbs in rows}
    assert said == {kind.plural: set(kind.takes) for kind in KINDS}
    known = json.loads(call("list", "--json"))["kinds"]
    assert {each["kind"]: {verb: {*said} for verb, said in each["takes"].items()} for each in known} == {
        kind.plural: kind.takes for kind in KINDS
    }


def test_what_commands_take_is_a_table_on_a_narrow_terminal() -> None:
    assert _fitted(_commands(), 80) is not None


def test_list_imports_no_heavy_module() -> None:
    script = "import sys; from weightproof.cli import main; main(['list']); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    loaded = set(out.splitlines()[-1].split())
    assert not HEAVY & loaded
    assert not {name for name in loaded if name.startswith("weightproof.constructions.claims")}  # it tells of none


def test_a_run_in_exact_arithmetic_imports_no_torch() -> None:
    """A word on which the interpreter runs, and one on which it would take too long."""
    for word in ("1", "1{1000}"):
        script = f"import sys; from weightproof.cli import main; main(['run', 'parity', {word!r}]); print(*sys.modules)"
        out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        assert not {"torch", "z3", "matplotlib"} & {*out.splitlines()[-1].split()}


def test_list_answers_at_once() -> None:
    """In processor time, so that it does not matter what else the machine is doing, and next to that of what is loaded
    in any case, so that it does not matter how fast the machine is."""

    def seconds(*arguments: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    least, took = (
        min(seconds(*each) for _ in range(4)) for each in (("-c", "import flint, typer"), ("-m", "weightproof", "list"))
    )
    assert took < 8 * least


@pytest.mark.parametrize("name", names())
def test_show_names_every_coordinate_and_every_weight(call: Call, name: str) -> None:
    construction = load(name)
    text = call("show", name)
    assert construction.source in text
    assert construction.language.characterisation.source in text
    assert all(coordinate in text for coordinate in construction.network.coordinates)
    weights = [
        weight.source
        for layer in construction.network.layers
        for head in layer.heads
        for rows in (head.W_Q, head.W_K, head.W_V)
        for row in rows.values()
        for weight in row.values()
    ]
    assert all(weight in text for weight in weights)
    assert (f"weightproof claims {name}" in text) == (load_claims(name) is not None)


@pytest.mark.parametrize("name", names())
def test_show_json_is_the_data(call: Call, name: str) -> None:
    construction = load(name)
    shown = json.loads(call("show", name, "--json"))
    assert shown["network"] == json.loads(json.dumps(plain(construction.network)))
    known = load_claims(name)
    printed = () if known is None else known.claims
    assert [claim["printed"] for claim in shown["claims"]] == [claim.printed for claim in printed]
    for said, claim in zip(shown["claims"], printed, strict=True):
        value = value_of(claim)
        stated = (None, None) if value is None else (value.equals.source, value.when.source)
        assert (said["value"], said["when"]) == stated
    assert shown["sha256"] == digest(construction)
    assert shown["network"]["coordinates"] == list(construction.network.coordinates)
    layer = construction.network.layers[-1]
    assert [head["W_V"] for head in shown["network"]["layers"][-1]["heads"]] == [
        {row: {column: weight.source for column, weight in columns.items()} for row, columns in head.W_V.items()}
        for head in layer.heads
    ]


def test_show_can_write_one_part_and_zeros(call: Call) -> None:
    part = call("show", "parity", "--part", "layer-2")
    assert "Layer 2, head 1" in part
    assert "Layer 1" not in part
    assert "Readout" not in part
    dense = call("show", "parity", "--part", "layer-2", "--dense")
    width = len(load("parity").network.coordinates)
    value_matrix = dense.split("W_V")[1].splitlines()[1 : 1 + width]
    assert [line.split()[-width:].count("0") for line in value_matrix] == [width] * (width - 1) + [width - 1]


@pytest.mark.parametrize("name", names())
def test_run_says_what_the_interpreter_says(call: Call, name: str) -> None:
    construction = load(name)
    for length in range(4):
        for word in map("".join, product(construction.language.alphabet, repeat=length)):
            answer = json.loads(call("run", name, word, "--json"))
            assert answer.keys() >= {"construction", "word", "member", "accepts", "logit", "decided", "numeric"}
            run = exact_run(construction, word)
            assert (answer["accepts"], answer["decided"]) == (run.accepts, run.decided)
            if answer["logit_is_exact"]:
                assert Fraction(answer["logit"]) == Fraction(int(run.logit.p), int(run.logit.q))  # type: ignore[union-attr]


def test_run_takes_parameters_and_prints_only_digits_that_are_certain(call: Call) -> None:
    answer = json.loads(call("run", "parity", "0110", "--param", "c=1", "--json"))
    assert not answer["logit_is_exact"]
    assert answer["parameters"] == {"c": "1"}
    certain = ball(exact_run(load("parity"), "0110", {"c": 1}).logit, 512).str(100, radius=False)
    assert certain.startswith(answer["logit"])
    assert len(answer["logit"]) > 15
    assert f"{answer['logit']}..." in call("run", "parity", "0110", "--param", "c=1")


SAID = "by a pass that computes equal queries once, not by the interpreter"


def test_an_answer_that_the_interpreter_did_not_give_says_so(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """One symbol more than the interpreter takes; and the same words by both. A trace is the interpreter's."""
    for more, by in ((0, running.INTERPRETER), (1, running.LINEAR_PASS)):
        monkeypatch.setattr(running, "INTERPRETED", 4 - more)
        for name in ("one", "first-one-layer"):
            answer = json.loads(call("run", name, "0110", "--json"))
            text = call("run", name, "0110")
            run = exact_run(load(name), "0110")
            assert (answer["evaluated"], answer["accepts"], answer["decided"]) == (by, run.accepts, run.decided), name
            assert ball(run.logit, 512).str(100, radius=False).startswith(answer["logit_decimal"].rstrip("0")), name
            assert (SAID in text) == (by == running.LINEAR_PASS)
            traced = json.loads(call("run", name, "0110", "--trace", "--json"))
            assert traced.pop("trace")
            assert traced == answer | {"evaluated": running.INTERPRETER}
    assert json.loads(call("run", "dyck1", "0101", "--json"))["evaluated"] == running.INTERPRETER  # causal


def test_a_word_that_is_run_in_floating_point_alone_is_evaluated_by_nothing(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LONGEST_EXACT", 3)
    answer = json.loads(call("run", "one", "0100", "--dtype", "float32", "--json"))
    assert (answer["evaluated"], answer["logit"], len(answer["numeric"])) == (None, None, 1)


@pytest.mark.parametrize(
    ("line", "evaluated"),
    [
        ("one 01", "interpreter"),
        ("noisy-majority 12", "interpreter"),
        ("full-adder 101", "interpreter"),
        ("regular:(0|1)*1 01", "interpreter"),
        ("parity-feed-forward 011 --param n=3", "interpreter"),
        ("increment 101", {"rnn": "recurrence", "transformer": "interpreter", "directional": "interpreter"}),
        ("rnn-by-directional a", {"rnn": "recurrence", "transformer": "interpreter"}),
    ],
)
def test_every_kind_says_by_what_it_was_run(call: Call, line: str, evaluated: object) -> None:
    assert json.loads(call("run", *line.split(), "--json"))["evaluated"] == evaluated


def test_run_reports_the_empty_word_as_undecided(call: Call) -> None:
    assert json.loads(call("run", "parity", "", "--json"))["decided"] is False
    assert "undecided" in call("run", "parity", "")


def test_run_gives_membership_the_parameters_of_the_language(call: Call) -> None:
    for bound, member in (("1", False), ("2", True)):
        answer = json.loads(call("run", "dyck1-depth", "0011", "--param", f"D={bound}", "--json"))
        assert (answer["member"], answer["accepts"]) == (member, member)


def test_trace_is_the_residual_stream_of_the_interpreter(call: Call) -> None:
    trace = json.loads(call("run", "parity", "011", "--trace", "--json"))["trace"]
    run: Run = exact_run(load("parity"), "011")
    assert [stream["after"] for stream in trace] == ["embedding", "after layer 1", "after layer 2"]
    expected: list[list[dict[str, Any]]] = [[{k: str(x) for k, x in v.items()} for v in s] for s in run.streams]
    assert [stream["vectors"] for stream in trace] == expected


def test_trace_prints_coordinates_down_and_positions_across(call: Call) -> None:
    text = call("run", "parity", "011", "--trace").split("Residual stream, after layer 1\n")[1]
    lines = text.splitlines()
    assert lines[0].split() == ["0:CLS", "1:0", "2:1", "3:1"]
    assert [line.split()[0] for line in lines[1:10]] == list(load("parity").network.coordinates)
    assert next(line for line in lines if line.startswith("k/n")).split() == ["k/n", "1/2", "1/2", "1/2", "1/2"]
    assert len({len(line) for line in lines[:10]}) == 1


REPORTS = [
    ["list"],
    ["show", "parity"],
    ["show", "palindrome", "--dense"],
    ["run", "parity", "0101", "--trace"],
    ["--help"],
    ["run", "--help"],
]


@pytest.mark.parametrize("arguments", REPORTS, ids=" ".join)
def test_a_pipe_gets_no_escape_code_and_no_box(call: Call, arguments: list[str]) -> None:
    text = call(*arguments)
    assert not ESCAPE.search(text)
    assert not BOXES.search(text)


def test_a_terminal_gets_colours_and_whole_cells() -> None:
    text = in_terminal("show", "palindrome", "--dense", "--part", "layer-2", columns=60)
    assert ESCAPE.search(text)
    lines = without_escapes(text).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum("[right and w=1]" in line and "s" in line.split() for line in lines) >= 6


def test_a_terminal_list_wraps_but_loses_nothing() -> None:
    text = without_escapes(in_terminal("list", columns=70))
    assert all(name in text for name in names())
    assert "…" not in text


def test_a_terminal_breaks_no_word_of_a_table() -> None:
    text = without_escapes(in_terminal("list", columns=80))
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    assert "parameters" in text.splitlines()[0]
    words = {word for name in names() for word in load(name).source.split()}
    assert words <= set(text.split())


def test_a_narrow_terminal_gets_a_list_of_cells_for_each_row() -> None:
    lines = [line.rstrip() for line in without_escapes(in_terminal("list", columns=44)).splitlines()]
    assert max(map(len, lines)) <= 44
    start = lines.index("palindrome-as-printed")
    assert lines[start + 1] == "  language    PALINDROME"
    assert "  heads       2" in lines[start:]


def test_a_terminal_sees_the_time_left_while_theorems_are_proved() -> None:
    text = without_escapes(in_terminal("prove", "one", "first", columns=120))
    assert re.search(r"\d/\d+ .* left", text)
    assert "all lengths" in text


ENCODER_DECODER = """
from weightproof import (
    Construction, Embedding, Encoder, EncoderDecoder, FeedForward, Head, Language, Layer, LayerNorm, Linear, Readout,
)

weights = {"a": {"b": 1}}
encoder = Encoder(
    coordinates=("a", "b"),
    embedding=Embedding({"0": {"a": 1}, "1": {"b": 1}}, {"a": "i"}),
    layers=(
        Layer(heads=(Head(weights, {"q": {"a": 1}}, {"q": {"b": 2}}, score="-|dot|"),), attention_norm=LayerNorm()),
    ),
    readout=Readout(Linear({"logit": {"a": 1}})),
    begin=None,
)
decoder_layer = Layer(
    cross_heads=(Head({"v": {"b": 1}}, W_O={"t": {"v": "1/2"}}),),
    feed_forward=FeedForward(Linear({"h": {"s": 1}}, {"h": "1/3"}), Linear({"t": {"h": 1}}), "saturated-linear"),
    cross_residual=False,
)
construction = Construction(
    name="both",
    title="every part of the schema",
    source="a test",
    language=Language("ANY", ("0", "1"), lambda word: True, "n >= 1"),
    network=EncoderDecoder(
        encoder=encoder, coordinates=("s", "t"), seed={"s": 1}, PE={"t": "i + 1"}, layers=(decoder_layer,),
        feedback=Linear({"s": {"t": 1}}), readout=Readout(Linear({"logit": {"t": 1}})),
    ),
)
"""


def test_of_an_encoder_decoder_nothing_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "both.py"
    path.write_text(ENCODER_DECODER)
    assert main(["prove", str(path)]) == 2
    assert "is an encoder-decoder; prove takes: encoders that read out a logit" in capsys.readouterr().err


def test_show_writes_every_part_of_an_encoder_decoder(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "both.py"
    path.write_text(ENCODER_DECODER)
    text = call("show", str(path))
    for line in (
        "encoder residual stream  a  b",
        "Encoder layer 1, head 1: softmax of -(1/sqrt(d)) |q.k| over all positions",
        "  Encoder layer 1: layer norm after attention, epsilon = 0",
        "Decoder layer 1, cross head 1: softmax of (1/sqrt(d)) q.k over all positions",
        "Decoder layer 1, feed-forward network: W2 saturated-linear(W1 x)",
        "  h   1   1/3",
        "  Decoder layer 1: no residual connection after cross",
    ):
        assert line in text.splitlines()
    network = json.loads(call("show", str(path), "--json"))["network"]
    assert network["seed"] == {"s": "1"}
    assert network["encoder"]["layers"][0]["attention_norm"] == {"epsilon": "0"}
