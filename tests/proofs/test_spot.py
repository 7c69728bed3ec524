"""The last wall before `proved`: each of the false proofs that there once were ends there, with its mend taken out."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from tests.support.corners import UNDEFINED, always_accepts, equal_markers, never_accepts, no_layers
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Claim
from weightproof.proofs import prove, spot
from weightproof.proofs.solving import atoms
from weightproof.proofs.spot import InternalError, Wall, compare, require_true, sampled
from weightproof.proofs.theorem import ClosedForm, Decides, Theorem
from weightproof.proofs.verdict import Evidence, Proved
from weightproof.symbolic import evaluate, forward
from weightproof.symbolic.algebra.iverson import bracket
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules import attention


def proved(construction: Construction, theorem: Theorem) -> None:
    [_] = prove.prove(construction, [theorem], timeout=10)


RECOGNISES = Decides("recognises", "a test")
LATE = Decides("late", "a test", given="n > 4")
"""Beyond the words that are tried before a proof."""


def test_markers_that_share_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (attention, forward, evaluate):
        monkeypatch.setattr(module, "marker_names", lambda begin, end: (begin or "", end or ""))
    with pytest.raises(InternalError, match=r"corner on '.*': the derived logit is .*, the interpreter's"):
        proved(equal_markers, RECOGNISES)


def test_a_token_at_a_fraction_that_is_a_symbol(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_if_whole(context: Context, token: sympy.Expr, vocabulary: Vocabulary) -> list[Context]:
        return [context.equal(atoms._form(token - a)) for a in range(len(vocabulary.alphabet))]

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


def test_a_closed_form_that_is_off_at_one_length() -> None:
    construction = load("one")
    right = derive(construction)
    runs = sampled(construction, {})
    compare(construction, right, runs)
    for length in (2, 17, 31, 41):
        wrong = replace(right, logit=right.logit + bracket("==", n - length))
        with pytest.raises(InternalError, match="one on "):
            compare(construction, wrong, runs)


def test_a_wrong_closed_form_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the judge says."""
    monkeypatch.setattr(prove, "judge", lambda *_: Proved("all lengths", Evidence.CERTIFICATE))
    wrong = ClosedForm(Claim("here", "((count('1') == 1) - 1/2)/n + (n == 23)"))
    with pytest.raises(InternalError, match="is wrong: logit is"):
        proved(load("one"), wrong)
    always = ClosedForm(Claim("here", "((count('1') == 1) - 1/2)/n"))
    proved(load("one"), always)


def test_a_wrong_theorem_does_not_pass() -> None:
    construction = load("one")
    wrong = Decides("wrong", "a test", accepts="count('1') == 1 or n == 30")
    runs = sampled(construction, {})
    with pytest.raises(InternalError, match="theorem 'wrong' was proved, but is wrong"):
        require_true(construction, wrong, runs)
    require_true(construction, RECOGNISES, runs)


def test_the_runs_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    original = spot.sampled
    monkeypatch.setattr(spot, "sampled", lambda c, at: (made.append(at), original(c, at))[1])
    wall, derivation = Wall(never_accepts), derive(never_accepts)
    for _ in range(3):
        wall.require(RECOGNISES, derivation)
    assert len(made) == 1


def test_every_length_up_to_40_symbols_is_run_of_every_construction() -> None:
    for name in ("parity", "palindrome", "dyck1-depth"):
        assert {len(sample.word) for sample in sampled(load(name), {})} >= {*range(41)}


def test_the_wall_stands_before_every_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever way a theorem is proved."""

    def stop(*_: object) -> None:
        raise InternalError("the wall")

    monkeypatch.setattr(spot.Wall, "require", stop)
    [claim] = load("one").claims
    for theorem in (RECOGNISES, ClosedForm(claim), Decides("bounded", "a test", up_to=4), LATE):
        with pytest.raises(InternalError, match="the wall"):
            proved(load("one"), theorem)
