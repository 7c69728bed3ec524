"""What the symbolic reading takes for certain: linear facts, certificates, signs; against enumeration and sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import pytest
import sympy
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.support.derived import derivation_of
from weightproof.constructions.library import BUILT_IN
from weightproof.symbolic.algebra import linear as module
from weightproof.symbolic.algebra.certificates import Certificate, Growth, certify, check, growth_bound, power_bound
from weightproof.symbolic.algebra.linear import Context, Fact, Form, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of, signed
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n

WORDS = Vocabulary(("0", "1"), True, False, ("c",), ("D",), 3, (("c", Fraction(1), True), ("D", Fraction(0), False)))
UNIT, DEPTH, ONES = WORDS.unit("c"), WORDS.parameter("D"), WORDS.total("1")
X, Y, Z = sympy.symbols("x y z", integer=True)
ATOMS = (X, Y, Z)
BOX = range(-3, 4)
SOLID = settings(max_examples=200)
RATIONAL = st.fractions(min_value=-3, max_value=3, max_denominator=3)


def linear(expression: Any) -> Form:
    result = linear_form(sympy.sympify(expression))
    assert result is not None
    return result


def forms(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Form]:
    return st.builds(
        lambda a, b, c, constant: Form.build(
            {atom: Fraction(value) for atom, value in zip(ATOMS, (a, b, c), strict=True)}, Fraction(constant)
        ),
        *[values] * 4,
    )


def at(form: Form, point: tuple[int, ...]) -> Fraction:
    return form.constant + sum(
        (value * point[ATOMS.index(atom)] for atom, value in form.terms), Fraction(0)
    )  # fmt: skip


def points(constraints: Any) -> Iterator[tuple[int, ...]]:
    for point in product(BOX, repeat=3):
        if all(at(form, point) >= 0 for form in constraints):
            yield point


INTEGER_SYSTEMS = st.lists(forms(st.integers(-3, 3)), min_size=1, max_size=5)


@pytest.mark.controls
@SOLID
@given(st.lists(forms(RATIONAL), min_size=1, max_size=5))
def test_an_impossible_system_has_no_integer_point(system: list[Form]) -> None:
    ledger: set[Fact] = set()
    assert Context(ledger=ledger).impossible(*system) is bool(ledger)
    for fact in ledger:
        assert not list(points(fact.constraints))


def entailment_holds(system: list[Form], goal: Form) -> None:
    if Context().given(*system).entails(goal):
        assert all(at(goal, point) >= 0 for point in points(system))


@pytest.mark.controls
@SOLID
@given(INTEGER_SYSTEMS, forms(st.integers(-3, 3)), forms(RATIONAL))
def test_what_is_entailed_holds_at_every_point(system: list[Form], whole: Form, fraction: Form) -> None:
    entailment_holds(system, whole)
    context = Context().given(*system)
    inside = list(points(system))
    if context.positive(fraction):
        assert all(at(fraction, point) > 0 for point in inside)
    if context.nonnegative(fraction):
        assert all(at(fraction, point) >= 0 for point in inside)


@SOLID
@given(INTEGER_SYSTEMS)
def test_a_system_of_intervals_and_differences_is_decided(system: list[Form]) -> None:
    """Not only sound: of single integers and differences of two, bounded, every impossible system is found."""
    box = [linear(sign * x + 3) for x in ATOMS for sign in (1, -1)]
    simple = [form for form in system if sorted(value for _, value in form.terms) in ([], [-1], [1], [-1, 1])]
    assert Context().impossible(*box, *simple) is not any(True for _ in points(simple))


def test_integers_are_tightened() -> None:
    context = Context().given(linear(2 * X - 1), linear(-2 * X + 2))
    assert context.entails(linear(X - 1))
    assert Context().impossible(linear(2 * X - 1), linear(-2 * X + 1))
    assert not Context().impossible(linear(2 * X - 1), linear(-2 * X + 2))


def test_residues_and_tokens_bring_their_ranges() -> None:
    residue, token = sympy.Mod(X, 3, evaluate=False), WORDS.token(X)
    context = Context(symbols=2)
    assert context.impossible(linear(residue - 3))
    assert context.impossible(linear(-residue - 1))
    assert context.impossible(linear(token - 2))
    assert context.impossible(linear(-token - 2))
    assert not context.impossible(linear(token - 1))
    assert not context.impossible(linear(-token - 1))


def test_a_known_atom_leaves_the_constraints() -> None:
    context = Context().given(linear(X - Y), linear(Y - 2)).fixed({Y: sympy.Integer(3)})
    assert context.constraints == {linear(X - 3)}
    assert Context().given(linear(X - Y)).fixed({X: sympy.Integer(0), Y: sympy.Integer(1)}).impossible()


@pytest.mark.parametrize("expression", [X * Y, X**2, sympy.sqrt(2) * X, X / n, UNIT + X, sympy.Symbol("c", real=True)])
def test_what_is_not_linear_in_integers_is_no_form(expression: sympy.Expr) -> None:
    assert linear_form(expression) is None


@pytest.mark.controls
@SOLID
@given(forms(RATIONAL), forms(RATIONAL), RATIONAL)
def test_forms_compute_like_their_values(left: Form, right: Form, factor: Fraction) -> None:
    for point in ((0, 0, 0), (1, -2, 3), (-4, 4, 1)):
        assert at(left + right, point) == at(left, point) + at(right, point)
        assert at(left - right, point) == at(left, point) - at(right, point)
        assert at(left * factor, point) == at(left, point) * factor
    assert linear(left.expression()) == left
    assert left.atoms == {atom for atom in ATOMS if left.coefficient(atom)}


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_fact_that_a_derivation_used_has_no_counterexample(name: str) -> None:
    """The facts are checked again, at all small integers, by evaluation alone."""
    for fact in derivation_of(name).facts:
        atoms = sorted({atom for form in fact.constraints for atom in form.atoms}, key=str)
        assert len(atoms) <= 5, fact
        for point in product(range(-1, 5) if len(atoms) > 3 else BOX, repeat=len(atoms)):
            values = dict(zip(atoms, point, strict=True))
            assert any(
                form.constant + sum(value * values[atom] for atom, value in form.terms) < 0 for form in fact.constraints
            ), (fact, values)


def test_bounds_of_one_form_are_told_from_those_of_several() -> None:
    axis = linear(X - Y)
    assert Fact(frozenset({axis, -axis - 1})).bounds_one_form
    assert Fact(frozenset({axis - 3, linear(2 * Y - 2 * X)})).bounds_one_form
    assert Fact(frozenset({linear(sympy.Integer(-1))})).bounds_one_form
    assert not Fact(frozenset({axis - 1, linear(Y), linear(-X)})).bounds_one_form


# Certificates and signs: polynomials in n, the number of 1s, D and u_c, at every small word.

CONTEXT = WORDS.words()
VARIABLES = (n, ONES, DEPTH, UNIT)


def samples() -> Iterator[dict[sympy.Expr, sympy.Expr]]:
    units = [1 + sympy.Rational(1, 1000), sympy.Rational(3, 2), sympy.Integer(2), sympy.Integer(50)]
    for length, depth, unit in product((1, 2, 3, 7), (0, 1, 5), units):
        for ones in {0, 1, (length - 1) // 2, length - 1}:
            if ones < length:
                yield {n: sympy.Integer(length), ONES: sympy.Integer(ones), DEPTH: sympy.Integer(depth), UNIT: unit}


SAMPLES = list(samples())


def value(expression: sympy.Expr, sample: dict[sympy.Expr, sympy.Expr]) -> sympy.Expr:
    return expression.xreplace(sample)


POLYNOMIALS = st.lists(
    st.tuples(st.integers(-4, 6), st.lists(st.sampled_from(VARIABLES), max_size=3)), min_size=1, max_size=4
).map(lambda terms: sum((sympy.Integer(a) * sympy.prod(factors) for a, factors in terms), sympy.S.Zero))
LIKELY = st.builds(
    lambda factors, rest: sympy.prod(factors) + rest,
    st.lists(
        st.sampled_from([n - ONES, n - 1, UNIT - 1, UNIT**n - 1, UNIT**2 - UNIT, n + DEPTH, UNIT**ONES,
                         UNIT**n - UNIT**ONES, UNIT ** (2 * n) - UNIT ** (n - 1), UNIT**ONES - UNIT**n,
                         UNIT**n - UNIT * UNIT**ONES]),
        min_size=1, max_size=3,
    ),
    st.sampled_from([0, 0, 1, -1, DEPTH, ONES]),
)  # fmt: skip
AT_LEAST_2 = replace(WORDS, least=(("c", Fraction(2), False), ("D", Fraction(0), False)))


def expanded(certificate: Certificate) -> bool:
    """What `check` says, by SymPy's polynomials, of which it uses none."""
    substitution = dict(certificate.substitution)
    if any(sympy.expand(form.expression().xreplace(substitution) - slack) != 0 for slack, form in certificate.slacks):
        return False
    symbols = sorted({symbol for value in substitution.values() for symbol in value.free_symbols}, key=str)
    rewritten = sympy.expand(certificate.polynomial.xreplace(substitution))
    terms = sympy.Poly(rewritten, *symbols, sympy.Symbol("none"), domain="QQ").terms()
    positive = [*(symbol in certificate.positive for symbol in symbols), True]
    return all(coefficient >= 0 for _, coefficient in terms) and (
        not certificate.strict
        or any(c > 0 and all(p == 0 or is_so for p, is_so in zip(ps, positive, strict=True)) for ps, c in terms)
    )


@settings(SOLID, max_examples=100)
@given(st.one_of(POLYNOMIALS, LIKELY), st.booleans(), st.sampled_from([(WORDS, 1), (AT_LEAST_2, 2)]))
def test_a_certified_polynomial_has_its_sign_at_every_sample(
    polynomial: sympy.Expr, strict: bool, of: tuple[Vocabulary, int]
) -> None:
    vocabulary, least = of
    certificate = certify(polynomial, CONTEXT, vocabulary, strict=strict)
    if certificate is not None:
        assert check(certificate)
        assert expanded(certificate)
        for sample in (sample for sample in SAMPLES if sample[UNIT] >= least):
            number = value(polynomial, sample)
            assert number > 0 if strict else number >= 0


@pytest.mark.controls
@settings(SOLID, max_examples=60)
@given(st.one_of(POLYNOMIALS, LIKELY), st.one_of(LIKELY, st.just(n)))
def test_a_known_sign_is_the_sign_at_every_sample(numerator: sympy.Expr, denominator: sympy.Expr) -> None:
    denominator = denominator + n * UNIT  # never 0
    sign = sign_of(numerator / denominator, CONTEXT, WORDS)
    for sample in SAMPLES:
        number = value(numerator, sample) / value(denominator, sample)
        match sign:
            case Sign.POSITIVE:
                assert number > 0
            case Sign.NEGATIVE:
                assert number < 0
            case Sign.ZERO:
                assert number == 0


@pytest.mark.controls
@settings(SOLID, max_examples=60)
@given(st.one_of(POLYNOMIALS, LIKELY))
def test_open_factors_carry_the_sign(polynomial: sympy.Expr) -> None:
    known = signed(polynomial, CONTEXT, WORDS)
    for sample in SAMPLES:
        rest = known.direction * sympy.prod([value(factor, sample) for factor in known.numerator])
        assert sympy.sign(value(polynomial, sample)) == sympy.sign(rest)


@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        (n - ONES, Sign.POSITIVE),
        (ONES - n, Sign.NEGATIVE),
        (n - 2, Sign.OPEN),
        (UNIT - 1, Sign.POSITIVE),
        (UNIT - 2, Sign.OPEN),
        (UNIT**n - 1, Sign.POSITIVE),
        (sympy.sqrt(UNIT), Sign.POSITIVE),
        (-sympy.sqrt(UNIT) / n, Sign.NEGATIVE),
        (UNIT**ONES - 1, Sign.OPEN),
        ((n - 2) ** 2 * UNIT, Sign.OPEN),
        (sympy.S.Zero, Sign.ZERO),
        (n * UNIT - ONES, Sign.POSITIVE),
        ((1 - UNIT) / (n + UNIT), Sign.NEGATIVE),
        (UNIT ** (2 * ONES) * (n - 2), Sign.OPEN),
        (UNIT**ONES * (n - ONES), Sign.POSITIVE),
        (2**ONES * (ONES - n), Sign.NEGATIVE),
        (n**ONES * (n - ONES), Sign.POSITIVE),
        ((n - 1) ** ONES * (n - ONES), Sign.OPEN),
        (sympy.sqrt(2) * n, Sign.POSITIVE),
        (sympy.log(n) * n, Sign.OPEN),
    ],
)
def test_signs_that_are_known_and_open(expression: sympy.Expr, sign: Sign) -> None:
    assert sign_of(expression, CONTEXT, WORDS) is sign


BELOW_0 = replace(WORDS, real=("b",), least=(("b", Fraction(1, 20), True), ("D", Fraction(0), False)))


@pytest.mark.parametrize(
    ("vocabulary", "expression", "sign"),
    [
        (WORDS, UNIT**1000 - 1, Sign.POSITIVE),
        (WORDS, UNIT**1000 * n - ONES, Sign.POSITIVE),
        (WORDS, UNIT**1000 - 2, Sign.OPEN),
        (WORDS, UNIT**1000 - UNIT**500, Sign.POSITIVE),
        (AT_LEAST_2, UNIT**1000 - 1000, Sign.POSITIVE),
        (AT_LEAST_2, UNIT**2 - 5, Sign.OPEN),
        (AT_LEAST_2, UNIT**3 - 9, Sign.OPEN),
        (BELOW_0, BELOW_0.unit("b") ** 2 - 1, Sign.OPEN),
        (BELOW_0, BELOW_0.parameter("b") ** 2 - 5, Sign.OPEN),
        (BELOW_0, BELOW_0.parameter("b") ** 2 - BELOW_0.parameter("b") ** 4, Sign.OPEN),
    ],
)
def test_high_powers_of_a_unit_are_units(vocabulary: Vocabulary, expression: sympy.Expr, sign: Sign) -> None:
    assert sign_of(expression, CONTEXT, vocabulary) is sign


def test_a_difference_of_powers_has_the_sign_of_a_quotient_by_one_of_them() -> None:
    larger, smaller = UNIT ** (2 * n), UNIT ** (2 * ONES)
    assert sign_of(1 - smaller / larger, CONTEXT, WORDS) is Sign.POSITIVE  # there are fewer 1s than positions
    assert sign_of(smaller - larger, CONTEXT, WORDS) is Sign.NEGATIVE
    assert sign_of(UNIT**n - UNIT ** (2 * ONES), CONTEXT, WORDS) is Sign.OPEN


@pytest.mark.parametrize(
    ("vocabulary", "expression", "sign"),
    [
        (AT_LEAST_2, 4 * n * (UNIT**n - UNIT**ONES) - 1, Sign.POSITIVE),
        (WORDS, 4 * n * (UNIT**n - UNIT**ONES) - 1, Sign.OPEN),  # for a unit near 1
        (AT_LEAST_2, UNIT**n - 2 * UNIT**ONES + 1, Sign.POSITIVE),
        (AT_LEAST_2, UNIT**n - 3 * UNIT**ONES + 1, Sign.OPEN),
        (WORDS, UNIT * UNIT**ONES - 4 * n * UNIT**n, Sign.NEGATIVE),
        (WORDS, UNIT**2 * UNIT**ONES - n * UNIT**n, Sign.OPEN),
    ],
)
def test_a_power_is_a_multiple_of_that_with_a_lesser_exponent(
    vocabulary: Vocabulary, expression: sympy.Expr, sign: Sign
) -> None:
    assert sign_of(expression, CONTEXT, vocabulary) is sign


def test_a_power_is_at_least_that_of_the_least_unit_and_exponent() -> None:
    words = replace(WORDS, least=(("c", Fraction(2), False), ("D", Fraction(0), False)))
    longer = CONTEXT.given(linear(n - 2))
    unit = words.unit("c")
    assert power_bound(unit**n, longer, words) == (4, False)
    assert power_bound(unit ** (n + ONES), longer.given(linear(ONES - 1)), words) == (8, False)
    assert power_bound(UNIT**n, longer, WORDS) == (1, True)  # the unit is more than 1, and no more is known
    assert power_bound(unit ** (2 - n), longer, words) is None
    assert sign_of(4 - unit**n, longer, words) is Sign.OPEN
    assert sign_of(2 - unit**n, longer, words) is Sign.NEGATIVE


GROWTHS: tuple[Growth, ...] = ("linear", "cubic")


@given(st.integers(1, 9), st.integers(1, 3), st.integers(-3, 3), st.integers(0, 40), st.sampled_from(GROWTHS))
def test_a_power_is_at_least_a_polynomial_in_its_exponent(
    above: int, factor: int, constant: int, begin: int, growth: Growth
) -> None:
    """With u = e^c at its least value 1 + above/7, and the exponent at each of the numbers that it may be."""
    base = 1 + Fraction(above, 7)
    words = replace(WORDS, least=(("c", base, False), ("D", Fraction(0), False)))
    exponent = factor * n + constant
    longer = CONTEXT.given(linear(exponent - begin))
    bound = growth_bound(words.unit("c") ** exponent, longer, words, growth)
    assert bound is not None
    for length in range(1, 60):
        value = factor * length + constant
        if value >= begin:
            assert 0 < Fraction(str(bound.subs(n, length))) <= base**value


def test_a_power_of_which_less_is_known_grows_as_no_polynomial() -> None:
    longer = CONTEXT.given(linear(n - 2))
    words = replace(WORDS, least=(("c", Fraction(2), False), ("D", Fraction(0), False)))
    unit = words.unit("c")
    assert growth_bound(UNIT**n, longer, WORDS, "cubic") is None  # it may be as near to 1 as one likes
    assert growth_bound(unit ** (n / 2), longer, words, "linear") is None  # the exponent is no integer
    assert growth_bound(unit ** (2 - n), longer, words, "cubic") is None  # it may be negative
    assert growth_bound(unit**n, longer, words, "linear") == 4 * n - 4  # 4 (1 + (n - 2))


@pytest.mark.parametrize(
    ("difference", "least", "holds"),
    [
        ("2**n - n", 1, True),
        ("2**n - n**2", 4, True),
        ("2**n - n**2", 3, False),
        ("2**n - n**3", 10, True),
        ("2**n - n**3", 9, False),
        ("8*2**n - 7*n - 9", 1, True),
        ("8*2**n - 8*n - 9", 1, False),
    ],
)
def test_powers_against_polynomials(difference: str, least: int, holds: bool) -> None:
    words = replace(WORDS, least=(("c", Fraction(2), False), ("D", Fraction(0), False)))
    expression = sympy.sympify(difference.replace("2**n", "u**n"), {"u": words.unit("c"), "n": n})
    longer = CONTEXT.given(linear(n - least))
    certificate = certify(expression, longer, words, strict=False)
    assert (certificate is not None) == holds
    assert certificate is None or check(certificate)


def test_a_root_before_scales_that_cancel_at_1_needs_no_rational_coefficients() -> None:
    """sqrt(2) stays where R(j) - R(j + 1) does, though the difference is 0 where both scales are 1."""
    scale = sympy.Function("R1", positive=True)
    assert certify(sympy.sqrt(2) * (scale(n) - scale(n + 1)), CONTEXT, WORDS, strict=True) is None
    certificate = certify(sympy.sqrt(2) * (scale(n) + scale(n + 1)), CONTEXT, WORDS, strict=True)
    assert certificate is not None
    assert check(certificate)


@pytest.mark.parametrize(
    "expression", [3 + 1 / (1 + 1 / UNIT), n / (1 + 1 / UNIT) ** 2 - 3, 1 + 1 / (UNIT + 1 / (UNIT + 1))], ids=str
)
def test_what_is_no_polynomial_when_its_divisors_are_gone_has_no_certificate(expression: sympy.Expr) -> None:
    """A quotient within a quotient leaves one: then the search finds nothing, and says so without an error."""
    assert certify(expression, CONTEXT, WORDS, strict=True) is None


GOOD = certify(n * UNIT - ONES, CONTEXT, WORDS, strict=True)
SLACK = sympy.Symbol("y_0", nonnegative=True)


def forged() -> dict[str, Certificate]:
    assert GOOD is not None
    shifted = tuple((atom, image + 1 if atom == n else image) for atom, image in GOOD.substitution)
    return {
        "another polynomial": replace(GOOD, polynomial=ONES - n * UNIT),
        "strict without reason": Certificate(ONES, True, ((ONES, SLACK),), ((SLACK, linear(ONES)),), frozenset()),
        "a substitution that does not invert its slacks": replace(GOOD, substitution=shifted),
        "a slack for another form": replace(GOOD, slacks=tuple((s, form + 1) for s, form in GOOD.slacks)),
        "a negative constant": Certificate(sympy.Integer(-1), False, (), (), frozenset()),
        "zero is not positive": Certificate(sympy.S.Zero, True, (), (), frozenset()),
        "a negative coefficient": Certificate(-ONES, False, ((ONES, SLACK),), ((SLACK, linear(ONES)),), frozenset()),
    }


@pytest.mark.parametrize("name", forged())
def test_a_forged_certificate_is_refused(name: str) -> None:
    assert GOOD is not None
    assert check(GOOD)
    assert expanded(GOOD)
    assert not check(forged()[name])
    assert not expanded(forged()[name])


def test_every_slack_is_implied_by_the_context() -> None:
    """A certificate speaks of slacks; what makes them nonnegative is the context it was found in."""
    assert GOOD is not None
    assert GOOD.slacks
    for _, form in GOOD.slacks:
        assert CONTEXT.nonnegative(form)


# The tests above can fail.


def loose(form: Form) -> Form:
    """Rounds the constant up instead of down."""
    form = form.primitive()
    return Form(form.terms, Fraction(ceil(form.constant)))


def overtight(form: Form) -> Form:
    form = form.primitive()
    return Form(form.terms, Fraction(ceil(form.constant) - 1))


@pytest.mark.parametrize(
    ("function", "wrong"),
    [
        ("_tight", overtight),
        ("_core", lambda constraints: constraints),
        ("_tight_row", lambda factors, constant: (factors, constant - 1)),
        ("_strongest", lambda system: {(factors, at - 1): origin for (factors, at), origin in system.items()}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_elimination_is_caught(
    function: str, wrong: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    core = module._core
    core.cache_clear()
    monkeypatch.setattr(module, function, wrong)
    # What is drawn depends on the modules that are loaded, so enough of it; the first that fails ends it.
    quick = settings(SOLID, max_examples=1000, phases=[Phase.generate], report_multiple_bugs=False)
    with pytest.raises(AssertionError):
        quick(given(INTEGER_SYSTEMS, forms(st.integers(-3, 3)))(entailment_holds))()
    core.cache_clear()
