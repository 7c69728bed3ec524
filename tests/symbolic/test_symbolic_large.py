"""The closed form at lengths that no interpreter reaches, against sums that are taken here by hand from the weights.

The hand count goes position by kind of position: how many there are, and what each contributes. It shares nothing with
the symbolic reading: plain integers and fractions for rational e^c, balls for c = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import arb, ctx, fmpq

from tests.support.derived import derivation_of
from weightproof.constructions.library import load
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import log
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

LENGTHS = (10**6, 10**9, 10**12, 10**6 + 1, 10**9 + 1, 10**12 + 1)
BITS = 200


def parity(n: int, k: int, first: int, u: Any) -> Any:
    """Two heads see the mark 1/n at position k, and weigh even positions by 1/u and u, odd ones by u and 1/u."""
    even, odd = (n + 1) // 2, n // 2
    low, high = (1 / u, u) if k % 2 == 0 else (u, 1 / u)
    return (low / (even / u + odd * u) - high / (even * u + odd / u)) / n


def leaning(n: int, k: int, first: int, u: Any) -> Any:
    """Position 1 weighs u, every other position 1; only position 1 has a value."""
    return u * (first - Fraction(1, 2)) / (n - 1 + u)


def leaning_in_one_layer(n: int, k: int, first: int, u: Any) -> Any:
    """Position 1 weighs u; a 1 has the value 1/2, a 0 and CLS have -1/2."""
    others = Fraction(k - first, 2) - Fraction(n - 2 - (k - first), 2) - Fraction(1, 2)
    return (u * (first - Fraction(1, 2)) + others) / (n - 1 + u)


def exactly_one(n: int, k: int, first: int, u: Any) -> Any:
    """relu(k - 2)/n - 2 relu(k - 1)/n + k/n - 1/(2n)."""
    return Fraction(max(k - 2, 0) - 2 * max(k - 1, 0) + k, n) - Fraction(1, 2 * n)


BY_HAND: dict[str, Callable[[int, int, int, Any], Any]] = {
    "parity": parity,
    "first": leaning,
    "first-one-layer": leaning_in_one_layer,
    "one": exactly_one,
}


def value(closed: Iverson, atoms: Mapping[str, Any]) -> Any:
    """The one term whose brackets hold, in the arithmetic of the given numbers."""
    atoms = {name: Fraction(atom) if isinstance(atom, int) else atom for name, atom in atoms.items()}
    [coefficient] = [
        coefficient
        for conditions, coefficient in closed.terms
        if all(
            (c.lo is None or c.lo <= number(c.axis.expression(), atoms))
            and (c.hi is None or number(c.axis.expression(), atoms) <= c.hi)
            for c in conditions
        )
    ]
    return number(coefficient, atoms)


def number(expression: sympy.Expr, atoms: Mapping[str, Any]) -> Any:
    match expression:
        case sympy.Rational():
            return Fraction(int(expression.p), int(expression.q))
        case sympy.Add():
            return sum((number(part, atoms) for part in expression.args[1:]), number(expression.args[0], atoms))
        case sympy.Mul():
            result = number(expression.args[0], atoms)
            for part in expression.args[1:]:
                result = result * number(part, atoms)
            return result
        case sympy.Pow(base=base, exp=sympy.Integer() as exponent):
            return number(base, atoms) ** int(exponent)
        case sympy.Mod(args=(inner, modulus)):
            return number(inner, atoms) % int(modulus)
    return atoms[str(expression)]


class Ball:
    """A real number enclosed by a ball, with fractions mixed in."""

    def __init__(self, enclosed: arb) -> None:
        self.enclosed = enclosed

    @staticmethod
    def of(value: Any) -> arb:
        return value.enclosed if isinstance(value, Ball) else arb(fmpq(*Fraction(value).as_integer_ratio()))

    def __add__(self, other: Any) -> Ball:
        return Ball(self.enclosed + Ball.of(other))

    def __mul__(self, other: Any) -> Ball:
        return Ball(self.enclosed * Ball.of(other))

    def __truediv__(self, other: Any) -> Ball:
        return Ball(self.enclosed / Ball.of(other))

    def __rtruediv__(self, other: Any) -> Ball:
        return Ball(Ball.of(other) / self.enclosed)

    def __sub__(self, other: Any) -> Ball:
        return Ball(self.enclosed - Ball.of(other))

    def __pow__(self, exponent: int) -> Ball:
        return Ball(self.enclosed**exponent)

    __radd__ = __add__
    __rmul__ = __mul__


def counted(n: int) -> list[tuple[int, int]]:
    """Numbers of 1s, and whether the first symbol is one of them."""
    counts = {0, 1, 2, 3, n // 3, n // 2 - 1, n // 2, n // 2 + 1, n - 3, n - 2, n - 1}
    return [(k, first) for k in sorted(counts) for first in (0, 1) if first <= k <= n - 2 + first]


@pytest.fixture(scope="module", params=BY_HAND)
def case(request: pytest.FixtureRequest) -> tuple[Derivation, Callable[[int, int, int, Any], Any]]:
    return derivation_of(request.param), BY_HAND[request.param]


Case = tuple[Derivation, Callable[[int, int, int, Any], Any]]


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("u", [Fraction(2), Fraction(1001, 1000), Fraction(1000)], ids=str)
def test_exactly_at_rational_units(case: Case, n: int, u: Fraction) -> None:
    derived, by_hand = case
    for k, first in counted(n):
        atoms = {"n": n, "K_1": k, "K_0": n - 1 - k, "w(1)": first, "u_c": u}
        assert value(derived.logit, atoms) == by_hand(n, k, first, u), (k, first)


@pytest.mark.parametrize("n", LENGTHS)
def test_in_balls_at_an_irrational_unit(case: Case, n: int) -> None:
    """Both balls decide the sign, overlap, and agree to 100 bits."""
    derived, by_hand = case
    before, ctx.prec = ctx.prec, BITS
    try:
        for k, first in counted(n):
            atoms = {"n": n, "K_1": k, "K_0": n - 1 - k, "w(1)": first, "u_c": Ball(arb(1).exp())}
            got, wanted = (Ball.of(x) for x in (value(derived.logit, atoms), by_hand(n, k, first, atoms["u_c"])))
            assert got.overlaps(wanted), (k, first)
            assert (got > 0) is (wanted > 0), (k, first)
            assert got > 0 or got < 0 or got == wanted == 0
            assert got == 0 or abs((got - wanted) / wanted) < arb(2) ** -100
    finally:
        ctx.prec = before


def test_a_wrong_count_by_hand_is_noticed() -> None:
    derived = derivation_of("parity")
    n, k = 10**12, 10**6
    atoms = {"n": n, "K_1": k, "u_c": Fraction(2)}
    assert value(derived.logit, atoms) != parity(n, k + 1, 0, Fraction(2))
    assert value(derived.logit, atoms) != parity(n + 1, k, 0, Fraction(2))


def numbers_in_base(word: str, u: Fraction) -> Fraction:
    """Palindrome: the left half as a number in base u, minus the right half read from the other end."""
    n = len(word) + 2
    marked = [Fraction(0), *(Fraction(symbol == "1") for symbol in word), Fraction(0)]
    left = sum((u**j * marked[j] for j in range(n) if 2 * j <= n - 1), Fraction(0))
    right = sum((u ** (n - 1 - j) * marked[j] for j in range(n) if 2 * j >= n - 1), Fraction(0))
    return (left - right) / sum((u**j for j in range(n)), Fraction(0))


def prefix_sums(word: str, deepest: int | None) -> Fraction:
    """Dyck: 1/n for a balanced word, minus 1/(j+1) for every prefix that closes too much or is too deep."""
    depth, logit = 0, Fraction(0)
    for j, symbol in enumerate(word, start=1):
        depth += 1 if symbol == "0" else -1
        logit -= Fraction(int(depth < 0) + int(deepest is not None and depth > deepest), j + 1)
    return logit + (Fraction(1, len(word) + 1) if depth == 0 else 0)


LONG_WORDS = {
    "balanced": "01" * 200,
    "deep": "0" * 200 + "1" * 200,
    "late": "01" * 199 + "10",
    "odd": "0110" * 70 + "1" + "0110" * 70,
    "mirrored": "011" * 66 + "110" * 66,
    "nearly": "011" * 66 + "0" + "110" * 65 + "111",
}


@pytest.mark.parametrize("word", LONG_WORDS.values(), ids=LONG_WORDS)
@pytest.mark.parametrize(
    ("name", "parameters", "by_hand"),
    [
        ("palindrome", {"c": fmpq(2)}, lambda word: numbers_in_base(word, Fraction(2))),
        ("dyck1", {}, lambda word: prefix_sums(word, None)),
        ("dyck1-depth", {"D": fmpq(3)}, lambda word: prefix_sums(word, 3)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_explicit_sums_of_hundreds_of_positions(
    name: str, parameters: dict[str, Any], by_hand: Callable[[str], Fraction], word: str
) -> None:
    construction = load(name)
    assert isinstance(construction.network, Encoder)
    values = {key: log(value) if key == "c" else value for key, value in parameters.items()}
    got = evaluate_logit(derive(construction), add_markers(construction.network, word), values)
    assert got == fmpq(*by_hand(word).as_integer_ratio())
