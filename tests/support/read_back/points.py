"""What a text in the language of `expressions` is worth at a point, exactly, read as a printed formula is read.

A bracket that is false makes its term 0, whatever the rest of the term is (Iverson's convention): `(n > 3)/(n - 3)` is
0 at n = 3. Formulas may be longer and deeper than weights may be, speak of scales `R1` and `R2(i)`, take roots of any
order, and sum `between` two bounds.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from flint import fmpq

from weightproof.constructions.scalars import expressions, formulas, grammar
from weightproof.constructions.scalars.exact import Real, exp, log, power, sign
from weightproof.constructions.scalars.expressions import COMPARE, fold, kind

ZERO = fmpq(0)
SCALE = re.compile(r"R\d+")


@functools.cache
def parsed(text: str) -> ast.expr:
    """The tree of a text; ExpressionError for what is not in the language, but for its length, its depth and scales,
    and for max, min and abs in a step."""
    if re.match(r"-?[^']*\b(max|min|abs)\(", text):
        return ast.parse(text.strip(), mode="eval").body
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grammar, "LONGEST_SOURCE", 10**7)
        patch.setattr(grammar, "DEEPEST", 10**4)
        patch.setattr(grammar, "FUNCTIONS", grammar.FUNCTIONS | set(SCALE.findall(text)))
        return expressions._tree.__wrapped__(expressions.Expression(text))


@dataclass(frozen=True)
class Point:
    """A marked word, values of all names (n, i, parameters, sums, scales), and of scales that are functions."""

    tokens: Sequence[str]
    alphabet: Sequence[str]
    names: Mapping[str, Real]
    scales: Mapping[str, Callable[[Real], Real]] = field(default_factory=dict)

    def knowing(self, **names: Real) -> Point:
        return replace(self, names={**self.names, **names})

    def value(self, text: str | ast.expr) -> Real:
        return self._value(parsed(text) if isinstance(text, str) else text, {})

    def truth(self, text: str | ast.expr) -> bool:
        """A conjunction of nothing, written as "", is true."""
        return self._truth(parsed(text or "n >= n") if isinstance(text, str) else text, {})

    @functools.cached_property
    def _meaning(self) -> expressions.Meaning:
        meaning = formulas.word_meaning(dict(self.names), self.tokens, self.alphabet)
        return replace(meaning, function=lambda name, x: self.scales[name](x) if SCALE.fullmatch(name) else
                       meaning.function(name, x), power=_power)  # fmt: skip

    def _value(self, node: ast.expr, bound: dict[str, Any]) -> Real:
        match node:
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
                a = self._value(left, bound)
                if _leads(left) and a == 0:
                    return ZERO
                b = self._value(right, bound)
                return a * b if isinstance(op, ast.Mult) else a / b
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return self._meaning.modulo(self._value(left, bound), self._value(right, bound))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                a, b = self._value(left, bound), self._value(right, bound)
                return a + b if isinstance(op, ast.Add) else a - b
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return _power(self._value(left, bound), self._value(right, bound))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._value(operand, bound)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp(elt=body, generators=[over])]):
                assert isinstance(over.target, ast.Name)
                name = over.target.id
                return sum((self._value(body, {**bound, name: place}) for place in self._places(over, bound)), ZERO)
            case ast.Call(func=ast.Name(id="max" | "min" as which), args=[one, other]):
                a, b = self._value(one, bound), self._value(other, bound)
                return a if (sign(a - b) > 0) == (which == "max") else b
            case ast.Call(func=ast.Name(id="abs"), args=[argument]):
                a = self._value(argument, bound)
                return a * sign(a)
            case ast.Call(func=ast.Name(id=name), args=[argument]) if name not in {"count", "cos", "sin", "all", "any"}:
                return self._meaning.function(name, self._value(argument, bound))
        if kind(node) == "truth":
            return fmpq(int(self._truth(node, bound)))
        return fold(node, self._meaning, bound)

    def _truth(self, node: ast.expr, bound: dict[str, Any]) -> bool:
        match node:
            case ast.BoolOp(op=op, values=parts):
                return (all if isinstance(op, ast.And) else any)(self._truth(part, bound) for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._truth(operand, bound)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                sides = self._value(left, bound), self._value(right, bound)
                return bool(self._meaning.compare(COMPARE[type(op)], *sides))
        return bool(fold(node, self._meaning, bound))

    def _places(self, over: ast.comprehension, bound: dict[str, Any]) -> Iterator[fmpq]:
        match over.iter:
            case ast.Call(func=ast.Name(id="between"), args=[low, high]):
                ends = (self._value(low, bound), self._value(high, bound))
                assert all(end.q == 1 for end in ends)
                yield from map(fmpq, range(int(ends[0].p), int(ends[1].p) + 1))
            case ast.Name(id="positions"):
                yield from (fmpq(place) for place, token in enumerate(self.tokens) if token in self.alphabet)
            case _:
                yield from map(fmpq, range(len(self.tokens)))


def _leads(node: ast.expr) -> bool:
    """Whether a bracket is the first factor."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div()):
            return _leads(left)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _leads(operand)
    return kind(node) == "truth"


def _power(base: Real, exponent: Real) -> Real:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return power(base, int(exponent.p))
    return exp(exponent * log(base))
