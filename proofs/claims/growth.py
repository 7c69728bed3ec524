"""How fast an exact expression grows with one integer: as base^(a*n) * n^b, times a constant that is not 0."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from symbolic.linear import Context
from symbolic.signs import Sign, sign_of
from symbolic.vocabulary import Underivable, Vocabulary


@dataclass(frozen=True)
class Growth:
    """base^(exponent*n) * n^degree; base None where there is no power with n in its exponent."""

    base: sympy.Expr | None
    exponent: sympy.Rational
    degree: sympy.Rational

    @property
    def size(self) -> tuple[sympy.Rational, sympy.Rational]:
        """Larger for what grows faster; (0, 0) is a constant, less vanishes."""
        return self.exponent, self.degree

    def text(self, base: str = "") -> str:
        """In the language of `constructions.expressions`."""
        powers = []
        if self.exponent != 0:
            powers.append((base or str(self.base), f"{abs(self.exponent)}*n".removeprefix("1*"), self.exponent > 0))
        if self.degree != 0:
            powers.append(("n", str(abs(self.degree)), self.degree > 0))
        above = [_power(b, e) for b, e, up in powers if up]
        below = [_power(b, e) for b, e, up in powers if not up]
        bottom = "*".join(below) if len(below) < 2 else f"({'*'.join(below)})"
        return "*".join(above or ["1"]) + (f"/{bottom}" if below else "")


def _power(base: str, exponent: str) -> str:
    return base if exponent == "1" else f"{base}**({exponent})" if not exponent.isalnum() else f"{base}**{exponent}"


def growth(expression: sympy.Expr, variable: sympy.Symbol, context: Context, vocabulary: Vocabulary) -> Growth | None:
    """The growth of an expression that is 0 for no large value; None for 0 itself.

    Raises Underivable where it depends on more than the variable and the parameters, or where it cannot be told.
    """
    numerator, denominator = sympy.fraction(sympy.cancel(sympy.expand_power_exp(expression)))
    above = _leading(numerator, variable, context, vocabulary)
    below = _leading(denominator, variable, context, vocabulary)
    if above is None or below is None:
        return None
    bases = {part.base for part in (above, below)} - {None}
    if len(bases) > 1:
        raise Underivable(f"powers of {' and '.join(map(str, bases))} are not compared")
    return Growth(next(iter(bases), None), above.exponent - below.exponent, above.degree - below.degree)


def _leading(polynomial: sympy.Expr, variable: sympy.Symbol, context: Context, vocabulary: Vocabulary) -> Growth | None:
    found: dict[tuple[sympy.Rational, sympy.Rational], sympy.Expr] = {}
    bases: set[sympy.Expr] = set()
    for term in sympy.Add.make_args(sympy.expand(polynomial)):
        exponent, degree, constant = sympy.S.Zero, sympy.S.Zero, sympy.S.One
        for factor in sympy.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if base == variable and power.is_Rational:
                degree += power
            elif variable in power.free_symbols and variable not in base.free_symbols:
                slope = sympy.expand(power).coeff(variable, 1)
                rest = sympy.expand(power - slope * variable)
                if not slope.is_Rational or variable in rest.free_symbols:
                    raise Underivable(f"{factor} is no power with an exponent linear in {variable}")
                if sign_of(base - 1, context, vocabulary) is not Sign.POSITIVE:
                    raise Underivable(f"whether {base} > 1 is open")
                bases.add(base)
                exponent, constant = exponent + slope, constant * base**rest
            else:
                constant *= factor
        found[exponent, degree] = found.get((exponent, degree), sympy.S.Zero) + constant
    if len(bases) > 1:
        raise Underivable(f"powers of {' and '.join(sorted(map(str, bases)))} are not compared")
    units = {vocabulary.unit(name) for name in vocabulary.real}
    known = units | {vocabulary.parameter(name) for name in vocabulary.natural}
    for size in sorted(found, reverse=True):
        constant = found[size]
        unknown = constant.free_symbols - known
        if unknown or constant.has(sympy.core.function.AppliedUndef):
            names = ", ".join(sorted(map(str, unknown))) or str(constant)
            raise Underivable(f"it depends on the word, by {names}")
        direction = sign_of(constant, context, vocabulary)
        if direction is Sign.OPEN:
            raise Underivable(f"whether {constant} is 0 is open")
        if direction is not Sign.ZERO:
            return Growth(next(iter(bases), None), *size)
    return None
