"""What formulas of print stand for at a position: exact numbers, which are not rounded, as multiples of B and 1."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction

from flint import fmpq

from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression, free_names
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.fixed_point.arithmetic import TOP, Arithmetic, Number, OneFormat


def said(formula: Expression, known: Mapping[str, int], arithmetic: Arithmetic) -> Number:
    """The value of a formula that is linear in B; Underivable for any other."""
    return settled(_value(formula.tree, {name: fmpq(value) for name, value in known.items()}), arithmetic)


def settled(number: Number, arithmetic: Arithmetic) -> Number:
    """With the value of B, where it has one."""
    if not isinstance(arithmetic, OneFormat):
        return number
    greatest = arithmetic.format.greatest
    return Number(number.number + number.tops * Fraction(int(greatest.p), int(greatest.q)))


def _value(node: ast.expr, known: dict[str, Real]) -> Number:
    if TOP not in free_names(node):
        value = evaluate(Expression(ast.unparse(node)), known)
        if not isinstance(value, fmpq):
            raise Underivable(f"{ast.unparse(node)} is not rational")
        return Number(Fraction(int(value.p), int(value.q)))
    match node:
        case ast.Name():
            return Number(Fraction(0), Fraction(1))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _times(Fraction(-1), _value(operand, known))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            x, y = _value(left, known), _value(right, known)
            y = y if isinstance(node.op, ast.Add) else _times(Fraction(-1), y)
            return Number(x.number + y.number, x.tops + y.tops)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            x, y = _value(left, known), _value(right, known)
            if not x.tops or not y.tops:
                return _times(x.number, y) if not x.tops else _times(y.number, x)
    raise Underivable(f"{ast.unparse(node)} is not linear in {TOP}")


def _times(factor: Fraction, number: Number) -> Number:
    return Number(factor * number.number, factor * number.tops)
