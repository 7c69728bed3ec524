"""`import weightproof as wp`: what it has, what it loads, and that its values say what the command line says."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import weightproof as wp
from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.document.blocks import Code, Heading, Paragraph, Styled, Table, pairs
from weightproof.document.markdown import markdown
from weightproof.reports import running

HEAVY = ("torch", "sympy", "z3", "cvc5", "flint", "numpy", "matplotlib", "typer", "rich")
EXAMPLE = ROOT / "tests" / "examples" / "last_is_one.py"


def loaded_by(code: str) -> set[str]:
    """The heavy libraries, and the modules of ours, that a fresh Python has loaded after some code."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in result.stdout.splitlines()[-1].split() if name in HEAVY or name.startswith("weightproof")}


def heavy(code: str) -> set[str]:
    return loaded_by(code) & {*HEAVY}


def test_the_import_alone_loads_nothing() -> None:
    assert loaded_by("import weightproof") == {"weightproof"}
    assert heavy("import weightproof as wp; wp.Encoder, wp.load('one'), wp.Margin") == {"flint"}
    assert "torch" in heavy("import weightproof as wp; wp.Transformer")  # the search finds what is there


def declared() -> dict[str, str]:
    """Name -> module, as type checkers see them."""
    tree = ast.parse((ROOT / "weightproof" / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If) and isinstance(node.body[0], ast.ImportFrom))
    found = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        [alias] = node.names
        assert alias.asname == alias.name  # else mypy --strict does not see it
        found[alias.name] = str(node.module)
    return found


def test_what_is_declared_is_what_is_loaded() -> None:
    """Each name comes from the place that type checkers are told."""
    assert set(wp.__all__) < set(declared())
    for name, module in declared().items():
        there = __import__(module, fromlist=[name])
        assert getattr(wp, name) is getattr(there, name), name
    assert set(declared()) <= set(dir(wp))
    with pytest.raises(AttributeError, match="has no attribute 'Enkoder'"):
        _ = wp.Enkoder  # type: ignore[attr-defined]


STARRED = """\
from weightproof import *
language = Language("ALTERNATING", ("a", "b"), lambda w: True, "n >= 1")
construction = Construction("bigram", "t", "own", language, Decoder(
    coordinates=("[a]", "[b]"),
    embedding=Embedding(WE={"a": {"[a]": 1}, "b": {"[b]": 1}, "C": {}}),
    layers=(Layer(),),
    begin="C",
    readout=Readout(Linear({"a": {"[b]": 1}, "b": {"[a]": 1}}), position="last", accept="argmax"),
))
theorems = (Appends("a", "b"), Appends("b", "b", expected="refuted"))
"""


def test_a_file_that_takes_everything_is_proved_as_one_that_names_what_it_takes(tmp_path: Path) -> None:
    """`claims` was the function, and no claims of the file."""
    first, rest = STARRED.split("\n", 1)
    names = "Appends, Construction, Decoder, Embedding, Language, Layer, Linear, Readout"
    found = []
    for line in (first, first.replace("*", names)):
        path = tmp_path / "bigram.py"
        path.write_text(f"{line}\n{rest}")
        found.append([(result.theorem, result.verdict) for result in wp.prove(path)])
    assert found[0] == found[1]
    assert [verdict.name for _, verdict in found[0]] == ["proved", "refuted"]


def test_all_of_it_loads_no_torch_and_leaves_a_file_its_own_names() -> None:
    assert "torch" not in heavy("from weightproof import *")
    starred: dict[str, object] = {}
    exec("from weightproof import *", starred)
    assert not {"claims", "theorems", "construction"} & set(starred)
    theorems = {"Appends", "ClosedForm", "Compares", "Decides", "Margin", "Predicts"}
    assert theorems | {"Claims", "Published", "Reading", "Slip", "statements", "prove"} <= set(starred)


def test_a_statement_and_a_theorem_of_one_name_are_told_apart() -> None:
    assert wp.statements.Compares is not wp.Compares


NOT_SEEN = wp.Construction(
    "not-seen",
    "t",
    "own",
    wp.Language("ALL", ("0", "1"), lambda word: True, "n >= 1"),
    wp.Encoder(
        coordinates=("a", "b"),
        embedding=wp.Embedding(WE={"CLS": {"a": 1}, "1": {"a": 2}, "0": {}}),
        begin="CLS",
        layers=(wp.Layer(attention_norm=wp.LayerNorm(0)), wp.Layer()),
        readout=wp.Readout(wp.Linear({"logit": {"a": 1}}), position="first", accept="logit > 0"),
    ),
)


@pytest.mark.parametrize("interpreted", [200, 1])
def test_a_value_that_the_readout_does_not_see_is_missed_by_either_pass(
    monkeypatch: pytest.MonkeyPatch, interpreted: int
) -> None:
    """The interpreter says what a network means: a layer has a value where all that it reads has one."""
    monkeypatch.setattr(running, "INTERPRETED", interpreted)
    assert wp.run(NOT_SEEN, "11").data["logit"] == "1"
    with pytest.raises(wp.InputError, match="no exact value on '10': layer normalisation of a constant vector"):
        wp.run(NOT_SEEN, "10")


def printed(capsys: pytest.CaptureFixture[str], line: str) -> str:
    main(line.split())
    return capsys.readouterr().out


def without_times(text: str) -> str:
    return re.sub(r" *\d+\.\d+ s\b", " TIME", text)


def without_seconds(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_seconds(value) for key, value in data.items() if "seconds" not in key}
    return [without_seconds(value) for value in data] if isinstance(data, list) else data


@pytest.mark.parametrize(
    ("ask", "line"),
    [
        (lambda: wp.run("parity", "0{3}11", c="1/2"), "run parity 00011 --param c=1/2"),
        (lambda: wp.run("parity", "01", c=1, dtype="float16"), "run parity 01 --param c=1 --dtype float16"),
        (lambda: wp.run("palindrome", "01", trace=True), "run palindrome 01 --trace"),
        (lambda: wp.show("dyck1"), "show dyck1"),
        (lambda: wp.derive("one"), "derive one"),
        (lambda: wp.prove("palindrome-as-printed"), "prove palindrome-as-printed"),
        (lambda: wp.claims("palindrome-as-printed"), "claims palindrome-as-printed"),
        (
            lambda: wp.precision("palindrome-as-printed", dtype="float16", max_length=6),
            "precision palindrome-as-printed --dtype float16 --max-length 6",
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_values_say_what_the_commands_say(
    ask: Callable[[], Any], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    value = ask()
    text = printed(capsys, f"{line}{' --format text' if line.startswith('derive') else ''}")
    assert without_times(f"{value}\n") == without_times(text)
    data = json.loads(json.dumps(value.data))
    assert without_seconds(data) == without_seconds(json.loads(printed(capsys, f"{line} --json")))


def test_a_construction_is_a_name_a_path_or_itself() -> None:
    built_in, own = wp.load("palindrome-as-printed"), wp.load(EXAMPLE)
    assert [r.theorem for r in wp.prove(built_in)] == [r.theorem for r in wp.prove("palindrome-as-printed")]
    assert len(wp.claims(built_in)) == len(wp.claims("palindrome-as-printed")) > 1
    for given in (own, EXAMPLE, str(EXAMPLE)):
        assert wp.run(given, "01").member
        assert wp.derive(given).construction.name == own.name
    with pytest.raises(wp.InputError, match="no claims are known about it"):
        wp.claims(own)
    with pytest.raises(wp.InputError, match="no such file"):
        wp.run("nowhere.py", "01")


def test_results_are_asked_for_by_name_and_have_no_truth_value() -> None:
    results = wp.prove("one", [wp.Decides("recognises", "one 1"), wp.Decides("mistaken", "n >= 3", accepts="n >= 3")])
    assert (len(results), [each.verdict.name for each in results]) == (2, ["proved", "refuted"])
    assert not results.as_expected
    assert results["recognises"].as_expected
    match results["mistaken"].verdict:
        case wp.Refuted(counterexample=found):
            assert wp.run("one", found.word).accepts == found.accepts
        case verdict:
            pytest.fail(str(verdict))
    for value in (results, results["recognises"].verdict, wp.claims("palindrome-as-printed")):
        with pytest.raises(TypeError, match="no truth value"):
            bool(value)
    with pytest.raises(KeyError):
        results["unheard of"]


def test_what_was_made_in_python_is_replayed_in_python(tmp_path: Path) -> None:
    """The line under a counterexample runs the word, wherever the construction came from."""
    construction = wp.load("palindrome-as-printed")
    own = wp.Construction("own", "", "", construction.language, construction.network, construction.parameters)
    results = wp.prove(own)
    [line] = [line for line in str(results).splitlines() if line.startswith("    weightproof.run(")]
    replayed = eval(line.strip(), {"weightproof": wp, "construction": own})
    assert replayed.agrees is False
    assert results.data["theorems"][0]["counterexample"]["command"] == line.strip()


EVERY_RUN = ("parity", "noisy-majority", "increment", "rnn-by-directional", "regular:0*1", "modular-addition")


def test_what_cannot_be_used_is_refused() -> None:
    for call, said in (
        (lambda: wp.load("paritty"), "unknown construction 'paritty'; did you mean 'parity' or"),
        (lambda: wp.run("parity", "01", c=0.5), "parameters: 0.5 is a float"),
        (lambda: wp.run("parity", "01", k=1), "no parameter 'k'"),
        (lambda: wp.run("parity", "0a"), "'a'"),
        *((lambda given=given: wp.run(given, 3), f"{given}: the word 3 is no text") for given in EVERY_RUN),  # type: ignore[misc]
        (lambda: wp.run("parity", "01", dtype="float8"), "unknown dtype 'float8'"),
        (lambda: wp.prove("parity", timeout=0), "no time limit"),
        (lambda: wp.precision("parity", max_length=0), "no word to run"),
    ):
        with pytest.raises(wp.InputError, match=re.escape(said)):
            call()


def test_a_notebook_shows_one_line_of_what_cannot_be_used() -> None:
    with pytest.raises(wp.InputError) as refused:
        wp.run("nonsense", "1")
    [line] = refused.value._render_traceback_()
    assert line.startswith("InputError: unknown construction 'nonsense'")
    assert "\n" not in line


def test_a_notebook_shows_tables_and_formulas() -> None:
    shown = wp.prove("palindrome-as-printed")._repr_markdown_()
    assert "| construction | theorem |" in shown
    assert "### Counterexamples" in shown
    assert "\n`weightproof run palindrome-as-printed '10' --param" in shown
    assert "| logit | **5/27 = 0.185185185185185...** |" in wp.run("parity", "01")._repr_markdown_()
    derived = wp.derive("dyck1")
    assert derived._repr_latex_() == f"$$\n{derived.latex}\n$$"
    assert r"\mathrm{logit} &= \begin{cases}" in derived.latex
    assert r"S_{1} &= \sum_{j=1}^{n - 1}" in derived.latex


def _rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("|"):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_no_text_of_a_report_is_a_mark_in_markdown() -> None:
    """Brackets, stars and bars are everywhere in the names of coordinates."""

    text = markdown(
        (
            Heading(3, "a_b and *c*"),
            Table(("", "[w=0]"), [[Styled("|x|"), "1_2"], ["", "`"]], labelled=True),
            pairs([("a|b", Styled(""))]),
            Paragraph(""),
            Paragraph(Code("run '*'")),
        )
    )
    assert r"### a\_b and \*c\*" in text
    assert list(_rows(text)) == [
        ["", r"\[w=0\]"],
        ["---", "---"],
        [r"**\|x\|**", r"1\_2"],
        ["", r"\`"],
        ["", ""],
        ["---", "---"],
        [r"a\|b", ""],
    ]
    assert "`run '*'`" in text


def test_a_torch_module_is_one_name_away() -> None:
    model = wp.Transformer(wp.load("one"), dtype="float32")
    assert [bool(logit > 0) for logit in model.logits(["01", "11"])] == [True, False]
