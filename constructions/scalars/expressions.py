"""The one expression language of the data: exact scalars and formulas, written as short strings.

A scalar is what a weight, a positional encoding or a closed form is made of: ``"1/2"``, ``"c*sqrt(d)"``, ``"i/n"``,
``"cos(pi*i)"``; a comparison inside a scalar is an Iverson bracket: ``"(i == 1)"``. A formula is a statement about a
word: ``"count('1') % 2 == 1"``, ``"all(w[j] == w[n-1-j] for j in positions)"``.

The strings follow Python's syntax but are never executed: they are parsed, checked against the closed grammar below,
and kept as syntax trees. The exact interpreter, the symbolic reading and the numeric reading each give a tree their own
meaning with `fold`; importing this module costs no heavy library, so that listing constructions stays instant.

Vocabulary: ``i`` position (from 0), ``n`` number of positions, ``d`` width of the residual stream, ``w[j]`` the token
at position j, ``count('a')`` the occurrences of a in the word, ``count('a', j)`` those at positions 0..j, ``positions``
the positions that hold a symbol of the word (no marker), ``indices`` all positions 0..n-1, markers included,
``sum(... for j in positions)`` a sum over them, the names of parameters, ``pi`` inside ``cos`` and ``sin`` only.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

FUNCTIONS = frozenset({"sqrt", "log", "exp", "cos", "sin", "sinh", "cosh", "tanh"})
WORDS = FUNCTIONS | {"w", "count", "all", "any", "sum", "positions", "indices", "pi"}
"""What the language itself means by a name; no parameter and no bound position is called so."""


def is_free(name: str) -> bool:
    """Whether it can be the name of a number: it is an identifier, and means nothing yet."""
    return name.isidentifier() and name not in {"i", "n", "d", *WORDS}


BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.Mod: "%",
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
Domain = Literal["positions", "indices"]
"""What a bound position runs over: the positions that hold a symbol of the word, or all of them, markers included."""
DEEPEST = 60
LONGEST_SOURCE = 2_000
LARGEST_DIGITS = 300


def quoted(text: str) -> str:
    """The text as a message shows it, the middle left out where it is long."""
    return repr(text if len(text) <= 100 else f"{text[:48]} ... {text[-48:]}")


class ExpressionError(ValueError):
    """A string that is not in the expression language; the message says what is wrong and what to write instead."""


@dataclass(frozen=True)
class Expression:
    """An exact scalar or a formula: its source text; equality is equality of text."""

    source: str

    def __post_init__(self) -> None:
        if not isinstance(self.source, str):
            raise ExpressionError(f"{self.source!r} is no text")

    @functools.cached_property
    def tree(self) -> ast.expr:
        return parse(self.source)

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The free names: parameters, i, n, d; not functions, not bound positions."""
        return free_names(self.tree)

    @functools.cached_property
    def symbols(self) -> frozenset[str] | None:
        """The symbols that it speaks of; None where it does not speak of a word at all."""
        return symbols(self.tree)

    @functools.cached_property
    def conjuncts(self) -> tuple[tuple[ast.expr, bool], ...]:
        """The formulas that are all true where this one is, each with whether all that it speaks of in a word is how
        often symbols are there."""
        return tuple((tree, speaks_of_counts(tree)) for tree in conjuncts(self.tree))

    def __str__(self) -> str:
        return self.source


def expression(value: object) -> Expression:
    """Read an int, a Fraction, a string, or anything whose text is in the language (a SymPy expression, say).

    Raises ExpressionError for floats and for text outside the grammar.
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool | float):
        hint = f"write '{Fraction(value)}'" if math.isfinite(value) else "NaN and infinity have no place among weights"
        raise ExpressionError(f"{value!r} is a {type(value).__name__}, but weights are exact: {hint}")
    if not isinstance(value, int | Fraction | str) and not hasattr(value, "free_symbols"):
        raise ExpressionError(f"{value!r} is no scalar: write an integer, a Fraction or a string such as 'c*sqrt(d)'")
    try:
        return _read(str(value))
    except ExpressionError:
        raise
    except ValueError as error:  # Python does not write out integers of more than 4300 digits
        raise ExpressionError(f"an integer of more than {LARGEST_DIGITS} digits") from error


@functools.lru_cache(maxsize=4096)
def _read(source: str) -> Expression:
    result = Expression(source)
    result.tree  # noqa: B018 - parsed now, so that a malformed weight is refused where it is written
    return result


@functools.lru_cache(maxsize=4096)
def parse(source: str) -> ast.expr:
    """The checked syntax tree of `source`; raises ExpressionError outside the grammar."""
    if len(source) > LONGEST_SOURCE:
        raise ExpressionError(f"expression of {len(source)} characters; at most {LONGEST_SOURCE} are read")
    try:
        with warnings.catch_warnings(action="ignore"):  # Python's own advice on text that is refused below
            tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"cannot read {quoted(source)}: not a well-formed expression") from error
    _check(tree, source, 0)
    if kind(tree) == "token":
        raise ExpressionError(f"cannot read {quoted(source)}: compare a token with a symbol, as in w[1] == '1'")
    return tree


def kind(node: ast.expr) -> str:
    """What a tree stands for: a "number", a "truth", a "token" or a "text"; a "name" may be a number or a truth."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="all" | "any")):
            return "truth"
        case ast.Subscript():
            return "token"
        case ast.Constant(value=str()):
            return "text"
        case ast.Name():
            return "name"
    return "number"


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
            if name in WORDS:
                raise refuse(f"{name!r} has a meaning of its own and does not stand alone")
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in BINARY:
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
        case ast.Call(func=ast.Name(id="count"), args=[symbol, *rest], keywords=[]) if kind(symbol) == "text":
            if len(rest) > 1:
                raise refuse("count takes a symbol and at most one position")
            numbers = rest
        case ast.Call(func=ast.Name(id="cos" | "sin" as function), args=[argument], keywords=[]):
            turns = half_turns(argument)
            if turns is None:
                raise refuse(f"{function} is exact only at multiples of pi; write {function}(pi*i)")
            numbers = [turns]
        case ast.Call(func=ast.Name(id=function), args=[argument], keywords=[]) if function in FUNCTIONS:
            numbers = [argument]
        case ast.Call(func=ast.Name(id="all" | "any" | "sum" as which), args=[ast.GeneratorExp() as body], keywords=[]):
            bound, inner = quantifier(body)
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


def quantifier(body: ast.GeneratorExp) -> tuple[str, ast.expr]:
    """The bound position and the body of ``all(BODY for j in positions)``."""
    match body.generators:
        case [
            ast.comprehension(target=ast.Name(id=name), iter=ast.Name(id="positions" | "indices"), ifs=[], is_async=0)
        ]:
            return name, body.elt
    raise ExpressionError(f"cannot read {_shown(body)}: write it as '(... for j in positions)'")


def domain(body: ast.GeneratorExp) -> Domain:
    """What the bound position of a sum or a quantifier runs over."""
    match body.generators[0].iter:
        case ast.Name(id="indices"):
            return "indices"
    return "positions"


def half_turns(argument: ast.expr) -> ast.expr | None:
    """The x of ``pi*x``, wherever pi stands in a product or above a quotient; None if `argument` has another form."""
    match argument:
        case ast.BinOp(left=ast.Name(id="pi"), op=ast.Mult(), right=turns):
            return turns
        case ast.BinOp(left=turns, op=ast.Mult(), right=ast.Name(id="pi")):
            return turns
        case ast.Name(id="pi"):
            return ast.Constant(1)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            if (inner := half_turns(left)) is not None:
                return ast.BinOp(inner, op, right)
            if isinstance(op, ast.Mult) and (inner := half_turns(right)) is not None:
                return ast.BinOp(left, op, inner)
        case ast.UnaryOp(op=ast.USub() as minus, operand=operand) if (inner := half_turns(operand)) is not None:
            return ast.UnaryOp(minus, inner)
    return None


def free_names(node: ast.AST) -> frozenset[str]:
    match node:
        case ast.Name(id=name):
            return frozenset({name}) - {"pi", "positions", "indices"}
        case ast.Call(args=[ast.GeneratorExp() as body]):
            name, inner = quantifier(body)
            return free_names(inner) - {name}
        case ast.Call(args=args):
            return frozenset().union(*(free_names(argument) for argument in args))
        case ast.Subscript(slice=index):
            return free_names(index)
    return frozenset().union(*(free_names(child) for child in ast.iter_child_nodes(node)))


def symbols(tree: ast.expr) -> frozenset[str] | None:
    """The symbols that a tree speaks of; None where it does not speak of a word at all."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    if not any(isinstance(node, ast.Subscript | ast.GeneratorExp) or kind(node) == "text" for node in nodes):
        return None
    return frozenset(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def conjuncts(tree: ast.expr) -> list[ast.expr]:
    match tree:
        case ast.BoolOp(op=ast.And(), values=values):
            return [part for value in values for part in conjuncts(value)]
    return [tree]


def speaks_of_counts(tree: ast.expr) -> bool:
    """Whether all that a tree speaks of in a word is how often symbols are there."""
    return not any(
        isinstance(node, ast.Subscript | ast.GeneratorExp) or (isinstance(node, ast.Call) and len(node.args) > 1)
        for node in ast.walk(tree)
    )


@dataclass(frozen=True)
class Meaning:
    """What the leaves of a tree mean to one reader; the arithmetic is the reader's own operators.

    compare(op, left, right) gives a truth value of the reader's kind, bracket(truth) the Iverson bracket,
    function(name, value) an elementary function with cosine and sine given in half turns as "cospi" and "sinpi",
    for_all(body, domain) and total(body, domain) what a body comes to over all positions of a domain.
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
    for_all: Callable[[Callable[[Any], Any], Domain], Any] | None = None
    total: Callable[[Callable[[Any], Any], Domain], Any] | None = None
    modulo: Callable[[Any, Any], Any] = operator.mod
    power: Callable[[Any, Any], Any] = operator.pow


def fold(node: ast.expr, meaning: Meaning, bound: Mapping[str, Any] | None = None) -> Any:
    """The value of a tree under a reader's `meaning`: a scalar of the reader's kind, or a truth value for a formula."""
    bound = bound or {}

    def value(child: ast.expr, bound: Mapping[str, Any] = bound) -> Any:
        result = fold(child, meaning, bound)
        return meaning.bracket(result) if kind(child) == "truth" else result

    def of_words(reader: Callable[..., Any] | None) -> Callable[..., Any]:
        if reader is None:
            raise ExpressionError(f"{_shown(node)} speaks of a word where there is none")
        return reader

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
                    try:
                        return a / b
                    except ZeroDivisionError as error:
                        raise ZeroDivisionError(f"division by zero in {quoted(ast.unparse(node))}") from error
                case ast.Mod():
                    return meaning.modulo(a, b)
                case ast.Pow():
                    return meaning.power(a, b)
        case ast.Compare(left=left, ops=[comparison], comparators=[right]):
            return meaning.compare(COMPARE[type(comparison)], value(left), value(right))
        case ast.BoolOp(op=boolean, values=values):
            join = meaning.conjunction if isinstance(boolean, ast.And) else meaning.disjunction
            assert join is not None
            return join([fold(child, meaning, bound) for child in values])
        case ast.Subscript(slice=index):
            return of_words(meaning.token)(value(index))
        case ast.Call(func=ast.Name(id="count"), args=[ast.Constant(value=str(symbol)), *rest]):
            return of_words(meaning.count)(symbol, value(rest[0]) if rest else None)
        case ast.Call(func=ast.Name(id="cos" | "sin" as function), args=[argument]):
            turns = half_turns(argument)
            assert turns is not None
            return meaning.function(f"{function}pi", value(turns))
        case ast.Call(func=ast.Name(id="all" | "any" as which), args=[ast.GeneratorExp() as body]):
            name, inner = quantifier(body)
            for_all = of_words(meaning.for_all)
            if which == "all":
                return for_all(lambda position: fold(inner, meaning, {**bound, name: position}), domain(body))
            assert meaning.negation is not None
            negation = meaning.negation
            return negation(for_all(lambda p: negation(fold(inner, meaning, {**bound, name: p})), domain(body)))
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as body]):
            name, inner = quantifier(body)
            return of_words(meaning.total)(lambda position: value(inner, {**bound, name: position}), domain(body))
        case ast.Call(func=ast.Name(id=function), args=[argument]):
            return meaning.function(function, value(argument))
    raise ExpressionError(f"cannot read {ast.unparse(node)!r}")
