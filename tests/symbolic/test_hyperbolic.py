"""sinh, cosh and tanh in print: only where the function is the same, only where it is shorter, read back exactly."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.derived import derivation_of
from tests.support.latex_reader import Reader
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import value_on
from weightproof.constructions.scalars.grammar import expression
from weightproof.symbolic.algebra.constants import constant_unit
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n
from weightproof.symbolic.writing import hyperbolic, latex, plain
from weightproof.symbolic.writing.hyperbolic import HYPERBOLIC, forms, same
from weightproof.symbolic.writing.presentation import presented, size

TWO = Vocabulary(("0", "1"), True, False, ("a", "c"), (), 3)
A, C = TWO.unit("a"), TWO.unit("c")
a, c = TWO.parameter("a"), TWO.parameter("c")
K = TWO.total("1")
ROOTS = {A: sympy.Rational(5, 3), C: sympy.Rational(3, 2)}
"""Values of e^(a/2) and e^(c/2), so that half multiples are rational, too."""

BINOMIALS = st.builds(
    lambda unit, k, sign: unit**k + sign, st.sampled_from([A, C]), st.integers(1, 4), st.sampled_from([-1, 1])
)
POLYNOMIALS = st.builds(
    lambda unit, terms: sum((x * unit**k for k, x in terms), sympy.S.Zero),
    st.sampled_from([A, C]),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([sympy.S.One, -1, 2, n, K, 1 - n, n + K])), max_size=4),
)
FACTORS = st.one_of(
    BINOMIALS, BINOMIALS, POLYNOMIALS, st.sampled_from([A, C, n, K + 1, A + C, A * C - 1, sympy.Integer(3)])
)
PRODUCTS = st.builds(
    lambda above, below: sympy.Mul(*above) / sympy.Mul(*(factor for factor in below if factor != 0)),
    st.lists(FACTORS, min_size=1, max_size=3),
    st.lists(FACTORS, max_size=3),
)


def exact(expression: sympy.Expr) -> sympy.Rational:
    """The value at n = 5, K = 2 and the exponents that belong to ROOTS; by definition of the functions."""
    known: dict[sympy.Expr, sympy.Expr] = {}
    for function in expression.atoms(*HYPERBOLIC):
        [argument] = function.args
        up = ROOTS[A] ** (2 * argument.coeff(a)) * ROOTS[C] ** (2 * argument.coeff(c))
        values = {"sinh": (up - 1 / up) / 2, "cosh": (up + 1 / up) / 2, "tanh": (up**2 - 1) / (up**2 + 1)}
        known[function] = values[type(function).__name__]
    units = {unit: root**2 for unit, root in ROOTS.items()}
    return expression.xreplace(known).xreplace(units | {n: sympy.Integer(5), K: sympy.Integer(2)})


@pytest.mark.controls
@settings(max_examples=25)
@given(PRODUCTS)
def test_every_form_is_the_same_function_and_the_shortest_is_taken(product: sympy.Expr) -> None:
    factored = sympy.factor(product)
    wanted = exact(product)
    assume(wanted.is_finite)
    offered = list(forms(factored, {A: a, C: c}))
    for form in offered:
        assert form.has(*HYPERBOLIC)
        assert exact(form) == wanted
    chosen = presented(product, TWO)
    assert exact(chosen) == wanted
    assert size(chosen) <= min(map(size, offered), default=size(chosen))


@settings(max_examples=25)
@given(PRODUCTS)
def test_what_is_printed_reads_back_as_text_and_as_latex(product: sympy.Expr) -> None:
    wanted = exact(product)
    assume(wanted.is_finite)
    logs = {str(name): f"2*log({ROOTS[unit]})" for unit, name in ((A, a), (C, c))}
    names: dict[str, Any] = {name: value_on(Expression(text), {}, [], []) for name, text in logs.items()}
    tokens = ("CLS", "1", "0", "1", "0")
    text = plain.number(product, TWO)
    found = value_on(expression(text), names | {"n": fmpq(5)}, tokens, TWO.alphabet)
    assert found == fmpq(int(wanted.p), int(wanted.q)), text
    printed = latex.number(product, TWO)
    read = Reader(printed, tokens, TWO.alphabet, names | {"n": fmpq(5)}).value()
    assert read == fmpq(int(wanted.p), int(wanted.q)), printed


@pytest.mark.parametrize(
    ("product", "text"),
    [
        ((C**2 - 1) / (C**2 + 1), "tanh(c)"),
        ((C - 1) / (C + 1), "tanh(c/2)"),
        ((C**2 + 1) / (C**2 - 1), "1/tanh(c)"),
        ((C**2 - 1) ** 2 / (C**2 + 1) ** 2, "tanh(c)**2"),
        ((C**2 + 1) / (2 * C), "cosh(c)"),
        ((C**6 - 1) / (n * C**3), "2*sinh(3*c)/n"),
        ((C**4 - 1) / (C**2 + 1) ** 2, "tanh(c)"),
        ((C**2 - 1) * (A**2 + 1) / (A * (C**2 + 1)), "2*cosh(a)*tanh(c)"),
        ((n * C**2 + n + 1 - C**2) / C, "2*n*cosh(c) - 2*sinh(c)"),
        ((C + 1 / C + K) / n, "(count('1') + 2*cosh(c))/n"),
        (sympy.sqrt(C) - 1 / sympy.sqrt(C), "2*sinh(c/2)"),
        (constant_unit(sympy.sqrt(2)) - 1 / constant_unit(sympy.sqrt(2)), "2*sinh(sqrt(2))"),
        (sympy.sqrt(n) * (C**2 - 1) / (C**2 + 1), "sqrt(n)*tanh(c)"),
        (C**2 - 1, "exp(2*c) - 1"),
        (C / (n + C - 1), "exp(c)/(n + exp(c) - 1)"),
        ((C - 1) / (C**n - 1), "(exp(c) - 1)/(exp(c*n) - 1)"),
        ((C**2 - 1) / (C**2 + 2), "(exp(2*c) - 1)/(exp(2*c) + 2)"),
        ((C**1000 - 1) / (n * (C**1000 + 1)), "tanh(500*c)/n"),
        ((n * C**500 + n + 1 - C**500) / C**250, "2*n*cosh(250*c) - 2*sinh(250*c)"),
        ((C**20000 + 1) / (n - C**3), "(exp(20000*c) + 1)/(n - exp(3*c))"),
        (constant_unit(1) ** 5000 / (constant_unit(1) ** 5000 + n), "exp(5000)/(exp(5000) + n)"),
        ((A * C - 1) / (A * C + 1), "(exp(a)*exp(c) - 1)/(exp(a)*exp(c) + 1)"),
    ],
)
def test_functions_as_a_mathematician_writes_them(product: sympy.Expr, text: str) -> None:
    assert plain.number(product, TWO) == text


def test_latex_puts_the_power_at_the_function() -> None:
    assert latex.number((C**2 - 1) ** 2 / (n * (C**2 + 1) ** 2), TWO) == r"\frac{\tanh^{2}(c)}{n}"


@pytest.mark.parametrize(
    "wrong",
    [
        sympy.tanh(2 * c),
        -sympy.tanh(c),
        sympy.tanh(c) + 1,
        sympy.sinh(c),
        sympy.tanh(a),
        sympy.tanh(c) ** 2,
        sympy.tanh(c) * sympy.cosh(c),
    ],
)
def test_another_function_is_not_the_same(wrong: sympy.Expr) -> None:
    units = {A: a, C: c}
    assert same((C**2 - 1) / (C**2 + 1), sympy.tanh(c), units)
    assert not same((C**2 - 1) / (C**2 + 1), wrong, units)


def test_a_wrong_form_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    product = 2 * (C**2 - 1) / (n * (C**2 + 1))
    assert list(forms(product, {C: c}))
    monkeypatch.setattr(hyperbolic._Writer, "written", lambda _: sympy.tanh(c))
    assert not list(forms(product, {C: c}))


def test_the_closed_form_of_parity_is_a_tanh_for_even_and_a_sinh_for_odd_lengths() -> None:
    derivation = derivation_of("parity")
    listed = plain.cases(derivation.logit, derivation.vocabulary)
    assert listed is not None
    assert {where: text for text, where in listed} == {
        "count('1') % 2 == 0 and n % 2 == 0": "-2*tanh(c)/n**2",
        "count('1') % 2 == 1 and n % 2 == 0": "2*tanh(c)/n**2",
        "count('1') % 2 == 0 and n % 2 == 1": "-(n - 1)*sinh(2*c)/(n*(n*cosh(c) - sinh(c))*(n*cosh(c) + sinh(c)))",
        "count('1') % 2 == 1 and n % 2 == 1": "(n + 1)*sinh(2*c)/(n*(n*cosh(c) - sinh(c))*(n*cosh(c) + sinh(c)))",
    }
