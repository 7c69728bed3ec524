"""What formulas mean on a word, in exact arithmetic: whether one is true; and the value of a scalar that speaks of it.

Plain enumeration: this is the meaning of a characterisation, against which its symbolic reading is tested.
"""

from __future__ import annotations

import ast
import copy
import functools
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NoReturn

from flint import fmpq

from weightproof.constructions.scalars import patterns, work
from weightproof.constructions.scalars.exact import Real, identity
from weightproof.constructions.scalars.expressions import Domain, Expression, Meaning, fold, free_names, quantifier
from weightproof.constructions.scalars.values import Given, compare, identified, meaning

STEPS_A_FORMULA, STEPS_A_TOKEN = 100, 10
"""Of counted work, to tell whether a formula is true of a word."""
NO_PARTS: Mapping[str, Any] = MappingProxyType({})


def holds(formula: Expression, names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> bool:
    """Whether a formula is true of a marked word; `positions` are those that hold a symbol of the alphabet.

    A marker, like a position out of range, holds no symbol: it equals none, but another such position, and counts for
    none. Plain enumeration: this is the meaning of a characterisation, against which its symbolic reading is tested.
    """
    work.spend(STEPS_A_FORMULA + STEPS_A_TOKEN * len(tokens))
    conjoined, parts = _conjuncts(formula)
    of_word = word_meaning(names, tokens, alphabet, parts)
    given = tuple((name, identity(names[name])) for name in formula.names if name in names)
    counts = tuple(sorted(Counter(tokens).items()))
    found = [  # a part without a value leaves the whole without one
        _holds_of_counts(part, given, counts, tuple(alphabet)) if of_counts else bool(fold(part, of_word))
        for part, of_counts in conjoined
    ]
    return all(found)


@functools.lru_cache(1 << 12)
def _conjuncts(formula: Expression) -> tuple[tuple[tuple[ast.expr, bool], ...], Mapping[str, _Part]]:
    """The formulas that are all true where this one is, each with whether all that it speaks of in a word is how often
    symbols are there; and the parts that were taken out of them."""
    parting = _Parting()
    trees = conjuncts(copy.deepcopy(formula.tree))
    return tuple((parting.visit(tree), speaks_of_counts(tree)) for tree in trees), parting.parts


@dataclass(frozen=True)
class _Part:
    """A part of a formula, and the one position that it depends on; None where it depends on none."""

    tree: ast.expr
    position: str | None


class _Parting(ast.NodeTransformer):
    """Takes out of a tree what depends on one position, or on none, where there are more around it, and puts a function
    of that position in its place: it is found once for each position then, and not once for each pair of them."""

    def __init__(self) -> None:
        self.parts: dict[str, _Part] = {}
        self.around: tuple[str, ...] = ()

    def visit(self, node: ast.AST) -> Any:
        if len(self.around) > 1 and isinstance(node, ast.Compare | ast.BoolOp | ast.Call):
            alone = sorted(free_names(node) & {*self.around})
            if len(alone) <= 1:
                return self.taken(node, *alone)
        return super().visit(node)

    def taken(self, node: ast.expr, position: str | None = None) -> ast.expr:
        around, self.around = self.around, () if position is None else (position,)
        tree = self.visit(node)
        self.around = around
        name = f"part {len(self.parts)}"  # no function is called so, nor can be
        self.parts[name] = _Part(tree, position)
        argument = ast.Constant(0) if position is None else ast.Name(position)
        return ast.Call(ast.Name(name), [argument], [])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        position, _, inner = quantifier(node)
        around, self.around = self.around, (*(each for each in self.around if each != position), position)
        found = self.visit(inner)
        self.around = around
        return ast.GeneratorExp(found, node.generators)


def conjuncts(tree: ast.expr) -> list[ast.expr]:
    """The formulas that a conjunction joins."""
    match tree:
        case ast.BoolOp(op=ast.And(), values=values):
            return [part for value in values for part in conjuncts(value)]
    return [tree]


def speaks_of_counts(tree: ast.expr) -> bool:
    """Whether all that a tree speaks of in a word is how often symbols are there."""

    def says_more(node: ast.AST) -> bool:
        match node:
            case ast.Subscript() | ast.GeneratorExp() | ast.Call(func=ast.Name(id="matches")):
                return True
            case ast.Call(args=args):
                return len(args) > 1
        return False

    return not any(map(says_more, ast.walk(tree)))


@functools.lru_cache(1 << 14)
def _holds_of_counts(
    tree: ast.expr, given: Given, counts: tuple[tuple[str, int], ...], alphabet: tuple[str, ...]
) -> bool:
    """Kept: in many words each token is as often, and many theorems speak of the same words."""
    tokens = [token for token, times in counts for _ in range(times)]
    return bool(fold(tree, word_meaning(identified(given), tokens, alphabet)))


def word_meaning(
    names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str], parts: Mapping[str, _Part] = NO_PARTS
) -> Meaning:
    """What the leaves of a formula mean on a marked word, where its names have these values; parts: by the functions
    that stand in their place."""
    symbols = [token if token in alphabet else None for token in tokens]
    places: dict[Domain, list[fmpq]] = {
        "positions": [fmpq(position) for position, symbol in enumerate(symbols) if symbol is not None],
        "indices": [fmpq(position) for position in range(len(symbols))],
    }

    def token(position: Real) -> str | None:
        inside = isinstance(position, fmpq) and position.q == 1 and 0 <= position < len(symbols)
        return symbols[int(position.p)] if inside else None  # type: ignore[union-attr]

    def count(symbol: str, last: Real | None) -> fmpq:
        if last is None:
            return fmpq(symbols.count(symbol))
        if not isinstance(last, fmpq) or last.q != 1:
            raise ArithmeticError(f"count({symbol!r}, j) takes a whole position j, not {last}")
        return fmpq(symbols[: max(int(last.p) + 1, 0)].count(symbol))

    def compared(op: str, left: Any, right: Any) -> bool:
        if isinstance(left, str | None) or isinstance(right, str | None):
            return bool(left == right) == (op == "==")
        return compare(op, left, right)

    kept: dict[tuple[str, Real], Real] = {}

    def function(name: str, value: Real) -> Real:
        if name not in parts:
            return scalars.function(name, value)
        if (name, value) not in kept:
            part = parts[name]
            found = fold(part.tree, of_word, {} if part.position is None else {part.position: value})
            kept[name, value] = fmpq(int(found)) if isinstance(found, bool) else found
        return kept[name, value]

    scalars = meaning({**names, "n": fmpq(len(tokens))})
    of_word = replace(
        scalars,
        function=function,
        compare=compared,
        token=token,
        count=count,
        for_all=lambda body, domain: all(body(place) for place in places[domain]),
        total=lambda body, domain: sum((body(place) for place in places[domain]), fmpq(0)),
        matches=lambda text: patterns.matches(text, (symbol for symbol in symbols if symbol is not None)),
    )
    return of_word


def holds_on_runs(
    formula: Expression, names: dict[str, Real], runs: Sequence[tuple[str, int]], alphabet: Sequence[str]
) -> bool:
    """As `holds`, of a marked word that is too long to be written out: tokens, each with how often it stands there in a
    row. ArithmeticError for a formula that speaks of all positions."""
    work.spend(STEPS_A_FORMULA + STEPS_A_TOKEN * len(runs))
    symbols = [(token if token in alphabet else None, times) for token, times in runs]
    length = sum(times for _, times in runs)

    def token(position: Real) -> str | None:
        if not isinstance(position, fmpq) or position.q != 1 or not 0 <= position < length:
            return None
        ends = itertools.accumulate(times for _, times in symbols)
        return next(symbol for (symbol, _), end in zip(symbols, ends, strict=True) if position < end)

    def count(symbol: str, last: Real | None) -> fmpq:
        if last is not None and (not isinstance(last, fmpq) or last.q != 1):
            raise ArithmeticError(f"count({symbol!r}, j) takes a whole position j, not {last}")
        left, found = length if last is None else max(int(last.p) + 1, 0), 0
        for each, times in symbols:
            found += min(times, left) if each == symbol else 0
            left -= min(times, left)
        return fmpq(found)

    def refused(*_: object) -> NoReturn:
        raise ArithmeticError("a formula about all positions of a word that is too long to be written out")

    counted = replace(
        word_meaning(names, (), alphabet),
        name={**names, "n": fmpq(length)}.__getitem__,
        token=token,
        count=count,
        for_all=refused,
        total=refused,
        matches=lambda text: patterns.matches_runs(text, ((s, times) for s, times in symbols if s is not None)),
    )
    return bool(fold(formula.tree, counted))


def value_on(scalar: Expression, names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> Real:
    """The exact value of a scalar that speaks of a marked word, its brackets read as `holds` reads them."""
    value = fold(scalar.tree, word_meaning(names, tokens, alphabet))
    return fmpq(int(value)) if isinstance(value, bool) else value
