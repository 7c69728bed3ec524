"""What the solvers are asked about numbers: the formula that is meant, whole numbers among themselves, no quotients."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from weightproof.constructions.claims.formulas import Always
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.claims.formulas.always import divisors, is_true, judge_always, script
from weightproof.proofs.quantities.outcome import Holds
from weightproof.proofs.solving.solvers import SOLVERS, ask
from weightproof.proofs.verdict import Evidence

WHOLE = ("m", "n")
ATOMS = st.sampled_from(("m", "n", "x", "1", "2", "3", "(-2)", "(-1)**n", "(m < n)"))
TERMS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("(-{})".format, inner),
        st.builds("({} % 3)".format, inner),
        st.builds("({})**2".format, inner),
    ),
    max_leaves=6,
)
FORMULAS = st.builds("{} {} {}".format, TERMS, st.sampled_from(("==", "!=", "<", "<=", ">", ">=")), TERMS)


@settings(max_examples=150)
@given(FORMULAS, st.integers(-5, 5), st.integers(-5, 5), st.fractions(-3, 3, max_denominator=4))
def test_the_solvers_are_asked_what_is_meant(formula: str, m: int, n: int, x: Fraction) -> None:
    """At a point, where each of them evaluates it."""
    over, under = x.as_integer_ratio()
    said, names = Expression(formula), {"m": fmpq(m), "n": fmpq(n), "x": fmpq(over, under)}
    try:
        meant = is_true(said, names)
    except ArithmeticError:
        reject()
    point = [f"(declare-const |{name}| Int)(assert (= |{name}| {value}))" for name, value in (("m", m), ("n", n))]
    point.append(f"(declare-const |x| Real)(assert (= (* {under} |x|) {over}))")
    for goal, wanted in [(script(said, WHOLE), meant), *((each, True) for each in divisors(said, WHOLE))]:
        for solver in SOLVERS:
            lines = "(set-logic ALL)" + "".join(point) + f"(assert {'(not ' * wanted}{goal}{')' * wanted})(check-sat)"
            assert ask(solver, lines, 1.0).status == "unsat", (solver, lines)


def test_a_truth_value_is_divided_by_as_the_number_it_is() -> None:
    assert [*divisors(Expression("m/(m > n) > 1"), WHOLE)] == ["(not (= (ite (> (+ |m| (- |n|)) 0) 1 0) 0))"]


@pytest.mark.parametrize(
    ("says", "over"),
    [
        ("(h - s >= 1) == (s < h)", {"h": "natural", "s": "natural"}),  # z3 does not come back from its casts
        ("1/n - 1/(n + 1) == 1/(n*(n + 1))", {"n": "natural"}),  # cvc5 does not from its quotients
        ("1/x - 1/(x + 1) > 1/(x + 1) - 1/(x + 2)", {"x": "positive"}),
    ],
)
def test_both_settle_it(says: str, over: dict[str, str]) -> None:
    judged = judge_always(Always(says, over))  # type: ignore[arg-type]
    assert isinstance(judged, Holds)
    assert judged.evidence == Evidence.TWO_SOLVERS.value
