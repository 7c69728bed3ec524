"""What solvers are told of the atoms of an obligation beside its hypotheses.

Two solvers agree on what they are told: so each number in a fact is checked here in exact arithmetic that does not use
how the number was found, and what is left is a rule by name. Both stand in the table of
findings/trust/rules.md (`trusted.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import sympy
from flint import fmpq

from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.solving import smt
from weightproof.proofs.solving.trusted import Rule
from weightproof.symbolic.algebra.certificates import power_bound
from weightproof.symbolic.algebra.constants import constant_bounds, constant_of, constant_unit, number_bounds
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, is_power_of_e, is_scale

TANGENTS = (1, 2, 3, 4)
"""Where e^c is compared with its tangent."""
LONGEST_ROOT = 64
"""Factors of the two powers that say what a root is; of others only bounds are told."""


@dataclass(frozen=True)
class Asserted:
    """A fact, as SMT-LIB 2, and the rule that it is told by."""

    rule: Rule
    text: str


def facts(
    variables: Sequence[sympy.Expr],
    vocabulary: Vocabulary,
    context: Context,
    spoken: Iterable[sympy.Expr],
    integers: bool,
) -> Iterator[Asserted]:
    """All that is told of the variables of an obligation in a context; spoken: the symbols that it speaks of.

    Raises Underivable where a fact is not certain.
    """
    parameters = {vocabulary.parameter(name) for name in vocabulary.real} & set(spoken)
    for variable in variables:
        yield from _of_atom(variable, vocabulary, context, parameters, integers)
    yield from _orders(variables, vocabulary)


def _of_atom(
    variable: sympy.Expr, vocabulary: Vocabulary, context: Context, parameters: set[sympy.Symbol], integers: bool
) -> Iterator[Asserted]:
    """What is known of a unit, of a power of one, of an absolute value, of a logarithm; of a power of a count, say,
    nothing."""
    match variable:
        case sympy.Abs(args=(inside,)):
            value = smt.term(inside, integers, False)
            yield Asserted(Rule.ABSOLUTE_VALUE, f"(= {smt.name(variable)} (ite (>= {value} 0.0) {value} (- {value})))")
        case sympy.log():
            yield from _of_logarithm(variable, integers)
        case sympy.Pow():
            if variable.base.is_positive:
                yield from _of_power(variable, vocabulary, context)
        case _:
            yield from _of_unit(variable, vocabulary)
            yield from _tangents(variable, vocabulary, parameters)


def _of_logarithm(logarithm: sympy.Expr, integers: bool) -> Iterator[Asserted]:
    """log(p/q) is negative where p/q is less than 1, positive where it is greater: where p q is, than q^2."""
    quotient = sympy.fraction(canonical(logarithm.args[0]))
    upper, lower = (smt.term(part, integers, False) for part in quotient)
    name = smt.name(logarithm)
    for op in "<>":
        yield Asserted(Rule.SIGN_OF_LOGARITHM, f"(= ({op} {name} 0.0) ({op} (* {upper} {lower}) (* {lower} {lower})))")
    bounds = number_bounds(logarithm)
    if bounds is not None:
        yield from _between(logarithm, _exact(str(logarithm)), bounds)


def _of_power(power: sympy.Pow, vocabulary: Vocabulary, context: Context) -> Iterator[Asserted]:
    """A root is what its power says; other powers have a bound from below alone."""
    bound = power_bound(power, context, vocabulary) or (Fraction(0), True)
    multiple = vocabulary.multiple(power)
    if multiple is not None:
        _check_multiple(power, *multiple, bound, vocabulary)
        yield _at_least(Rule.UNIT, power, bound)
    elif power.is_number:
        enclosed = number_bounds(power)
        _require(enclosed is not None and enclosed[0] >= bound[0], power)
        yield _at_least(Rule.CONSTANT, power, bound)
    else:
        yield _at_least(Rule.POWER, power, bound)
    if power.exp.is_Rational and abs(power.exp.p) + power.exp.q <= LONGEST_ROOT:
        yield Asserted(Rule.ROOT, _root(power))


def _root(power: sympy.Pow) -> str:
    """What u^(p/q) is: its q-th power is u^p."""
    whole = [smt.name(power)] * int(power.exp.q)
    base = [smt.term(power.base, False, False)] * abs(int(power.exp.p))
    left, right = (whole, base) if power.exp > 0 else (whole + base, [])
    return f"(= (* 1.0 {' '.join(left)}) (* 1.0 1.0 {' '.join(right)}))"


def _of_unit(variable: sympy.Expr, vocabulary: Vocabulary) -> Iterator[Asserted]:
    """The bound of a parameter, of a unit or of a root of one; both bounds of a constant."""
    bounds = constant_bounds(variable)
    if bounds is not None:
        value = constant_of(variable)
        assert value is not None
        yield from _between(variable, value, bounds)
        return
    bound = vocabulary.lower_bound(variable)
    if bound is None:
        return
    multiple = vocabulary.multiple(variable)
    if multiple is not None and variable != vocabulary.unit(multiple[0]):
        _check_multiple(variable, *multiple, bound, vocabulary)
        yield _at_least(Rule.UNIT, variable, bound)
    elif is_power_of_e(variable):
        yield _at_least(Rule.GROWTH, variable, bound)
    elif is_scale(variable):
        yield _at_least(Rule.SCALE, variable, bound)
    elif multiple is not None or variable in {vocabulary.parameter(name) for name in vocabulary.real}:
        yield _at_least(Rule.PARAMETER, variable, bound)
    else:
        raise Underivable(f"nothing says why {variable} should be at least {bound[0]}")


def _check_multiple(
    power: sympy.Expr, name: str, factor: sympy.Expr, bound: tuple[Fraction, bool], vocabulary: Vocabulary
) -> None:
    """e^(k*c) >= e^(k*m) for c >= m and k > 0; e^0 = 1, and where nothing is known of c, but that e^c >= 1, m is 0."""
    least, strict = bound
    own = [(m, above) for each, m, above in vocabulary.bounds if each == name]
    own = own or [(Fraction(0), above) for each, m, above in vocabulary.least if each == name and m >= 1]
    _require(_sign(factor) > 0, power)
    if not own:
        _require(least == 0 and strict, power)
        return
    [(m, above)] = own
    beyond = _exact_sign(_exact(f"exp(({factor})*({m}))") - fmpq(*least.as_integer_ratio()))
    _require(beyond > 0 or (beyond == 0 and (above or not strict)), power)


def _between(variable: sympy.Expr, value: Real, bounds: tuple[Fraction, Fraction | None]) -> Iterator[Asserted]:
    """Rationals below and above a number, of which its exact value is given."""
    for op, end, direction in zip("><", bounds, (1, -1), strict=True):
        if end is not None:
            _require(_exact_sign(value - fmpq(*end.as_integer_ratio())) == direction, variable)
            yield Asserted(Rule.CONSTANT, f"({op} {smt.name(variable)} {smt.rational(end)})")


def _at_least(rule: Rule, variable: sympy.Expr, bound: tuple[Fraction, bool]) -> Asserted:
    return Asserted(rule, f"({'>' if bound[1] else '>='} {smt.name(variable)} {smt.rational(bound[0])})")


def _tangents(variable: sympy.Expr, vocabulary: Vocabulary, parameters: set[sympy.Symbol]) -> Iterator[Asserted]:
    """e^c >= e^k (c - k + 1), of the unit of a parameter c that is spoken of, too; with less in place of e^k, which is
    true for c < k - 1 as well, where the right side is negative."""
    [parameter] = [p for p in parameters if variable == vocabulary.unit(p.name)] or [None]
    if parameter is None:
        return
    name, c = smt.name(variable), smt.name(parameter)
    for k in TANGENTS:
        [low, _] = constant_bounds(constant_unit(sympy.Integer(k))) or (None, None)
        assert low is not None
        _require(_exact_sign(_exact(f"exp({k})") - fmpq(*low.as_integer_ratio())) > 0 < low, variable)
        yield Asserted(Rule.TANGENT, f"(>= {name} (* {smt.rational(low)} (- {c} {k - 1}.0)))")
    yield Asserted(Rule.TANGENT, f"(>= {name} (+ {c} 1.0))")


def _orders(variables: Sequence[sympy.Expr], vocabulary: Vocabulary) -> Iterator[Asserted]:
    """e^(k*c) and e^(l*c) of a parameter c that is not negative: less for k < l where c is positive, at most where it
    may be 0, and equal for k = l; where l is a rational multiple of k, which power of the one is which of the other."""
    for parameter in vocabulary.real:
        least = vocabulary.lower_bound(vocabulary.parameter(parameter))
        if least is None or least[0] < 0:
            continue
        units = [
            (multiple[1], variable)
            for variable in variables
            if (multiple := vocabulary.multiple(variable)) is not None and multiple[0] == parameter
        ]
        units.sort(key=functools.cmp_to_key(_compared))
        less = "<" if least[0] > 0 or least[1] else "<="
        for (factor, low), (greater, high) in pairwise(units):
            op = less if _sign(greater - factor) > 0 else "="
            yield Asserted(Rule.ORDER, f"({op} {smt.name(low)} {smt.name(high)})")
            ratio = greater / factor
            if low.is_Symbol and high.is_Symbol and ratio.is_Rational and ratio.p + ratio.q <= LONGEST_ROOT:
                powers = (f"(* 1.0 {' '.join([smt.name(x)] * int(p))})" for x, p in ((low, ratio.p), (high, ratio.q)))
                yield Asserted(Rule.ROOT, f"(= {' '.join(powers)})")


def _compared(left: tuple[sympy.Expr, sympy.Expr], right: tuple[sympy.Expr, sympy.Expr]) -> int:
    """The sign of the difference of two factors; Underivable where they cannot be told apart."""
    return _sign(left[0] - right[0])


def _sign(constant: sympy.Expr) -> int:
    return _exact_sign(_exact(str(constant)))


def _exact(text: str) -> Real:
    """The exact value of a constant; Underivable where there is none of its kind."""
    try:
        return evaluate(Expression(text), {})
    except ArithmeticError as error:
        raise Underivable(f"the constant {text} is not read exactly: {error}") from error


def _exact_sign(value: Real) -> int:
    try:
        return sign(value)
    except Undecided as error:
        raise Underivable(f"constants that cannot be told apart: {error}") from error


def _require(certain: bool, atom: sympy.Expr) -> None:
    if not certain:
        raise Underivable(f"what the solvers would be told of {atom} is not certain")
