"""Words at whatever length a countermodel names, at whatever end of a domain, and what is said where there is none."""

from __future__ import annotations

import re

import pytest

from tests.support.derived import derivation_of
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.prove import prove
from weightproof.proofs.refuting import critical, guided, long, patterns
from weightproof.proofs.refuting.patterns import search_named
from weightproof.proofs.solving.solvers import Answer
from weightproof.proofs.theorem import Compares, Decides, OnWords
from weightproof.proofs.verdict import Refuted, Unknown
from weightproof.symbolic.forward import derive


def majority(zero: str, c: str = "1") -> Construction:
    """More 1s than 0s, where a 0 weighs a little more than a 1."""
    language = Language("MAJORITY", ("0", "1"), lambda w: w.count("1") > w.count("0"), "count('1') > count('0')")
    head = Head(W_V={"s": {"[0]": zero, "[1]": c}})
    embedding = Embedding({"0": {"[0]": 1}, "1": {"[1]": 1}, "CLS": {}})
    network = Encoder(("[0]", "[1]", "s"), embedding, (Layer((head,)),), Readout(Linear({"logit": {"s": 1}})))
    return Construction("majority", "t", "a test", language, network)


LONG = [("-1001/1000", "0{1000}1{1001}", 2001), ("-1000001/1000000", "0{1000000}1{1000001}", 2_000_001)]


@pytest.mark.parametrize(("zero", "word", "symbols"), LONG)
def test_a_countermodel_is_a_word_whatever_its_length(zero: str, word: str, symbols: int) -> None:
    [result] = prove(majority(zero), [Decides("recognises", "a test")], timeout=60)
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    assert (found.word, found.length, found.logit) == (word, symbols, "0")
    assert found.evidence == "counted exactly, not replayed"
    command = f"weightproof run majority '{word}'" if symbols < 20_000 else None
    assert found.command() == command


def test_a_long_word_that_is_decided_rightly_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that lies about a long word is found out by its weights."""
    lies = {"n": "3002", "K_0": "1500", "K_1": "1501"}
    monkeypatch.setattr(guided, "ask", lambda *_: Answer("z3", "sat", lies))
    construction, theorem = majority("-1"), Decides("recognises", "a test")
    assert guided.search_guided(construction, theorem, derive(construction), None, Budget(20_000_000)) is None
    wrong = majority("-1501/1500")
    assert guided.search_guided(wrong, theorem, derive(wrong), None, Budget(20_000_000)) is not None


def test_a_countermodel_that_is_made_no_word_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.proofs.deciding.late", lambda *_: iter(()))
    [result] = prove(majority("-1001/1000"), [Decides("recognises", "a test")], timeout=60)
    assert isinstance(result.verdict, Unknown)
    assert re.search(r"countermodel: K_0 = \d+, K_1 = \d+, n = \d+", result.verdict.reason), result.verdict.reason


ENDS = [
    ("exp(2*c) - 7", "c >= log(7)/2", "log(7)/2"),
    ("exp(3*c) - 5", "c >= log(5)/3", "log(5)/3"),
    ("c - sqrt(2)", "c >= sqrt(2)", "sqrt(2)"),
    ("sqrt(7) - exp(c)", "c <= log(7)/2", "log(7)/2"),
]


@pytest.mark.parametrize(("weight", "given", "at"), ENDS)
def test_a_theorem_that_fails_at_the_end_of_its_domain_alone(weight: str, given: str, at: str) -> None:
    language = Language("ALL", ("a",), lambda word: True, "n >= 1")
    embedding = Embedding({"a": {"x": 1}, "CLS": {"x": 1}})
    layer = Layer((Head(W_V={"y": {"x": weight}}),))
    network = Encoder(("x", "y"), embedding, (layer,), Readout(Linear({"logit": {"y": 1}})))
    construction = Construction("ends", "t", "a test", language, network, (Parameter("c", "c > 0", 1),))
    [result] = prove(construction, [Decides("end", "a test", given=given)], timeout=60)
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    assert (found.word, found.logit) == ("", "0")
    assert holds(Expression(f"({found.parameters['c']}) == {at}"), {}, (), ())


def test_a_natural_parameter_is_tried_where_the_theorem_names_it() -> None:
    construction = load("dyck1-depth")
    theorem = Decides("late", "a test", accepts="D != 17 and n >= 1", given="D >= 17")
    tried = critical.settings(construction, critical.relations(theorem, derivation_of("dyck1-depth")))
    assert {"16", "17", "18"} <= {given["D"] for given in tried}


DEPTH = "count('0', j) - count('1', j)"
BALANCED = f"count('1') == count('0') and all(0 <= {DEPTH} and {DEPTH} <= D for j in positions)"


DEEP = Decides("depth", "a test", f"{BALANCED} and all({DEPTH} < 25 for j in positions)")
NAMED: list[tuple[OnWords, bool, str, str]] = [
    (DEEP, True, "0{25}1{25}", "25"),
    (DEEP, False, "0{25}1{25}", "25"),
    (Compares("<", "(D - 25)**2 + (n - 51)**2 + 1/n"), True, "0{25}1{25}", "25"),
    (Compares("<", "1/n + 1 - (D >= 17)"), True, "01", "17"),
]


@pytest.mark.parametrize(("theorem", "derived", "word", "D"), NAMED)
def test_runs_as_long_as_a_number_that_is_named_are_tried(theorem: OnWords, derived: bool, word: str, D: str) -> None:
    """With what is derived, and without: at values of D that the theorem names, which no sample is."""
    derivation = derivation_of("dyck1-depth") if derived else None
    found = search_named(load("dyck1-depth"), theorem, derivation, 600, Budget(100_000_000))
    assert found is not None
    assert (found.word, found.parameters) == ("".join(long.spelled(long.read(word))), {"D": D})


def shallow(depth: int) -> Decides:
    balanced = f"count('1') == count('0') and all(0 <= {DEPTH} for j in positions)"
    return Decides("shallow", "a test", f"{balanced} and all({DEPTH} < {depth} for j in positions)")


def test_a_causal_network_is_asked_of_words_that_no_run_reaches() -> None:
    found = search_named(load("dyck1"), shallow(400), derivation_of("dyck1"), 20_000, Budget(20_000_000))
    assert found is not None
    assert (found.word, found.length, found.logit) == ("0{400}1{400}", 800, "1/801")
    assert found.evidence == "counted exactly, not replayed"
    assert (found.member, found.accepts) == (False, True)
    assert found.command() == "weightproof run dyck1 '0{400}1{400}'"
    assert search_named(load("dyck1"), shallow(400), derivation_of("dyck1"), 799, Budget(200_000)) is None


@pytest.mark.controls
def test_a_depth_of_a_thousand_is_refuted_by_a_word_of_two_runs() -> None:
    [result] = prove(load("dyck1"), [shallow(1000)], timeout=60)
    assert isinstance(result.verdict, Refuted)
    assert (result.verdict.counterexample.word, result.verdict.counterexample.logit) == ("0{1000}1{1000}", "1/2001")


MANY = " or ".join(f"D == {number}" for number in range(90))


@pytest.mark.parametrize(
    "more", ["25 > 17 or D > 34", "n > 1000000000000 or n > 0", f"{MANY} or n > 0"], ids=["true", "large", "many"]
)
def test_of_a_theorem_that_is_true_no_word_is_found(more: str) -> None:
    """However large the numbers that it names, and however many."""
    theorem = Decides("true", "a test", f"{BALANCED} and ({more})")
    assert search_named(load("dyck1-depth"), theorem, derivation_of("dyck1-depth"), 600, Budget(200_000)) is None


def test_without_a_closed_form_long_words_are_looked_for_too() -> None:
    """As where the derivation takes too long."""
    theorem = Decides("late", "a test", accepts="count('1') == 1 and n <= 60")
    found = patterns.search_distant(load("one"), theorem, 300, Budget(20_000_000))
    assert found is not None
    assert (len(found.word), found.accepts, found.member) == (60, True, False)
