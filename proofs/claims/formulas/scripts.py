"""A formula in numbers as SMT-LIB 2. What is made of whole numbers alone is of sort Int, all else of sort Real."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import mul

from weightproof.constructions.scalars.expressions import Expression, Meaning, fold, free_names
from weightproof.symbolic.algebra.vocabulary import Underivable

LARGEST_EXPONENT = 8
OPS = {"==": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass(frozen=True)
class Term:
    """A text of sort Int, if it is whole, or of sort Real. number: its value, where it is a whole number that is
    written down; under: what the text is divided by, which is kept apart, as solvers lose themselves in quotients."""

    text: str
    whole: bool = False
    number: int | None = None
    under: Term | None = None

    @property
    def real(self) -> str:
        """The term of sort Real."""
        if self.under is not None:
            return f"(/ {self._over.real} {self.under.real})"
        if self.number is not None:
            return f"{self.number}.0" if self.number >= 0 else f"(- {-self.number}.0)"
        return f"(to_real {self.text})" if self.whole else self.text

    def __add__(self, other: Term) -> Term:
        return self._sum("+", other)

    def __sub__(self, other: Term) -> Term:
        return self._sum("-", other)

    def __mul__(self, other: Term) -> Term:
        return _quotient(_made("*", self._over, other._over), _times(self.under, other.under))

    def __truediv__(self, other: Term) -> Term:
        return _quotient(_times(self._over, other.under) or self._over, _times(self.under, other._over))

    def __neg__(self) -> Term:
        over = Term(f"(- {self.text})", self.whole, None if self.number is None else -self.number)
        return _quotient(over, self.under)

    def compared(self, op: str, other: Term) -> str:
        """That it stands so to the other, where nothing that is divided by is 0: times the squares of that."""
        sides = (_times_squares(a, b) for a, b in ((self, other), (other, self)))
        return f"({op} {' '.join(_alike(*sides))})"

    @property
    def _over(self) -> Term:
        return Term(self.text, self.whole, self.number)

    def _sum(self, op: str, other: Term) -> Term:
        left, right = (_times(a._over, b.under) or a._over for a, b in ((self, other), (other, self)))
        return _quotient(_made(op, left, right), _times(self.under, other.under))


def _alike(*terms: Term) -> list[str]:
    """Of one sort: nothing is cast among whole numbers, as solvers lose themselves in casts, too."""
    return [term.text if all(each.whole for each in terms) else term.real for term in terms]


def _made(op: str, *terms: Term) -> Term:
    return Term(f"({op} {' '.join(_alike(*terms))})", all(term.whole for term in terms))


def _times(left: Term | None, right: Term | None) -> Term | None:
    """The product of those that there are."""
    return right if left is None else left if right is None else left * right


def _times_squares(one: Term, other: Term) -> Term:
    """One side of a comparison, times the square of what each side is divided by."""
    product = _times(one._over, one.under)
    assert product is not None
    return product if other.under is None else product * other.under * other.under


def _quotient(over: Term, under: Term | None) -> Term:
    return Term(over.text, over.whole, over.number if under is None else None, under)


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
                yield f"(not (= {divisor.real} 0.0))"


def _is_whole(exponent: ast.expr, whole: Collection[str]) -> bool:
    divides = any(isinstance(node, ast.Div) for node in ast.walk(exponent))
    return not divides and free_names(exponent) <= set(whole)


def _meaning(whole: Collection[str]) -> Meaning:
    return Meaning(
        number=lambda number: Term(str(number), True, number),
        name=lambda name: Term(f"|{name}|", name in whole),
        function=_no_function,
        compare=_compare,
        bracket=lambda truth: Term(f"(ite {truth} 1 0)", True),
        conjunction=lambda parts: f"(and {' '.join(parts)})",
        disjunction=lambda parts: f"(or {' '.join(parts)})",
        negation=lambda part: f"(not {part})",
        modulo=_modulo,
        power=_power,
    )


def _compare(op: str, left: Term, right: Term) -> str:
    return f"(not {left.compared('=', right)})" if op == "!=" else left.compared(OPS[op], right)


def _no_function(name: str, _: Term) -> Term:
    raise Underivable(f"the solvers are not asked about {name}")


def _modulo(left: Term, right: Term) -> Term:
    """x % m = x - m*floor(x/m), as `values` has it."""
    if right.number is None or right.number <= 0:
        raise Underivable("the solvers are asked about remainders of division by a number only")
    if left.whole and left.under is None:
        return Term(f"(mod {left.text} {right.text})", True)
    return Term(f"(- {left.real} (* {right.real} (to_real (to_int (/ {left.real} {right.real})))))")


def _power(base: Term, exponent: Term) -> Term:
    """Small ones; those of -1 by the parity of the exponent, which is to be a whole number."""
    if base.number == -1:
        return Term(f"(ite {_modulo(exponent, TWO).compared('=', ZERO)} 1 (- 1))", True)
    if exponent.number is None or not 1 <= exponent.number <= LARGEST_EXPONENT:
        raise Underivable("the solvers are asked about small powers only")
    return reduce(mul, [base] * exponent.number)


ZERO, TWO = Term("0", True, 0), Term("2", True, 2)
