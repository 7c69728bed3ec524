"""Scalars and formulas as JSON, for a reader that has no parser: [operation, operand, ...], and numbers as they are."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from weightproof.constructions.scalars import patterns
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression, Meaning, fold

LARGEST = (1 << 53) - 1
"""Of the integers that a number of a page holds, and all smaller ones."""


@dataclass(frozen=True)
class Tree:
    """A tree as JSON has it; operators make larger ones."""

    data: Any

    def __add__(self, other: Tree) -> Tree:
        return Tree(["+", self.data, other.data])

    def __sub__(self, other: Tree) -> Tree:
        return Tree(["-", self.data, other.data])

    def __mul__(self, other: Tree) -> Tree:
        return Tree(["*", self.data, other.data])

    def __truediv__(self, other: Tree) -> Tree:
        return Tree(["/", self.data, other.data])

    def __neg__(self) -> Tree:
        return Tree(["-", 0, self.data])


class NotWhole(ValueError):
    """A formula that does not compute with integers alone, or that is too large; one line that says where."""


def scalar(expression: Expression) -> Any:
    """A scalar, with names for what it depends on. OverflowError for an integer that a page cannot hold."""
    return fold(expression.tree, _meaning(lambda name: Tree(["name", name]), _function)).data


def formula(expression: Expression, parameters: Mapping[str, Real]) -> Any:
    """A formula about a word, at these values of parameters. NotWhole where it speaks of numbers that are no integers,
    or that may be none: then a page cannot tell for certain whether it is true."""

    def name(called: str) -> Tree:
        if called not in parameters:
            return Tree(["name", called])
        value = parameters[called]
        if not isinstance(value, fmpq) or value.q != 1:
            raise NotWhole(f"{called} is no integer")
        return Tree(_whole(int(value.p)))

    tree = fold(expression.tree, _meaning(name, _no_function)).data
    for each in _parts(tree):
        if each[0] in ("/", "**"):
            raise NotWhole(f"{expression} has a quotient or a power")
    return tree


def _parts(tree: Any) -> Any:
    if isinstance(tree, list):
        yield tree
        for part in tree:
            yield from _parts(part)


def _whole(number: int) -> int:
    if abs(number) > LARGEST:
        raise OverflowError(f"the integer {number} is too large for a page")
    return number


def _function(name: str, value: Tree) -> Tree:
    return Tree([name, value.data])


def _no_function(name: str, value: Tree) -> Tree:
    raise NotWhole(f"{name} of an integer need not be one")


def _matches(text: str) -> Tree:
    """With the automaton, whose last column is of all symbols that the expression does not name: a search that goes
    back may hold a page up."""
    symbols = sorted(patterns.symbols_in(patterns.pattern(text)))
    try:
        table = patterns.table(text, (*symbols, ""))
    except patterns.PatternError as error:
        raise NotWhole(f"matches({text!r}) is {error}") from error
    return Tree(["matches", {"symbols": symbols, "rows": table.rows, "accepting": sorted(table.accepting)}])


def _meaning(name: Any, function: Any) -> Meaning:
    places = itertools.count()

    def side(value: Tree | str) -> Any:
        return ["symbol", value] if isinstance(value, str) else value.data

    def over(which: str) -> Any:
        def made(body: Any, domain: str) -> Tree:
            place = f"place {next(places)}"
            return Tree([which, place, domain, body(Tree(["name", place])).data])

        return made

    return Meaning(
        number=lambda number: Tree(_whole(number)),
        name=name,
        function=function,
        compare=lambda op, left, right: Tree([op, side(left), side(right)]),
        bracket=lambda truth: Tree(["bracket", truth.data]),
        token=lambda place: Tree(["token", place.data]),
        count=lambda symbol, last: Tree(["count", symbol, *([] if last is None else [last.data])]),
        conjunction=lambda parts: Tree(["and", *(part.data for part in parts)]),
        disjunction=lambda parts: Tree(["or", *(part.data for part in parts)]),
        negation=lambda truth: Tree(["not", truth.data]),
        for_all=over("all"),
        total=over("sum"),
        matches=_matches,
        modulo=lambda left, right: Tree(["%", left.data, right.data]),
        power=lambda base, exponent: Tree(["**", base.data, exponent.data]),
    )
