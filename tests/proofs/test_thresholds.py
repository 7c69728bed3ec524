"""From which value on a theorem is true: the values that come out, held against runs, and how they are sought, held
against oracles that know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightproof as wp
from tests.support.unusual import contains, is_right, recogniser
from weightproof.changing.thresholds import Threshold, sought
from weightproof.cli import main
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs import thresholds
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.theorem import Decides
from weightproof.proofs.thresholds import NEAR, OfParameter, Positions, Question, Search, simplest
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown
from weightproof.subjects.registry import subject_of


def nearest() -> Construction:
    """The last symbol is 1, by distance: right from c = log 2 on."""
    lean = Head(W_Q={"x": {"C": 1, "0": 1, "1": 1}}, W_K={"x": {"p": 1}}, W_V={"s": {"1": 1, "0": -1}}, scale="c",
                mask="causal")  # fmt: skip
    return recogniser(
        "w[n - 1] == '1'",
        lambda word: word[-1:] == "1",
        layers=(Layer(heads=(lean,)),),
        PE={"p": "i"},
        position="last",
        parameters=(Parameter("c", "c > 0", default="1"),),
    )


def weighed(weight: str) -> Construction:
    """More than no 1, where the weight of a 1 is positive."""
    return recogniser(
        "count('1') > 0",
        lambda word: "1" in word,
        layers=(Layer(heads=(Head(W_V={"s": {"1": weight}}),)),),
        parameters=(Parameter("c", "c > 0", default="1"),),
    )


@pytest.mark.parametrize("scale", ["n/3", "n/4", "n/5", "log(n)/2", "1"])
def test_a_number_of_positions_is_the_threshold_of_all_words_that_are_run(scale: str) -> None:
    construction = contains(scale)
    found = wp.threshold(construction, of="n")
    wrong = [length + 1 for length in range(11) if not is_right(construction, length)]
    if found.holds is None:
        assert scale in ("log(n)/2", "1")
        assert 11 in wrong
        return
    assert found.search.is_exact == bool(wrong)
    assert found.holds == f"n >= {max(wrong) + 1 if wrong else 1}"
    assert found.fails_at == (str(max(wrong)) if wrong else None)


def test_a_parameter_lies_between_a_word_and_a_proof() -> None:
    found = wp.threshold(nearest())
    assert found.holds == "c >= log(2)"
    assert not found.search.is_exact
    fails = Fraction(str(found.fails_at))
    assert float(fails) < 0.6931471805599453 <= float(fails * (1 + 2 * NEAR))
    assert found.search.fails is not None
    verdict = found.search.fails.result.verdict
    assert isinstance(verdict, Refuted)
    word = verdict.counterexample
    assert word.parameters == {"c": str(fails)}
    ran = run(nearest(), word.word, word.parameters)
    assert ran.accepts != (word.word[-1:] == "1")


@pytest.mark.parametrize(
    ("weight", "threshold"), [("c - 2", "2"), ("exp(c) - 3", "log(3)"), ("3*c - 4", "4/3"), ("c - 7/12", "7/12")]
)
def test_where_it_fails_at_the_value_itself_that_is_the_threshold(weight: str, threshold: str) -> None:
    found = wp.threshold(weighed(weight))
    assert (found.holds, found.fails_at, found.search.is_exact) == (f"c > {threshold}", threshold, True)


def test_where_there_is_none_it_says_so() -> None:
    everywhere = wp.threshold(weighed("c"))
    assert everywhere.holds == "c > 0"
    assert everywhere.fails_at is None
    assert str(everywhere).endswith("there is no threshold")
    third = replace(weighed("c"), parameters=(Parameter("c", "c >= 1/3", default="1"),))
    assert wp.threshold(third).holds == "c >= 1/3"
    nowhere = wp.threshold(weighed("-c"))
    assert nowhere.holds is None
    assert nowhere.ending.status == 1
    assert str(nowhere).endswith("proved from no value of c on")


def test_no_value_is_asked_of_twice() -> None:
    for found in (wp.threshold(nearest()), wp.threshold(contains("n/4"), of="n")):
        questions = [answer.question for answer in found.search.answers]
        assert len(questions) == len(set(questions))


Oracle = Callable[[Question], Fraction | bool | None]
"""True where it is proved, a value at which it fails, or None."""


def answered(monkeypatch: pytest.MonkeyPatch, search: Search, oracle: Oracle) -> Search:
    """All that is asked, as the oracle answers it."""
    [example] = prove(weighed("c"))
    asked: list[Question] = []

    def replied(construction: Construction, theorems: Any, *, timeout: float) -> Any:
        said = oracle(asked[-1])
        if said is None:
            verdict: Any = Unknown(f"not known of {asked[-1]}")
        elif said is True:
            verdict = Proved("all lengths", Evidence.CERTIFICATE)
        else:
            verdict = Refuted(Counterexample("x", "1" * (int(said) - 1), {"c": str(said)}))
        return [replace(example, verdict=verdict)]

    monkeypatch.setattr(thresholds, "prove", replied)
    while (question := search.next) is not None:
        asked.append(question)
        assert len(asked) < 100
        search.ask(question, 1)
    return search


def real() -> Search:
    construction = weighed("c")
    [theorem] = default_theorems(construction)
    assert isinstance(theorem, Decides)
    return Search(OfParameter(construction, theorem, construction.parameters[0]))


def whole() -> Search:
    construction = contains("n/4")
    [theorem] = default_theorems(construction)
    assert isinstance(theorem, Decides)
    return Search(Positions(construction, theorem))


def value(question: Question) -> Fraction:
    number = float(str(evaluate(question.value, {}))) if str(question.value).isdigit() else None
    return Fraction(number) if number is not None else Fraction(str(question.value))


@pytest.mark.parametrize(("fails", "holds"), [(2, 3), (Fraction(1, 3), Fraction(700, 3)), (5, 5)])
def test_what_is_not_known_between_stays_open_and_no_wider(
    fails: Fraction, holds: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    def oracle(question: Question) -> Fraction | bool | None:
        try:
            at = value(question)
        except ValueError:
            return None
        if question.reach != "at" and at >= holds:
            return True
        return max(at, Fraction(1, 1000)) if at < fails else None

    search = answered(monkeypatch, real(), oracle)
    assert search.holds is not None
    assert search.fails_at is not None
    top, bottom = value(search.holds), Fraction(str(search.fails_at))
    assert bottom < fails <= bottom + NEAR * max(1, 2 * fails)
    assert holds <= top <= holds + NEAR * max(1, 2 * holds)


@given(st.integers(1, 3000), st.integers(0, 40), st.integers(0, 10))
def test_a_whole_number_is_found_whatever_it_is(holds: int, gap: int, alone: int) -> None:
    """alone: so many numbers before are proved one by one, and not together with those behind them."""
    fails = max(holds - 1 - gap, 0)

    def oracle(question: Question) -> Fraction | bool | None:
        at = int(str(question.value))
        if at >= holds or (question.reach == "at" and max(holds - alone, fails + 1) <= at):
            return True
        return Fraction(fails if question.reach == "from" else at) if at <= fails else None

    with pytest.MonkeyPatch.context() as patch:
        search = answered(patch, whole(), oracle)
    assert search.holds == Question("from", Expression(str(max(holds - alone, fails + 1))))
    assert search.fails_at == (Expression(str(fails)) if fails >= 1 else None)
    assert search.is_exact == (fails >= 1 and fails + 1 >= holds - alone)


def test_what_is_true_at_a_value_may_be_false_at_a_greater_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right at 1 and up to 7, wrong at 7, right from there on: the threshold is that at 7, not that at 1."""

    def oracle(question: Question) -> Fraction | bool | None:
        at = value(question)
        if question.reach == "at":
            return None if at != 7 else at
        return at > 7 or (at == 7 and question.reach == "above") or Fraction(7)

    search = answered(monkeypatch, real(), oracle)
    assert search.holds is not None
    assert (search.holds, search.is_exact) == (Question("above", Expression("7")), True)


def test_what_is_open_for_a_reason_that_no_value_changes_is_asked_no_more() -> None:
    """A root in an exponent has no closed form, however long the words are."""
    found = wp.threshold(contains("sqrt(n)"), of="n")
    assert found.holds is None
    assert 1 < len(found.search.answers) < 5
    assert "no closed form" in str(found)


@given(st.fractions(-50, 50), st.fractions(0, 3))
def test_the_simplest_fraction_between_two(low: Fraction, wide: Fraction) -> None:
    found = simplest(low, low + wide)
    assert low <= found <= low + wide
    for below in range(1, min(found.denominator, 400)):
        assert (low * below).__ceil__() > ((low + wide) * below).__floor__()


def refusal(construction: Construction, of: str | None, theorem: str | None = None) -> str:
    with pytest.raises(InputError) as error:
        wp.threshold(construction, of=of, theorem=theorem)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_cannot_be_asked_is_refused_in_a_line() -> None:
    c, e = Parameter("c", "c > 0", default="1"), Parameter("e", "e > 0", default="1")
    number = Parameter("D", "D >= 0", default=3, kind="natural")
    assert "there are c, n" in refusal(weighed("c"), "d")
    two = contains("c*e", (c, e))
    assert "say --of one of c, e, n" in refusal(two, None)
    assert "D is a natural number" in refusal(contains("D", (number,)), "D")
    speaks = replace(two, language=replace(two.language, characterisation=Expression("count('1') > c - c")))
    assert "it speaks of c itself" in refusal(speaks, "c")
    assert "no theorem 'x'" in refusal(two, "c", "x")


def test_a_theorem_that_ends_at_a_length_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved of it is not proved of all lengths, and from no number of positions on."""
    short = Decides("short", "short", up_to=5)
    monkeypatch.setattr("weightproof.changing.thresholds.decides", lambda *_: short)
    assert "proved for every c > 0, n <= 5, " in str(wp.threshold(weighed("c")))
    assert "short: it is about n <= 5 alone, and true from no n on" in refusal(weighed("c"), "n")


def test_an_interruption_keeps_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter(range(3))

    def interrupted(*given: Any, **more: Any) -> Any:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return prove(*given, **more)

    monkeypatch.setattr(thresholds, "prove", interrupted)
    found: Threshold = sought(subject_of(nearest()).network("threshold"), None, None, None)
    assert len(found.search.answers) == 3
    assert found.ending.status == 130
    assert found.data["complete"] is False
    with pytest.raises(KeyboardInterrupt):
        wp.threshold(nearest())


def test_time_that_is_up_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("weightproof.changing.thresholds.ALL", 0.01)
    assert main(["threshold", "first"]) == 1
    assert "given up after 0.01 s; give more with --timeout SECONDS" in capsys.readouterr().err
