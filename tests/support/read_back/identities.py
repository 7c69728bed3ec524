"""Printed equations and inequalities as polynomials of SymPy: powers of e, counts and sums are what they are made of.

An identity holds where the difference of its sides is the polynomial 0: nothing is taken for equal because it is at
some points.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import sympy

from tests.support.latex_reader import number
from weightproof.document.blocks import Line, Math

OPERATORS = {ast.Add: sympy.Add, ast.Mult: sympy.Mul, ast.Pow: sympy.Pow}
SIGN = re.compile(r"^(.*) (>|\\ge|=) 0$")


def polynomial(text: str) -> sympy.Expr:
    """Read from LaTeX; whatever is no sum, product, quotient or power is an atom, by what it is called."""
    return sympy.expand(_read(number(text)))


def _read(tree: ast.expr) -> sympy.Expr:
    match tree:
        case ast.Constant(value=int(value)):
            return sympy.Integer(value)
        case ast.UnaryOp(op=ast.USub(), operand=inside):
            return -_read(inside)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _read(left) - _read(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _read(left) / _read(right)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_read(left), _read(right))
        case ast.Call(func=ast.Name(id="exp"), args=[exponent]):
            return sympy.Mul(*(_power_of_e(term) for term in sympy.Add.make_args(sympy.expand(_read(exponent)))))
        case ast.Name(id=name):
            return sympy.Symbol(name)
    return sympy.Symbol(ast.dump(tree))


def _power_of_e(exponent: sympy.Expr) -> sympy.Expr:
    """A power of an atom, so that those of one exponent are powers of one."""
    times, what = exponent.as_coeff_Mul()
    return sympy.Symbol(f"e to the {what}") ** times


@dataclass(frozen=True)
class Stated:
    """left = middle, which is op 0; or, without a middle, left op 0."""

    left: sympy.Expr
    middle: sympy.Expr | None
    op: str


def read(line: Line) -> Stated:
    """Of a line of a proof. A middle of which only the number of coefficients is said is none."""
    [right] = line.rights
    text = " ".join(right.parts) if hasattr(right, "parts") else str(right)
    ends = SIGN.match(text)
    if ends is None:
        return Stated(sympy.expand(polynomial(line.left) - polynomial(text)), None, line.relation)
    left, middle = (line.left, ends[1]) if line.left else ends[1].split(" = ", 1)
    known = (
        {
            polynomial(name): polynomial(value)
            for name, value in (part.tex.split(" = ", 1) for part in line.note if isinstance(part, Math))
        }
        if _has_bounds(line)
        else {}
    )
    if middle == r"\cdots":
        return Stated(polynomial(left), None, ends[2])
    moved = sympy.expand(polynomial(left).xreplace(known))
    return Stated(moved, polynomial(middle), ends[2])


def _has_bounds(line: Line) -> bool:
    """Whether the note says what variables exceed their bounds by."""
    return any(isinstance(part, str) and "coefficient" in part for part in line.note)
