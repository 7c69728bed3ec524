"""Whether an expression has a value wherever it is read: no divisor is 0, no root or logarithm leaves the reals.

The exact interpreter raises where there is no value; here that is excluded for all words, positions and parameters of a
context, by exact means, or it is refused. Every scalar of a network counts, also one that nothing reads.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from weightproof.constructions.meaning.schema import Encoder, Head, Layer, Linear, Norm
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.expressions import (
    Expression,
    Meaning,
    fold,
    free_names,
    half_turns,
    quantifier,
)
from weightproof.constructions.scalars.grammar import symbols_of
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.iverson import Iverson, integral, normalise
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.value import Value
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, j, n


def scalars(network: Encoder) -> Iterator[tuple[str, Expression]]:
    """Every scalar of a network, and where it stands."""
    for token, row in network.embedding.WE.items():
        yield from _row(row, f"embedding WE, token {token!r}")
    yield from _row(network.embedding.PE, "embedding PE")
    for number, layer in enumerate(network.layers, start=1):
        yield from _of_layer(layer, f"layer {number}")
    yield from _of_norm(network.final_norm, "final norm")
    yield from _of_linear(network.readout.W, "readout")


def _of_layer(layer: Layer, place: str) -> Iterator[tuple[str, Expression]]:
    for number, head in enumerate(layer.heads, start=1):
        yield from _of_head(head, f"{place}, head {number}")
    if layer.feed_forward is not None:
        yield from _of_linear(layer.feed_forward.first, f"{place}, feed-forward network, first map")
        yield from _of_linear(layer.feed_forward.second, f"{place}, feed-forward network, second map")
        if layer.feed_forward.gate is not None:
            yield from _of_linear(layer.feed_forward.gate, f"{place}, feed-forward network, gate")
    for name, norm in (
        ("after attention", layer.attention_norm),
        ("after feed-forward network", layer.feed_forward_norm),
    ):
        yield from _of_norm(norm, f"{place}, norm {name}")
    yield from _of_norm(layer.attention_norm_before, f"{place}, norm before attention")
    yield from _of_norm(layer.feed_forward_norm_before, f"{place}, norm before feed-forward network")


def _of_norm(norm: Norm | None, place: str) -> Iterator[tuple[str, Expression]]:
    if norm is not None:
        yield f"{place}, epsilon", norm.epsilon
        for name, row in (("gain", norm.gain), ("bias", norm.bias)):
            yield from _row(row or {}, f"{place}, {name}")


def _of_head(head: Head, place: str) -> Iterator[tuple[str, Expression]]:
    yield from _of_norm(head.query_norm, f"{place}, norm of queries")
    yield from _of_norm(head.key_norm, f"{place}, norm of keys")
    for part in ("W_Q", "W_K", "W_V", "W_O"):
        for name, row in (getattr(head, part) or {}).items():
            yield from _row(row, f"{place}, {part}, row {name!r}")
    yield f"{place}, scale", head.scale


def _of_linear(linear: Linear, place: str) -> Iterator[tuple[str, Expression]]:
    for name, row in linear.weights.items():
        yield from _row(row, f"{place}, row {name!r}")
    yield from _row(linear.bias, f"{place}, bias")


def _row(row: Mapping[str, Expression], place: str) -> Iterator[tuple[str, Expression]]:
    yield from ((f"{place}, coordinate {name!r}", scalar) for name, scalar in row.items())


def require_defined(
    node: ast.expr,
    meaning: Meaning,
    vocabulary: Vocabulary,
    context: Context,
    bound: Mapping[str, Any] | None = None,
) -> None:
    """Raises Underivable unless it is shown that a tree has a value wherever the context holds.

    meaning: how its parts are read, to see their signs. bound: the positions that quantifiers around it bind.
    """
    bound = bound or {}

    def value(part: ast.expr) -> Iverson:
        result: Iverson = fold(part, meaning, bound).value
        return result

    def by_cases(part: ast.expr) -> Iterator[tuple[sympy.Expr, Context]]:
        """The values of a part, and where it has them."""
        for cell, x in cells(value(part)):
            inside = context.given(*cell.forms())
            if not inside.impossible():
                yield x, inside

    def require(part: ast.expr, wanted: Wanted) -> None:
        number = _number(part)
        fits = (
            wanted.of_number(number)
            if number is not None
            else all(wanted.of_value(x, inside, vocabulary) for x, inside in by_cases(part))
        )
        if not fits:
            raise Underivable(f"{ast.unparse(node)} may have no value: {ast.unparse(part)} {wanted.otherwise}")

    match node:
        case ast.Call(args=[ast.GeneratorExp() as body]):
            name, domain, inner = quantifier(body)
            ends = (0, n - 1) if domain == "indices" else (vocabulary.first, vocabulary.last)
            place = sympy.Symbol(f"_j{len(bound)}", integer=True) if bound else j  # another one than around it
            inside = context.within(place, *ends)
            return require_defined(inner, meaning, vocabulary, inside, {**bound, name: Value(Iverson.constant(place))})
        case ast.BinOp(op=ast.Div(), right=part):
            require(part, NONZERO)
        case ast.BinOp(op=ast.Pow(), left=part, right=exponent):
            require(exponent, WHOLE)
            try:
                require(exponent, NONNEGATIVE)
            except Underivable:
                require(part, NONZERO)
        case ast.BinOp(op=ast.Mod(), left=dividend, right=part):
            require(dividend, RATIONAL)
            require(part, RATIONAL)
            require(part, POSITIVE)
        case ast.Call(func=ast.Name(id="log"), args=[part]):
            require(part, POSITIVE)
        case ast.Call(func=ast.Name(id="sqrt"), args=[part]):
            require(part, NONNEGATIVE)
        case ast.Call(func=ast.Name(id="cos" | "sin"), args=[argument]):
            if (turns := half_turns(argument)) is not None:  # any other number has a cosine, and no rule reads it
                require(turns, QUOTIENT)
        case ast.Call(func=ast.Name(id="count"), args=[_, place]):
            require(place, WHOLE)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Constant | ast.Name):
            require_defined(child, meaning, vocabulary, context, bound)
    return None


@dataclass(frozen=True)
class Wanted:
    """What an operation asks of its operand: of a number, and of a value in a context; otherwise: what it may be."""

    of_number: Callable[[Real], bool]
    of_value: Callable[[sympy.Expr, Context, Vocabulary], bool]
    otherwise: str


def _number(part: ast.expr) -> Real | None:
    """The value of an operand that speaks of nothing; None for any other one."""
    if free_names(part) or symbols_of(part) is not None:
        return None
    try:
        return evaluate(Expression(ast.unparse(part)), {})
    except ArithmeticError as error:
        raise Underivable(f"{ast.unparse(part)} has no value: {error}") from error


def _nonnegative(x: sympy.Expr, context: Context, vocabulary: Vocabulary) -> bool:
    form = linear_form(x)
    if form is not None:
        return context.nonnegative(form)
    known = sign_of(x, context, vocabulary)
    return known in (Sign.POSITIVE, Sign.ZERO) or certify(x, context, vocabulary, strict=False) is not None


def _whole(x: sympy.Expr, context: Context, vocabulary: Vocabulary) -> bool:
    form = linear_form(x)
    if form is None:
        return bool(x.is_integer)
    return normalise(integral(form), context) == Iverson.constant(1)


def _rational(x: sympy.Expr, context: Context, vocabulary: Vocabulary) -> bool:
    """Made of integers and numbers alone; that no divisor is 0 is asked for by itself."""
    integers = x.free_symbols
    return bool(x.is_rational) or (x.is_rational_function(*integers) and all(atom.is_integer for atom in integers))


def _signs(*signs: Sign) -> Callable[[sympy.Expr, Context, Vocabulary], bool]:
    return lambda x, context, vocabulary: sign_of(x, context, vocabulary) in signs


def _is_whole(x: Real) -> bool:
    return isinstance(x, fmpq) and x.q == 1


NONZERO = Wanted(lambda x: sign(x) != 0, _signs(Sign.POSITIVE, Sign.NEGATIVE), "may be 0")
POSITIVE = Wanted(lambda x: sign(x) > 0, _signs(Sign.POSITIVE), "may be 0 or negative")
NONNEGATIVE = Wanted(lambda x: sign(x) >= 0, _nonnegative, "may be negative")
WHOLE = Wanted(_is_whole, _whole, "may be no integer")
RATIONAL = Wanted(lambda x: isinstance(x, fmpq), lambda x, c, v: bool(x.is_rational), "may be irrational")
QUOTIENT = Wanted(lambda x: isinstance(x, fmpq), _rational, "may be irrational")
