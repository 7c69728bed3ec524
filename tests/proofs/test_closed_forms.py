"""Closed forms are theorems about printed claims: each formula stands once, in the claims or beside its theorem."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.test_deadline import slow
from tests.support.places import TESTS
from weightproof.cli import main
from weightproof.constructions.claims.published import Published, value_of
from weightproof.constructions.claims.statements import Logit, Stream, Value
from weightproof.constructions.library import BUILT_IN, load, load_claims, names
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.theorem import ClosedForm, theorems_of
from weightproof.proofs.verdict import Refuted, Unknown


def forms(name: str) -> list[ClosedForm]:
    return [theorem for theorem in theorems_of(name) if isinstance(theorem, ClosedForm)]


def said_again(form: ClosedForm, known: tuple[Published, ...]) -> list[str]:
    """The claims that state what the theorem's own claim does, but are not that."""
    return [claim.id for claim in known if claim is not form.claim and value_of(claim) == value_of(form.claim)]


@pytest.mark.parametrize("name", names())
def test_no_closed_form_says_again_what_is_claimed(name: str) -> None:
    claims = load_claims(name)
    known = () if claims is None else claims.claims
    assert [said_again(form, known) for form in forms(name)] == [[] for _ in forms(name)]


def test_a_formula_that_stands_twice_is_seen() -> None:
    claims = load_claims("one")
    assert claims is not None
    printed = claims.named("one/s")
    again = Published("again", "here", "a formula", *printed.senses)
    assert said_again(ClosedForm(again), claims.claims) == ["one/s"]
    assert said_again(ClosedForm(printed), claims.claims) == []
    with pytest.raises(KeyError):
        claims.named("one/t")


@pytest.mark.parametrize("module", sorted({module for module, _ in BUILT_IN.values()}))
def test_the_data_hold_no_formula_of_a_theorem_and_no_claim(module: str) -> None:
    tree = ast.parse(inspect.getsource(importlib.import_module(f"weightproof.constructions.{module}")))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    formulas = {form.stated.equals.source for name, (of, _) in BUILT_IN.items() if of == module for form in forms(name)}
    printed = [name for name, (of, _) in BUILT_IN.items() if of == module and not load(name).source.startswith("after")]
    assert printed or not formulas
    assert not texts & formulas
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert not [name for name in imported if name.endswith("_claims") or ".claims" in name]


def test_names_and_statements_of_closed_forms() -> None:
    printed = Published("a", "section 9", "a formula", Value(Stream("s"), "1/n", "i == 0", {"c": "log(2)"}))
    form = ClosedForm(printed, given="n >= 2")
    assert form.name == "s, section 9"
    assert form.statement == "s = 1/n if (i == 0) and (n >= 2) at c = log(2)"
    other = Published("a", "section 9", "a formula", Value(Stream("s", 1), "1/n"))
    assert ClosedForm(other).name == "s after layer 1, section 9"
    assert ClosedForm(other, name="mine").name == "mine"


def test_what_is_proved_by_default_is_that_the_language_is_recognised() -> None:
    assert [theorem.name for theorem in default_theorems(load("one"))] == ["recognises"]


MINE = """
from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Stream, Value
from weightproof.proofs.theorem import ClosedForm

FORMULA = "(count('1') - count('0'))/n"
theorems = (
    ClosedForm(Published("s", "my notes", "$(k_1 - k_0)/n$", Value(Stream("s"), FORMULA, "i == 0"))),
)
"""


@pytest.mark.parametrize(
    ("formula", "status", "verdict"),
    [("(count('1') - count('0'))/n", 0, "proved"), ("(count('1') + count('0'))/n", 1, "refuted")],
)
def test_a_closed_form_in_a_users_file_needs_no_claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], formula: str, status: int, verdict: str
) -> None:
    path = tmp_path / "mine.py"
    written = (TESTS / "examples" / "more_ones.py").read_text() + MINE
    path.write_text(written.replace("(count('1') - count('0'))/n", formula))
    assert main(["prove", str(path)]) == status
    printed = capsys.readouterr().out
    assert "s, my notes" in printed
    assert verdict in printed


def test_a_quantity_of_an_underivable_network_is_refuted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a word; what is not refuted stays open, and says that there is no closed form."""
    from weightproof.symbolic.algebra.vocabulary import Underivable

    def underivable(*_: Any) -> None:
        raise Underivable("a test")

    monkeypatch.setattr("weightproof.proofs.quantities.analysis.derive", underivable)
    claims = load_claims("one")
    assert claims is not None
    wrong = Published("a", "here", "a formula", Value(Logit(), "1/n"))
    found, open_one = prove(load("one"), [ClosedForm(wrong), ClosedForm(claims.named("one/s"))], timeout=10)
    assert isinstance(found.verdict, Refuted)
    assert isinstance(open_one.verdict, Unknown)
    assert open_one.verdict.reason == "no closed form: a test"


@pytest.mark.parametrize(
    ("patched", "stage"),
    [
        ("weightproof.proofs.quantities.analysis.derive", "the derivation"),
        ("weightproof.proofs.deciding.compared", "the comparison"),
        ("weightproof.proofs.quantities.judge.differences", "the comparison"),
    ],
)
@pytest.mark.parametrize("of", [Logit(), Stream("k/n", 1, "attention")])
def test_a_closed_form_that_runs_out_of_time_is_unknown_and_names_the_stage(
    monkeypatch: pytest.MonkeyPatch, patched: str, stage: str, of: Any
) -> None:
    monkeypatch.setattr(patched, slow)
    claim = Published("a", "here", "a formula", Value(of, "count('1')/n"))
    [result] = prove(load("one"), [ClosedForm(claim)], timeout=1)
    assert isinstance(result.verdict, Unknown)
    assert result.verdict.timed_out
    assert f"in {stage}" in result.verdict.reason
    assert result.seconds < 4
