"""The one expression language of the data: exact scalars and formulas, written as short strings.

A scalar is what a weight, a positional encoding or a closed form is made of: ``"1/2"``, ``"c*sqrt(d)"``, ``"i/n"``,
``"cos(pi*i)"``; a comparison inside a scalar is an Iverson bracket: ``"(i == 1)"``. A formula is a statement about a
word: ``"count('1') % 2 == 1"``, ``"all(w[j] == w[n-1-j] for j in positions)"``.

The strings follow Python's syntax but are never executed: they are parsed, checked against a closed grammar
(`grammar`), and read as syntax trees. The exact interpreter, the symbolic reading and the numeric reading each give a
tree their own meaning with `fold`; importing this module costs no heavy library, so that listing constructions stays
instant.

The vocabulary, with what each name means, is docs/formulas.md.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
Domain = Literal["positions", "indices"]
"""What a bound position runs over: the positions that hold a symbol of the word, or all of them, markers included."""


class ExpressionError(ValueError):
    """A string that is not in the expression language; the message says what is wrong and what to write instead."""


@dataclass(frozen=True)
class Expression:
    """An exact scalar or a formula: its source text; equality is equality of text."""

    source: str

    def __post_init__(self) -> None:
        if not isinstance(self.source, str):  # it could not be looked up, so that nobody could refuse it later
            raise ExpressionError(f"{self.source!r} is no text")

    @functools.cached_property
    def tree(self) -> ast.expr:
        """Its syntax tree; ExpressionError outside of the language."""
        return _tree(self)

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The free names: parameters, i, n, d; not functions, not bound positions."""
        return free_names(self.tree)

    def __str__(self) -> str:
        return self.source


@functools.lru_cache(maxsize=4096)
def _tree(of: Expression) -> ast.expr:
    return syntax(of)


@functools.singledispatch
def syntax(of: object) -> ast.expr:
    """The tree of what is written, where it is in the language, with what is short for something else written out: what
    that can be is said in `grammar`."""
    raise TypeError(f"nothing is known of the syntax of a {type(of).__name__}")


def exact(value: object) -> Expression:
    """The scalar or formula that an integer, a Fraction, a text, or what has a text in the language stands for; what
    stands for none passes unchanged, here and below: who checks the whole knows where it stands, and refuses it."""
    written = isinstance(value, int | Fraction | str) and not isinstance(value, bool)
    if isinstance(value, Expression) or not (written or hasattr(value, "free_symbols")):
        return value  # type: ignore[return-value]
    try:
        return _expression(str(value))
    except ValueError:  # Python does not write out integers of more than 4300 digits
        return value  # type: ignore[return-value]


@functools.lru_cache(maxsize=4096)
def _expression(source: str) -> Expression:
    return Expression(source)


def exact_or_none(value: object) -> Expression | None:
    """The scalar or formula, where there is one."""
    return None if value is None else exact(value)


def entries(values: Mapping[str, object]) -> Mapping[str, Expression]:
    """Name -> scalar."""
    if not isinstance(values, Mapping):
        return values
    return MappingProxyType({name: exact(value) for name, value in values.items()})


def entries_or_empty(values: Mapping[str, object] | None) -> Mapping[str, Expression]:
    """Name -> scalar; nothing for None, where they may be left out."""
    return entries({} if values is None else values)


def kind(node: ast.expr) -> str:
    """What a tree stands for: a "number", a "truth", a "token" or a "text"; a "name" may be a number or a truth."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return "truth"
        case ast.Call(func=ast.Name(id="all" | "any" | "matches")):
            return "truth"
        case ast.Subscript():
            return "token"
        case ast.Constant(value=str()):
            return "text"
        case ast.Name():
            return "name"
    return "number"


def quantifier(body: ast.GeneratorExp) -> tuple[str, Domain, ast.expr]:
    """The bound position, what it runs over, and the body of ``all(BODY for j in positions)``."""
    match body.generators:
        case [
            ast.comprehension(
                target=ast.Name(id=name), iter=ast.Name(id="positions" | "indices" as over), ifs=[], is_async=0
            )
        ]:
            return name, "indices" if over == "indices" else "positions", body.elt
    raise ExpressionError(f"cannot read {ast.unparse(body)!r}: write it as '(... for j in positions)'")


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
            name, _, inner = quantifier(body)
            return free_names(inner) - {name}
        case ast.Call(args=args):
            return frozenset().union(*(free_names(argument) for argument in args))
        case ast.Subscript(slice=index):
            return free_names(index)
    return frozenset().union(*(free_names(child) for child in ast.iter_child_nodes(node)))


@dataclass(frozen=True)
class Meaning:
    """What the leaves of a tree mean to one reader; the arithmetic is the reader's own operators.

    compare(op, left, right) gives a truth value of the reader's kind, bracket(truth) the Iverson bracket,
    function(name, value) an elementary function: cosine and sine of what is written as a multiple of pi in half turns,
    as "cospi" and "sinpi", and pi itself as "pi" of 1,
    for_all(body, domain) and total(body, domain) what a body comes to over all positions of a domain,
    matches(text) whether the word matches the regular expression (`patterns`).
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
    matches: Callable[[str], Any] | None = None
    modulo: Callable[[Any, Any], Any] = operator.mod
    power: Callable[[Any, Any], Any] = operator.pow


def fold(node: ast.expr, meaning: Meaning, bound: Mapping[str, Any] | None = None) -> Any:
    """The value of a tree under a reader's `meaning`: a scalar of the reader's kind, or a truth value for a formula."""
    bound = bound or {}

    def value(child: ast.expr, bound: Mapping[str, Any] = bound) -> Any:
        result = fold(child, meaning, bound)
        return meaning.bracket(result) if kind(child) == "truth" else result

    def needed(reader: Callable[..., Any] | None) -> Callable[..., Any]:
        if reader is None:
            raise ExpressionError(f"{ast.unparse(node)!r} speaks of a word where there is none")
        return reader

    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=int(number)):
            return meaning.number(number)
        case ast.Name(id="pi"):
            return meaning.function("pi", meaning.number(1))
        case ast.Name(id=name):
            return bound[name] if name in bound else meaning.name(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -value(operand)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return needed(meaning.negation)(fold(operand, meaning, bound))
        case ast.BinOp(left=left, op=op, right=right):
            operation = {ast.Mod: meaning.modulo, ast.Pow: meaning.power}.get(type(op)) or ARITHMETIC[type(op)]
            a, b = value(left), value(right)
            try:
                return operation(a, b)
            except ZeroDivisionError as error:
                if not isinstance(op, ast.Div):
                    raise
                raise ZeroDivisionError(f"division by zero in {ast.unparse(node)!r}") from error
        case ast.Compare(left=left, ops=[comparison], comparators=[right]):
            return meaning.compare(COMPARE[type(comparison)], value(left), value(right))
        case ast.BoolOp(op=boolean, values=values):
            join = meaning.conjunction if isinstance(boolean, ast.And) else meaning.disjunction
            return needed(join)([fold(child, meaning, bound) for child in values])
        case ast.Subscript(slice=index):
            return needed(meaning.token)(value(index))
        case ast.Call(func=ast.Name(id="count"), args=[ast.Constant(value=str(symbol)), *rest]):
            return needed(meaning.count)(symbol, value(rest[0]) if rest else None)
        case ast.Call(func=ast.Name(id="matches"), args=[ast.Constant(value=str(text))]):
            return needed(meaning.matches)(text)
        case ast.Call(func=ast.Name(id="cos" | "sin" as function), args=[argument]):
            turns = half_turns(argument)
            return (
                meaning.function(function, value(argument))
                if turns is None
                else (meaning.function(f"{function}pi", value(turns)))
            )
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as body]):
            name, domain, inner = quantifier(body)
            return needed(meaning.total)(lambda place: value(inner, {**bound, name: place}), domain)
        case ast.Call(func=ast.Name(id="all" | "any" as which), args=[ast.GeneratorExp() as body]):  # any: not all not
            name, domain, inner = quantifier(body)
            every, turned = needed(meaning.for_all), needed(meaning.negation if which == "any" else lambda truth: truth)
            return turned(every(lambda place: turned(fold(inner, meaning, {**bound, name: place})), domain))
        case ast.Call(func=ast.Name(id=function), args=[argument]):
            return meaning.function(function, value(argument))
    raise ExpressionError(f"cannot read {ast.unparse(node)!r}")
