"""Derivations of families of simulators: what is written is the step, and of another transformer it is another one."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from tests.proofs.simulation.test_simulations_proved import with_cross_head, with_feed_forward
from tests.support.latex_reader import Reader
from tests.support.read_back.points import Point
from weightproof.cli import main
from weightproof.constructions.library import AS_PRINTED, FAMILIES
from weightproof.constructions.meaning.interpreter import score
from weightproof.constructions.meaning.schema import Head
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.values import evaluate
from weightproof.document.blocks import Math
from weightproof.machines import deriving, formulas
from weightproof.reports import matrices, sheet
from weightproof.symbolic.simulation.polynomial import Polynomial, Saturated


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main([*arguments]) == status
    return capsys.readouterr().out


def steps(capsys: pytest.CaptureFixture[str], family: str) -> dict[str, Any]:
    told = json.loads(answer(capsys, "derive", family, "--json"))
    assert set(told) == {"construction", "closed_form", "cases", "steps", "latex"}
    return {f"{step['location']}: {step['rule']}": step for step in told["steps"]}


def test_the_look_up_by_position(capsys: pytest.CaptureFixture[str]) -> None:
    told = steps(capsys, "rnn-by-encoder-decoder")
    look = told["step on 'a', layer 1, cross head 1: position"]
    assert look["before"] == dict.fromkeys(("#", "a", "$"), "-abs(j + -1*t)")
    assert look["after"] == {"x x1": "f_a_x1"}
    following = told["step on 'a': feedback"]["after"]
    assert following == {"h1": "'saturated(W_h1_h1*h1 + W_h1_x1*f_a_x1 + b_h1)'", "t": "1 + t", "1": "1"}


def test_the_look_up_by_shares(capsys: pytest.CaptureFixture[str]) -> None:
    told = steps(capsys, "rnn-by-directional")
    scores = told["step on 'a', layer 2, cross head 1: token"]["before"]
    assert scores == {"#": "0", "a": "'1/(t+1)'*'share of #'"}
    assert told["step after the last position, layer 2, cross head 1: token"]["before"]["$"] == "1/2*'2^-t'"


def test_a_derivation_is_of_the_weights(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    right = deriving.network_shown("rnn-by-encoder-decoder")
    wrong = with_feed_forward(right, 0, "second", row="h1", column="new h1", to=2)
    monkeypatch.setattr(deriving, "network_shown", lambda family: wrong)
    after = steps(capsys, "rnn-by-encoder-decoder")["step on 'a': feedback"]["after"]
    assert after["h1"].startswith("2*'saturated")
    unclear = with_cross_head(right, 0, W_Q={"q1": {"t": 1}, "q2": {"1": 2}})
    monkeypatch.setattr(deriving, "network_shown", lambda family: unclear)
    told = steps(capsys, "rnn-by-encoder-decoder")
    assert "no multiple of j - t" in told["step on 'a': none"]["condition"]
    assert "There is no closed form" in answer(capsys, "derive", "rnn-by-encoder-decoder", "--format", "md")


def test_formulas() -> None:
    x, share = Polynomial.atom("x1"), Polynomial.atom("share of #")
    assert formulas.tex(Polynomial.number(fmpq(-1, 2)) * x) == r"- \tfrac{1}{2} \cdot x_{1}"
    assert formulas.tex(Polynomial()) == "0"
    assert formulas.tex(Polynomial.number(3) - x) == "3 - x_{1}"
    assert formulas.tex(Polynomial.atom(Saturated(share, positive=False))) == r"\sigma(\omega_{\texttt{\#}})"
    assert formulas.tex(Polynomial.atom("W_h1_x1")) == r"W_{\texttt{h1}, \texttt{x1}}"


def test_every_family_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = (*FAMILIES, *AS_PRINTED)
    answer(capsys, "derive", *every, "--format", "md", "-o", str(tmp_path))
    for family in every:
        page = (tmp_path / f"{family}.md").read_text(encoding="utf-8")
        assert "Step after the last position" in page
        assert "Theorems" in page
    assert r"\sigma(t)" in (tmp_path / "rnn-by-encoder-decoder-as-printed.md").read_text(encoding="utf-8")
    answer(capsys, "derive", *every, "--format", "text", "-o", str(tmp_path))
    assert "step on 'a': feedback" in (tmp_path / "rnn-by-directional.txt").read_text(encoding="utf-8")


def test_a_family_is_not_transformed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "rnn-by-directional", "--with", "sharpen"]) == 2
    assert "only constructions are transformed; leave out --with" in capsys.readouterr().err


SCALES = ("1", "1/sqrt(d)", "2", "-1/2", "1/2 + n", "log(n)/sqrt(d)")


@pytest.mark.parametrize(("kind", "scale"), [*itertools.product(("dot", "-|dot|"), SCALES)])
def test_what_a_head_is_said_to_score_by_is_what_the_interpreter_scores_by(kind: Any, scale: str) -> None:
    """In formulas, as text, in the appendix on weights and in `show`."""
    head = Head(W_V={}, W_Q={"q": {"1": 1}}, W_K={"q": {"x": 1}}, score=kind, scale=scale)
    names = {"d": fmpq(4), "n": fmpq(3)}
    for size, factor in itertools.product((fmpq(-3), fmpq(2), fmpq(0)), (fmpq(1), fmpq(-1, 2))):
        product = Polynomial.number(factor) * Polynomial.atom("x") + Polynomial.number(factor * factor)
        for given in (product, Polynomial.atom("x")):
            key = given.at({"x": size})
            wanted = evaluate(head.scale, names) * score(head, {"q": fmpq(1)}, {"q": key})
            [said] = [span.tex for span in formulas.scores(head, "s", {"a": given}) if isinstance(span, Math)]
            known = {**names, "x": size, "product": key}
            texts = [said.partition(" = ")[2].replace("tfrac", "frac")]
            _, appendix, *_ = matrices._attention(head)
            assert isinstance(appendix, Math)
            texts.append(appendix.tex.replace(r"q \cdot k", r"\text{product}"))
            for text in texts:
                assert sign(Reader(text, "aaa", "a", known).value() - wanted) == 0, text
            [typed] = formulas.scores_typed(head, {"a": str(given)}).values()
            shown = re.sub(r"^\w+ of (.*) over .*", r"\1", sheet._attention(head)).replace(") ", ")*")
            shown = re.sub(r"\|q\.k\|", "abs(product)", shown).replace("q.k", "product")
            for text in (typed, shown):
                assert sign(Point("aaa", "a", known).value(text) - wanted) == 0, text
