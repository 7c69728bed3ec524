"""Quotients of polynomials in named atoms, exact: what formulas come to when sums over vectors are atoms; and the
sign of a formula, as far as it can be seen from how it is written."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from flint import fmpq

from weightproof.constructions.scalars.expressions import Expression, Meaning, fold
from weightproof.constructions.scalars.values import compare
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial

ONE = Polynomial.number(1)


@dataclass(frozen=True)
class Quotient:
    """over/under, neither brought to a normal form."""

    over: Polynomial
    under: Polynomial = ONE

    @staticmethod
    def number(value: int) -> Quotient:
        return Quotient(Polynomial.number(value))

    @staticmethod
    def atom(name: str) -> Quotient:
        return Quotient(Polynomial.atom(name))

    @property
    def atoms(self) -> frozenset[str]:
        return self.over.atoms | self.under.atoms

    @property
    def whole(self) -> int | None:
        """The whole number that it is written as; None for anything else."""
        if self.under != ONE or self.over.atoms:
            return None
        [value] = [value for _, value in self.over.terms] or [0]
        return int(value) if value == int(value) else None

    def __add__(self, other: Quotient) -> Quotient:
        if self.under == other.under:
            return Quotient(self.over + other.over, self.under)
        return Quotient(self.over * other.under + other.over * self.under, self.under * other.under)

    def __neg__(self) -> Quotient:
        return Quotient(Polynomial.number(-1) * self.over, self.under)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(self.over * other.over, self.under * other.under)

    def __truediv__(self, other: Quotient) -> Quotient:
        return Quotient(self.over * other.under, self.under * other.over)

    def __str__(self) -> str:
        return str(self.over) if self.under == ONE else f"({self.over})/({self.under})"


def no(*said: object) -> Any:
    """Refuses what has no quotient, comparisons, say: raises Underivable."""
    raise Underivable(f"no polynomial arithmetic is known for {', '.join(map(str, said))}")


def power(base: Quotient, exponent: Quotient) -> Quotient:
    """The power with a natural number for its exponent; Underivable for any other."""
    if exponent.whole is None or exponent.whole < 1:
        return no(f"the exponent {exponent}")
    result = base
    for _ in range(exponent.whole - 1):
        result = result * base
    return result


def quotient(
    formula: Expression,
    name: Callable[[str], Quotient],
    function: Callable[[str, Quotient], Quotient] = no,
    modulo: Callable[[Quotient, Quotient], Quotient] = no,
    compare: Callable[[str, Quotient, Quotient], bool] = no,
    bracket: Callable[[bool], Quotient] = no,
    power: Callable[[Quotient, Quotient], Quotient] = power,
) -> Quotient:
    """What a formula comes to; Underivable where this arithmetic has no word for it."""
    meaning = Meaning(
        number=Quotient.number,
        name=name,
        function=function,
        compare=compare,
        bracket=bracket,
        modulo=modulo,
        power=power,
    )
    value: Quotient = fold(formula.tree, meaning)
    return value


def compared(op: str, left: Quotient, right: Quotient) -> bool:
    """How two numbers compare; Underivable where one is none."""
    gap = polynomial(left - right)
    if gap.atoms:
        return bool(no(left, op, right))
    return compare(op, gap.at({}), fmpq(0))


def polynomial(value: Quotient) -> Polynomial:
    """The polynomial that a quotient is which divides by a number; Underivable for any other."""
    if value.under.atoms or not value.under.terms:
        return no(value)
    [(_, number)] = value.under.terms
    return value.over * Polynomial.number(1 / number)


Sign = Literal["+", ">="]
"""Greater than 0, or not less than that."""


def sign_of(tree: ast.expr, known: Mapping[str, Sign | None]) -> Sign | None:
    """None where the way it is written does not tell. known: of names."""
    match tree:
        case ast.Constant(value=int(number)):
            return "+" if number > 0 else ">="
        case ast.Name(id=name):
            return known.get(name)
        case ast.Call(func=ast.Name(id="exp")):
            return "+"
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return sign_of(argument, known)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            signs = (sign_of(left, known), sign_of(right, known))
            return None if None in signs else "+" if "+" in signs else ">="
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right):
            signs = (sign_of(left, known), sign_of(right, known))
            return None if None in signs else ">=" if ">=" in signs else "+"
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int(exponent))) if exponent > 0:
            sign = sign_of(base, known)
            return ">=" if sign is None and exponent % 2 == 0 else sign
    return None


def has_value(formula: Expression, known: Mapping[str, Sign | None]) -> bool:
    """Whether for certain it divides by nothing that is 0, and takes roots and logarithms of nothing that has none."""
    for node in ast.walk(formula.tree):
        match node:
            case ast.BinOp(op=ast.Div(), right=inside):
                needed: tuple[Sign | None, ...] = ("+",)
                if isinstance(inside, ast.UnaryOp) and isinstance(inside.op, ast.USub):
                    inside = inside.operand
            case ast.Call(func=ast.Name(id="sqrt"), args=[inside]):
                needed = ("+", ">=")
            case ast.Call(func=ast.Name(id="log"), args=[inside]):
                needed = ("+",)
            case _:
                continue
        if sign_of(inside, known) not in needed:
            return False
    return True
