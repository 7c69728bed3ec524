"""Algebraic certificates of sign: a polynomial rewritten in slacks, all of whose coefficients are nonnegative.

Integer atoms are written as affine functions of slacks y >= 0, each slack a linear constraint that the context implies;
a real u > b is written b + v with v > 0; a power u^form with form >= 0 and u > 1 is a real >= 1, or, where that is not
enough, one that is at least a polynomial in its exponent. If every coefficient
of the rewritten polynomial is a nonnegative rational, the polynomial is nonnegative; if moreover some monomial with a
positive coefficient has only strictly positive factors, it is positive. `check` verifies a certificate by exact
arithmetic alone; `certify` searches for one and may fail, which proves nothing.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, gcd, lcm
from typing import Literal

import sympy
from flint import fmpq, fmpq_mat, fmpq_mpoly
from sympy.core.function import AppliedUndef

from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.exact import ball, log
from weightproof.symbolic.algebra.constants import below, constant_bounds, number_bounds, with_common_units
from weightproof.symbolic.algebra.linear import Atom, Context, Form, linear_form, projected
from weightproof.symbolic.algebra.rings import names, polynomial_in, ring
from weightproof.symbolic.algebra.vocabulary import Vocabulary, is_power_of_e, is_scale


@dataclass(frozen=True)
class Certificate:
    """polynomial >= 0 (> 0 if strict), because of `substitution` into slacks.

    slacks: slack symbol -> the constraint form >= 0 it stands for; positive: the symbols behind a bound that is strict.
    """

    polynomial: sympy.Expr
    strict: bool
    substitution: tuple[tuple[sympy.Expr, sympy.Expr], ...]
    slacks: tuple[tuple[sympy.Symbol, Form], ...]
    positive: frozenset[sympy.Symbol]


def check(certificate: Certificate) -> bool:
    """Whether the rewritten polynomial has only nonnegative coefficients (and a positive monomial, if strict).

    That the substitution inverts the slacks is checked too. What is not: that the context implies the forms of the
    slacks, and the vocabulary the bounds of the other symbols, neither of which a certificate holds.
    """
    values = [value for _, value in certificate.substitution]
    slacks = _free(values)
    named = names([key for key, _ in certificate.substitution])
    try:
        if any(
            slack not in slacks
            or _rewritten(polynomial_in(form.expression(), named), values, slacks) != names(slacks)[slack]
            for slack, form in certificate.slacks
        ):
            return False
        rewritten = _rewritten(polynomial_in(certificate.polynomial, named), values, slacks)
    except ValueError:  # what is left is no polynomial in the slacks
        return False
    if any(coefficient < 0 for coefficient in rewritten.coeffs()):
        return False
    return not certificate.strict or any(
        all(power == 0 or symbol in certificate.positive for symbol, power in zip(slacks, powers, strict=False))
        for powers in rewritten.monoms()
    )


def rewritten(certificate: Certificate) -> sympy.Poly:
    """The polynomial of a certificate in its slacks."""
    values = dict(certificate.substitution)
    return sympy.Poly(certificate.polynomial.xreplace(values), *_free(values.values()))


def _free(values: Iterable[sympy.Expr]) -> list[sympy.Symbol]:
    return sorted({symbol for value in values for symbol in value.free_symbols}, key=str)


def _rewritten(polynomial: fmpq_mpoly, values: list[sympy.Expr], slacks: list[sympy.Symbol]) -> fmpq_mpoly:
    """With the values, which are polynomials in the slacks, for the variables."""
    over, named = ring(len(slacks) + 1), names(slacks)
    return polynomial.compose(*(polynomial_in(value, named) for value in values), over.constant(0), ctx=over)


MOST_BASES = 120


LARGEST_FLOOR = 4
"""The exponent up to which a power of a lower bound is looked for."""


def power_bound(power: sympy.Pow, context: Context, vocabulary: Vocabulary) -> tuple[Fraction, bool] | None:
    """A lower bound of unit**exponent and whether it is strict; None if it is only known to be positive.

    It is b**k where the unit is at least b and the exponent at least k, and 1 for a root of a length of 1 or more; for
    a number as exponent, that of a power of e.
    """
    if (length := _length_under_root(power)) is not None:
        return (Fraction(1), context.positive(length - 1)) if context.nonnegative(length - 1) else None
    if power.exp.is_Rational and (known := vocabulary.lower_bound(power)) is not None:
        return known
    bound = vocabulary.lower_bound(power.base)
    form = linear_form(power.exp)
    if bound is None or bound[0] < 1 or form is None or not context.nonnegative(form):
        return None
    least, strict = bound
    exceeds_1 = least > 1 or strict
    floor = 0
    while 1 < least < 1000 and floor < LARGEST_FLOOR and context.nonnegative(form - (floor + 1)):
        floor += 1
    return least**floor, (floor > 0 and strict) or (exceeds_1 and context.positive(form - floor))


Growth = Literal["linear", "cubic"]
"""What powers with open exponents are compared with, where numbers are not enough."""
LARGEST_BEGIN = 1 << 12
"""No such comparison begins at twice this exponent."""
EXACT_BITS, SHORT_BITS = 80, 16
"""Of the numbers that it is computed with, and of those that are written down."""


def growth_bound(power: sympy.Pow, context: Context, vocabulary: Vocabulary, growth: Growth) -> sympy.Expr | None:
    """A polynomial in the exponent that u^e is at least; None where nothing says so.

    For u >= b > 1 and e >= k, u^e >= b^k b^r with r = e - k. For an integer e the last factor is at least 1 + (b - 1) r
    (Bernoulli), and for any at least the first terms of the series of e^(r log b), none of which is negative.
    """
    bound, form = vocabulary.lower_bound(power.base), linear_form(power.exp)
    if bound is None or bound[0] <= 1 or form is None or not context.nonnegative(form):
        return None
    least = _rounded_down(bound[0], EXACT_BITS)
    begin, step = 0, LARGEST_BEGIN
    while step:
        begin, step = begin + step * context.nonnegative(form - (begin + step)), step // 2
    if growth == "linear":
        if any(number.denominator != 1 for number in (form.constant, *(factor for _, factor in form.terms))):
            return None
        series = [Fraction(1), least - 1]
    else:
        rate = max(below(ball(log(fmpq(*least.as_integer_ratio())))), Fraction(0))
        series = [rate**k / factorial(k) for k in range(4)]
    at_begin, further = _power_below(least, begin), form.expression() - begin
    terms = (_rational(_rounded_down(at_begin * each, SHORT_BITS)) * further**k for k, each in enumerate(series))
    return sympy.expand(sympy.Add(*terms))


def _power_below(base: Fraction, exponent: int) -> Fraction:
    """Not more than the power, and near it."""
    if exponent == 0:
        return Fraction(1)
    half = _power_below(base, exponent // 2)
    return _rounded_down(half * half * (base if exponent % 2 else 1), EXACT_BITS)


def _rounded_down(number: Fraction, bits: int) -> Fraction:
    """A number that is not negative, cut down to so many bits."""
    shift = bits - number.numerator.bit_length() + number.denominator.bit_length()
    return (
        Fraction((number.numerator << shift) // number.denominator, 1 << shift) if shift > 0 else Fraction(int(number))
    )


def _length_under_root(power: sympy.Pow) -> Form | None:
    """The integer form x of a root x**(p/q)."""
    return linear_form(power.base) if power.exp.is_Rational and power.exp > 0 and not power.base.is_number else None


STEPS_A_TERM = 300
"""Of counted work, for each term of a polynomial of which a certificate is sought."""


def certify(expression: sympy.Expr, context: Context, vocabulary: Vocabulary, *, strict: bool) -> Certificate | None:
    """A certificate that a polynomial is >= 0 (> 0 if strict) in the context, or its product with positive reals, such
    as 1 - u^(j-n) for u^n - u^j; None if the search finds none."""
    expanded = sympy.expand(sympy.expand_power_exp(with_common_units(expression)))
    work.spend(STEPS_A_TERM * (5 + len(sympy.Add.make_args(expanded))))
    ways = [_without_divisors(each) for each in (expanded, *_over_its_powers(expanded))]
    shapes: list[tuple[bool, Growth | None]] = [(False, None)]
    shapes += [(True, None)] if _has_powers_to_factor(expanded) else []
    shapes += [(False, "linear"), (False, "cubic")] if _grows(expanded, vocabulary) else []
    for factored, growth in shapes:
        for polynomial in ways:
            for constants in () if polynomial is None else _constants(polynomial):
                certificate = _certify(polynomial, constants, context, vocabulary, strict, factored, growth)
                if certificate is not None:
                    return certificate
    return None


def _grows(expression: sympy.Expr, vocabulary: Vocabulary) -> bool:
    """Whether it has a power with an open exponent of what is known to be more than a number above 1."""
    bounds = (vocabulary.lower_bound(power.base) for power in expression.atoms(sympy.Pow) if _is_open_power(power))
    return any(bound is not None and bound[0] > 1 for bound in bounds)


def _has_powers_to_factor(expression: sympy.Expr) -> bool:
    """Whether two powers of one base have open exponents, of which one may be a factor of the other."""
    bases = [power.base for power in expression.atoms(sympy.Pow) if _is_open_power(power)]
    return len(bases) > len(set(bases))


def _constants(expression: sympy.Expr) -> Iterator[dict[sympy.Expr, sympy.Expr]]:
    """The roots and logarithms of numbers in it, as what exceeds a rational below them; and as what a rational above
    them exceeds."""
    numbers = sorted(expression.atoms(sympy.log) | {p for p in expression.atoms(sympy.Pow) if p.is_number}, key=str)
    bounds = {number: found for number in numbers if (found := number_bounds(number)) is not None}
    rest = {number: sympy.Symbol(f"v_{number}", positive=True) for number in bounds}
    yield {number: _rational(low) + rest[number] for number, (low, _) in bounds.items()}
    if bounds:
        yield {number: _rational(high) - rest[number] for number, (_, high) in bounds.items()}


def _over_its_powers(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    """The polynomial divided by each product of powers with open exponents that is a factor of a term, alone or with
    the other powers of the same bases; they are positive, and the exponents of one base are added up."""
    terms = sympy.Add.make_args(expression)
    factors = [sympy.Mul.make_args(term) for term in terms]
    bases = {factor.base for each in factors for factor in each if _is_open_power(factor)}
    alone = {sympy.Mul(*filter(_is_open_power, each)) for each in factors}
    whole = {sympy.Mul(*(factor for factor in each if factor.as_base_exp()[0] in bases)) for each in factors}
    for product in (*sorted(alone, key=str), *sorted(whole - alone, key=str)) if len(alone) > 1 else ():
        yield sympy.Add(*(sympy.powsimp(term / product, combine="exp") for term in terms))


def _is_open_power(factor: sympy.Expr) -> bool:
    return isinstance(factor, sympy.Pow) and not factor.exp.is_number and bool(factor.base.is_positive)


def _without_divisors(expression: sympy.Expr) -> sympy.Expr | None:
    """Multiplied by what stands in denominators; None where that may be negative."""
    most: dict[sympy.Expr, int] = {}
    for power in expression.atoms(sympy.Pow):
        if power.exp.is_Integer and power.exp < 0:
            most[power.base] = max(most.get(power.base, 0), -int(power.exp))
    if not all(base.is_positive for base in most):
        return None
    factor = sympy.Mul(*(base**exponent for base, exponent in most.items()))
    return sympy.Add(*(term * factor for term in sympy.Add.make_args(expression)))


def _certify(
    expression: sympy.Expr,
    constants: dict[sympy.Expr, sympy.Expr],
    context: Context,
    vocabulary: Vocabulary,
    strict: bool,
    factored: bool,
    growth: Growth | None,
) -> Certificate | None:
    """factored: with u^n as u^i times u^(n-i), for exponents n >= i that both occur; growth: what powers with open
    exponents are compared with, None for numbers."""
    expression, powers_of_units = _with_common_powers(expression, vocabulary)
    positive_reals = {x for x in expression.atoms(AppliedUndef) if is_scale(x) or is_power_of_e(x)}
    opened_reals, positive = _opened(positive_reals, vocabulary)
    positive |= {rest for number in constants.values() for rest in number.free_symbols}
    reals = opened_reals | constants
    plain = expression.xreplace(reals)
    if plain.has(sympy.log):
        return None
    powers = [p for p in plain.atoms(sympy.Pow) if not p.exp.is_Integer]
    if any(isinstance(p.base, AppliedUndef) and not p.exp.is_Integer for p in expression.atoms(sympy.Pow)):
        return None
    if not all(power.base.is_positive or power_bound(power, context, vocabulary) is not None for power in powers):
        return None
    for number, (power, factor) in enumerate(_factored(powers, context) if factored else _alone(powers)):
        slack = sympy.Symbol(f"v_{number}", positive=True)
        rest = power if factor is None else sympy.Pow(power.base, power.exp - factor.exp)
        bound = power_bound(rest, context, vocabulary)
        least = growth_bound(rest, context, vocabulary, growth) if growth else None
        if least is None:
            least = sympy.S.Zero if bound is None else _rational(bound[0])
        by = least + slack
        reals[power] = by if factor is None else by * reals[factor]
        if bound is None or (bound[1] and growth is None):
            positive.add(slack)
    opened = plain.xreplace(reals)
    for symbol in sorted(opened.free_symbols, key=str):
        bound = powers_of_units.get(symbol) or vocabulary.lower_bound(symbol)
        if bound is not None and not str(symbol).startswith("v_"):
            slack = sympy.Symbol(f"v_{symbol}", positive=True)
            reals[symbol] = _rational(bound[0]) + slack
            if bound[1]:
                positive.add(slack)
    atoms = sorted((opened.free_symbols | opened.atoms(AppliedUndef, sympy.Mod)) - set(reals), key=str)
    atoms = [atom for atom in atoms if not str(atom).startswith("v_")]
    if any(linear_form(atom) is None for atom in atoms) or expression.has(sympy.Abs):
        return None
    try:
        polynomial = polynomial_in(expression, names([*reals, *atoms]))
    except ValueError:  # as 1/u in 3*u*(1 + 1/u), which is what 3 + 1/(1 + 1/u) is multiplied to
        return None
    for slacks, integers in _bases(context, atoms):
        substitution = {key: value.xreplace(integers) for key, value in reals.items()} | integers
        values = list(substitution.values())
        if any(coefficient < 0 for coefficient in _rewritten(polynomial, values, _free(values)).coeffs()):
            continue
        certificate = Certificate(
            expression, strict, tuple(substitution.items()), tuple(slacks.items()), frozenset(positive)
        )
        if check(certificate):
            return certificate
    return None


def _opened(atoms: set[sympy.Expr], vocabulary: Vocabulary) -> tuple[dict[sympy.Expr, sympy.Expr], set[sympy.Symbol]]:
    """Scales and powers of e, each as its bound and a slack, and which slacks are positive; where y is certainly below
    x, by the greatest such y: e^x = (1 + m) e^y and a slack, as x - y is at least m >= 0."""
    powers = [x for x in atoms if is_power_of_e(x)]
    growth = {
        (x, y): least
        for x, y in itertools.permutations(powers, 2)
        if (least := vocabulary.least_growth(x.args[0] - y.args[0])) is not None
    }
    below = {x: [y for y in powers if (x, y) in growth] for x in atoms}
    opened: dict[sympy.Expr, sympy.Expr] = {}
    positive: set[sympy.Symbol] = set()
    for x in sorted(atoms, key=lambda x: (len(below[x]), str(x))):
        slack = sympy.Symbol(f"v_{x}", positive=True)
        if below[x]:
            y = max(below[x], key=lambda y: (len(below[y]), str(y)))
            least, strict, base = growth[x, y], growth[x, y] > 1, opened[y]
        else:
            (least, strict), base = vocabulary.lower_bound(x) or (Fraction(0), True), sympy.S.One
        opened[x] = sympy.expand(_rational(least) * base + slack)
        positive |= {slack} if strict else set()
    return opened, positive


def _alone(powers: list[sympy.Pow]) -> list[tuple[sympy.Pow, None]]:
    return [(power, None) for power in sorted(powers, key=str)]


def _factored(powers: list[sympy.Pow], context: Context) -> list[tuple[sympy.Pow, sympy.Pow | None]]:
    """The powers, each behind one that is a factor of it and as great as any that is, if there is one: of the same
    base, with an exponent that is known to be no greater."""

    def divides(one: sympy.Pow, other: sympy.Pow) -> bool:
        rest = other.exp - one.exp
        form = linear_form(rest) if one.base == other.base and not rest.is_number else None
        return form is not None and context.nonnegative(form)

    divisors = {power: [each for each in powers if divides(each, power)] for power in powers}
    found: list[tuple[sympy.Pow, sympy.Pow | None]] = []
    for power in sorted(powers, key=lambda power: (len(divisors[power]), str(power))):
        before = [each for each, _ in found if each in divisors[power]]
        found.append((power, before[-1] if before else None))
    return found


def _with_common_powers(
    expression: sympy.Expr, vocabulary: Vocabulary
) -> tuple[sympy.Expr, dict[sympy.Symbol, tuple[Fraction, bool]]]:
    """The expression in u^g for each unit u that occurs in whole powers of u^g alone, and the lower bounds of these:
    with an attention weight of 1000 that is no polynomial of degree 1000, and with a root one of u^(1/2)."""
    bounds = {}
    inside = frozenset().union(*(atom.free_symbols for atom in expression.atoms(AppliedUndef)))
    powers = defaultdict[sympy.Expr, set[sympy.Expr]](set)
    for power in expression.atoms(sympy.Pow):
        powers[power.base].add(power.exp)
    units = (base for base in powers if base.is_Symbol and base not in inside)  # e^(N^2) keeps its own bound
    for unit in sorted(units, key=str):
        exponents = powers[unit]
        if not all(e.is_Rational and e > 0 for e in exponents):
            continue
        power = sympy.Dummy(str(unit), positive=True)
        opened = expression.xreplace({unit**e: power**e for e in exponents})
        exponents = exponents | ({sympy.S.One} if unit in opened.free_symbols else set())
        common = sympy.Rational(gcd(*(int(e.p) for e in exponents)), lcm(*(int(e.q) for e in exponents)))
        bound = vocabulary.lower_bound(unit if common.is_Integer else unit**common)
        if bound is None or bound[0] < 0 or common == 1:
            continue
        least, strict = bound
        if common.is_Integer:
            if least <= 1:
                least = least ** int(common)
            elif constant_bounds(unit) is not None:
                least = _rounded_down(_power_below(_rounded_down(least, EXACT_BITS), int(common)), SHORT_BITS)
            else:  # Bernoulli: (1 + x)^g >= 1 + g x, where the power itself would have many digits.
                least = 1 + int(common) * (least - 1)
        bounds[power] = least, strict
        expression = expression.xreplace({unit**e: power ** (e / common) for e in exponents})
    return expression, bounds


def _bases(context: Context, atoms: list[Atom]):  # type: ignore[no-untyped-def]
    """Ways to write the atoms as affine functions of as many slacks, equations of the context used first."""
    if not atoms:
        yield {}, {}
        return
    constraints = projected(context.constraints, atoms)
    equations = [form for form in constraints if -form in constraints]
    others = [form for form in constraints if -form not in constraints]
    slacks = [sympy.Symbol(f"y_{number}", nonnegative=True) for number in range(len(atoms))]
    chosen_equations: list[Form] = []
    for form in equations:
        if _rank([*chosen_equations, form], atoms) > len(chosen_equations):
            chosen_equations.append(form)
    missing = len(atoms) - len(chosen_equations)
    for tried, chosen in enumerate(itertools.combinations(others, missing)):
        if tried >= MOST_BASES:
            return
        right = [sympy.S.Zero] * len(chosen_equations) + slacks[:missing]
        integers = _solved([*chosen_equations, *chosen], right, atoms)
        if integers is not None:
            yield dict(zip(slacks[:missing], chosen, strict=True)), integers


def _solved(system: list[Form], right: list[sympy.Expr], atoms: list[Atom]) -> dict[Atom, sympy.Expr] | None:
    """The atoms, of which there are as many as forms, where each form has its value; None if that leaves them open."""
    try:
        inverse = _matrix(system, atoms).inv()
    except ZeroDivisionError:
        return None
    values = [value - _rational(form.constant) for form, value in zip(system, right, strict=True)]
    return {
        atom: sympy.Add(*(sympy.Rational(int(x.p), int(x.q)) * v for x, v in zip(row, values, strict=True)))
        for atom, row in zip(atoms, inverse.tolist(), strict=True)
    }


def _rank(forms: list[Form], atoms: list[Atom]) -> int:
    return int(_matrix(forms, atoms).rank()) if forms else 0


def _matrix(forms: list[Form], atoms: list[Atom]) -> fmpq_mat:
    entries = [fmpq(*f.coefficient(atom).as_integer_ratio()) for f in forms for atom in atoms]
    return fmpq_mat(len(forms), len(atoms), entries)


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)
