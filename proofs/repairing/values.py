"""What a scalar of a construction may be changed into: a small, stated set, always in the same order."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import TypeVar

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Head
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.values import evaluate
from weightproof.constructions.transforms.places import ZERO, Matrix, matrices, value_at
from weightproof.constructions.transforms.rewriting import negated, written
from weightproof.proofs.changes import CHANGES

PROBED = tuple((n, i) for n in (1, 2, 3, 4, 5, 8, 11) for i in range(n))
"""Numbers of positions n, and positions i in them, at which two scalars that are one number each time are one."""
SCALES = ("1/sqrt(d)", "log(n)/sqrt(d)", "1")
"""Those that sources have for the scores of attention."""
OVER_POSITIONS = ("({w})*n", "({w})/n", "({w})*log(n)")
"""What a position encoding is scaled by, beside numbers."""
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE, ast.Gt, ast.Eq, ast.NotEq),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE, ast.Eq, ast.NotEq),
    ast.Gt: (ast.GtE, ast.LtE, ast.Lt, ast.Eq, ast.NotEq),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE, ast.Eq, ast.NotEq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE, ast.Lt, ast.Gt),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt, ast.LtE, ast.GtE),
}
"""What each comparison in an encoding is exchanged for; the nearest first."""


class Values:
    """The scalars that a construction's own may be changed into. Two that are equal at the default parameters, and
    where there are positions at those of PROBED, are one."""

    def __init__(self, construction: Construction) -> None:
        network = construction.encoder
        self.names: dict[str, Real] = {**parameter_values(construction), "d": fmpq(len(network.coordinates))}
        found: dict[bool, list[Expression]] = {False: [], True: []}
        for matrix in matrices(network):
            for weight in (value_at(network, place) for place in matrix.places()):
                found[matrix.kind == "encoding"] += [weight, negated(weight)]
        self.occurring = {of_encodings: self._different(scalars) for of_encodings, scalars in found.items()}

    def instead(self, matrix: Matrix, old: Expression) -> list[Expression]:
        """In the place of a scalar that is not 0: multiples and neighbours of it, 1 and -1, times sqrt(d) where d is in
        it, as the scale of attention divides by that, and all that occur, with either sign. Of an encoding also what
        has an integer in it one more or one less, and what is multiplied by n, 1/n or log n."""
        unit = ["sqrt(d)", "-sqrt(d)", "2*sqrt(d)", "-2*sqrt(d)"] if "d" in old.names else []
        near = [*self._changed(old), *map(Expression, (*unit, "1", "-1"))]
        if matrix.kind == "encoding":
            near = [*shifted(old), *near, *(Expression(template.format(w=old)) for template in OVER_POSITIONS)]
        return self._others(old, [*near, *self.occurring[matrix.kind == "encoding"]])

    def of_scale(self, head: Head) -> list[Expression]:
        """In the place of a scale: those of SCALES, its multiples and neighbours, and log(n) over each weight of its
        queries and keys, so that scores are log n."""
        weights = [x for rows in (head.W_Q, head.W_K) for row in rows.values() for x in row.values()]
        logarithms = [Expression(divided("log(n)", weight.tree)) for weight in weights if not self.is_zero(weight)]
        return self._others(head.scale, [*map(Expression, SCALES), *self._changed(head.scale), *logarithms])

    def added(self, matrix: Matrix) -> list[Expression]:
        """Where nothing stood: 1, -1, and all that occur."""
        known = self.occurring[matrix.kind == "encoding"]
        return self._others(ZERO, [Expression("1"), Expression("-1"), *known])

    def is_zero(self, scalar: Expression) -> bool:
        return self._key(scalar) == self._key(ZERO)

    def opposite(self, old: Expression) -> Expression:
        return self._written(negated(old))

    def _changed(self, old: Expression) -> Iterator[Expression]:
        for what, template in CHANGES.items():
            if what not in ("zeroed", "negated"):
                yield Expression(template.format(w=old))

    def _others(self, old: Expression, found: Iterable[Expression]) -> list[Expression]:
        """Those that are neither 0 nor the old one nor its opposite, which are changes of another kind."""
        without = {self._key(scalar) for scalar in (old, ZERO, negated(old))}
        if self.is_zero(old):
            without = {self._key(old)}
        return [scalar for scalar in self._different(found) if self._key(scalar) not in without]

    def _different(self, found: Iterable[Expression]) -> list[Expression]:
        first: dict[object, Expression] = {}
        for scalar in found:
            first.setdefault(self._key(scalar), scalar)
        return [self._written(scalar) for scalar in first.values()]

    def _written(self, scalar: Expression) -> Expression:
        """A number as a number, whatever it was made of; of anything else no bracket more than it needs."""
        value = None if scalar.names else self._at(scalar, 1, 0)
        return Expression(str(value)) if isinstance(value, fmpq) else written(scalar.tree)

    def _key(self, scalar: Expression) -> object:
        if scalar.names & {"i", "n"}:
            return tuple(self._at(scalar, n, i) for n, i in PROBED)
        return self._at(scalar, 1, 0)

    def _at(self, scalar: Expression, n: int, i: int) -> Real | None:
        try:
            return evaluate(scalar, {**self.names, "n": fmpq(n), "i": fmpq(i)})
        except (ArithmeticError, ExpressionError):
            return None


def divided(dividend: str, divisor: ast.expr) -> str:
    """The dividend over each factor of the divisor in turn."""
    match divisor:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return divided(divided(dividend, left), right)
        case ast.Constant() | ast.Call() | ast.Name():
            return f"{dividend}/{ast.unparse(divisor)}"
    return f"{dividend}/({ast.unparse(divisor)})"


def compared(old: Expression) -> Iterator[Expression]:
    """A formula with one of its comparisons exchanged."""
    for number, node in enumerate(_nodes(old.tree, ast.Compare)):
        for other in COMPARISONS[type(node.ops[0])]:
            changed = deepcopy(old.tree)
            _nodes(changed, ast.Compare)[number].ops = [other()]
            yield written(changed)


def shifted(old: Expression) -> Iterator[Expression]:
    """A formula with one of its integers one more or one less."""
    for number, node in enumerate(_nodes(old.tree, ast.Constant)):
        integer = node.value
        if not isinstance(integer, int):
            continue
        for step in (1, -1):
            changed = deepcopy(old.tree)
            _nodes(changed, ast.Constant)[number].value = integer + step
            yield written(changed)


Node = TypeVar("Node", bound=ast.AST)


def _nodes(tree: ast.expr, kind: type[Node]) -> list[Node]:
    return [node for node in ast.walk(tree) if isinstance(node, kind)]
