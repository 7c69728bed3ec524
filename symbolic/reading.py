"""How the expression language is read into the atoms of the symbolic vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy

from constructions.expressions import Expression, Meaning, fold
from symbolic.iverson import ZERO, Iverson, bracket, residue
from symbolic.linear import linear_form
from symbolic.vocabulary import Underivable, Vocabulary, cells, exponential, n


def read_scalar(
    scalar: Expression,
    vocabulary: Vocabulary,
    position: sympy.Expr | None = None,
    name: Callable[[str], Iverson] | None = None,
) -> Iverson:
    """The symbolic value of an exact scalar, with i read as `position`."""
    value: Iverson = fold(scalar.tree, reading(vocabulary, position, name)).value
    return value


def reading(vocabulary: Vocabulary, position: sympy.Expr | None, other: Callable[[str], Iverson] | None) -> Meaning:
    """The symbolic meaning of the expression language; every value is a `Value`, truth values being 0 or 1."""

    def name(identifier: str) -> Any:
        match identifier:
            case "n":
                return Value(Iverson.constant(n))
            case "i" if position is not None:
                return Value(Iverson.constant(position))
            case "d":
                return Value(Iverson.constant(vocabulary.width))
            case _ if identifier in vocabulary.real or identifier in vocabulary.natural:
                return Value(Iverson.constant(vocabulary.parameter(identifier)))
            case _ if other is not None:
                return Value(other(identifier))
        raise Underivable(f"name {identifier!r} has no meaning here")

    def count(symbol: str, last: Any | None) -> Value:
        if last is None:
            return Value(Iverson.constant(vocabulary.total(symbol)))
        return Value(vocabulary.prefix(symbol, last.plain()))

    def function(which: str, argument: Value) -> Value:
        if which == "cospi":
            form = linear_form(argument.plain())
            if form is None:
                raise Underivable(f"cos(pi*({argument.plain()})) is read at integers only")
            return Value(residue(form, 2, 0) - residue(form, 2, 1))
        if which in ("sqrt", "log"):
            return Value(Iverson.constant(getattr(sympy, which)(argument.plain())))
        up = exponential(argument.plain(), vocabulary)
        value = {
            "exp": up,
            "sinh": (up - 1 / up) / 2,
            "cosh": (up + 1 / up) / 2,
            "tanh": (up - 1 / up) / (up + 1 / up),
        }[which]
        return Value(Iverson.constant(value))

    def compare(op: str, left: Any, right: Any) -> Value:
        if isinstance(left, str) or isinstance(right, str):
            token, symbol = (right, left) if isinstance(left, str) else (left, right)
            if symbol not in vocabulary.alphabet:
                return Value(ZERO if op == "==" else Iverson.constant(1))
            equal = bracket("==", token.plain() - vocabulary.alphabet.index(symbol))
            return Value(equal if op == "==" else Iverson.constant(1) - equal)
        total = ZERO
        for cell, difference in cells(left.value - right.value):
            total += cell * bracket(op, difference)
        return Value(total)

    def conjunction(values: list[Value]) -> Value:
        product = Iverson.constant(1)
        for value in values:
            product = product * value.value
        return Value(product)

    def negation(value: Value) -> Value:
        return Value(Iverson.constant(1) - value.value)

    return Meaning(
        number=lambda number: Value(Iverson.constant(number)),
        name=name,
        function=function,
        compare=compare,
        bracket=lambda truth: truth,
        token=lambda place: Value(Iverson.constant(vocabulary.token(place.plain()))),
        count=count,
        conjunction=conjunction,
        disjunction=lambda values: negation(conjunction([negation(value) for value in values])),
        negation=negation,
        modulo=lambda a, b: a.modulo(b),
        power=lambda a, b: a.power(b),
    )


@dataclass(frozen=True)
class Value:
    """An Iverson with Python's operators, so that `fold` can compute with it."""

    value: Iverson

    def plain(self) -> sympy.Expr:
        if self.value.axes:
            raise Underivable("a bracket stands where a plain number is needed")
        return sum((coefficient for _, coefficient in self.value.terms), sympy.S.Zero)

    def __add__(self, other: Value) -> Value:
        return Value(self.value + other.value)

    def __sub__(self, other: Value) -> Value:
        return Value(self.value - other.value)

    def __neg__(self) -> Value:
        return Value(self.value.scaled(-1))

    def __mul__(self, other: Value) -> Value:
        return Value(self.value * other.value)

    def __truediv__(self, other: Value) -> Value:
        return Value(self.value.scaled(1 / other.plain()))

    def modulo(self, other: Value) -> Value:
        form, modulus = linear_form(self.plain()), other.plain()
        if form is None or not modulus.is_Integer or modulus <= 0:
            raise Underivable(f"({self.plain()}) % ({modulus}) is read for integers only")
        total = ZERO
        for r in range(1, int(modulus)):
            total += residue(form, int(modulus), r).scaled(r)
        return Value(total)

    def power(self, other: Value) -> Value:
        base, exponent = self.plain(), other.plain()
        if base == -1:
            form = linear_form(exponent)
            if form is None:
                raise Underivable(f"(-1)**({exponent}) is read at integers only")
            return Value(residue(form, 2, 0) - residue(form, 2, 1))
        return Value(Iverson.constant(base**exponent))
