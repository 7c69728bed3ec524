"""The one expression language of the data: exact scalars and formulas, written as short strings.

A scalar is what a weight, a positional encoding or a closed form is made of: ``"1/2"``, ``"c*sqrt(d)"``, ``"i/n"``,
``"cos(pi*i)"``; a comparison inside a scalar is an Iverson bracket: ``"(i == 1)"``. A formula is a statement about a
word: ``"count('1') % 2 == 1"``, ``"all(w[j] == w[n-1-j] for j in positions)"``.

The strings follow Python's syntax but are never executed: they are parsed, checked against the closed grammar below,
and kept as syntax trees. The exact interpreter, the symbolic reading and the numeric reading each give a tree their own
meaning with `fold`; importing this module costs no heavy library, so that listing constructions stays instant.

Vocabulary: ``i`` position (from 0), ``n`` number of positions, ``d`` width of the residual stream, ``w[j]`` the token
at position j, ``count('a')`` the occurrences of a in the word, ``count('a', j)`` those at positions 0..j, ``positions``
the positions that hold a symbol of the word (no marker), the names of parameters, ``pi`` inside ``cos`` only.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

FUNCTIONS = frozenset({"sqrt", "log", "exp", "cos", "sinh", "cosh", "tanh"})
BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.Mod: "%",
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
DEEPEST = 60
LONGEST = 2_000
LARGEST_DIGITS = 300


class ExpressionError(ValueError):
    """A string that is not in the expression language; the message says what is wrong and what to write instead."""


@dataclass(frozen=True)
class Expression:
    """An exact scalar or a formula: its source text; equality is equality of text."""

    source: str

    @functools.cached_property
    def tree(self) -> ast.expr:
        return parse(self.source)

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The free names: parameters, i, n, d; not functions, not bound positions."""
        return free_names(self.tree)

    def __str__(self) -> str:
        return self.source


def expression(value: object) -> Expression:
    """Read an int, a Fraction, a string, or anything whose text is in the language (a SymPy expression, say).

    Raises ExpressionError for floats and for text outside the grammar.
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool) or isinstance(value, float):
        hint = f"write '{Fraction(value)}'" if math.isfinite(value) else "NaN and infinity have no place among weights"
        raise ExpressionError(f"{value!r} is a {type(value).__name__}, but weights are exact: {hint}")
    if not isinstance(value, int | Fraction | str) and not hasattr(value, "free_symbols"):
        raise ExpressionError(f"{value!r} is no scalar: write an integer, a Fraction or a string such as 'c*sqrt(d)'")
    result = Expression(str(value))
    result.tree  # noqa: B018 - parsed now, so that a malformed weight is refused where it is written
    return result


@functools.lru_cache(maxsize=4096)
def parse(source: str) -> ast.expr:
    """The checked syntax tree of `source`; raises ExpressionError outside the grammar."""
    if len(source) > LONGEST:
        raise ExpressionError(f"expression of {len(source)} characters; at most {LONGEST} are read")
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"cannot read {source!r}: not a well-formed expression") from error
    _check(tree, source, 0)
    return tree


def _check(node: ast.expr, source: str, depth: int) -> None:
    def refuse(what: str) -> ExpressionError:
        return ExpressionError(f"cannot read {source!r}: {what}")

    if depth > DEEPEST:
        raise refuse(f"nested more than {DEEPEST} deep")
    children: list[ast.expr] = []
    match node:
        case ast.Constant(value=bool() | float() | complex()):
            raise refuse(f"{node.value!r} is not exact; write a fraction such as 1/2")
        case ast.Constant(value=int(number)):
            if abs(number) >= 10**LARGEST_DIGITS:
                raise refuse(f"an integer of more than {LARGEST_DIGITS} digits")
        case ast.Name():
            if node.id.startswith("_"):
                raise refuse(f"name {node.id!r} starts with an underscore")
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in BINARY:
                raise refuse(f"operator {type(op).__name__} is not in the language")
            children = [left, right]
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            children = [operand]
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if type(op) not in COMPARE:
                raise refuse(f"comparison {type(op).__name__} is not in the language")
            children = [side for side in (left, right) if not _is_text(side)]
        case ast.Compare():
            raise refuse("chained comparisons; join them with 'and'")
        case ast.BoolOp(values=values):
            children = values
        case ast.Subscript(value=ast.Name(id="w"), slice=index):
            children = [index]
        case ast.Call(func=ast.Name(id="count"), args=[symbol, *rest], keywords=[]) if _is_text(symbol):
            if len(rest) > 1:
                raise refuse("count takes a symbol and at most one position")
            children = rest
        case ast.Call(func=ast.Name(id="cos"), args=[argument], keywords=[]):
            if cosine_turns(argument) is None:
                raise refuse("cos is exact only at multiples of pi; write cos(pi*i)")
            children = [argument]
        case ast.Call(func=ast.Name(id=function), args=[argument], keywords=[]) if function in FUNCTIONS:
            children = [argument]
        case ast.Call(func=ast.Name(id="all" | "any"), args=[ast.GeneratorExp() as body], keywords=[]):
            children = list(quantifier(body)[1:])
        case _:
            raise refuse(f"{ast.unparse(node)!r} is not in the language")
    for child in children:
        _check(child, source, depth + 1)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def quantifier(body: ast.GeneratorExp) -> tuple[str, ast.expr]:
    """The bound position and the body of ``all(BODY for j in positions)``."""
    match body.generators:
        case [ast.comprehension(target=ast.Name(id=name), iter=ast.Name(id="positions"), ifs=[])]:
            return name, body.elt
    raise ExpressionError(f"cannot read {ast.unparse(body)!r}: quantify as 'all(... for j in positions)'")


def cosine_turns(argument: ast.expr) -> ast.expr | None:
    """The x of ``pi*x``; None if `argument` has another form."""
    match argument:
        case ast.BinOp(left=ast.Name(id="pi"), op=ast.Mult(), right=turns):
            return turns
        case ast.BinOp(left=turns, op=ast.Mult(), right=ast.Name(id="pi")):
            return turns
        case ast.Name(id="pi"):
            return ast.Constant(1)
    return None


def free_names(node: ast.AST) -> frozenset[str]:
    match node:
        case ast.Name(id=name):
            return frozenset({name}) - {"pi", "positions"}
        case ast.Call(args=[ast.GeneratorExp() as body]):
            name, inner = quantifier(body)
            return free_names(inner) - {name}
        case ast.Call(args=args):
            return frozenset().union(*(free_names(argument) for argument in args))
        case ast.Subscript(slice=index):
            return free_names(index)
    return frozenset().union(*(free_names(child) for child in ast.iter_child_nodes(node)))


@dataclass(frozen=True)
class Meaning:
    """What the leaves of a tree mean to one reader; the arithmetic is the reader's own operators.

    compare(op, left, right) gives a truth value of the reader's kind, bracket(truth) the Iverson bracket, function(name,
    value) an elementary function with cosine given in half turns as "cospi".
    """

    number: Callable[[int], Any]
    name: Callable[[str], Any]
    function: Callable[[str, Any], Any]
    compare: Callable[[str, Any, Any], Any]
    bracket: Callable[[Any], Any]
    token: Callable[[Any], Any] | None = None
    count: Callable[[str, Any | None], Any] | None = None
    conjunction: Callable[[list[Any]], Any] | None = None
    disjunction: Callable[[list[Any]], Any] | None = None
    negation: Callable[[Any], Any] | None = None
    for_all: Callable[[Callable[[Any], Any]], Any] | None = None
    modulo: Callable[[Any, Any], Any] = operator.mod
    power: Callable[[Any, Any], Any] = operator.pow


def fold(node: ast.expr, meaning: Meaning, bound: Mapping[str, Any] | None = None) -> Any:
    """The value of a tree under a reader's `meaning`: a scalar of the reader's kind, or a truth value for a formula."""
    bound = bound or {}

    def value(child: ast.expr) -> Any:
        result = fold(child, meaning, bound)
        is_truth = isinstance(child, ast.Compare | ast.BoolOp) or (
            isinstance(child, ast.UnaryOp) and isinstance(child.op, ast.Not)
        )
        return meaning.bracket(result) if is_truth else result

    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=int(number)):
            return meaning.number(number)
        case ast.Name(id=name):
            return bound[name] if name in bound else meaning.name(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -value(operand)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            assert meaning.negation is not None
            return meaning.negation(fold(operand, meaning, bound))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = value(left), value(right)
            match op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return a / b
                case ast.Mod():
                    return meaning.modulo(a, b)
            return meaning.power(a, b)
        case ast.Compare(left=left, ops=[comparison], comparators=[right]):
            return meaning.compare(COMPARE[type(comparison)], value(left), value(right))
        case ast.BoolOp(op=boolean, values=values):
            join = meaning.conjunction if isinstance(boolean, ast.And) else meaning.disjunction
            assert join is not None
            return join([fold(child, meaning, bound) for child in values])
        case ast.Subscript(slice=index):
            assert meaning.token is not None
            return meaning.token(value(index))
        case ast.Call(func=ast.Name(id="count"), args=[ast.Constant(value=str(symbol)), *rest]):
            assert meaning.count is not None
            return meaning.count(symbol, value(rest[0]) if rest else None)
        case ast.Call(func=ast.Name(id="cos"), args=[argument]):
            turns = cosine_turns(argument)
            assert turns is not None
            return meaning.function("cospi", value(turns))
        case ast.Call(func=ast.Name(id="all" | "any" as which), args=[ast.GeneratorExp() as body]):
            assert meaning.for_all is not None
            name, inner = quantifier(body)
            if which == "all":
                return meaning.for_all(lambda position: fold(inner, meaning, {**bound, name: position}))
            assert meaning.negation is not None
            negation = meaning.negation
            return negation(meaning.for_all(lambda p: negation(fold(inner, meaning, {**bound, name: p}))))
        case ast.Call(func=ast.Name(id=function), args=[argument]):
            return meaning.function(function, value(argument))
    raise ExpressionError(f"cannot read {ast.unparse(node)!r}")
