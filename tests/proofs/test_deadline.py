"""Deadlines: what takes too much is given up, and what is late is stopped where it is; either is unknown, and leaves
nothing behind that could mislead."""

from __future__ import annotations

import contextlib
import json
import math
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sympy

from tests.proofs.test_prove import EASY, HARD, MANY
from tests.support.places import ROOT
from weightproof.constructions.library import load
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.scalars import work
from weightproof.proofs import deciding
from weightproof.proofs.claims.words import Stated
from weightproof.proofs.deadline import Deadline, TimeUp, clock
from weightproof.proofs.prove import proofs, prove
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.solving import solver_process, solvers
from weightproof.proofs.solving.close import Closed, close
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.solving.solvers import SOLVERS, Answer, Process
from weightproof.proofs.theorem import theorems_of
from weightproof.proofs.verdict import Counterexample, Proved, Unknown
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n
from weightproof.symbolic.derivation import Derivation

STEP = 10_000


def forever() -> None:
    while True:
        pass


def at_work() -> None:
    while True:
        work.spend(STEP)


def swallowing(does: Callable[[], None]) -> None:
    while True:
        try:
            does()
        except Exception:
            continue


@pytest.mark.parametrize("does", [at_work, lambda: swallowing(at_work)])
def test_work_is_given_up_where_it_has_taken_too_much(does: Callable[[], None]) -> None:
    before = work.seconds()
    with pytest.raises(TimeUp, match=r"given up after 0.1 s of counted work, in the test"):
        Deadline.after(0.1).during("the test", does)
    spent = round(work.seconds() - before, 9)  # of two sums of work, which are rounded
    assert 0.1 <= spent < 0.1 + 2 * STEP / work.STEPS_A_SECOND


def test_time_that_passes_is_no_work() -> None:
    assert Deadline.after(0.01).during("the test", lambda: time.sleep(0.2) or 3) == 3


@pytest.mark.parametrize("does", [forever, lambda: swallowing(forever), at_work, lambda: time.sleep(60)])
def test_a_user_s_time_stops_work_in_the_middle(does: Callable[[], None]) -> None:
    begin = time.monotonic()
    with clock(0.1), pytest.raises(TimeUp, match=r"time-out of 0.1 s in the test"):
        Deadline.after(1e6).during("the test", does)
    assert time.monotonic() - begin < 5


def test_a_user_s_time_is_told_by_the_outermost_deadline_and_stops_what_is_under_none() -> None:
    def nested() -> None:
        with contextlib.suppress(TimeUp):
            Deadline.after(1e6).during("inside", forever)
        pytest.fail("the inner one told it")

    with clock(0.1):
        with pytest.raises(TimeUp, match="in outside"):
            Deadline.after(1e6).during("outside", nested)
        with pytest.raises(TimeUp, match="in the next"):
            Deadline.after(1e6).during("the next", lambda: pytest.fail("begun"))
    with pytest.raises(TimeUp, match=r"time-out of 0.1 s in the whole call"), clock(0.1):
        forever()


def test_a_limit_inside_of_another_changes_nothing_and_none_is_no_limit() -> None:
    with clock(0.1), pytest.raises(TimeUp, match=r"time-out of 0.1 s"), clock(60):
        Deadline.after(1e6).during("the test", forever)
    with clock(None):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf, 1e18])
def test_what_is_no_limit_is_refused(seconds: float) -> None:
    with pytest.raises(InputError, match=re.escape(f"--timeout {seconds:g} is no time limit")), clock(seconds):
        pytest.fail("begun")


def test_what_is_done_in_time_is_given_and_the_timer_is_off_afterwards() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with clock(60):
        assert Deadline.after(60).during("the test", lambda: 3) == 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_nothing_is_begun_after_its_time() -> None:
    with pytest.raises(TimeUp):
        Deadline.after(0).during("the test", lambda: pytest.fail("begun"))


def test_the_inner_of_two_deadlines_leaves_the_outer_one_in_force() -> None:
    outer = Deadline.after(0.3)

    def does() -> None:
        with pytest.raises(TimeUp, match="inner"):
            Deadline.after(0.05).during("inner", at_work)
        Deadline.after(60).during("another", lambda: None)
        at_work()

    with pytest.raises(TimeUp, match="outer"):
        outer.during("outer", does)
    work.spend(work.STEPS_A_SECOND)  # no limit is left


def test_an_outer_deadline_is_not_mistaken_for_the_inner_one() -> None:
    def does() -> None:
        try:
            Deadline.after(60).during("inner", at_work)
        except TimeUp:
            pytest.fail("the inner one had work left")

    with pytest.raises(TimeUp, match="outer"):
        Deadline.after(0.1).during("outer", does)


def test_an_error_of_the_work_passes_and_takes_the_limit_down() -> None:
    with pytest.raises(KeyError), clock(60):
        Deadline.after(0.1).during("the test", lambda: {}[1])
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    work.spend(work.STEPS_A_SECOND)


def test_a_share_of_the_work_is_up_earlier_and_tells_the_whole() -> None:
    whole = Deadline.after(60)
    assert whole.share(1 / 2).remaining() <= 30 < whole.remaining()
    assert whole.share(1 / 2).seconds == 60


def test_in_another_thread_time_ends_nothing_that_was_begun() -> None:
    found: list[object] = []

    def does() -> None:
        with clock(0.05):
            found.append(Deadline.after(60).during("the test", lambda: time.sleep(0.2) or 3))
            try:
                Deadline.after(60).during("the next", lambda: found.append("begun"))
            except TimeUp as late:
                found.append(str(late))

    thread = threading.Thread(target=does)
    thread.start()
    thread.join()
    assert found == [3, "time-out of 0.05 s in the next"]


def test_what_sympy_was_in_the_middle_of_is_forgotten() -> None:
    x = sympy.Symbol("x", positive=True)

    class Slow(sympy.Function):  # type: ignore[misc]
        slow = True

        def _eval_is_positive(self) -> bool:
            while Slow.slow:
                pass
            return True

    with clock(0.1), pytest.raises(TimeUp):
        Deadline.after(60).during("the test", lambda: Slow(x).is_positive)
    Slow.slow = False
    assert Slow(x).is_positive


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_question_that_was_given_up_leaves_no_answer_to_the_next(solver: str) -> None:
    """Today's answer to yesterday's question would be a proof of whatever is asked next."""
    process = Process(solver)
    assert process.ask(EASY, MANY).status == "unsat"
    with clock(0.2), pytest.raises(TimeUp):
        Deadline.after(60).during("the test", lambda: process.ask(HARD, MANY))
    assert process.child is None
    assert process.ask("(set-logic ALL)\n(check-sat)\n", MANY).status == "sat"
    process.stop()


INTERRUPTED = """
import os, signal, threading
from tests.proofs.test_prove import EASY, HARD, MANY
from tests.support.places import ROOT
from weightproof.proofs.solving.solvers import Process
signal.signal(signal.SIGINT, signal.default_int_handler)
process = Process("z3")
print(process.ask(EASY, MANY).status)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    process.ask(HARD, MANY)
except KeyboardInterrupt:
    print("interrupted", process.child)
"""


def test_an_interrupted_question_leaves_no_answer_either() -> None:
    """In a process of its own: an interruption that came too late would end this one."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=ROOT, capture_output=True, check=False, text=True, timeout=120
    )
    assert done.stdout == "unsat\ninterrupted None\n", done.stderr


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_answers_where_the_machine_limits_processor_time(solver: str) -> None:
    """As a batch system does: such a limit cannot be raised, and trying to was the end of the process."""
    question = {"number": 1, "script": EASY, "steps": MANY, "processor": 60}
    done = subprocess.run(
        ["sh", "-c", 'ulimit -t 50; exec "$@"', "sh", sys.executable, "-P", solver_process.__file__, solver],
        input=json.dumps(question) + "\n",
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert json.loads(done.stdout)["status"] == "unsat", done.stderr


def test_what_ended_a_solver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "_processes", {})
    monkeypatch.setattr(solvers, "_answered", {})
    monkeypatch.setattr(Process, "_ask", lambda self, script, steps: Answer("z3", "unknown", error="it died"))
    vocabulary = Vocabulary.of(load("one"))
    goal = Rel(">", n**2 - 3 * n * vocabulary.total("1") + 1)
    closed = close(Implication("open", vocabulary, vocabulary.words(), (), goal), 1.0)
    assert closed.reason == "the solvers answer unknown: it died"


def test_a_stale_answer_is_recognised_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second wall: a process that was not stopped."""
    process = Process("z3")
    assert process.ask(EASY, MANY).status == "unsat"
    monkeypatch.setattr(process, "stop", lambda: None)
    assert process.child is not None
    assert process.child.stdin is not None
    given_up = {"number": process.questions, "script": EASY, "steps": MANY, "processor": 60}
    process.child.stdin.write(json.dumps(given_up) + "\n")
    answer = process.ask("(set-logic ALL)\n(check-sat)\n", MANY)
    assert answer.status == "unknown"
    assert answer.error == "the solver answered another question"
    monkeypatch.undo()
    process.stop()


def slow(*_: Any, **__: Any) -> Any:
    at_work()


def slow_items(*_: Any) -> Iterator[Any]:
    yield at_work()


STAGES = {
    "the derivation": {"weightproof.proofs.quantities.analysis.derive": slow},
    "the proof": {"weightproof.proofs.deciding.obligations": slow_items},
    "the solvers": {"weightproof.proofs.deciding.close": slow},
    "the search for a word": {"weightproof.proofs.deciding._proved": slow},
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_theorem_that_runs_out_of_time_is_unknown_and_names_the_stage(
    monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    for name, stand_in in STAGES[stage].items():
        monkeypatch.setattr(name, stand_in)
    begin = time.monotonic()
    [result] = prove(load("one"), theorems_of("one")[:1], timeout=1)
    assert time.monotonic() - begin < 10
    assert isinstance(result.verdict, Unknown)
    assert result.verdict.timed_out
    assert f"in {stage}" in result.verdict.reason


def test_a_derivation_that_took_too_long_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.proofs.quantities.analysis.derive", slow)
    begin = time.monotonic()
    results = list(prove(load("one"), theorems_of("one")[:2], timeout=1))
    assert len(results) == 2
    assert all(isinstance(result.verdict, Unknown) and result.verdict.timed_out for result in results)
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("little", [0.0, 0.001])
def test_that_there_was_no_time_to_derive_is_not_held_against_who_has_more(little: float) -> None:
    """Whatever the order of theorems, and however tight the time of an earlier one."""
    known, theorem = Analysis(load("one")), theorems_of("one")[0]
    assert isinstance(known.maybe_derived(None, Deadline.after(little)), TimeUp)
    late, _ = deciding.decide(known, theorem, little, searched=True)
    assert isinstance(late, Unknown)
    assert late.timed_out
    verdict, _ = deciding.decide(known, theorem, 30.0)
    assert isinstance(verdict, Proved)


def test_a_derivation_is_not_tried_again_in_as_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[object]()
    monkeypatch.setattr("weightproof.proofs.quantities.analysis.derive", lambda of: tried.append(of) or slow())
    known = Analysis(load("one"))
    said = [str(known.maybe_derived(None, Deadline.after(seconds))) for seconds in (0.2, 0.1, 0.3)]
    assert said == [f"given up after {seconds} s of counted work, in the derivation" for seconds in (0.2, 0.1, 0.3)]
    assert len(tried) == 2


def test_a_user_s_time_that_was_up_says_nothing_of_the_work_of_a_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Analysis(load("one"))
    with monkeypatch.context() as patched, clock(0.05):
        patched.setattr("weightproof.proofs.quantities.analysis.derive", lambda _: forever())
        assert "time-out" in str(known.maybe_derived())
    assert isinstance(known.maybe_derived(), Derivation)


def test_a_theorem_that_was_not_proved_in_time_is_asked_again_where_a_claim_needs_it() -> None:
    construction, theorem = load("one"), theorems_of("one")[0]
    [late] = proofs(construction, [theorem], timeout=0.001)
    assert isinstance(late.result.verdict, Unknown)
    assert isinstance(Stated(Analysis(construction), known=[late]).verdict(theorem), Proved)


def test_a_first_search_that_takes_too_long_gives_way_to_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "search", slow)
    [result] = prove(load("one"), theorems_of("one")[:1], timeout=6)
    assert isinstance(result.verdict, Proved)


def test_a_word_that_is_known_stays_when_the_search_for_a_shorter_one_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Counterexample("one", "11", {}, False, True, "1/6")
    monkeypatch.setattr(deciding, "search", lambda *_, **__: found)
    monkeypatch.setattr(deciding, "search_critical", slow)
    [result] = prove(load("one"), theorems_of("one")[:1], timeout=1)
    assert not isinstance(result.verdict, Proved | Unknown)
    assert result.verdict.counterexample == found


def test_a_search_that_takes_too_long_keeps_the_reason_of_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(item: Any, timeout: float) -> Closed:
        return Closed(item, None, reason="the solver has a countermodel")

    monkeypatch.setattr(deciding, "close", opened)
    monkeypatch.setattr(deciding, "late", slow)
    [result] = prove(load("one"), theorems_of("one")[:1], timeout=1)
    assert isinstance(result.verdict, Unknown)
    assert not result.verdict.timed_out
    assert result.verdict.reason == "the solver has a countermodel"
    assert result.verdict.obligation
