"""Reals as text: fractions where they are rational, and decimals of which every printed digit is certain; of balls
decimals alone."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from flint import arb, fmpq, fmpz

from weightproof.constructions.scalars.cosines import Cosines
from weightproof.constructions.scalars.exact import HIGHEST_PRECISION, Real, ball
from weightproof.constructions.scalars.irrational import Generator, Irrational, Monomial

SIGNIFICANT = 15
"""Digits of a decimal; more would say nothing that a float64 can hold."""
MOST_BITS = 1 << 20
"""Of a number whose digits are looked for."""
LONGEST_CELL = 12
"""Characters of an exact value in a table cell; a longer one is shown as a decimal."""
LONGEST_FORMULA = 200
"""Characters of an irrational that is written out; a longer one is shown as a decimal."""


@dataclass(frozen=True)
class Decimal:
    """The leading digits of a real, cut off rather than rounded; complete: no digit but 0 follows."""

    digits: str
    complete: bool

    def __str__(self) -> str:
        if self.complete:
            return self.digits
        mantissa, _, exponent = self.digits.partition("e")
        return f"{mantissa}...e{exponent}" if exponent else f"{mantissa}..."


def fraction(value: Real | arb) -> str | None:
    """A rational as "p/q" or "p"; None for an irrational, and for a ball."""
    return str(value) if isinstance(value, fmpq) else None


def decimal(value: Real | arb, significant: int = SIGNIFICANT) -> Decimal:
    """The first `significant` digits; the enclosing ball, as "[mid +/- radius]", where no precision certifies them."""
    if isinstance(value, Cosines) and value.is_zero:
        return Decimal("0", complete=True)
    bits = 4 * significant + 64
    while bits <= HIGHEST_PRECISION:
        low, high = _bounds(value, bits)
        if low == high == 0:
            return Decimal("0", complete=True)
        if low > 0 or high < 0:
            first, second = (_cut(abs(bound), significant) for bound in (low, high))
            if first[:2] == second[:2]:
                digits, exponent, exact = first
                complete = exact and low == high
                return Decimal(_written(digits, exponent, complete, "-" if high < 0 else ""), complete)
        bits *= 2
    return Decimal(str(value if isinstance(value, arb) else ball(value)), complete=True)


def formula(value: Real) -> str:
    """The exact value in the language of `constructions.scalars.expressions`: "3*log(2)", "1/(exp(1) + 1)"."""
    if not isinstance(value, Irrational):
        return str(value)
    above, below = _terms(value.numerator), _terms(value.denominator)
    if below == "1":
        return above
    return f"{above if len(value.numerator) == 1 else f'({above})'}/({below})"


def exactly(value: Real) -> str:
    """The exact value; the first digits of an irrational that is too long to be written out."""
    return _written_out(value, LONGEST_FORMULA) or decimal(value).digits


def cell(value: Real) -> str:
    """A short text for a table: the exact value where it is short, else six digits."""
    text = _written_out(value, LONGEST_CELL)
    return text if text is not None and len(text) <= LONGEST_CELL else str(decimal(value, 6))


def _written_out(value: Real, most: int) -> str | None:
    """The formula; None for that of an irrational of more than `most` characters, of which it is not made at all where
    it has as many numbers: roots of roots double with each layer."""
    if isinstance(value, fmpq):
        return formula(value)
    text = formula(value) if _numbers(value) <= most else ""
    return text if 0 < len(text) <= most else None


def _numbers(value: Real) -> int:
    """How many numbers stand in a formula."""
    if isinstance(value, fmpq):
        return 1
    if isinstance(value, Cosines):
        return len(value.terms)
    assert isinstance(value, Irrational)
    terms = (*value.numerator, *value.denominator)
    return sum(1 + sum(_numbers_inside(generator) for generator, _ in monomial) for monomial, _ in terms)


@functools.lru_cache(maxsize=10_000)
def _numbers_inside(generator: Generator) -> int:
    return _numbers(generator.argument)


def _terms(terms: tuple[tuple[Monomial, fmpq], ...]) -> str:
    result = ""
    for monomial, coefficient in terms:
        powers = "*".join(_power(generator, exponent) for generator, exponent in monomial)
        size = abs(coefficient)
        text = str(size.p) if not powers else powers if size.p == 1 else f"{size.p}*{powers}"
        text += "" if size.q == 1 else f"/{size.q}"
        sign = "-" if coefficient < 0 else "+"
        result += f" {sign} {text}" if result else text if coefficient > 0 else f"-{text}"
    return result


def _power(generator: Generator, exponent: int | fmpq) -> str:
    inside = formula(generator.argument)
    if generator.function == "exp" and exponent != 1:
        return f"exp(({exponent})*({inside}))"
    base = f"{generator.function}({inside})"
    return base if exponent == 1 else f"{base}**{exponent}" if exponent > 0 else f"{base}**({exponent})"


def equation(value: Real | arb) -> str:
    """ "1/3 = 0.333333333333333...", or the decimal alone of an integer, an irrational or a ball."""
    text, digits = fraction(value), str(decimal(value))
    return digits if text is None or text == digits else f"{text} = {digits}"


def _bounds(value: Real | arb, bits: int) -> tuple[fmpq, fmpq]:
    if isinstance(value, fmpq):
        return value, value
    enclosed = value if isinstance(value, arb) else ball(value, bits)
    if not (enclosed.is_finite() and _has_digits(enclosed.mid()) and _has_digits(enclosed.rad())):
        return fmpq(-1), fmpq(1)  # says nothing, as the ball does
    middle, radius = enclosed.mid().fmpq(), enclosed.rad().fmpq()  # exact; lower() and upper() would round
    return middle - radius, middle + radius


def _has_digits(end: arb) -> bool:
    """Whether a number has digits that can be written down; e^(10^100) has not."""
    return bool(end == 0 or arb(2) ** -MOST_BITS < abs(end) < arb(2) ** MOST_BITS)


def _cut(value: fmpq, significant: int) -> tuple[str, int, bool]:
    """Leading digits, decimal exponent of the first one, and whether nothing is cut off; for value > 0."""
    exponent = len(str(value.p)) - len(str(value.q))
    if value < _ten_to(exponent):
        exponent -= 1
    scaled = value * _ten_to(significant - 1 - exponent)
    whole: fmpz = scaled.p // scaled.q
    return str(whole), exponent, scaled.q == 1


def _ten_to(exponent: int) -> fmpq:
    return fmpq(10) ** exponent


def _written(digits: str, exponent: int, complete: bool, minus: str) -> str:
    """Positional for everyday sizes, otherwise with a power of ten."""
    if exponent < -5 or exponent >= len(digits):
        whole, rest, power = digits[0], digits[1:], f"e{exponent}"
    elif exponent < 0:
        whole, rest, power = "0", "0" * (-exponent - 1) + digits, ""
    else:
        whole, rest, power = digits[: exponent + 1], digits[exponent + 1 :], ""
    rest = rest.rstrip("0") if complete else rest
    return minus + (f"{whole}.{rest}" if rest else whole) + power
