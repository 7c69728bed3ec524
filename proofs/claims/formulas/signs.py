"""The sign of a formula, as far as it can be seen from how it is written: what it divides by is not 0."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Literal

from weightproof.constructions.scalars.expressions import Expression

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
