"""The prover can fail: wrong theorems are refuted, weaker hypotheses too, and what was not settled is unknown."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load, load_claims
from weightproof.constructions.meaning.construction import Parameter
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.refuting.refute import counterexample
from weightproof.proofs.solving import close as closing
from weightproof.proofs.solving.solvers import SOLVERS, Answer, Process, ask
from weightproof.proofs.theorem import ClosedForm, Decides, theorems_of
from weightproof.proofs.verdict import Counterexample, Evidence, Folders, Proved, Refuted, Unknown

HARD = """(set-logic ALL)
(declare-const a Int)(declare-const b Int)(declare-const c Int)
(assert (= (+ (* a a a) (* b b b) (* c c c)) 114))
(check-sat)
"""
MANY = 100_000_000
"""Steps of a solver, more than the tests wait for."""
EASY = "(set-logic ALL)\n(declare-const a Int)\n(assert (> a (+ a 1)))\n(check-sat)\n"


def test_a_verdict_has_no_truth_value() -> None:
    found = Counterexample("one", "11", {}, False, True, "1/6")
    for verdict in (Proved("all lengths", Evidence.CERTIFICATE), Refuted(found), Unknown("time-out")):
        with pytest.raises(TypeError, match="no truth value"):
            bool(verdict)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_gives_up_after_so_many_of_its_steps(solver: str) -> None:
    process = Process(solver)
    for steps in (3_000, 30_000):
        answer = process.ask(HARD, steps)
        assert (answer.status, answer.steps >= steps) == ("given up", True)
    assert process.ask(EASY, MANY).status == "unsat"
    process.stop()


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_a_solver_was_asked_before_changes_no_answer(solver: str) -> None:
    """Not the model, either, nor the number of its steps."""
    script = "(set-logic ALL)\n(declare-const a Int)\n(declare-const b Int)\n(assert (> (* a b) 77))\n(check-sat)\n"
    process, fresh = Process(solver), Process(solver)
    process.ask(HARD, 3_000)
    first, again, alone = process.ask(script, MANY), process.ask(script, MANY), fresh.ask(script, MANY)
    assert (first.status, first.model, first.steps) == (again.status, again.model, again.steps)
    assert (first.status, first.model, first.steps) == (alone.status, alone.model, alone.steps)
    process.stop()
    fresh.stop()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_that_hangs_is_killed(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its processor time, which is no matter of what else the machine does."""
    process = Process(solver)
    assert process.ask(EASY, MANY).status == "unsat"
    assert process.child is not None
    number = process.child.pid
    with monkeypatch.context() as patched:
        patched.setattr("weightproof.proofs.solving.solvers.TIMES", 0.0)
        patched.setattr("weightproof.proofs.solving.solvers.FEWEST", 0.1)
        answer = process.ask(HARD, MANY * 100)
    assert (answer.status, answer.steps) == ("hung", MANY * 100)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    assert process.ask(EASY, MANY).status == "unsat"
    process.stop()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_that_dies_answers_unknown(solver: str) -> None:
    process = Process(solver)
    assert process.ask(EASY, MANY).status == "unsat"
    assert process.child is not None
    process.child.kill()
    process.child.wait()
    assert process.ask(EASY, MANY).status in ("unsat", "unknown")  # a new process, or none
    assert process.ask(EASY, MANY).status == "unsat"
    process.stop()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_script_that_no_solver_reads_proves_nothing(solver: str) -> None:
    answer = ask(solver, "(assert (= nothing 1))\n(check-sat)\n", 60)
    assert answer.status == "unknown"
    assert answer.error


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_contradicts_the_announced_status(solver: str) -> None:
    script = "(set-info :status unsat)\n(set-logic ALL)\n(declare-const a Int)\n(assert (> a 1))\n(check-sat)\n"
    assert ask(solver, script, 60).status == "sat"


@pytest.fixture
def left_to_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What exact arithmetic closes by products of what is known, as most of dyck1 is."""
    monkeypatch.setattr(closing, "by_products", lambda item, timeout: closing.by_certificate(item))


@pytest.mark.usefixtures("little_search", "left_to_solvers")
def test_a_time_out_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "ask", lambda solver, script, timeout: Answer(solver, "given up"))
    [result] = prove(load("dyck1"), theorems_of("dyck1")[:1])
    assert isinstance(result.verdict, Unknown)
    assert result.verdict.timed_out
    assert result.verdict.obligation


@pytest.mark.usefixtures("little_search", "left_to_solvers")
def test_solvers_that_disagree_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = {"z3": "unsat", "cvc5": "sat"}
    monkeypatch.setattr(closing, "ask", lambda solver, script, timeout: Answer(solver, statuses[solver]))
    [result] = prove(load("dyck1"), theorems_of("dyck1")[:1])
    assert isinstance(result.verdict, Unknown)
    assert "disagree" in result.verdict.reason


@pytest.mark.usefixtures("left_to_solvers")
def test_one_solver_alone_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(solver: str, script: str, timeout: float) -> Answer:
        return ask(solver, script, timeout) if solver == "z3" else Answer(solver, "unknown")

    monkeypatch.setattr(closing, "ask", answer)
    [result] = prove(load("dyck1"), theorems_of("dyck1")[:1])
    assert result.verdict == Proved("all lengths", Evidence.ONE_SOLVER)


def test_a_solver_against_a_side_condition_stops_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(solver: str, script: str, timeout: float) -> Answer:
        return Answer(solver, "sat") if "side conditions" in script else ask(solver, script, timeout)

    monkeypatch.setattr(closing, "ask", answer)
    monkeypatch.setattr("weightproof.proofs.deciding.SEARCHED", 750_000)  # of looking for words that are not there
    for theorem in theorems_of("one"):
        [result] = prove(load("one"), [theorem])
        assert isinstance(result.verdict, Unknown)
        assert "side condition" in result.verdict.reason


@pytest.mark.usefixtures("little_search")
def test_a_hypothesis_that_nothing_satisfies_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.proofs.refuting.witness.STEPS", 100_000)
    for given in ("n < 1", "count('1') > n", "w[1] == '0' and w[1] == '1'"):
        [result] = prove(load("one"), [Decides("vacuous", "a test", given=given)])
        assert isinstance(result.verdict, Unknown), given
        assert "vacuous" in result.verdict.reason


WEAKER = [
    ("first-one-layer", "right above log(n-1)", "exp(c) >= n - 1"),
    ("first-one-layer", "right above log(n-1)", "exp(c) > n - 2"),
    ("first-one-layer", "right above log(n-1)", "n >= 1"),
    ("first-one-layer", "wrong up to log(n-1)", "exp(c) <= n and w[1] == '1' and count('1') == 1"),
    ("first-one-layer", "wrong up to log(n-1)", "w[1] == '1' and count('1') == 1"),
    ("first-one-layer", "wrong up to log(n-1)", "exp(c) <= n - 1 and w[1] == '1'"),
    ("palindrome", "recognises", "exp(c) >= 3/2"),
    ("palindrome", "recognises", "n >= 1"),
]


@pytest.mark.parametrize(("name", "theorem", "given"), WEAKER)
def test_a_weaker_hypothesis_is_refuted(name: str, theorem: str, given: str) -> None:
    [strong] = [t for t in theorems_of(name) if isinstance(t, Decides) and t.name == theorem]
    weak = Decides("weak", "a test", accepts=strong.accepts, given=given, invariant=strong.invariant)
    [result] = prove(load(name), [weak])
    assert isinstance(result.verdict, Refuted)


@pytest.mark.parametrize(("name", "domain"), [("parity", "c >= 0"), ("first", "c >= -1"), ("palindrome", "c >= 2/5")])
def test_a_wider_domain(name: str, domain: str) -> None:
    """PARITY fails at c = 0; FIRST holds for every real c; PALINDROME fails at the golden ratio."""
    construction = replace(load(name), parameters=(Parameter("c", domain, "1"),))
    theorem = Decides("wider", "a test", invariant=getattr(theorems_of(name)[0], "invariant", None))
    [result] = prove(construction, [theorem])
    assert result.verdict.name == {"parity": "refuted", "first": "proved", "palindrome": "refuted"}[name]


WRONG = [
    ("parity", "count('1') % 2 == 0"),
    ("parity", "count('0') % 2 == 1"),
    ("parity", "count('1') % 3 == 1"),
    ("first", "w[1] == '0'"),
    ("first", "w[2] == '1'"),
    ("one", "count('1') >= 1"),
    ("one", "count('0') == 1"),
    ("one", "count('1') == 1 or n == 7"),
    ("one", "count('1') == 1 and n != 9"),
]


@pytest.mark.parametrize(("name", "accepts"), WRONG)
def test_another_language_is_refuted(name: str, accepts: str) -> None:
    """With a word that the interpreter decides otherwise, and no shorter one that it does."""
    construction = load(name)
    theorem = Decides("wrong", "a test", accepts=accepts, given="n >= 3" if "w[2]" in accepts else "n >= 2")
    [result] = prove(construction, [theorem])
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    assert run(construction, found.word, found.parameters).accepts == found.accepts != found.member
    defaults = {p.name: str(p.default) for p in construction.parameters}
    assert counterexample(construction, theorem, found.word[:-1], defaults) is None


def test_a_right_word_is_no_counterexample() -> None:
    construction = load("one")
    [theorem, *_] = default_theorems(construction)
    assert isinstance(theorem, Decides)
    for word in ("", "1", "0100", "11"):
        assert counterexample(construction, theorem, word, {}) is None


def test_refutations_of_built_in_theorems_replay() -> None:
    for name in ("first-one-layer", "palindrome", "palindrome-as-printed"):
        construction = load(name)
        wrong = [t for t in theorems_of(name) if isinstance(t, Decides) and t.expected == "refuted"]
        assert wrong
        for result in prove(construction, wrong):
            assert isinstance(result.verdict, Refuted)
            found = result.verdict.counterexample
            member = is_member(construction, found.word, parameter_values(construction, found.parameters))
            assert run(construction, found.word, found.parameters).accepts != member


def test_every_obligation_is_written_as_smt_lib(tmp_path: Path) -> None:
    results = list(prove(load("dyck1"), theorems_of("dyck1")[:1], folders=Folders(smt=tmp_path)))
    files = sorted(tmp_path.glob("*.smt2"))
    assert len(files) == sum(results[0].obligations.values())
    for file in files:
        script = file.read_text(encoding="utf-8")
        [announced] = re.findall(r"\(set-info :status (\w+)\)", script)
        assert {ask(solver, script, 60).status for solver in SOLVERS} == {announced} == {"unsat"}, file.name


@pytest.mark.parametrize(
    ("formulas", "says"),
    [
        ({"given": "all(w[j] == '1' or count('1', j) < 2 for j in positions)"}, "give the theorem an invariant"),
        (
            {"accepts": "count('1') == 1 and sum((w[j] == '1')*j for j in positions) >= 1"},
            "sums over positions are read",
        ),
        ({"invariant": "S1 > 0"}, "S1"),
        ({"accepts": "count('1') == 1 and count('0')**(n + 1) >= 0"}, ""),
    ],
)
@pytest.mark.usefixtures("little_search")
def test_what_no_strategy_reads_is_unknown(formulas: dict[str, str], says: str) -> None:
    [result] = prove(load("one"), [Decides("odd", "a test", **formulas)], timeout=5)  # type: ignore[arg-type]
    assert isinstance(result.verdict, Unknown)
    assert says in result.verdict.reason


def test_what_is_no_theorem_is_refused() -> None:
    with pytest.raises(
        InputError,
        match="a Compares, a Margin, or a Predicts, or of a decoder an Appends",
    ):
        list(prove(load("one"), ["recognises"]))  # type: ignore[list-item]


def test_a_claim_about_another_construction_is_judged_on_its_own_weights() -> None:
    claims = load_claims("one")
    assert claims is not None
    [result] = prove(load("first"), [ClosedForm(claims.named("one/s"))])
    assert isinstance(result.verdict, Refuted)
