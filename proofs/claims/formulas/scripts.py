"""A formula in numbers as SMT-LIB 2. Every term is of sort Real; whole numbers are cast where they occur."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from weightproof.constructions.scalars.expressions import Expression, Meaning, fold, free_names
from weightproof.symbolic.algebra.vocabulary import Underivable

LARGEST_EXPONENT = 8
OPS = {"==": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass(frozen=True)
class Term:
    """number: its value, where it is a whole number that is written down."""

    text: str
    number: int | None = None

    def __add__(self, other: Term) -> Term:
        return Term(f"(+ {self.text} {other.text})")

    def __sub__(self, other: Term) -> Term:
        return Term(f"(- {self.text} {other.text})")

    def __mul__(self, other: Term) -> Term:
        return Term(f"(* {self.text} {other.text})")

    def __truediv__(self, other: Term) -> Term:
        return Term(f"(/ {self.text} {other.text})")

    def __neg__(self) -> Term:
        return Term(f"(- {self.text})", None if self.number is None else -self.number)


def script(formula: Expression, whole: Collection[str]) -> str:
    """whole: the names that stand for whole numbers. Underivable where the solvers have no word for something."""
    for node in ast.walk(formula.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_whole(node.right, whole):
            raise Underivable("the solvers are asked about whole exponents only")
    return str(fold(formula.tree, _meaning(whole)))


def divisors(formula: Expression, whole: Collection[str]) -> Iterator[str]:
    """That a divisor is not 0, for each that is not a number."""
    for node in ast.walk(formula.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            divisor = fold(node.right, _meaning(whole))
            if not divisor.number:
                yield f"(not (= {divisor.text} 0.0))"


def _is_whole(exponent: ast.expr, whole: Collection[str]) -> bool:
    divides = any(isinstance(node, ast.Div) for node in ast.walk(exponent))
    return not divides and free_names(exponent) <= set(whole)


def _meaning(whole: Collection[str]) -> Meaning:
    return Meaning(
        number=lambda number: Term(f"{number}.0", number),
        name=lambda name: Term(f"(to_real |{name}|)" if name in whole else f"|{name}|"),
        function=_no_function,
        compare=_compare,
        bracket=lambda truth: Term(f"(ite {truth} 1.0 0.0)"),
        conjunction=lambda parts: f"(and {' '.join(parts)})",
        disjunction=lambda parts: f"(or {' '.join(parts)})",
        negation=lambda part: f"(not {part})",
        modulo=_modulo,
        power=_power,
    )


def _compare(op: str, left: Any, right: Any) -> str:
    return f"(not (= {left.text} {right.text}))" if op == "!=" else f"({OPS[op]} {left.text} {right.text})"


def _no_function(name: str, _: Term) -> Term:
    raise Underivable(f"the solvers are not asked about {name}")


def _modulo(left: Term, right: Term) -> Term:
    """x % m = x - m*floor(x/m), as `values` has it."""
    if right.number is None or right.number <= 0:
        raise Underivable("the solvers are asked about remainders of division by a number only")
    return Term(f"(- {left.text} (* {right.text} (to_real (to_int (/ {left.text} {right.text})))))")


def _power(base: Term, exponent: Term) -> Term:
    """Small ones; those of -1 by the parity of the exponent, which is to be a whole number."""
    if base.number == -1:
        return Term(f"(ite (= {_modulo(exponent, Term('2.0', 2)).text} 0.0) 1.0 (- 1.0))")
    if exponent.number is None or not 1 <= exponent.number <= LARGEST_EXPONENT:
        raise Underivable("the solvers are asked about small powers only")
    return Term(f"(* 1.0 {' '.join([base.text] * exponent.number)})")
