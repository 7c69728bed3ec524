"""The last wall before `proved`: each of the false proofs that there once were ends there, with its mend taken out."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from tests.support.corners import EVERYTHING, UNDEFINED, always_accepts, equal_markers, never_accepts, no_layers, small
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import Attention, Logit, Quantity, Stream, Value
from weightproof.constructions.library import load, load_claims
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.proofs import deciding, prove
from weightproof.proofs.claims.judging import judge_claims
from weightproof.proofs.deciding import require_true
from weightproof.proofs.quantities import analysis, judge
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.outcome import Holds
from weightproof.proofs.quantities.runs import InternalError, Sample, compare, many_words, sampled
from weightproof.proofs.solving import atoms
from weightproof.proofs.theorem import ClosedForm, Compares, Decides, Margin, Theorem
from weightproof.proofs.verdict import Evidence, Proved, Unknown
from weightproof.symbolic import forward
from weightproof.symbolic.algebra.iverson import bracket
from weightproof.symbolic.algebra.linear import Context, form_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules import rows


def proved(construction: Construction, theorem: Theorem) -> None:
    [_] = prove.prove(construction, [theorem], timeout=10)


RECOGNISES = Decides("recognises", "a test")
CERTAIN = Proved("all lengths", Evidence.CERTIFICATE)


def encoding(x: str, parameters: tuple[Parameter, ...] = ()) -> Construction:
    """Every word is in the language; the logit is a position encoding."""
    return small(EVERYTHING, {}, {"s": x}, parameters=parameters)


LATE = Decides("late", "a test", given="n > 4")
"""Beyond the words that are tried before a proof."""


def test_markers_that_share_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rows, forward):
        monkeypatch.setattr(module, "marker_names", lambda begin, end: (begin or "", end or ""))
    with pytest.raises(InternalError, match=r"corner on '.*': the derived logit is .*, the interpreter's"):
        proved(equal_markers, RECOGNISES)


def test_a_token_at_a_fraction_that_is_a_symbol(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_if_whole(context: Context, token: sympy.Expr, vocabulary: Vocabulary) -> list[Context]:
        return [context.equal(form_of(token - a)) for a in range(len(vocabulary.alphabet))]

    monkeypatch.setattr(atoms, "_held", as_if_whole)
    some = Decides("some", "a test", accepts="w[n/2] == '0' or w[n/2] == '1'", given="n > 4")
    with pytest.raises(InternalError, match="theorem 'some' was proved, but is wrong"):
        proved(always_accepts, some)


def test_a_row_that_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(network: object, table: dict[str, object]) -> dict[str, object]:
        return {"EOS": table["EOS"]}

    monkeypatch.setattr(forward, "_read_rows", other)
    with pytest.raises(InternalError, match="the derived logit is"):
        proved(no_layers("first", "CLS", "EOS"), LATE)


@pytest.mark.parametrize("name", ["PE at n = 20", "PE at one position", "root", "a weight that multiplies 0"])
def test_values_that_do_not_exist(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.symbolic.rules.reading.require_defined", lambda *_: None)
    with pytest.raises(InternalError, match="a closed form was derived, but"):
        proved(UNDEFINED[name], Decides("even", "a test", given="n % 2 == 0 and n > 4"))


def test_a_formula_without_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.proofs.solving.logic.require_defined", lambda *_: None)
    theorem = Decides("odd", "a test", accepts="(n - 20)/(n - 20) == 1")
    with pytest.raises(InternalError, match=r"theorem 'odd' was proved, but is wrong: .*division by zero"):
        proved(always_accepts, theorem)


def runs(construction: Construction) -> tuple[Sample, ...]:
    return sampled(construction, many_words(construction, {})).decided


def test_a_closed_form_that_is_off_at_one_length() -> None:
    construction = load("one")
    right = derive(construction)
    made = runs(construction)
    compare(construction, right, made)
    for length in (2, 17, 31, 41):
        wrong = replace(right, logit=right.logit + bracket("==", n - length))
        with pytest.raises(InternalError, match="one on "):
            compare(construction, wrong, made)


def claimed(formula: str, of: Quantity) -> ClosedForm:
    return ClosedForm(Published("a", "here", "a formula", Value(of, formula)))


@pytest.mark.parametrize(
    ("name", "of", "right", "wrong"),
    [
        ("one", Logit(), "((count('1') == 1) - 1/2)/n", "(n == 23)"),
        ("one", Stream("k/n", 1, "attention"), "count('1')/n", "(n == 5)"),
        ("one", Attention(1, 1), "1/n", "(n == 4)"),
        ("dyck1", Stream("1/i"), "1/(i + 1)", "(n == 23 and i == 20)"),
    ],
)
def test_a_wrong_closed_form_does_not_pass(
    monkeypatch: pytest.MonkeyPatch, name: str, of: Quantity, right: str, wrong: str
) -> None:
    """Whatever the judge says."""
    monkeypatch.setattr(deciding, "compared", lambda *_: Holds("all lengths", "certificate"))
    with pytest.raises(InternalError, match="was derived as printed"):
        proved(load(name), claimed(f"{right} + {wrong}", of))
    proved(load(name), claimed(right, of))


@pytest.mark.parametrize("wrong", ["n == 17", "n == 33 and i == 3"])
def test_a_wrong_claim_does_not_pass_either(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    """Which is held against fewer words."""
    monkeypatch.setattr(judge, "differences", lambda *_: iter(()))
    statement = Value(Stream("1/n", 1, "attention"), f"1/n + ({wrong})")
    with pytest.raises(InternalError, match="was derived as printed"):
        list(judge_claims(load("one"), Claims("one", Published("a", "here", "a formula", statement))))


def test_a_wrong_theorem_does_not_pass() -> None:
    wrong = Decides("wrong", "a test", accepts="count('1') == 1 or n == 30")
    with pytest.raises(InternalError, match="theorem 'wrong' was proved, but is wrong"):
        require_true(Analysis(load("one")), wrong)
    require_true(Analysis(load("one")), RECOGNISES)


def test_the_runs_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    original = analysis.sampled
    monkeypatch.setattr(analysis, "sampled", lambda c, *given: (made.append(c), original(c, *given))[1])
    known = Analysis(never_accepts)
    for _ in range(3):
        require_true(known, RECOGNISES)
    assert len(made) == 1


def test_every_length_up_to_40_symbols_is_run() -> None:
    for name in ("parity", "palindrome", "dyck1-depth"):
        assert {len(sample.instance.word) for sample in runs(load(name))} >= {*range(41)}


def test_what_no_run_decides_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the prover says: the logit is 0, which nothing that the interpreter knows tells."""
    zero = "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)"
    for theorem in (RECOGNISES, Compares(">", "0", name="above"), Margin("accepted", "0", name="far")):
        monkeypatch.setattr(prove, "decide", lambda _, asked, *__: (CERTAIN, deciding.Tried(asked)))
        [result] = prove.prove(encoding(zero), [theorem], timeout=10)
        assert isinstance(result.verdict, Unknown), theorem
        assert "on no word that was run" in result.verdict.reason
        [result] = prove.prove(encoding("1"), [theorem], timeout=10)
        assert result.verdict == CERTAIN


def test_of_a_word_that_is_not_decided_other_parameters_are_run() -> None:
    """At c = 1 two forms of one logarithm are not told apart, at c = log(2) they are numbers."""
    open_at_1 = encoding("log(exp(c) + exp(2*c)) - c - log(1 + exp(c))", (Parameter("c", "c > 0", "1"),))
    made = sampled(open_at_1, many_words(open_at_1, {}))
    assert len(made.decided) > 40
    assert {sample.instance.parameters["c"] for sample in made.decided} == {"log(2)", "log(1001/1000)", "log(1000)"}
    assert {len(sample.instance.word) for sample in made.decided} >= {*range(41)}
    with pytest.raises(InternalError, match="theorem 'recognises' was proved, but is wrong"):
        require_true(Analysis(open_at_1), RECOGNISES)


def test_the_words_that_are_run_are_counted() -> None:
    """As many of a network as its weights and heads allow, whatever the time; short ones before long ones."""
    every = [len(sample.instance.word) for sample in runs(load("parity"))]
    for work in (0, 1_000, 50_000):
        some = sampled(load("parity"), many_words(load("parity"), {}), work).decided
        assert [len(sample.instance.word) for sample in some] == every[: len(some)]
        assert 0 < len(some) < len(every)


def test_the_wall_stands_before_every_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever way a theorem is proved."""

    def stop(*_: object) -> None:
        raise InternalError("the wall")

    monkeypatch.setattr(prove, "require_true", stop)
    claims = load_claims("one")
    assert claims is not None
    for theorem in (RECOGNISES, ClosedForm(claims.named("one/s")), Decides("bounded", "a test", up_to=40), LATE):
        with pytest.raises(InternalError, match="the wall"):
            proved(load("one"), theorem)
