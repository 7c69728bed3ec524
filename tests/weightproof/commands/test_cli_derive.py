"""`weightproof derive`: the closed form and its steps, in text and in JSON, from the weights of the day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.places import TESTS
from weightproof.appendix.deriving import Format
from weightproof.cli import main
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.scalars.formulas import value_on
from weightproof.constructions.scalars.grammar import expression

EXAMPLES = TESTS / "examples"


def derive(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["derive", *arguments]) == 0
    return capsys.readouterr().out


def test_the_closed_form_of_parity(capsys: pytest.CaptureFixture[str]) -> None:
    text = derive(capsys, "parity", "--format", "text")
    assert text.startswith("parity: PARITY by two heads")
    assert "logit =" in text
    assert text.count(" if ") == 4


@pytest.mark.parametrize("name", names())
def test_the_json_says_the_logit_in_the_language_of_the_data(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its closed form, read back with its sums written out, is the logit of the exact run."""
    data = json.loads(derive(capsys, name, "--json"))
    text = data["closed_form"]
    for symbol in sorted(data["sums"], reverse=True):
        text = text.replace(symbol, f"({data['sums'][symbol]})")
    construction = load(name)
    values = parameter_values(construction)
    for word in list(words("01", 4))[::3]:
        tokens = add_markers(construction.network, word)  # type: ignore[arg-type]
        assert value_on(expression(text), values, tokens, "01") == run(construction, word).logit, word
    assert all({"rule", "location", "before", "after", "condition"} == set(step) for step in data["steps"])
    assert data["steps"][-1]["location"] == "logit"


def test_steps_are_written_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    short, long = derive(capsys, "first", "--format", "text"), derive(capsys, "first", "--steps")
    assert long.startswith(short.rstrip("\n"))
    assert "layer 2, head 1" in long
    assert "layer 2, head 1" not in short


def test_changed_weights_change_the_closed_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original = (EXAMPLES / "more_ones.py").read_text(encoding="utf-8")
    changed = tmp_path / "changed.py"
    changed.write_text(original.replace('"[w=1]": 1', '"[w=1]": 2'), encoding="utf-8")
    printed = {}
    for form in ("latex", "md", "text"):
        for path in (EXAMPLES / "more_ones.py", changed):
            status = main(["derive", str(path), "--format", form])
            assert status == (1 if path is changed and form != "text" else 0)  # it recognises another language
            printed[path, form] = capsys.readouterr().out
        assert printed[changed, form] != printed[EXAMPLES / "more_ones.py", form]


def test_the_derivation_is_latex_unless_something_else_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    text = derive(capsys, "one")
    assert text.startswith("\\documentclass")
    assert text.endswith("\\end{document}\n")
    assert text == derive(capsys, "one", "--format", "latex")


def test_what_no_rule_covers_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original = (EXAMPLES / "more_ones.py").read_text(encoding="utf-8")
    changed = tmp_path / "hard.py"
    scores = """Head(scale="1/n", W_Q={"q": {"[w=1]": 1}}, W_K={"q": {"[w=1]": 1}}, """
    asked = original.replace("Head(", scores).replace('"CLS": {}', '"CLS": {"[w=1]": 1}')
    changed.write_text(asked, encoding="utf-8")
    assert main(["derive", str(changed), "--format", "text"]) == 2
    complaint = capsys.readouterr().err
    assert "no integer form" in complaint
    assert complaint.count("\n") == 1


def test_weights_on_which_the_algebra_gives_up_have_no_closed_form(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those of training, of ten digits each: SymPy raises what it raises."""

    def overflowing(*_: object) -> None:
        raise OverflowError("exponent too large")

    monkeypatch.setattr("weightproof.symbolic.forward.attend", overflowing)
    assert main(["derive", "one", "--format", "text"]) == 2
    assert "one: no closed form: formulas that are too large: exponent too large" in capsys.readouterr().err
    assert main(["prove", "one"]) != 0
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "pdf", "with_steps", "is_read", "chosen"),
    [
        (None, False, False, True, Format.TEXT),
        (None, False, False, False, Format.LATEX),
        (None, False, True, False, Format.TEXT),
        (Path("there"), False, False, True, Format.LATEX),
        (Path("there"), True, False, True, Format.LATEX),
    ],
)
def test_a_terminal_is_read_and_a_pipe_is_a_document(
    place: Path | None, pdf: bool, with_steps: bool, is_read: bool, chosen: Format
) -> None:
    assert Format.of(None, place, pdf, with_steps, is_read) is chosen
    assert Format.of("md", place, False, False, is_read) is Format.MARKDOWN
