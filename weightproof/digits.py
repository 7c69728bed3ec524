"""Exact reals as text: fractions where they are rational, and decimals of which every printed digit is certain."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq, fmpz

from constructions.exact import HIGHEST_PRECISION, Real, ball

SIGNIFICANT = 15
"""Digits of a decimal; more would say nothing that a float64 can hold."""
MOST_BITS = 1 << 20
"""Of a number whose digits are looked for."""
LONGEST_FRACTION = 12
"""Characters of a fraction in a table cell; a longer one is shown as a decimal."""


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


def fraction(value: Real) -> str | None:
    """A rational as "p/q" or "p"; None for an irrational."""
    return str(value) if isinstance(value, fmpq) else None


def decimal(value: Real, significant: int = SIGNIFICANT) -> Decimal:
    """The first `significant` digits; the enclosing ball, as "[mid +/- radius]", where no precision certifies them."""
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
    return Decimal(str(ball(value)), complete=True)


def cell(value: Real) -> str:
    """A short text for a table: the fraction where it is short, else six digits."""
    text = fraction(value)
    return text if text is not None and len(text) <= LONGEST_FRACTION else str(decimal(value, 6))


def equation(value: Real) -> str:
    """ "1/3 = 0.333333333333333...", or the decimal alone of an integer or an irrational."""
    text, digits = fraction(value), str(decimal(value))
    return digits if text is None or text == digits else f"{text} = {digits}"


def _bounds(value: Real, bits: int) -> tuple[fmpq, fmpq]:
    if isinstance(value, fmpq):
        return value, value
    enclosed = ball(value, bits)
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
