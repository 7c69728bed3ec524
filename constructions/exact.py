"""Exact real arithmetic for the interpreter: rationals where possible, otherwise rational functions of a few
irrational generators (square roots, logarithms, exponentials) whose sign is certified by ball arithmetic.

Equality with zero is decided formally: a numerator that vanishes identically is zero. Two different forms may still
denote one number when generators are related in a way that the normalisation below does not know; then no number of
bits decides the sign, and `sign` raises Undecided rather than guess. Every answer that is given is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from constructions.expressions import Expression, Meaning, fold

HIGHEST_PRECISION = 1 << 14
"""Bits at which a sign that is still open is given up as undecided."""


class Undecided(ArithmeticError):
    """A sign that ball arithmetic could not certify at the highest precision."""


@dataclass(frozen=True)
class Generator:
    """An irrational real: sqrt, log or exp of `argument`. Square roots keep exponent 1 in every monomial."""

    function: str
    argument: Real

    def ball(self) -> arb:
        value = enclosure(self.argument)
        return {"sqrt": value.sqrt, "log": value.log, "exp": value.exp}[self.function]()


Monomial = tuple[tuple[Generator, int], ...]
Polynomial = dict[Monomial, fmpq]


@dataclass(frozen=True)
class Irrational:
    """numerator / denominator, each a sum of rational multiples of monomials in generators (exponents in Z)."""

    numerator: tuple[tuple[Monomial, fmpq], ...]
    denominator: tuple[tuple[Monomial, fmpq], ...]

    def __add__(self, other: Any) -> Real:
        a, b = _split(self), _split(other)
        if a[1] == b[1]:
            return _number(_sum(a[0], b[0]), a[1])
        return _number(_sum(_product(a[0], b[1]), _product(b[0], a[1])), _product(a[1], b[1]))

    def __mul__(self, other: Any) -> Real:
        if isinstance(other, fmpq) and other != 0:
            return Irrational(tuple((monomial, x * other) for monomial, x in self.numerator), self.denominator)
        a, b = _split(self), _split(other)
        return _number(_product(a[0], b[0]), _product(a[1], b[1]))

    def __truediv__(self, other: Any) -> Real:
        a, b = _split(self), _split(other)
        if a[1] == b[1]:
            return _number(a[0], b[0])
        return _number(_product(a[0], b[1]), _product(a[1], b[0]))

    def __rtruediv__(self, other: Any) -> Real:
        numerator, denominator = _split(self)
        return _number(_product(_split(other)[0], denominator), numerator)

    def __neg__(self) -> Real:
        return self * -1

    def __sub__(self, other: Any) -> Real:
        return self + -other

    def __rsub__(self, other: Any) -> Real:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Real:
        result: Real = fmpq(1)
        for _ in range(abs(exponent)):
            result = result * self
        return result if exponent >= 0 else 1 / result


Real = fmpq | Irrational


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    result = dict(a)
    for monomial, coefficient in b.items():
        total = result.get(monomial, 0) + coefficient
        if total == 0:
            result.pop(monomial, None)
        else:
            result[monomial] = total
    return result


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for left, x in a.items():
        for right, y in b.items():
            monomial, factor = _monomial_product(left, right)
            result = _sum(result, {monomial: x * y * factor})
    return result


def _monomial_product(left: Monomial, right: Monomial) -> tuple[Monomial, fmpq]:
    """Exponents add; the square of the square root of a rational is that rational."""
    exponents = dict(left)
    for generator, exponent in right:
        exponents[generator] = exponents.get(generator, 0) + exponent
    factor = fmpq(1)
    for generator, exponent in list(exponents.items()):
        if generator.function == "sqrt" and isinstance(generator.argument, fmpq) and not 0 <= exponent <= 1:
            factor *= generator.argument ** (exponent // 2)
            exponents[generator] = exponent % 2
    kept = ((generator, exponent) for generator, exponent in exponents.items() if exponent)
    return tuple(sorted(kept, key=repr)), factor


def _split(value: Any) -> tuple[Polynomial, Polynomial]:
    if isinstance(value, Irrational):
        return dict(value.numerator), dict(value.denominator)
    rational = fmpq(value)
    return ({(): rational} if rational != 0 else {}), {(): fmpq(1)}


def _number(numerator: Polynomial, denominator: Polynomial) -> Real:
    if not denominator:
        raise ZeroDivisionError("division by zero")
    if not numerator:
        return fmpq(0)
    if len(denominator) == 1:  # a single term divides exactly, negative exponents being allowed
        [(monomial, coefficient)] = denominator.items()
        inverse = tuple((generator, -exponent) for generator, exponent in monomial)
        numerator, denominator = _product(numerator, {inverse: 1 / coefficient}), {(): fmpq(1)}
        if set(numerator) == {()}:
            return numerator[()]
    elif (ratio := _proportion(numerator, denominator)) is not None:
        return ratio
    return Irrational(tuple(sorted(numerator.items(), key=repr)), tuple(sorted(denominator.items(), key=repr)))


def _proportion(a: Polynomial, b: Polynomial) -> fmpq | None:
    if a.keys() != b.keys():
        return None
    ratios = {a[monomial] / b[monomial] for monomial in a}
    return ratios.pop() if len(ratios) == 1 else None


def enclosure(value: Real) -> arb:
    """A ball that contains `value`, at the working precision of python-flint's context."""
    if isinstance(value, fmpq):
        return arb(value)

    def total(terms: tuple[tuple[Monomial, fmpq], ...]) -> arb:
        result = arb(0)
        for monomial, coefficient in terms:
            product = arb(coefficient)
            for generator, exponent in monomial:
                product *= generator.ball() ** exponent
            result += product
        return result

    return total(value.numerator) / total(value.denominator)


def ball(value: Real, bits: int = 128) -> arb:
    """A ball that contains `value`, computed with `bits` bits."""
    before, ctx.prec = ctx.prec, bits
    try:
        return enclosure(value)
    finally:
        ctx.prec = before


def sign(value: Real) -> int:
    """-1, 0 or 1. Raises Undecided when a nonzero form stays indistinguishable from 0."""
    if isinstance(value, fmpq):
        return (value > 0) - (value < 0)
    bits = 64
    while bits <= HIGHEST_PRECISION:
        enclosed = ball(value, bits)
        if enclosed > 0:
            return 1
        if enclosed < 0:
            return -1
        bits *= 2
    raise Undecided(f"the sign of {enclosed} is open at {HIGHEST_PRECISION} bits; choose another parameter value")


def sqrt(value: Real) -> Real:
    if sign(value) < 0:
        raise ArithmeticError("square root of a negative number")
    if not isinstance(value, fmpq):
        return _generator("sqrt", value)
    result: Real = fmpq(1, value.q)  # sqrt(p/q) = sqrt(p*q)/q; roots of primes only, so that products normalise
    for prime, exponent in _factors(value.p * value.q):
        result = result * fmpq(prime) ** (exponent // 2)
        if exponent % 2:
            result = result * _generator("sqrt", fmpq(prime))
    return result if value != 0 else fmpq(0)


def log(value: Real) -> Real:
    if sign(value) <= 0:
        raise ArithmeticError("logarithm of a number that is not positive")
    if not isinstance(value, fmpq):
        return _generator("log", value)
    result: Real = fmpq(0)
    for side, direction in ((value.p, 1), (value.q, -1)):
        for prime, exponent in _factors(side):
            result = result + _generator("log", fmpq(prime)) * (direction * exponent)
    return result


def exp(value: Real) -> Real:
    """exp of a sum of terms is the product of their exponentials; exp(q*log(a)) is a**q for q in Z/2."""
    numerator, denominator = _split(value)
    if denominator != {(): fmpq(1)}:
        return _generator("exp", value)
    result: Real = fmpq(1)
    for monomial, coefficient in numerator.items():
        match monomial:
            case ((Generator(function="log", argument=base), 1),) if coefficient.q <= 2:
                root = base if coefficient.q == 1 else sqrt(base)
                result = result * root ** int(coefficient.p)
            case _:
                unit = _number({monomial: fmpq(1, coefficient.q)}, {(): fmpq(1)})
                result = result * _generator("exp", unit) ** int(coefficient.p)
    return result


def _generator(function: str, argument: Real) -> Real:
    monomial: Monomial = ((Generator(function, argument), 1),)
    one: Monomial = ()
    return Irrational(((monomial, fmpq(1)),), ((one, fmpq(1)),))


def _factors(value: fmpz) -> list[tuple[fmpz, int]]:
    return [] if value == 0 else fmpz(value).factor()


def _function(name: str, value: Real) -> Real:
    match name:
        case "cospi":
            if not isinstance(value, fmpq) or value.q != 1:
                raise ArithmeticError("cos(pi*x) is exact only at integers x")
            return fmpq(1 - 2 * int(value.p % 2))
        case "sqrt":
            return sqrt(value)
        case "log":
            return log(value)
        case "exp":
            return exp(value)
    up, down = exp(value), exp(-value)
    match name:
        case "sinh":
            return (up - down) / 2
        case "cosh":
            return (up + down) / 2
    return (up - down) / (up + down)


COMPARISONS: dict[str, Callable[[int], bool]] = {
    "==": lambda s: s == 0, "!=": lambda s: s != 0, "<": lambda s: s < 0,
    "<=": lambda s: s <= 0, ">": lambda s: s > 0, ">=": lambda s: s >= 0,
}  # fmt: skip


def _compare(op: str, left: Real, right: Real) -> bool:
    return COMPARISONS[op](sign(left - right))


def _modulo(left: Real, right: Real) -> Real:
    if not isinstance(left, fmpq) or not isinstance(right, fmpq) or right <= 0:
        raise ArithmeticError("% takes a rational and a positive rational")
    quotient = left / right
    return left - right * (quotient.p // quotient.q)


def _power(base: Real, exponent: Real) -> Real:
    if not isinstance(exponent, fmpq) or exponent.q != 1:
        raise ArithmeticError("powers take integer exponents")
    return base ** int(exponent.p)


def evaluate(scalar: Expression, names: dict[str, Real]) -> Real:
    """The exact value of a scalar; raises KeyError for a name without a value, ArithmeticError outside the domain."""
    value = fold(scalar.tree, _meaning(names))
    return fmpq(int(value)) if isinstance(value, bool) else value


def _meaning(names: dict[str, Real]) -> Meaning:
    return Meaning(
        number=fmpq,
        name=names.__getitem__,
        function=_function,
        compare=_compare,
        bracket=lambda truth: fmpq(int(truth)),
        conjunction=all,
        disjunction=any,
        negation=lambda truth: not truth,
        modulo=_modulo,
        power=_power,
    )


def holds(formula: Expression, names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> bool:
    """Whether a formula is true of a marked word; `positions` are those that hold a symbol of the alphabet.

    A marker, like a position out of range, holds no symbol: it equals none and counts for none. Plain enumeration:
    this is the meaning of a characterisation, against which its symbolic reading is tested.
    """
    return bool(fold(formula.tree, _word_meaning(names, tokens, alphabet)))


def _word_meaning(names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> Meaning:
    symbols = [token if token in alphabet else None for token in tokens]
    places = [fmpq(position) for position, symbol in enumerate(symbols) if symbol is not None]

    def token(position: Real) -> str | None:
        inside = isinstance(position, fmpq) and position.q == 1 and 0 <= position < len(symbols)
        return symbols[int(position.p)] if inside else None  # type: ignore[union-attr]

    def count(symbol: str, last: Real | None) -> fmpq:
        stop = len(symbols) if last is None else int(last.p) + 1  # type: ignore[union-attr]
        return fmpq(symbols[: max(stop, 0)].count(symbol))

    def compare(op: str, left: Any, right: Any) -> bool:
        if isinstance(left, str | None) or isinstance(right, str | None):
            return (left == right) == (op == "==")
        return _compare(op, left, right)

    return replace(
        _meaning({**names, "n": fmpq(len(tokens))}),
        compare=compare,
        token=token,
        count=count,
        for_all=lambda body: all(body(place) for place in places),
    )


def value_on(scalar: Expression, names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> Real:
    """The exact value of a scalar that speaks of a marked word, its brackets read as `holds` reads them."""
    value = fold(scalar.tree, _word_meaning(names, tokens, alphabet))
    return fmpq(int(value)) if isinstance(value, bool) else value
