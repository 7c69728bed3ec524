"""The changes that are tried, smallest first: kind by kind, and within a kind in the order of the network; and what a
scalar may be changed into: a small, stated set, always in the same order.

A change keeps the shape where the same weights are 0 before and after it.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeVar, get_args

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import OF_ONE_POSITION, Encoder, Head, Mask
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.values import evaluate
from weightproof.constructions.transforms.places import ZERO, Matrix, Place, matrices, put_at, value_at
from weightproof.constructions.transforms.rewriting import negated, written
from weightproof.proofs.changes import CHANGES


@dataclass(frozen=True)
class Edit:
    """One line of a construction to edit: what stands in a place, and what is to stand there; scalars, or choices as
    "softmax"."""

    place: Place
    old: str
    new: str


Change = tuple[tuple[Place, Expression | str], ...]
"""What is put where."""


@dataclass(frozen=True)
class Candidate:
    """before: the network that it was made of, with which it shares all parts that the last change leaves alone."""

    changes: tuple[Change, ...]
    edits: tuple[Edit, ...]
    before: Encoder
    network: Encoder


@dataclass(frozen=True)
class Kind:
    """Changes of one kind; key: what a command line calls it. goes_with: whether two go together, where it takes two at
    a time."""

    key: str
    name: str
    changes: Sequence[Change]
    goes_with: Callable[[Change, Change], bool] | None = None

    def candidates(self, network: Encoder) -> Iterator[Candidate]:
        if self.goes_with is None:
            for change in self.changes:
                yield Candidate((change,), _edits(network, change), network, _changed(network, change))
            return
        for k, first in enumerate(self.changes):
            before = _changed(network, first)
            for second in self._seconds(k, first):
                edits = *_edits(network, first), *_edits(network, second)
                yield Candidate((first, second), edits, before, _changed(before, second))

    def count(self) -> int:
        """How many candidates there are."""
        if self.goes_with is None:
            return len(self.changes)
        return sum(1 for k, first in enumerate(self.changes) for _ in self._seconds(k, first))

    def _seconds(self, k: int, first: Change) -> Iterator[Change]:
        """The changes at another place that come after one of them, which stands at k, and go with it."""
        assert self.goes_with is not None
        for second in itertools.islice(self.changes, k + 1, None):
            if first[0][0] != second[0][0] and self.goes_with(first, second):
                yield second


def _edits(network: Encoder, change: Change) -> tuple[Edit, ...]:
    return tuple(Edit(place, str(value_at(network, place)), str(new)) for place, new in change)


def _changed(network: Encoder, change: Change) -> Encoder:
    for place, new in change:
        network = put_at(network, place, new)
    return network


CHOICES = {
    "accept": ("logit > 0", "logit = 0"),
    "position": ("first", "last", "sum"),
    "score": ("dot", "-|dot|"),
    "normaliser": ("softmax", "hardmax"),
    "mask": ("none", "causal"),
    "activation": ("relu", "saturated-linear", "step", "square"),
}
"""What can be chosen: of a readout, of a head, of a feed-forward network."""


SIGN, VALUE, RULE, REMOVED, MOVED, ADDED, TWO = KEYS = "sign", "value", "rule", "removed", "moved", "added", "two"
"""The kinds, in the order in which they are tried."""


def single(construction: Construction) -> list[Kind]:
    """The kinds of one change."""
    network, values = construction.encoder, Values(construction)
    signs = _of_each(network, values, lambda matrix, old: [values.opposite(old)])
    others = [*_of_each(network, values, values.instead), *_scales(network, values)]
    rules = [*_of_each(network, values, lambda matrix, old: compared(old)), *_choices(network)]
    removals = _of_each(network, values, lambda matrix, old: [ZERO])
    return [
        Kind(SIGN, "one sign", signs),
        Kind(VALUE, "one weight or bias", others),
        Kind(RULE, "one rule or comparison", rules),
        Kind(REMOVED, "one weight removed", removals),
        Kind(MOVED, "one weight moved", list(_moved(network, values))),
        Kind(ADDED, "one weight added", list(_added(network, values))),
    ]


def double(network: Encoder, kinds: Iterable[Kind], unsettled: Set[Change]) -> list[Kind]:
    """The kinds of two changes, neither of which moves or adds a weight. unsettled: changes of one kind that alone
    could be neither refuted nor proved; pairs with one of them come last, as the other change may do nothing."""
    of = {kind.key: kind.changes for kind in kinds}
    kept = [change for key in (SIGN, VALUE, RULE) for change in of[key]]
    removals = frozenset(of[REMOVED])

    def removes(first: Change, second: Change) -> bool:
        return first in removals or second in removals

    def is_unsettled(first: Change, second: Change) -> bool:
        return first in unsettled or second in unsettled

    every = _in_order(network, [*kept, *removals])
    return [
        Kind(TWO, "two that keep the shape", _in_order(network, kept), lambda a, b: not is_unsettled(a, b)),
        Kind(TWO, "two, with a removal", every, lambda a, b: removes(a, b) and not is_unsettled(a, b)),
        Kind(TWO, "two, one open alone", every, is_unsettled),
    ]


def _of_each(
    network: Encoder, values: Values, instead: Callable[[Matrix, Expression], Iterable[Expression]]
) -> list[Change]:
    """Of each scalar that is not 0, in the order of the network."""
    return [
        ((place, new),)
        for matrix in matrices(network)
        for place in matrix.places()
        if not values.is_zero(old := value_at(network, place))
        for new in instead(matrix, old)
    ]


def _in_order(network: Encoder, changes: Iterable[Change]) -> list[Change]:
    """The earliest layer first: what comes after it is then all that a second change there leaves to be computed."""
    layers = len(network.layers)

    def stage(change: Change) -> int:
        part, number, *_ = change[0][0].path
        return {"embedding": -1, "readout": layers}.get(str(part), int(number) if isinstance(number, int) else 0)

    return sorted(changes, key=stage)


def _choices(network: Encoder) -> Iterator[Change]:
    for label, path, fields in _chosen(network):
        for field, choices in fields.items():
            place = Place(f"{label}, {field}", (*path, field))
            for choice in choices:
                if choice != value_at(network, place):
                    yield ((place, choice),)


Choosable = dict[str, tuple[str, ...]]
"""Fields, and what they can be."""


def _chosen(network: Encoder) -> Iterator[tuple[str, tuple[str | int, ...], Choosable]]:
    for number, layer in enumerate(network.layers):
        for index, head in enumerate(layer.heads):
            yield f"layer {number + 1}, head {index + 1}", ("layers", number, "heads", index), _of_head(head)
        if layer.feed_forward is not None:
            yield f"layer {number + 1}, feed-forward", ("layers", number, "feed_forward"), _named("activation")
    yield "readout", ("readout",), _named("accept", "position")


def _of_head(head: Head) -> Choosable:
    """Of a head under another mask than those two, or with all weight at one position, all masks and hard weights."""
    scored = _named("score", "normaliser") if _scores(head) else {}
    if head.normaliser not in OF_ONE_POSITION and head.mask in CHOICES["mask"]:
        return scored | _named("mask")
    return scored | {"normaliser": ("hardmax", *OF_ONE_POSITION), "mask": get_args(Mask)}


def _named(*fields: str) -> Choosable:
    return {field: CHOICES[field] for field in fields}


def _scales(network: Encoder, values: Values) -> Iterator[Change]:
    for number, layer in enumerate(network.layers):
        for index, head in enumerate(layer.heads):
            place = Place(f"layer {number + 1}, head {index + 1}, scale", ("layers", number, "heads", index, "scale"))
            for scale in values.of_scale(head) if _scores(head) else ():
                yield ((place, scale),)


def _scores(head: Head) -> bool:
    """Whether there are scores, so that it matters how they are made."""
    return bool(head.W_Q and head.W_K)


def _moved(network: Encoder, values: Values) -> Iterator[Change]:
    """A weight put where a 0 stands, in its row or in its column."""
    for matrix in matrices(network):
        for row in (None,) if matrix.rows is None else matrix.rows:
            for column in matrix.columns:
                here = matrix.place(row, column)
                weight = value_at(network, here)
                if values.is_zero(weight):
                    continue
                beside = [(row, other) for other in matrix.columns if other != column]
                below = [(other, column) for other in matrix.rows or () if other != row]
                for where in (matrix.place(*each) for each in (*beside, *below)):
                    if values.is_zero(value_at(network, where)):
                        yield (here, ZERO), (where, weight)


def _added(network: Encoder, values: Values) -> Iterator[Change]:
    for matrix in matrices(network):
        new = values.added(matrix)
        for place in matrix.places():
            if values.is_zero(value_at(network, place)):
                yield from (((place, value),) for value in new)


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
