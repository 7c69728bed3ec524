"""The proofs of an appendix, read back: each identity is one, and what is assumed is a hypothesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
import sympy

from tests.support.derived import proofs_of
from tests.support.read_back.identities import polynomial, read
from weightproof.appendix import reasons
from weightproof.appendix.reasons import AS_ASSUMED, CLEAR, reasoned
from weightproof.appendix.steps import signed
from weightproof.document.blocks import Line, Math
from weightproof.proofs.solving.close import SIDE_CONDITIONS, Closed
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.latex import in_sides
from weightproof.proofs.solving.logic import Rel
from weightproof.symbolic.algebra.certificates import rewritten

QUICK = ("parity", "first", "dyck1")
SLOW = ("palindrome", "dyck1-depth", "dyck1-margin", "noisy-majority")


def told(name: str) -> list[tuple[Closed, Line]]:
    """The lines that are printed of obligations that exact arithmetic shows."""
    closed = (item for proof in proofs_of(name).values() for item in proof.closed)
    return [
        (item, line)
        for item in closed
        if item.obligation.name != SIDE_CONDITIONS and item.because is not None
        for line in reasoned(item.obligation, item.because, "")
    ]


def assumed(item: Implication) -> Iterable[Rel]:
    yield from item.relations
    for form in item.context.constraints:
        yield Rel(">=", form.expression())
        yield Rel(">", form.expression() + 1)  # of integers
        if -form in item.context.constraints:
            yield Rel("==", form.expression())


def as_polynomial(rel: Rel, item: Implication) -> sympy.Expr:
    """As it is printed, all on one side."""
    left, _, right = in_sides(rel, item.vocabulary)
    return sympy.expand(polynomial(str(left)) - polynomial(str(right)))


def check(item: Closed, line: Line, tally: Counter[str]) -> None:
    assert "//" not in str(line)  # what an obligation calls a quotient
    if r"\lvert" in str(line) or "no integers are like this" in str(line) or line.note[:1] == (CLEAR,):
        tally["without an identity"] += 1
        return
    stated = read(line)
    if stated.middle is not None:
        assert sympy.expand(stated.left - stated.middle) == 0, line
        tally["identity"] += 1
    if line.note == (AS_ASSUMED,):
        known = {as_polynomial(rel, item.obligation) for rel in assumed(item.obligation)}
        ratios = (sympy.cancel(each / stated.left) if stated.left != 0 else each for each in known)
        assert any(ratio.is_Rational and (ratio > 0 or stated.op == "=") for ratio in ratios), (line, known)
        tally["assumed"] += 1


def read_all(name: str) -> Counter[str]:
    tally: Counter[str] = Counter()
    for item, line in told(name):
        check(item, line, tally)
    return tally


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.controls) for name in SLOW)])
def test_every_printed_identity_is_one(name: str) -> None:
    assert read_all(name)


def test_what_makes_factors_positive_stands_beside_them() -> None:
    """Of e^c; that n is at least 1 goes without saying."""
    factored = [line for _, line in told("parity") if ")\\,(" in str(line) or " (e^{" in str(line)]
    assert len(factored) > 5
    assert {line.note for line in factored} == {("as ", Math("e^{c} > 1"))}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("y + v + 3", " by Bernoulli's inequality"),
        ("y**3/7 + y + v + 3", " by the first terms of its series"),
        ("v + 3", None),
        ("(v + 1)*(w + 3)", None),
    ],
)
def test_a_power_that_is_at_least_a_polynomial_says_by_what(value: str, told: str | None) -> None:
    """y: what the length exceeds its least value by; v and w: what powers exceed their bounds by."""
    y = sympy.Symbol("y")
    expression = sympy.sympify(value, locals={"y": y})
    assert reasons._outgrows(sympy.Symbol("u") ** sympy.Symbol("n"), expression, [y]) == ((told,) if told else ())
    assert reasons._outgrows(sympy.Symbol("n"), expression, [y]) == ()


def with_another_end(parts: Sequence[str]) -> tuple[str, ...]:
    *first, last = signed(parts)
    return (*first, last.replace("1", "2")) if first else (f"2 {last}",)


MISTAKES: dict[str, tuple[str, Callable[..., Any]]] = {
    "a sum with another end": ("signed", with_another_end),
    "sides changed": ("in_sides", lambda rel, vocabulary: in_sides(rel, vocabulary)[::-1]),
    "other coefficients": ("rewritten", lambda certificate: rewritten(certificate) + 1),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_in_a_printed_proof_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, mistake = MISTAKES[what]
    monkeypatch.setattr(reasons, name, mistake)
    with pytest.raises((AssertionError, ValueError)):
        read_all("dyck1")
