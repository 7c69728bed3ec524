"""Proofs of what a norm with epsilon = 0 leaves of a logit: its sign, and only where it is not 0."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
import sympy

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Value
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs import deciding
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.close import close
from weightproof.proofs.strategies.signs import by_sign
from weightproof.proofs.theorem import ClosedForm, Compares, Decides, Margin, OnWords
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable, n
from weightproof.symbolic.derivation import Derivation, NonZero
from weightproof.symbolic.forward import derive

FIRST = transformed(load("first"), ["sharpen:eta=1/100"])
LEAST = "-log(exp(1/100) - 1)"
NOT_EMPTY = Decides("recognises", "a test", given="n >= 2")
EVERY_WORD = Decides("recognises", "a test")


def verdict(theorem: OnWords, construction: Construction = FIRST) -> Verdict:
    [result] = prove(construction, [theorem], timeout=20)
    return result.verdict


def open_ones(derivation: Derivation, theorem: OnWords) -> list[str]:
    items = deciding.obligations(derivation, theorem, derivation.vocabulary.words())
    return [item.name for item in items if close(item, 5).evidence is None]


def test_a_word_without_a_value_refutes() -> None:
    found = verdict(EVERY_WORD)
    assert isinstance(found, Refuted)
    assert (found.counterexample.word, found.counterexample.logit) == ("", "undefined")
    assert isinstance(verdict(NOT_EMPTY), Proved)


def test_that_the_value_is_not_0_is_an_obligation() -> None:
    """Of the empty word, which is rejected with the logit 0 before the norm."""
    derivation = derive(FIRST)
    assert open_ones(derivation, NOT_EMPTY) == []
    assert {name.split(":")[0] for name in open_ones(derivation, EVERY_WORD)} == {"before the norm"}
    (before, question), _ = by_sign(derivation, EVERY_WORD)
    assert isinstance(question, Decides)
    assert question.strict
    lenient = Decides(question.name, question.statement, given=question.given)
    assert open_ones(before, lenient) == []


@pytest.mark.parametrize(("side", "value", "is_true"), [
    ("accepted", LEAST, True),
    ("accepted", f"{LEAST} + 1/1000", False),
    ("rejected", LEAST, True),
    ("rejected", f"{LEAST} + 1/1000", False),
])  # fmt: skip
def test_the_size_is_that_of_the_readout(side: str, value: str, is_true: bool) -> None:
    assert side in ("accepted", "rejected")
    words = (("1", 1), ("0", "n - 2")) if side == "accepted" else (("0", "n - 1"),)
    margin = Margin("accepted" if side == "accepted" else "rejected", value, when="n >= 2", attained=words)
    assert isinstance(verdict(margin), Proved if is_true else Refuted)


@pytest.mark.controls
def test_a_margin_below_the_size_is_not_attained() -> None:
    low = Margin("accepted", f"{LEAST} - 1/1000", when="n >= 2", attained=(("1", 1), ("0", "n - 2")))
    assert isinstance(verdict(low), Refuted)


def test_a_wrong_claim_is_refuted() -> None:
    found = verdict(Decides("wrong", "a test", accepts="count('1') > 0", given="n >= 2"))
    assert isinstance(found, Refuted)
    assert found.counterexample.word == "01"


def test_a_factor_that_turns_the_signs_round_is_not_proved() -> None:
    """The constant is negative for eta > log(2)."""
    assert isinstance(verdict(NOT_EMPTY, transformed(load("first"), ["sharpen:eta=1"])), Refuted)
    derivation = derive(transformed(load("first"), ["sharpen:eta=1"]))
    assert any(name.startswith("its size") for name in open_ones(derivation, NOT_EMPTY))


def test_above_log_2_every_decision_is_turned_round() -> None:
    """The value and the constant change their signs together."""
    above, given = transformed(load("first"), ["sharpen"]), "n >= 2 and exp(eta) > 2"
    assert isinstance(verdict(Decides("turned round", "a test", accepts="w[1] != '1'", given=given), above), Proved)
    assert isinstance(verdict(Decides("recognises", "a test", given=given), above), Refuted)


def test_a_factor_of_0_is_refuted() -> None:
    """At eta = log(2) the factor of the proposition is 0, and nothing is accepted."""
    halted = transformed(load("first"), ["sharpen:eta=log(2)"])
    assert derive(halted).logit.terms == ()
    assert isinstance(verdict(NOT_EMPTY, halted), Refuted)
    assert any(name.startswith("its size") for name in open_ones(derive(halted), NOT_EMPTY))


@pytest.mark.parametrize(("a", "b", "is_told"), [
    (2, 1, True), (2, -1, True), (-2, 1, True), (-2, -1, True), (1, 1, False), (1, -1, False), (1, 2, False),
])  # fmt: skip
def test_a_value_outweighs_its_size_where_its_factor_is_larger(a: int, b: int, is_told: bool) -> None:
    derivation = derive(FIRST)
    [(scale, row)] = derivation.nonzero.items()
    total = sympy.Symbol("S", real=True)
    x = 3 * total - 1
    logit = Iverson.constant((a * x + b * sympy.Abs(x)) * scale / n)
    two_values = replace(derivation, logit=logit, nonzero={scale: NonZero((row.values[0], row.values[0]), row.ratio)})
    (before, _), _ = by_sign(two_values, NOT_EMPTY)
    [(_, value)] = before.logit.terms
    assert bool(value.atoms(sympy.Abs)) is not is_told
    for at in (sympy.Rational(k, 3) for k in range(-3, 6)):
        wanted, told = (expression.xreplace({total: at, n: 5, scale: 1}) for expression in (logit.terms[0][1], value))
        assert sympy.sign(wanted) == sympy.sign(told)


def test_sizes_of_two_values_are_left() -> None:
    derivation = derive(FIRST)
    [(scale, row)] = derivation.nonzero.items()
    total = sympy.Symbol("S", real=True)
    for value in (5 * total + abs(total) + abs(total - 1), 5 * total + total * abs(total), 5 * total**2 + abs(total)):
        nonzero = {scale: NonZero((row.values[0], row.values[0]), row.ratio)}
        two = replace(derivation, logit=Iverson.constant(value * scale), nonzero=nonzero)
        (before, _), _ = by_sign(two, NOT_EMPTY)
        assert sympy.expand(before.logit.terms[0][1] - value) == 0


@pytest.mark.parametrize(("given", "sign"), [
    ("c > 1", 1), ("c < 1", -1), ("c > 1 and n > 2", 1), ("c < 1 or c > 1", None), ("c > 2", None), ("n > 1", None),
])  # fmt: skip
def test_the_sign_of_a_logarithm_that_the_hypothesis_tells(given: str, sign: int | None) -> None:
    derivation = derive(load("first"))
    scale, kept, x = sympy.Symbol("R9", positive=True), sympy.Symbol("R8", positive=True), sympy.Symbol("S", real=True)
    c = derivation.vocabulary.parameter("c")
    value = Iverson.constant(x)
    logarithmic = replace(
        derivation,
        logit=value.scaled(scale * kept * sympy.log(c)),
        scales={kept: Iverson.constant(1), scale: value},
        nonzero={scale: NonZero((value, value), sympy.S.One)},
    )
    (before, _), _ = by_sign(logarithmic, Decides("recognises", "a test", given=given))
    [(_, left)] = before.logit.terms
    assert sympy.expand(left - (x * sympy.log(c) if sign is None else sign * x)) == 0


@pytest.mark.controls
@pytest.mark.parametrize(("change", "expected"), [("to=1/2", Proved), ("to=-1", Refuted)])
def test_units_of_different_weights_for_a_value_and_its_opposite(change: str, expected: type) -> None:
    """relu(s) and relu(-s) are taken apart although the sign of s, of sums and scales, is open."""
    weight = f"set-weight:layer=3,part=W_F1,row=+(s),column=s,{change}"
    asked = ["remove-centering", "layer-norm:epsilon=0", "sharpen", weight]
    theorem = replace(NOT_EMPTY, given="n >= 2 and exp(eta) < 2")
    assert isinstance(verdict(theorem, transformed(load("parity"), asked)), expected)


def test_a_logit_that_is_no_multiple_of_the_sign_is_not_told() -> None:
    derivation = derive(FIRST)
    shifted = replace(derivation, logit=derivation.logit + Iverson.constant(1))
    with pytest.raises(Underivable, match="not a constant times the sign"):
        by_sign(shifted, NOT_EMPTY)
    for theorem in (Compares(">", 0, where="n >= 3"), Compares(">", 0, only=True)):
        with pytest.raises(Underivable, match="its decisions are proved, and how large it is"):
            by_sign(derivation, theorem)


@pytest.mark.parametrize(
    ("op", "value", "where", "is_true"),
    [
        (">=", LEAST, None, True),
        ("==", LEAST, None, True),
        ("<=", f"-({LEAST})", FIRST.language.complement, True),
        ("==", LEAST, FIRST.language.complement, False),
        (">", LEAST, None, False),
        (">=", 0, FIRST.language.complement, False),
    ],
)
def test_how_large_the_logit_is_on_one_side(
    op: Literal["<=", "==", ">", ">="], value: object, where: Expression | None, is_true: bool
) -> None:
    theorem = Compares(op, value, where, given="n >= 2")
    assert isinstance(verdict(theorem), Proved if is_true else Refuted)
    assert all(name.startswith("its size") for name in open_ones(derive(FIRST), theorem))
    assert (open_ones(derive(FIRST), theorem) == []) == is_true


def test_no_closed_form_is_proved_where_there_may_be_no_value() -> None:
    printed = Published("a", "a test", "a formula", Value(Logit(), LEAST, "w[1] == '1'"))
    [result] = prove(FIRST, [ClosedForm(printed)], timeout=20)
    assert isinstance(result.verdict, Unknown)
    assert "may have no value on some word" in result.verdict.reason
