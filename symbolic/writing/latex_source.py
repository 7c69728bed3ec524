"""The expression language of the data as LaTeX: weights, characterisations, claims and invariants as they are written.

Only the tree is read; nothing is evaluated or rearranged.
"""

from __future__ import annotations

import ast
import re
from typing import assert_never

from weightproof.constructions.meaning.schema import Head
from weightproof.constructions.scalars.expressions import COMPARE, Expression, kind, quantifier
from weightproof.symbolic.writing.latex import (
    ATOM,
    POWER,
    PRODUCT,
    SIGNS,
    SUM,
    bound,
    congruent,
    count,
    escaped,
    identifier,
    indicator,
    juxtaposed,
    label,
    matching,
    token,
)

AND, OR, NOT, QUANTIFIED = "and", "or", "not", "quantified"


def source(expression: Expression) -> str:
    """A formula without a bracket around it, or a scalar."""
    tree = expression.tree
    return _truth(tree)[0] if kind(tree) == "truth" else _number(tree)[0]


def scalar(expression: Expression) -> str:
    """A scalar; a comparison that stands for one is an Iverson bracket."""
    return _number(expression.tree)[0]


def coefficient(expression: Expression) -> str:
    """A scalar in front of a product; nothing for 1."""
    text = _bound(expression.tree, PRODUCT)
    return "" if text == "1" else rf"{text}\,"


def score(head: Head, product: str, bracketed: str | None = None) -> str:
    """What a head scores by, q.k or -|q.k| with its scale, of a query times a key; bracketed: what stands behind a
    scale."""
    match head.score:
        case "dot":
            scale = coefficient(head.scale)
            return f"{scale}{bracketed or product}" if scale else product
        case "-|dot|":
            return rf"-{coefficient(head.scale)}\lvert {product} \rvert"
        case other:
            assert_never(other)


def pieces(expression: Expression) -> tuple[str, ...]:
    """A formula or a scalar in pieces between which a line may be broken: the summands of a scalar, the parts of a
    conjunction."""
    tree = expression.tree
    match tree:
        case ast.BoolOp(op=op, values=values):
            sign = r"\land" if isinstance(op, ast.And) else r"\lor"
            texts = [_within(_truth(value), AND if isinstance(op, ast.And) else OR) for value in values]
            return tuple(f"{sign} {text}" if place else text for place, text in enumerate(texts))
    return (source(expression),)


def _truth(node: ast.expr) -> tuple[str, str]:
    """The text of a formula, and its outermost connective."""
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return r" \land ".join(_within(_truth(value), AND) for value in values), AND
        case ast.BoolOp(values=values):
            return r" \lor ".join(_within(_truth(value), OR) for value in values), OR
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return rf"\lnot {_within(_truth(operand), NOT)}", NOT
        case ast.Compare(
            left=ast.BinOp(left=left, op=ast.Mod(), right=ast.Constant(value=int(modulus))),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value=int(rest))],
        ) if rest < modulus:
            return congruent(_bound(left, PRODUCT), modulus, str(rest)), NOT
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"{_number(left)[0]} {SIGNS[COMPARE[type(op)]]} {_number(right)[0]}", NOT
        case ast.Call(func=ast.Name(id="all" | "any" as which), args=[ast.GeneratorExp() as body]):
            name, domain, inner = quantifier(body)
            sign = {"all": r"\forall", "any": r"\exists"}[which]
            among = r" \in \{0, \dots, n-1\}" if domain == "indices" else ""
            return rf"{sign} {identifier(name)}{among}\colon {_within(_truth(inner), NOT)}", QUANTIFIED
        case ast.Call(func=ast.Name(id="matches"), args=[ast.Constant(value=str(pattern))]):
            return matching(pattern), NOT
        case ast.Name(id=name):
            return _name(name), NOT
    raise TypeError(ast.dump(node))


def _within(part: tuple[str, str], connective: str) -> str:
    """The text, in brackets where it would be read as another formula: the scope of a quantifier reaches as far as it
    can."""
    text, outer = part
    return text if outer in (NOT, connective) else f"({text})"


def _bound(node: ast.expr, least: int) -> str:
    return bound(*_number(node), least)


def _number(node: ast.expr) -> tuple[str, int]:
    """The text of a scalar or a token, and how tightly it binds."""
    if kind(node) == "truth":
        return indicator(_truth(node)[0]), ATOM
    match node:
        case ast.Constant(value=str(symbol)):
            return label(symbol), ATOM
        case ast.Constant(value=int(number)):
            return str(number), ATOM
        case ast.Name(id=name):
            return _name(name), ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_bound(operand, PRODUCT)}", SUM
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{_bound(left, SUM)} + {_bound(right, PRODUCT)}", SUM
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return f"{_bound(left, SUM)} - {_bound(right, PRODUCT)}", SUM
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            text = _product(node)
            return text, SUM if text.startswith("-") else PRODUCT
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return rf"{_bound(left, POWER)} \bmod {_bound(right, POWER)}", PRODUCT
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return f"{_bound(left, ATOM)}^{{{_number(right)[0]}}}", POWER
        case ast.Subscript(slice=index):
            return token(_number(index)[0]), ATOM
        case ast.Call(func=ast.Name(id="count"), args=[ast.Constant(value=str(symbol)), *rest]):
            return count(symbol, _number(rest[0])[0] if rest else None), ATOM
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as body]):
            name, domain, inner = quantifier(body)
            ends = "=0}^{n-1}" if domain == "indices" else "}"
            return rf"\sum_{{{identifier(name)}{ends} {_bound(inner, PRODUCT)}", PRODUCT
        case ast.Call(func=ast.Name(id=function), args=[argument]):
            return _function(function, argument)
    raise TypeError(ast.dump(node))


def _product(node: ast.expr) -> str:
    """Factors side by side; what is divided by stands below a line, under all that stands before it."""
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            above, below = _number(left)[0], _number(right)[0]
            product = isinstance(left, ast.UnaryOp) or (isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult))
            sign = "-" if product and above.startswith("-") else ""
            return rf"{sign}\frac{{{above.removeprefix(sign)}}}{{{below}}}"
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return juxtaposed([_product(left), _bound(right, POWER)])
        case ast.UnaryOp(op=ast.USub(), operand=operand):  # the first factor: the sign stands in front of the product
            return f"-{_bound(operand, POWER)}"
    return _bound(node, POWER)


def _function(name: str, argument: ast.expr) -> tuple[str, int]:
    match name:
        case "sqrt":
            return rf"\sqrt{{{_number(argument)[0]}}}", ATOM
        case "exp":
            return f"e^{{{_number(argument)[0]}}}", POWER
    return rf"\{name}{bound(_number(argument)[0], SUM, ATOM)}", ATOM


def _name(name: str) -> str:
    """Also an explicit sum at another position, as S1_next."""
    if indexed := re.fullmatch(r"([A-Za-z])(\d+)_(\w+)", name):
        letter, index, more = indexed.groups()
        return rf"{letter}_{{{index}}}^{{\text{{{escaped(more)}}}}}"
    return identifier(name)
