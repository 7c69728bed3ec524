"""How fast an exact expression grows with one integer: as rate^n * n^degree, times a constant that is not 0."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary
from weightproof.symbolic.writing.plain import number

Size = tuple[sympy.Expr, sympy.Rational]
"""A rate and a degree that compare like growths: larger for what grows faster."""
CONSTANT: Size = (sympy.S.One, sympy.S.Zero)
"""Less than this vanishes, more is not bounded."""


@dataclass(frozen=True)
class Growth:
    """rate^n * n^degree. The rate is a positive number, or a power of one unit, which is more than 1."""

    rate: sympy.Expr
    degree: sympy.Rational

    @property
    def size(self) -> Size:
        """Powers of a unit u > 1 compare like those of 2."""
        return self.rate.xreplace({symbol: sympy.Integer(2) for symbol in self.rate.free_symbols}), self.degree

    def text(self, variable: str = "n") -> str:
        """In the language of `constructions.scalars.expressions`."""
        base, exponent = self.rate.as_base_exp()
        name = f"exp({str(base).removeprefix('u_')})" if base.is_Symbol else str(base)
        powers = [(name, exponent, variable), (variable, self.degree, "")]
        above = [_power(b, e, v) for b, e, v in powers if e > 0 and b != "1"]
        below = [_power(b, -e, v) for b, e, v in powers if e < 0]
        bottom = below[0] if len(below) == 1 else f"({'*'.join(below)})"
        return "*".join(above or ["1"]) + (f"/{bottom}" if below else "")


def _power(base: str, exponent: sympy.Rational, variable: str) -> str:
    """base**(exponent*variable), or base**exponent."""
    factors = [*([] if variable and exponent == 1 else [str(exponent)]), *([variable] if variable else [])]
    text = "*".join(factors)
    return base if text == "1" else f"{base}**{text}" if text.isalnum() else f"{base}**({text})"


def growth(expression: sympy.Expr, variable: sympy.Symbol, context: Context, vocabulary: Vocabulary) -> Growth | None:
    """The growth of an expression that is 0 for no large value; None for 0 itself.

    Raises Underivable where it depends on more than the variable and the parameters, or where it cannot be told.
    """
    numerator, denominator = sympy.fraction(sympy.cancel(sympy.expand_power_exp(expression)))
    above = _leading(numerator, variable, context, vocabulary)
    below = _leading(denominator, variable, context, vocabulary)
    if above is None or below is None:
        return None
    return _comparable(Growth(above.rate / below.rate, above.degree - below.degree), above, below)


def _comparable(result: Growth, *parts: Growth) -> Growth:
    """The result, if all rates are numbers, or powers of one unit."""
    kinds = {frozenset(part.rate.free_symbols) for part in parts if part.rate != 1}
    if len(kinds) > 1 or any(len(kind) > 1 for kind in kinds):
        raise Underivable("powers of different bases are not compared")
    if any(kind and part.rate.as_base_exp()[0] not in kind for kind in kinds for part in parts if part.rate != 1):
        raise Underivable("powers of different bases are not compared")
    return result


def _leading(polynomial: sympy.Expr, variable: sympy.Symbol, context: Context, vocabulary: Vocabulary) -> Growth | None:
    found: dict[Growth, sympy.Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(polynomial)):
        rate, degree, constant = sympy.S.One, sympy.S.Zero, sympy.S.One
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
                rate, constant = rate * base**slope, constant * base**rest
            else:
                constant *= factor
        here = Growth(rate, degree)
        found[here] = found.get(here, sympy.S.Zero) + constant
    _comparable(Growth(sympy.S.One, sympy.S.Zero), *found)
    units = {vocabulary.unit(name) for name in vocabulary.real}
    known = units | {vocabulary.parameter(name) for name in vocabulary.natural}
    for size in sorted(found, key=lambda part: part.size, reverse=True):
        constant = found[size]
        unknown = constant.free_symbols - known
        if unknown or constant.has(sympy.core.function.AppliedUndef):
            names = ", ".join(sorted(number(each, vocabulary) for each in unknown)) or number(constant, vocabulary)
            raise Underivable(f"it depends on the word, by {names}")
        direction = sign_of(constant, context, vocabulary)
        if direction is Sign.OPEN:
            raise Underivable(f"whether {number(constant, vocabulary)} is 0 is open")
        if direction is not Sign.ZERO:
            return size
    return None
