"""Irrational numbers: rational functions of a few generators (pi, square roots, logarithms, exponentials, sines,
cosines, values of the error function) whose sign is certified by ball arithmetic; and exp, log, sqrt, tanh, erf, cos
and sin of all exact numbers.

Sums of cosines of rational multiples of pi are a kind of their own, whose zeros are decided (see `cosines`); among the
others they are generators.

Equality with zero is decided formally: a numerator that vanishes identically is zero. Two different forms may still
denote one number when generators are related in a way that the normalisation below does not know; then no number of
bits decides the sign, and `sign` raises Undecided rather than guess. Every answer that is given is certain.

Roots inside exponentials inside roots, as layer normalisation makes them, have expansions of any size: a sum whose
product with another would be too long becomes a generator of its own, a number whose inner form is not looked into any
more. What is lost is that some zeros are not recognised as such.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from flint import arb, ctx, fmpq, fmpz

from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.cosines import Cosines
from weightproof.constructions.scalars.exact import (
    LARGEST_POWER,
    Real,
    RealForm,
    cos,
    enclosure,
    erf,
    exp,
    log,
    pi_times,
    power,
    sign,
    sin,
    sqrt,
    tanh,
)

EASILY_FACTORED = 1 << 7
"""Bits of an integer above which only its small primes are split off."""
LONGEST_EXPANSION, FEW_GENERATORS = 60, 2
"""Terms of a product of two sums above which it is not expanded, unless it is made of so few generators: of these terms
fall together, and that is how zeros are recognised."""
LARGEST_EXPANDED_POWER = 1 << 10
"""Exponent of a sum of several generators above which a power is an error, not an attempt."""


@dataclass(frozen=True, eq=False)
class Generator:
    """An irrational real: sqrt, log, exp, erf, cos or sin of `argument`; pi times it; or "value", the argument itself.

    Equal where the texts are: to compare what is inside, time and again at each level, would take for ever.
    """

    function: str
    argument: Real

    @functools.cached_property
    def text(self) -> str:
        return f"{self.function}({_digest(self.argument)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Generator) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


class Monomial(tuple[tuple[Generator, int | fmpq], ...]):
    """Powers of generators. Exponents of exp may be fractions, so that exp(1/2)*exp(1/2) is exp(1); that of the square
    root of a rational is 1. The hash is kept, as it is asked for in every sum, and that of a fraction takes long; so is
    the text, as it stands in that of every generator made of it."""

    @functools.cached_property
    def text(self) -> str:
        return str([(generator.text, str(exponent)) for generator, exponent in self])

    def __hash__(self) -> int:
        return self._hash

    @functools.cached_property
    def _hash(self) -> int:
        return super().__hash__()


ALONE = Monomial()
"""The product of no generators, with which a rational stands."""
Polynomial = dict[Monomial, fmpq]


@dataclass(frozen=True)
class Irrational(RealForm):
    """numerator / denominator, each a sum of rational multiples of monomials in generators."""

    numerator: tuple[tuple[Monomial, fmpq], ...]
    denominator: tuple[tuple[Monomial, fmpq], ...]

    @functools.cached_property
    def sides(self) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator, to be read alone."""
        return dict(self.numerator), dict(self.denominator)

    @functools.cached_property
    def _hash(self) -> int:
        return hash(tuple((monomial, x.p, x.q) for side in (self.numerator, self.denominator) for monomial, x in side))

    def __hash__(self) -> int:  # kept, and made of integers: the hash of a fraction takes long
        return self._hash

    def __add__(self, other: Any) -> Real:
        if isinstance(other, fmpq) and other == 0:
            return self
        a, b = _split(self), _split(other)
        if a[1] == b[1]:
            return _number(_sum(a[0], b[0]), a[1])
        return _number(_sum(_product(a[0], b[1]), _product(b[0], a[1])), _product(a[1], b[1]))

    def __mul__(self, other: Any) -> Real:
        if isinstance(other, fmpq):
            return self._times(other)
        a, b = _split(self), _split(other)
        return _number(_product(a[0], b[0]), _product(a[1], b[1]))

    def __truediv__(self, other: Any) -> Real:
        _refuse_zero(other)
        a, b = _split(self), _split(other)
        if a[1] == b[1]:
            return _number(a[0], b[0])
        return _number(_product(a[0], b[1]), _product(a[1], b[0]))

    def __rtruediv__(self, other: Any) -> Real:
        _refuse_zero(self)
        numerator, denominator = _split(self)
        return _number(_product(_split(other)[0], denominator), numerator)

    def _times(self, factor: fmpq) -> Real:
        if factor == 0:
            return fmpq(0)
        return Irrational(tuple((monomial, x * factor) for monomial, x in self.numerator), self.denominator)

    def __pow__(self, exponent: int) -> Real:
        result: Real = ONE
        for bit in f"{abs(exponent):b}":  # square, and multiply
            result = result * result * self if bit == "1" else result * result
        return result if exponent >= 0 else 1 / result

    @property
    def enclosure(self) -> arb:
        return _total(self.numerator) / _total(self.denominator)

    def has_large_power(self, exponent: int) -> bool:
        if exponent > LARGEST_EXPANDED_POWER and any(len(side) > 1 and not _closed(side) for side in self.sides):
            return True
        return exponent * max(2, *(x.height_bits() for side in self.sides for x in side.values())) > LARGEST_POWER


ONE = fmpq(1)


def _sum(*parts: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for monomial, coefficient in (term for part in parts for term in part.items()):
        total = result.get(monomial, 0) + coefficient
        if total == 0:
            result.pop(monomial, None)
        else:
            result[monomial] = total
    return result


STEPS_A_PRODUCT = 5


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    if b == UNIT or not a:
        return a
    if len(a) > 1 < len(b) and _is_too_long(a, b):
        a, b = _as_generator(a), _as_generator(b)
    work.spend(STEPS_A_PRODUCT * len(a) * len(b))
    products = []
    for left, x in a.items():
        for right, y in b.items():
            monomial, factor = _monomial_product(left, right)
            products.append({monomial: x * y * factor})
    return _sum(*products) if len(products) != 1 else products[0]


def _is_too_long(a: Polynomial, b: Polynomial) -> bool:
    if len(a) * len(b) <= LONGEST_EXPANSION:
        return False
    return len({generator for side in (a, b) for monomial in side for generator, _ in monomial}) > FEW_GENERATORS


def _as_generator(polynomial: Polynomial) -> Polynomial:
    """A sum as a rational multiple of one generator, the same one for all of its multiples."""
    if len(polynomial) == 1:
        return polynomial
    terms = _sorted(polynomial)
    leading = terms[0][1]
    inner = Irrational(tuple((monomial, coefficient / leading) for monomial, coefficient in terms), ((ALONE, ONE),))
    return {Monomial(((Generator("value", inner), 1),)): leading}


@functools.lru_cache(1 << 14)
def _monomial_product(left: Monomial, right: Monomial) -> tuple[Monomial, fmpq]:
    """Exponents add; the square of a square root is what is under it, and so are whole and half powers of exp(log(a))
    those of a."""
    if not right:
        return left, ONE
    exponents = dict(left)
    for generator, exponent in right:
        exponents[generator] = exponents.get(generator, 0) + exponent
    factor, squares = fmpq(1), []
    for generator, exponent in exponents.items():
        if generator.function == "sqrt" and not 0 <= exponent <= 1:
            exponents[generator] = exponent % 2
            squares.append((generator.argument, int(exponent // 2)))
        elif (base := _power_base(generator)) is not None and not 0 <= 2 * exponent < 1:
            halves = fmpq(exponent) * 2
            number = int(halves.p // halves.q)
            exponents[generator] = (halves - number) / 2
            squares += [(base, number // 2), *([(sqrt(base), 1)] if number % 2 else [])]
    kept = ((generator, _whole(exponent)) for generator, exponent in exponents.items() if exponent)
    result = Monomial(sorted(kept, key=lambda power: power[0].text))
    for argument, exponent in squares:
        for side, direction in zip(_split(argument), (exponent, -exponent), strict=True):
            [(monomial, coefficient)] = _as_generator(side).items()
            powers = Monomial((generator, power * direction) for generator, power in monomial)
            result, more = _monomial_product(result, powers)
            factor *= coefficient**direction * more
    return result, factor


def _power_base(generator: Generator) -> fmpq | None:
    """A rational a where the generator is exp(log(a))."""
    argument = generator.argument
    if generator.function != "exp" or not isinstance(argument, Irrational) or argument.denominator != ((ALONE, ONE),):
        return None
    match argument.numerator:
        case ((((Generator(function="log", argument=fmpq() as base), 1),), coefficient),) if coefficient == 1:
            return base
    return None


def _whole(exponent: int | fmpq) -> int | fmpq:
    return exponent if isinstance(exponent, int) or exponent.q != 1 else int(exponent.p)


UNIT: Polynomial = {ALONE: ONE}


def _split(value: Any) -> tuple[Polynomial, Polynomial]:
    if isinstance(value, Irrational):
        return value.sides
    if isinstance(value, Cosines):
        return {Monomial(((Generator("value", value), 1),)): ONE}, UNIT
    rational = fmpq(value)
    return ({ALONE: rational} if rational != 0 else {}), UNIT


def _number(numerator: Polynomial, denominator: Polynomial) -> Real:
    if not denominator:
        raise ZeroDivisionError("division by zero")
    if not numerator:
        return fmpq(0)
    if len(denominator) == 1:  # a single term divides exactly, negative exponents being allowed
        [(monomial, coefficient)] = denominator.items()
        if monomial or coefficient != 1:
            inverse = Monomial((generator, -exponent) for generator, exponent in monomial)
            numerator, denominator = _product(numerator, {inverse: 1 / coefficient}), UNIT
        if set(numerator) == {ALONE}:
            return numerator[ALONE]
    elif numerator.keys() == denominator.keys():
        ratios = {numerator[monomial] / denominator[monomial] for monomial in numerator}
        if len(ratios) == 1:
            return ratios.pop()
    return Irrational(_sorted(numerator), _sorted(denominator))


def _sorted(polynomial: Polynomial) -> tuple[tuple[Monomial, fmpq], ...]:
    return tuple(sorted(polynomial.items(), key=lambda term: [(g.text, exponent) for g, exponent in term[0]]))


SIGNED = ("log", "cos", "sin")
"""Functions of generators that may be negative."""


def _refuse_zero(divisor: Any) -> None:
    """A form that is not identically 0 may still be 0: dividing by it needs its sign, or raises Undecided."""
    if isinstance(divisor, Irrational):
        terms = divisor.numerator
        one_sign = len({coefficient > 0 for _, coefficient in terms}) == 1
        positive = all(generator.function not in SIGNED for monomial, _ in terms for generator, _ in monomial)
        if not (one_sign and positive) and sign(divisor) == 0:
            raise ZeroDivisionError("division by zero")


def _digest(value: Real) -> str:
    """A text for each form of a number: of a long one its hash, as it may hold the same generator many times over."""
    if not isinstance(value, Irrational):
        return repr(value)
    sides = ("+".join(f"{x}*{monomial.text}" for monomial, x in side) for side in (value.numerator, value.denominator))
    text = "/".join(sides)
    return text if len(text) < 200 else blake2b(text.encode(), digest_size=32).hexdigest()


@functools.lru_cache(1 << 14)
def _power(generator: Generator, exponent: int | fmpq, precision: int) -> arb:
    """A ball that contains the generator to the power `exponent`, at the working precision, which is `precision`: kept,
    as a generator stands in many places, and inside others."""
    value = enclosure(generator.argument)
    match generator.function:
        case "exp":
            return (value * exponent).exp()
        case "sqrt":
            return value.sqrt() ** exponent
        case "log":
            return value.log() ** exponent
        case "erf":
            return value.erf() ** exponent
        case "cos":
            return value.cos() ** exponent
        case "sin":
            return value.sin() ** exponent
        case "pi":
            return (value * arb.pi()) ** exponent
    return value**exponent


def _total(terms: tuple[tuple[Monomial, fmpq], ...]) -> arb:
    """A ball that contains a sum."""
    result = arb(0)
    for monomial, coefficient in terms:
        product = arb(coefficient)
        for generator, exponent in monomial:
            product *= _power(generator, exponent, ctx.prec)
        result += product
    return result


def _closed(side: Polynomial) -> bool:
    """Whether powers stop having new terms: all generators are square roots of rationals."""
    return all(g.function == "sqrt" and isinstance(g.argument, fmpq) for powers in side for g, _ in powers)


@sqrt.register(fmpq | int | RealForm)
def _sqrt(value: Real | int) -> Real:
    value = fmpq(value) if isinstance(value, int) else value
    if sign(value) < 0:
        raise ArithmeticError("square root of a negative number")
    if not isinstance(value, fmpq):
        return _root_of_power(value)
    result: Real = fmpq(1, value.q)  # sqrt(p/q) = sqrt(p*q)/q; roots of primes only, so that products normalise
    for prime, exponent in _factors(value.p * value.q):
        result = result * fmpq(prime) ** (exponent // 2)
        if exponent % 2:
            result = result * _generator("sqrt", fmpq(prime))
    return result if value != 0 else fmpq(0)


def _root_of_power(value: Real) -> Real:
    """Of a rational times powers of exponentials that with half their exponents, so that sqrt(exp(c)) is exp(c/2)."""
    numerator, denominator = _split(value)
    [(powers, rational), *more] = numerator.items()
    if more or denominator != UNIT or any(generator.function != "exp" for generator, _ in powers):
        return _generator("sqrt", value)
    return Irrational(((Monomial((x, _whole(fmpq(e) / 2)) for x, e in powers), ONE),), ((ALONE, ONE),)) * sqrt(rational)


@log.register(fmpq | int | RealForm)
def _log(value: Real) -> Real:
    if sign(value) <= 0:
        raise ArithmeticError("logarithm of a number that is not positive")
    if not isinstance(value, fmpq):
        return _log_of_product(value)
    result: Real = fmpq(0)
    for side, direction in ((value.p, 1), (value.q, -1)):
        for prime, exponent in _factors(side):
            result = result + _generator("log", fmpq(prime)) * (direction * exponent)
    return result


def _log_of_product(value: Real) -> Real:
    """Of one term the sum of the logarithms of its factors, so that log(sqrt(7)) is log(7)/2, and log(exp(c)) is c."""
    numerator, denominator = _split(value)
    if denominator != UNIT or len(numerator) != 1:
        return _generator("log", value)
    [(monomial, coefficient)] = numerator.items()
    if coefficient < 0 or any(generator.function not in ("exp", "sqrt") for generator, _ in monomial):
        return _generator("log", value)
    result = log(coefficient)
    for generator, exponent in monomial:
        argument = generator.argument
        result = result + (argument if generator.function == "exp" else log(argument) / 2) * fmpq(exponent)
    return result


@exp.register(fmpq | int | RealForm)
def _exp(value: Real) -> Real:
    """exp of a sum of terms is the product of their exponentials; exp(q*log(a)) is a**q for q in Z/2."""
    numerator, denominator = _split(value)
    if denominator != UNIT:
        return _generator("exp", value)
    result: Real = ONE
    for monomial, coefficient in numerator.items():
        match monomial:
            case ((Generator(function="log", argument=base), exponent),) if exponent == 1 and coefficient.q <= 2:
                root = base if coefficient.q == 1 else sqrt(base)
                result = result * power(root, int(coefficient.p))
            case _:
                result = result * _generator("exp", _number({monomial: ONE}, UNIT), coefficient)
    return result


@tanh.register(fmpq | int | RealForm)
def _tanh(value: Real) -> Real:
    up, down = exp(value), exp(-value)
    return (up - down) / (up + down)


@erf.register(fmpq | int | RealForm)
def _erf(value: Real) -> Real:
    """Of a negative number by that of its size, so that erf(x) + erf(-x) is 0, and every generator is positive."""
    direction = sign(value)
    return fmpq(direction) * _generator("erf", value * fmpq(direction)) if direction else fmpq(0)


@cos.register(fmpq | int | RealForm)
def _cos(value: Real) -> Real:
    """Of a negative number by that of its size, so that cos(x) - cos(-x) is 0."""
    direction = sign(value)
    return _generator("cos", value * fmpq(direction)) if direction else ONE


@sin.register(fmpq | int | RealForm)
def _sin(value: Real) -> Real:
    """Of a negative number by that of its size, so that sin(x) + sin(-x) is 0."""
    direction = sign(value)
    return fmpq(direction) * _generator("sin", value * fmpq(direction)) if direction else fmpq(0)


def _generator(function: str, argument: Real, exponent: fmpq = ONE) -> Real:
    monomial = Monomial(((Generator(function, argument), _whole(exponent)),))
    return Irrational(((monomial, ONE),), ((ALONE, ONE),))


@pi_times.register
def _pi_times(number: fmpq) -> Real:
    return _generator("pi", ONE) * number


def _factors(value: fmpz) -> list[tuple[fmpz, int]]:
    """Factors and exponents: primes, but for a large cofactor, which is split only where it is a square."""
    if value == 0:
        return []
    if value.bit_length() <= EASILY_FACTORED:
        return list(value.factor())
    factors = []
    for factor, exponent in value.factor(trial_limit=1_000):
        root, rest = factor.sqrtrem()
        factors.append((factor, exponent) if rest != 0 else (root, 2 * exponent))
    return factors
