"""Rational functions of e^c with sinh, cosh and tanh in place of powers of e: other ways to write the same function.

Presentation only: whatever is computed stays a rational function of units u_c = e^c. With u = e^c,

    u^k - 1 = 2 u^(k/2) sinh(kc/2)        u^k + 1 = 2 u^(k/2) cosh(kc/2)        (u^k - 1)/(u^k + 1) = tanh(kc/2)

and any polynomial is, up to a power of u, a sum of sinh and cosh of multiples of c. tanh stands for a quotient of
factors, never inside a sum. A form counts only if it is the same rational function again when it is expanded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd, lcm

import sympy

from weightproof.symbolic.algebra.constants import exponent_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary

HYPERBOLIC = (sympy.sinh, sympy.cosh, sympy.tanh)


Units = Mapping[sympy.Symbol, sympy.Expr]
"""Symbols that stand for powers of e, each with the exponent: the unit u_c with c."""


def units(expression: sympy.Expr, vocabulary: Vocabulary) -> Units:
    """The units in an expression, of parameters and of constants."""
    known = {vocabulary.unit(name): vocabulary.parameter(name) for name in vocabulary.real}
    exponents = {
        symbol: known[symbol] if symbol in known else exponent_of(symbol)
        for symbol in sorted(expression.free_symbols, key=str)
    }
    return {symbol: exponent for symbol, exponent in exponents.items() if exponent is not None}


def step(expression: sympy.Expr, unit: sympy.Symbol) -> tuple[sympy.Rational, sympy.Rational]:
    """The highest power of a unit in an expression, and the highest of which all are powers."""
    powers = {power: sympy.S.One for power in expression.atoms(sympy.Pow) if power.base == unit}
    bare = [sympy.S.One] if unit in expression.xreplace(powers).free_symbols else []
    exponents = [*bare, *_exponents(expression, unit)]
    order = _order(exponents)
    return max(map(abs, exponents)), sympy.Rational(gcd(*(int(exponent * order) for exponent in exponents)), order)


def forms(factored: sympy.Expr, units: Units) -> Iterator[sympy.Expr]:
    """Other forms of a product of polynomials: with hyperbolic functions for the factors of one unit alone, for those
    that have other atoms as well, and for both."""
    for alone, mixed in ((True, False), (False, True), (True, True)) if units else ():
        form = _Writer(factored, units, alone, mixed).written()
        if form is not None and same(factored, form, units):
            yield form


def same(exponential: sympy.Expr, hyperbolic: sympy.Expr, units: Units) -> bool:
    """Whether both are one rational function of the roots of units, by expansion of the numerator of the difference."""
    difference = exponential - hyperbolic
    for unit, exponent in units.items():
        functions = {each: sympy.cancel(each.args[0] / exponent) for each in difference.atoms(*HYPERBOLIC)}
        multiples = {each: multiple for each, multiple in functions.items() if multiple.is_Rational}
        order = _order((*multiples.values(), *_exponents(difference, unit)))
        root = sympy.Dummy("root", positive=True)
        meaning = {each: _expanded(each, root ** (multiple * order)) for each, multiple in multiples.items()}
        difference = difference.xreplace(meaning).xreplace({unit: root**order})
    return bool(sympy.expand(sympy.fraction(sympy.together(difference))[0]) == 0)


def exponential(expression: sympy.Expr, units: Units) -> sympy.Expr:
    """The expression with powers of units in place of hyperbolic functions of their exponents."""
    meaning = {}
    for function in expression.atoms(*HYPERBOLIC):
        for unit, exponent in units.items():
            multiple = sympy.cancel(function.args[0] / exponent)
            if multiple.is_Rational:
                meaning[function] = _expanded(function, unit**multiple)
    return expression.xreplace(meaning)


def _expanded(function: sympy.Expr, up: sympy.Expr) -> sympy.Expr:
    """sinh(x), cosh(x) or tanh(x) in terms of `up` = e^x."""
    match function:
        case sympy.sinh():
            return (up - 1 / up) / 2
        case sympy.cosh():
            return (up + 1 / up) / 2
        case sympy.tanh():
            return (up - 1 / up) / (up + 1 / up)
    raise TypeError(function)


def _exponents(expression: sympy.Expr, unit: sympy.Symbol) -> list[sympy.Expr]:
    return [power.exp for power in expression.atoms(sympy.Pow) if power.base == unit]


def _order(exponents: Iterable[sympy.Expr]) -> int:
    """The root of a unit of which rational powers of it are powers with integer exponents."""
    return lcm(1, *(int(exponent.q) for exponent in exponents))


@dataclass
class _Writer:
    """Writes one product; alone, mixed: which of its factors become hyperbolic functions."""

    factored: sympy.Expr
    units: Units
    alone: bool
    mixed: bool
    parts: list[sympy.Expr] = field(default_factory=list)
    functions: dict[tuple[str, sympy.Expr], int] = field(default_factory=dict)

    def written(self) -> sympy.Expr | None:
        """None where nothing became a hyperbolic function."""
        together: dict[tuple[sympy.Symbol, int], sympy.Expr] = {}
        for factor in sympy.Mul.make_args(self.factored):
            base, power = factor.as_base_exp()
            mine = [unit for unit in self.units if unit in base.free_symbols]
            is_sum = base.is_Add and len(mine) == 1 and power.is_Integer
            is_alone = base.free_symbols == set(mine)
            if is_sum and is_alone and self.alone:
                side = (mine[0], 1 if power > 0 else -1)
                together[side] = together.get(side, sympy.S.One) * base ** abs(power)
            elif is_sum and not is_alone and self.mixed:
                self.polynomial(base, mine[0], int(power))
            else:
                self.parts.append(factor)
        for (unit, power), product in together.items():
            self.polynomial(product, unit, power)
        for (name, argument), power in self.quotients().items():
            self.parts.append(getattr(sympy, name)(argument) ** power)
        result = sympy.Mul(*self.parts)
        return result if result.has(*HYPERBOLIC) else None

    def polynomial(self, base: sympy.Expr, unit: sympy.Symbol, power: int) -> None:
        """A power of a polynomial in a unit, or in a root of it; as it is where it is no such thing."""
        order = _order(_exponents(base, unit))
        root = sympy.Dummy("root", positive=True)
        try:
            rest = sympy.Poly(base.xreplace({unit: root**order}), root)
        except sympy.PolynomialError:
            self.parts.append(base**power)
            return
        exponent = self.units[unit] / order
        self.parts.append(unit ** sympy.Rational(rest.degree() * power, 2 * order))
        if base.free_symbols == {unit}:
            rest = self.binomials(rest, exponent, power)
        self.parts += [part**power for part in _symmetric(rest, exponent)]

    def binomials(self, rest: sympy.Poly, exponent: sympy.Expr, power: int) -> sympy.Poly:
        """What is left when factors u^k - 1 and u^k + 1 are taken out, the highest first."""
        root = rest.gen
        for k, (sign, name) in itertools.product(range(rest.degree(), 0, -1), ((-1, "sinh"), (1, "cosh"))):
            while rest.degree() >= k:
                quotient, remainder = sympy.div(rest, sympy.Poly(root**k + sign, root))
                if not remainder.is_zero:
                    break
                rest = quotient
                key = (name, k * exponent / 2)
                self.functions[key] = self.functions.get(key, 0) + power
                self.parts.append(sympy.Integer(2) ** power)
        return rest

    def quotients(self) -> dict[tuple[str, sympy.Expr], int]:
        """sinh over cosh of the same argument becomes tanh, and cosh over sinh its inverse."""
        result = dict(self.functions)
        for name, argument in self.functions:
            up, down = result.get(("sinh", argument), 0), result.get(("cosh", argument), 0)
            if name == "sinh" and up * down < 0:
                whole = min(abs(up), abs(down)) * (1 if up > 0 else -1)
                result[("tanh", argument)] = whole
                result[("sinh", argument)] = up - whole
                result[("cosh", argument)] = down + whole
        return result


def _symmetric(polynomial: sympy.Poly, exponent: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """p(u)/u^(d/2) for a polynomial of degree d, as a sum of cosh and sinh of multiples of the exponent of u; what its
    coefficients have in common apart."""
    degree = polynomial.degree()
    terms: list[tuple[sympy.Expr, sympy.Expr]] = []
    for k in range(degree, degree // 2, -1):
        high, low = polynomial.nth(k), polynomial.nth(degree - k)
        argument = sympy.Rational(2 * k - degree, 2) * exponent
        terms += [(high + low, sympy.cosh(argument)), (high - low, sympy.sinh(argument))]
    if degree % 2 == 0:
        terms.append((polynomial.nth(degree // 2), sympy.S.One))
    common = sympy.gcd_list([coefficient for coefficient, _ in terms])
    return common, sum((sympy.cancel(coefficient / common) * function for coefficient, function in terms), sympy.S.Zero)
