"""How the expression language is read into the atoms of the symbolic vocabulary."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from constructions.expressions import Expression, Meaning, fold, quantifier
from symbolic.derivation import Record
from symbolic.iverson import MOST_RESIDUES, ZERO, Iverson, bracket, remainder, residue
from symbolic.linear import Context, Form, linear_form
from symbolic.signs import Sign, sign_of
from symbolic.sums import sum_symbols
from symbolic.vocabulary import Underivable, Vocabulary, cells, exponential, i, j, n


def read_scalar(
    scalar: Expression,
    vocabulary: Vocabulary,
    position: sympy.Expr | None = None,
    record: Record | None = None,
    context: Context | None = None,
) -> Iverson:
    """The symbolic value of an exact scalar, with i read as `position`; sums over positions need a `record`.

    context: what is known where it is read; None is what holds of every word.

    Raises Underivable where the scalar has no value for every n and every position, or where it cannot be told.
    """
    context = vocabulary.words() if context is None else context
    if position is not None:
        first, last = (vocabulary.first, vocabulary.last) if position == i else (0, n - 1)
        context = _within(context, first, position, last)
    meaning = reading(vocabulary, position, record, context)
    _require_defined(scalar.tree, meaning, vocabulary, context, {})
    value: Iverson = fold(scalar.tree, meaning).value
    return value


def _within(context: Context, first: sympy.Expr | int, position: sympy.Expr, last: sympy.Expr) -> Context:
    bounds = (linear_form(position - first), linear_form(last - position))
    return context.given(*(form for form in bounds if form is not None))


def _require_defined(
    node: ast.expr, meaning: Meaning, vocabulary: Vocabulary, context: Context, bound: Mapping[str, Value]
) -> None:
    """No divisor is 0, no root is taken of a negative number, no logarithm of one that is not positive."""
    wanted: set[Sign] = set(Sign)
    part: ast.expr = node
    match node:
        case ast.Call(args=[ast.GeneratorExp() as body]):
            name, inner = quantifier(body)
            inside = _within(context, vocabulary.first, j, vocabulary.last)
            bound = {**bound, name: Value(Iverson.constant(j))}
            return _require_defined(inner, meaning, vocabulary, inside, bound)
        case ast.BinOp(op=ast.Div(), right=part) | ast.BinOp(op=ast.Pow(), left=part, right=ast.UnaryOp(op=ast.USub())):
            wanted = {Sign.POSITIVE, Sign.NEGATIVE}
        case ast.Call(func=ast.Name(id="log"), args=[part]):
            wanted = {Sign.POSITIVE}
        case ast.Call(func=ast.Name(id="sqrt"), args=[part]):
            wanted = {Sign.POSITIVE, Sign.ZERO}
    for cell, value in cells(fold(part, meaning, bound).value) if part is not node else []:
        conditions = [form for term, _ in cell.terms for condition in term for form in condition.forms()]
        here = context.given(*conditions)
        if not here.impossible() and sign_of(value, here, vocabulary) not in wanted:
            raise Underivable(f"{ast.unparse(node)} may have no value: {ast.unparse(part)} may be 0 or negative")
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Constant | ast.Name):
            _require_defined(child, meaning, vocabulary, context, bound)


def reading(
    vocabulary: Vocabulary,
    position: sympy.Expr | None = None,
    record: Record | None = None,
    context: Context | None = None,
) -> Meaning:
    """The symbolic meaning of the expression language; every value is a `Value`, truth values being 0 or 1.

    context: what is known, for comparisons that are not linear but settled by the sign of their difference.
    """

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
        raise Underivable(f"name {identifier!r} has no meaning here")

    def count(symbol: str, last: Any | None) -> Value:
        if last is None:
            return Value(Iverson.constant(vocabulary.total(symbol)))
        return Value(vocabulary.prefix(symbol, last.plain()))

    def function(which: str, argument: Value) -> Value:
        if which == "cospi":
            return _alternating(argument, f"cos(pi*({argument.plain()}))")
        if argument.value.axes:  # by cases of the brackets
            by_case = (Value(cell) * function(which, Value(Iverson.constant(x))) for cell, x in cells(argument.value))
            return sum(by_case, Value(ZERO))
        if which in ("sqrt", "log"):
            value = getattr(sympy, which)(argument.plain())
            if value.has(sympy.Abs) or value.is_real is False:
                raise Underivable(f"{which}({argument.plain()}) is no rational function of roots and logarithms")
            return Value(Iverson.constant(value))
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
            if linear_form(difference) is not None:
                total += cell * bracket(op, difference)
            else:
                total += cell * bracket(op, settled(op, difference, cell))
        return Value(total)

    def settled(op: str, difference: sympy.Expr, cell: Iverson) -> sympy.Expr:
        """An integer with the sign of a difference, where it is known."""
        if context is not None:
            conditions = [form for terms, _ in cell.terms for condition in terms for form in condition.forms()]
            known = sign_of(difference, context.given(*conditions), vocabulary)
            if known is not Sign.OPEN:
                return sympy.Integer(known.value)
        raise Underivable(f"{difference} {op} 0 is no linear condition on integers")

    def total(body: Callable[[Value], Value]) -> Value:
        if record is None:
            raise Underivable("a sum over positions stands where none is read")
        summand = body(Value(Iverson.constant(j))).value
        values = {a: vocabulary.known_token(summand, a, j) for a in vocabulary.alphabet}
        first, words = sympy.Integer(vocabulary.first), vocabulary.words(record.facts)
        return Value(sum_symbols(values, first, vocabulary.last, words, vocabulary, record))

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
        total=total,
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
        divisor = other.plain()
        if divisor == 0:
            raise Underivable("division by zero")
        return Value(self.value.scaled(1 / divisor))

    def modulo(self, other: Value) -> Value:
        modulus = other.plain()
        what = f"({self.plain()}) % ({modulus})"
        form = _integer_form(self, what)
        if not modulus.is_Integer or modulus <= 0:
            raise Underivable(f"{what} is read at integers only")
        if modulus > MOST_RESIDUES:
            return Value(Iverson.constant(remainder(form, int(modulus))))
        total = ZERO
        for r in range(1, int(modulus)):
            total += residue(form, int(modulus), r).scaled(r)
        return Value(total)

    def power(self, other: Value) -> Value:
        if other.value.axes:
            powers = (Value(cell) * self.power(Value(Iverson.constant(number))) for cell, number in cells(other.value))
            return sum(powers, Value(ZERO))
        base, exponent = self.plain(), other.plain()
        if base == -1:
            return _alternating(other, f"(-1)**({exponent})")
        _integer_form(other, f"({base})**({exponent})")
        if base == 0 and not exponent.is_positive:
            raise Underivable(f"0**({exponent}) is not read")
        return Value(Iverson.constant(base**exponent))


def _integer_form(value: Value, what: str) -> Form:
    form = linear_form(value.plain())
    if form is None or any(number.denominator != 1 for number in (form.constant, *(f for _, f in form.terms))):
        raise Underivable(f"{what} is read at integers only")
    return form


def _alternating(exponent: Value, what: str) -> Value:
    """(-1)**exponent."""
    form = _integer_form(exponent, what)
    return Value(residue(form, 2, 0) - residue(form, 2, 1))
