"""What is in the expression language: a closed grammar, outside of which ExpressionError says what to write instead."""

from __future__ import annotations

import ast
import itertools
import math
import warnings
from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from typing import Any

from weightproof.constructions.scalars.expressions import (
    ARITHMETIC,
    COMPARE,
    Expression,
    ExpressionError,
    Meaning,
    exact,
    half_turns,
    kind,
    quantifier,
    syntax,
)
from weightproof.constructions.scalars.patterns import PatternError, pattern, symbols_in

FUNCTIONS = frozenset({"sqrt", "log", "exp", "cos", "sin", "sinh", "cosh", "tanh"})
WORDS = FUNCTIONS | {"w", "count", "matches", "all", "any", "sum", "positions", "indices", "pi"}
"""What the language itself means by a name; no parameter and no bound position is called so."""


def is_free(name: str) -> bool:
    """Whether it can be the name of a number: it is an identifier, and means nothing yet."""
    return name.isidentifier() and name not in {"i", "n", "d", *WORDS}


DEEPEST = 60
LONGEST_SOURCE = 2_000
LARGEST_DIGITS = 300
MOST_COUNTED = 60
"""Symbols of which it is counted at how many places they stand."""


def quoted(text: str) -> str:
    """The text as a message shows it, the middle left out where it is long."""
    return repr(text if len(text) <= 100 else f"{text[:48]} ... {text[-48:]}")


def expression(value: object) -> Expression:
    """Read an int, a Fraction, a string, or anything whose text is in the language (a SymPy expression, say).

    Raises ExpressionError for floats and for text outside the grammar.
    """
    if isinstance(value, bool | float):
        hint = f"write '{Fraction(value)}'" if math.isfinite(value) else "NaN and infinity have no place among weights"
        raise ExpressionError(f"{value!r} is a {type(value).__name__}, but weights are exact: {hint}")
    read = exact(value)
    if not isinstance(read, Expression):
        if isinstance(value, int):
            raise ExpressionError(f"an integer of more than {LARGEST_DIGITS} digits")
        raise ExpressionError(f"{value!r} is no scalar: write an integer, a Fraction or a string such as 'c*sqrt(d)'")
    read.tree  # noqa: B018 - checked now, so that a malformed weight is refused where it is written
    return read


def meaning_of_part(refuse: Callable[..., Any], **read: Callable[..., Any]) -> Meaning:
    """What a reader of a part of the language takes it to mean, given by the names of the fields of `Meaning`.

    For whatever else is written `refuse` is called, which has to raise.
    """
    return Meaning(**(dict.fromkeys((each.name for each in fields(Meaning)), refuse) | read))


@syntax.register
def _expression(of: Expression) -> ast.expr:
    source = of.source
    if len(source) > LONGEST_SOURCE:
        raise ExpressionError(f"expression of {len(source)} characters; at most {LONGEST_SOURCE} are read")
    try:
        tree = _parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"cannot read {quoted(source)}: not a well-formed expression") from error
    _check(tree, source, 0)
    if kind(tree) == "token":
        raise ExpressionError(f"cannot read {quoted(source)}: compare a token with a symbol, as in w[1] == '1'")
    return _spelled_out(tree)


def _parsed(source: str) -> ast.expr:
    """The tree of Python's syntax, without Python's own advice on what is written."""
    with warnings.catch_warnings(action="ignore"):
        return ast.parse(source.strip(), mode="eval").body


def _spelled_out(tree: ast.expr) -> ast.expr:
    """With each count of several symbols as the sum over positions that it means: of whether they stand there, the last
    of them at the position, and of whether that is no later than it may be."""
    several = any(_counted(node)[1:] for node in ast.walk(tree))
    return _Spelled({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}).visit(tree) if several else tree


def _counted(node: ast.AST) -> str:
    """The symbols of a count; none of what is none."""
    match node:
        case ast.Call(func=ast.Name(id="count"), args=[ast.Constant(value=str(symbols)), *_]):
            return symbols
    return ""


LETTERS = "klmpqrs"
"""Of names for positions."""


class _Spelled(ast.NodeTransformer):
    def __init__(self, taken: set[str]) -> None:
        names = (letter * times for times in itertools.count(1) for letter in LETTERS)
        self.place = next(name for name in names if name not in taken)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        symbols = _counted(node)
        if len(symbols) < 2:
            return node
        behind = range(len(symbols) - 1, -1, -1)
        places = (f"{self.place} - {back}" if back else self.place for back in behind)
        held = [f"w[{place}] == {symbol!r}" for place, symbol in zip(places, symbols, strict=True)]
        held += [f"{self.place} <= ({ast.unparse(last)})" for last in node.args[1:]]
        return _parsed(f"sum(({' and '.join(held)}) for {self.place} in positions)")


def _check(node: ast.expr, source: str, depth: int) -> None:
    def refuse(what: str) -> ExpressionError:
        return ExpressionError(f"cannot read {quoted(source)}: {what}")

    if depth > DEEPEST:
        raise refuse(f"nested more than {DEEPEST} deep")
    numbers: list[ast.expr] = []
    truths: list[ast.expr] = []
    match node:
        case ast.Constant(value=bool() | float() | complex()):
            raise refuse(f"{node.value!r} is not exact; write a fraction such as 1/2")
        case ast.Constant(value=int(number)):
            if abs(number) >= 10**LARGEST_DIGITS:
                raise refuse(f"an integer of more than {LARGEST_DIGITS} digits")
        case ast.Name(id=name):
            if name.startswith("_"):
                raise refuse(f"name {name!r} starts with an underscore")
            if name in WORDS - {"pi"}:
                raise refuse(f"{name!r} has a meaning of its own and does not stand alone")
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in (*ARITHMETIC, ast.Pow, ast.Mod):
                raise refuse(f"operator {type(op).__name__} is not in the language")
            numbers = [left, right]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            numbers = [operand]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            truths = [operand]
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if type(op) not in COMPARE:
                raise refuse(f"comparison {type(op).__name__} is not in the language")
            kinds = {kind(left), kind(right)}
            if kinds.isdisjoint({"token", "text"}):
                numbers = [left, right]
            elif "token" not in kinds or not kinds <= {"token", "text"} or not isinstance(op, ast.Eq | ast.NotEq):
                raise refuse("a token compares with a symbol, by == or !=, as in w[1] == '1'")
            else:
                numbers = [side.slice for side in (left, right) if isinstance(side, ast.Subscript)]
        case ast.Compare():
            raise refuse("chained comparisons; join them with 'and'")
        case ast.BoolOp(values=values):
            truths = values
        case ast.Subscript(value=ast.Name(id="w"), slice=index):
            numbers = [index]
        case ast.Call(func=ast.Name(id="count"), args=[ast.Constant(value=str(symbols)), *rest], keywords=[]):
            if len(rest) > 1:
                raise refuse("count takes a symbol, or several, and at most one position")
            if len(symbols) > MOST_COUNTED:
                raise refuse(f"a count of more than {MOST_COUNTED} symbols")
            numbers = rest
        case ast.Call(func=ast.Name(id="matches"), args=[ast.Constant(value=str(text))], keywords=[]):
            try:
                pattern(text)
            except PatternError as error:
                raise refuse(f"regular expression, {error}") from error
        case ast.Call(func=ast.Name(id="cos" | "sin"), args=[argument], keywords=[]):
            numbers = [argument if (turns := half_turns(argument)) is None else turns]
        case ast.Call(func=ast.Name(id=function), args=[argument], keywords=[]) if function in FUNCTIONS:
            numbers = [argument]
        case ast.Call(func=ast.Name(id="all" | "any" | "sum" as which), args=[ast.GeneratorExp() as body], keywords=[]):
            bound, _, inner = quantifier(body)
            if bound.startswith("_") or bound in WORDS | {"n"}:
                raise refuse(f"{bound!r} is no name for a position")
            numbers, truths = ([inner], []) if which == "sum" else ([], [inner])
        case _:
            raise refuse(f"{_shown(node)} is not in the language")
    for child in numbers:
        if kind(child) in ("token", "text"):
            raise refuse(f"{_shown(child)} is no number")
    for child in truths:
        if kind(child) not in ("truth", "name"):
            raise refuse(f"{_shown(child)} is neither true nor false")
    for child in (*numbers, *truths):
        _check(child, source, depth + 1)


def _shown(node: ast.expr) -> str:
    try:
        return quoted(ast.unparse(node))
    except RecursionError:
        return f"a {type(node).__name__}"


def symbols_of(tree: ast.expr) -> frozenset[str] | None:
    """The symbols that a tree speaks of; None where it does not speak of a word at all."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    if not any(isinstance(node, ast.Subscript | ast.GeneratorExp) or kind(node) == "text" for node in nodes):
        return None
    found: set[str] = set()
    pending: list[ast.AST] = [tree]
    while pending:
        match pending.pop():
            case ast.Call(func=ast.Name(id="matches"), args=[ast.Constant(value=str(text))]):
                found |= symbols_in(pattern(text))
            case ast.Constant(value=str(symbol)):
                found.add(symbol)
            case other:
                pending += ast.iter_child_nodes(other)
    return frozenset(found)
