"""Claims are judged by the derivation: what is equal, however written, is proved; what is wrong comes with a word."""

from __future__ import annotations

from typing import Any

import pytest
from flint import fmpq

from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Quantity, Stream, Value
from weightproof.constructions.library import load
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.formulas import holds, value_on
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.theorem import ClosedForm
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Unknown

EVEN, ODD = "n % 2 == 0", "n % 2 == 1"
BOTH = "((n - 1)/2*exp(c) + (n + 1)/2*exp(-c))*((n + 1)/2*exp(c) + (n - 1)/2*exp(-c))"
MISMATCHES = "(2*j <= n - 1 and w[j] != w[n-1-j])"


def claimed(place: str, formula: object, of: Quantity = Logit(), **case: Any) -> Published:  # noqa: B008
    return Published(place, place, "a formula", Value(of, formula, **case))


EQUAL = [
    ("parity", claimed("other functions", "(-1)**(count('1') + 1)*2*sinh(c)/(cosh(c)*n**2)", when=EVEN)),
    ("parity", claimed("0s counted", "(-1)**(n - count('0'))*2*tanh(c)/n**2", when=EVEN)),
    (
        "parity",
        claimed("sinh", f"(n + 1)*sinh(2*c)/(n*{BOTH})", when=f"{ODD} and count('1') % 2 == 1"),
    ),
    ("one", claimed("brackets", "((count('1') == 1) - (count('1') == 0) - (count('1') >= 2))/(2*n)")),
    ("first", claimed("cases", "(w[1] == '1')*exp(c)/(exp(c) + n - 1) - 1/2*exp(c)/(exp(c) + n - 1)", when="n >= 2")),
    ("palindrome", claimed("in base 3", f"2*sum({MISMATCHES}*(-1)**(w[j] == '0')*3**j for j in positions)/(3**n - 1)",
                         at={"c": "log(3)"})),
    ("dyck1", claimed("k <= 0", "(count('1', i) - count('0', i) >= 1)/(i + 1)", of=Stream("[k>0]/i"))),
    ("dyck1-depth", claimed("D = 1", "(count('0', i) >= count('1', i) + 2)/(i + 1)", of=Stream("[k<-D]/i"),
                            at={"D": 1})),
]  # fmt: skip
WRONG = [
    ("parity", claimed("flipped sign", "(-1)**count('1')*2*tanh(c)/n**2", when=EVEN)),
    ("parity", claimed("sinh for tanh", "(-1)**(count('1') + 1)*2*sinh(c)/n**2", when=EVEN)),
    ("parity", claimed("n for n^2", "(-1)**(count('1') + 1)*2*tanh(c)/n", when=EVEN)),
    ("parity", claimed("off by one", "(-1)**(count('1') + 1)*2*tanh(c)/(n - 1)**2", when=EVEN)),
    ("parity", claimed("every n", "(-1)**(count('1') + 1)*2*tanh(c)/n**2")),
    ("first", claimed("n for n - 1", "exp(c)/(exp(c) + n)*((w[1] == '1') - 1/2)", when="n >= 2")),
    ("first", claimed("second symbol", "exp(c)/(exp(c) + n - 1)*((w[2] == '1') - 1/2)", when="n >= 3")),
    ("first-one-layer", claimed("k for n", "exp(c)/(exp(c) + count('1') - 1)*((w[1] == '1') - 1/2)", when="n >= 2")),
    ("one", claimed("at least one", "((count('1') >= 1) - 1/2)/n")),
    ("one", claimed("1 for 1/2", "((count('1') == 1) - 1)/n")),
    ("palindrome", claimed("2^n + 1", f"sum({MISMATCHES}*(-1)**(w[j] == '0')*2**j for j in positions)/(2**n + 1)",
                         at={"c": "log(2)"})),
    ("palindrome", claimed("flipped", f"sum({MISMATCHES}*(-1)**(w[j] == '1')*2**j for j in positions)/(2**n - 1)",
                         at={"c": "log(2)"})),
    ("palindrome", claimed("whole word",
                           "sum((w[j] != w[n-1-j])*(-1)**(w[j] == '0')*2**j for j in positions)/(2**n - 1)",
                           at={"c": "log(2)"})),
    ("palindrome", claimed("other base", f"sum({MISMATCHES}*(-1)**(w[j] == '0')*2**j for j in positions)/(2**n - 1)",
                         at={"c": "log(3)"})),
    ("dyck1", claimed("1/i for 1/(i+1)", "(count('1', i) > count('0', i))/i", of=Stream("[k>0]/i"), when="i >= 1")),
    ("dyck1", claimed(">= for >", "(count('1', i) >= count('0', i))/(i + 1)", of=Stream("[k>0]/i"))),
    ("dyck1", claimed("sum without the end", "-sum((count('1', j) > count('0', j))/(j + 1) for j in positions)")),
    ("one", claimed("wrong at 8 ones", "((count('1') == 1) - 1/2)/n + (count('1') > 7)")),
    ("one", claimed("wrong at n = 200", "((count('1') == 1) - 1/2)/n + (count('1') == 3 and n == 200)")),
    ("dyck1", claimed("wrong at i = 30", "(count('1', i) > count('0', i))/(i + 1) + (i == 30)", of=Stream("[k>0]/i"))),
    ("dyck1-depth", claimed("< for <=", "(count('1', i) - count('0', i) <= -D)/(i + 1)", of=Stream("[k<-D]/i"))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "claim"), EQUAL, ids=lambda value: getattr(value, "place", value))
def test_an_equal_form_is_proved(name: str, claim: Published) -> None:
    [result] = prove(load(name), [ClosedForm(claim)])
    assert result.verdict == Proved("all lengths", Evidence.CERTIFICATE)


@pytest.mark.parametrize(("name", "claim"), WRONG, ids=lambda value: getattr(value, "place", value))
def test_a_wrong_form_is_refuted_with_a_word(name: str, claim: Published) -> None:
    """And the exact interpreter finds the two values different there, at a position of the claim."""
    construction = load(name)
    [result] = prove(construction, [ClosedForm(claim)])
    assert isinstance(result.verdict, Refuted)
    found, value = result.verdict.counterexample, ClosedForm(claim).stated
    tokens, alphabet = add_markers(Analysis(construction).network, found.word), construction.language.alphabet
    replayed = run(construction, found.word, found.parameters)
    values = parameter_values(construction, found.parameters)
    computed = [(0, replayed.logit)]
    if isinstance(value.of, Stream):
        computed = [(i, row[value.of.coordinate]) for i, row in enumerate(replayed.streams[-1])]
    differences = [
        sign(x - value_on(value.equals, {**values, "i": fmpq(place)}, tokens, alphabet))
        for place, x in computed
        if holds(value.when, {**values, "i": fmpq(place)}, tokens, alphabet)
    ]
    assert any(differences)


def test_a_form_without_a_value_is_refuted_where_it_has_none() -> None:
    """(n-2)/(n-2) is 1 but for n = 2, where it is nothing."""
    claim = claimed("gap", "((count('1') == 1) - 1/2)/n*(n - 2)/(n - 2)")
    [result] = prove(load("one"), [ClosedForm(claim)])
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    assert len(add_markers(Analysis(load("one")).network, found.word)) == 2
    assert found.note == "the printed formula has no value there"


def test_a_form_without_a_value_far_away_is_not_proved() -> None:
    claim = claimed("gap", "((count('1') == 1) - 1/2)/n*(n - 200)/(n - 200)")
    [result] = prove(load("one"), [ClosedForm(claim)])
    assert isinstance(result.verdict, Unknown)
    assert "may have no value" in result.verdict.reason


def test_a_case_that_never_occurs_proves_nothing() -> None:
    claim = claimed("nowhere", "17", when="n < 0")
    [result] = prove(load("one"), [ClosedForm(claim)])
    assert isinstance(result.verdict, Unknown)
    assert "vacuous" in result.verdict.reason
