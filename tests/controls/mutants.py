"""Statements with one thing changed by a rule: a sign, a number, a comparison, a range, a case, a function."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

from weightproof.constructions.claims.statements import (
    Accepts,
    Compares,
    Order,
    Output,
    Statement,
    Stream,
    Value,
    Vector,
    units,
)
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Place
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.grammar import expression

RULES = ("sign", "number", "plus 1", "comparison", "range", "case", "function", "symbol", "relation")
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
OPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
FUNCTIONS = {"sinh": "cosh", "cosh": "sinh", "tanh": "sinh", "exp": "cosh", "log": "sqrt", "sqrt": "log"}
RELATIONS = {"O": "o", "o": "O", "Theta": "o"}


@dataclass(frozen=True)
class Mutant:
    """rule: what was changed; statement: with that change; field: in which formula."""

    rule: str
    field: str
    statement: Statement


def parts(statement: Statement, construction: Construction) -> Iterator[Statement]:
    """A vector as the values of its rows, what is not printed being 0; anything else as it is."""
    if not isinstance(statement, Vector):
        yield statement
        return
    network = construction.network
    assert isinstance(network, Encoder)
    names = units(network, statement.layer) if statement.stage == "activation" else network.coordinates
    entries = (*statement.entries, *[Expression("0")] * (len(names) - len(statement.entries)))
    for name, entry in zip(names, entries, strict=False):
        yield Value(Stream(name, statement.layer, statement.stage), entry, statement.when)


def mutants(statement: Statement, construction: Construction) -> Iterator[Mutant]:
    """Every single change; a formula that is no formula after it, or the same one, is left out."""
    seen = [statement]
    for mutant in _mutants(statement, construction.language.alphabet):
        if mutant.statement not in seen:
            seen.append(mutant.statement)
            yield mutant


def _mutants(statement: Statement, alphabet: tuple[str, ...]) -> Iterator[Mutant]:
    for field in ("equals", "when", "where", "given", "value", "bound"):
        formula = getattr(statement, field, None)
        if not isinstance(formula, Expression) or formula.source == "n >= 1":
            continue
        for rule, changed in changes(formula, alphabet):
            yield Mutant(rule, field, changed_in(statement, field, changed))
        if field in ("when", "given"):
            yield Mutant("case", field, changed_in(statement, field, Expression("n >= 1")))
    match statement:
        case Compares(op=op, only=only):
            yield Mutant("comparison", "op", changed_in(statement, "op", OPS[op]))
            yield Mutant("case", "only", changed_in(statement, "only", not only))
        case Order(relation=relation, bound=bound):
            yield Mutant("relation", "relation", changed_in(statement, "relation", RELATIONS[relation]))
            yield Mutant("number", "bound", changed_in(statement, "bound", Expression(f"({bound})/n")))
            yield Mutant("number", "bound", changed_in(statement, "bound", Expression(f"({bound})*n")))
        case Value(equals=equals):
            if equals.source != "0":
                yield Mutant("sign", "equals", changed_in(statement, "equals", Expression(f"-({equals})")))
            yield Mutant("plus 1", "equals", changed_in(statement, "equals", Expression(f"({equals}) + 1")))
        case Output(position=position):
            for other in get_args(Place):
                if other != position:
                    yield Mutant("range", "position", Output(other))
        case Accepts(where=None):
            yield Mutant("case", "where", changed_in(statement, "where", Expression("n >= 1")))


def changed_in(statement: Statement, field: str, value: object) -> Statement:
    changed = copy.copy(statement)
    object.__setattr__(changed, field, value)
    return changed


def changes(formula: Expression, alphabet: tuple[str, ...]) -> Iterator[tuple[str, Expression]]:
    """The formula with a change at each of its nodes in turn."""
    for place, original in enumerate(ast.walk(formula.tree)):
        for rule, change in _CHANGES:
            if not change(copy.copy(original), alphabet):
                continue
            tree = copy.deepcopy(formula.tree)
            change(list(ast.walk(tree))[place], alphabet)
            try:
                yield rule, expression(ast.unparse(ast.fix_missing_locations(tree)))
            except ExpressionError:
                continue


def _sign(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.BinOp(op=ast.Add()):
            node.op = ast.Sub()
        case ast.BinOp(op=ast.Sub()):
            node.op = ast.Add()
        case _:
            return False
    return True


def _number(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.Constant(value=int(number)):
            node.value = number + 1
            return True
    return False


def _smaller(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.Constant(value=int(number)) if number > 0:
            node.value = number - 1
            return True
    return False


def _plus_1(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.BinOp(left=ast.Name(id="n" | "i" | "p") as name):
            node.left = ast.BinOp(name, ast.Add(), ast.Constant(1))
        case ast.BinOp(right=ast.Name(id="n" | "i" | "p") as name):
            node.right = ast.BinOp(name, ast.Add(), ast.Constant(1))
        case ast.Subscript(slice=place):
            node.slice = ast.BinOp(place, ast.Add(), ast.Constant(1))
        case ast.Call(func=ast.Name(id="count"), args=[symbol, place]):
            node.args = [symbol, ast.BinOp(place, ast.Sub(), ast.Constant(1))]
        case _:
            return False
    return True


def _comparison(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.Compare(ops=[op]):
            node.ops = [OPPOSITE[type(op)]()]
            return True
    return False


def _range(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.comprehension(iter=ast.Name(id=domain)):
            node.iter = ast.Name("indices" if domain == "positions" else "positions")
            return True
    return False


def _quantifier(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="all" | "any" as which)):
            node.func = ast.Name("any" if which == "all" else "all")
            return True
        case ast.BoolOp(op=op):
            node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            return True
    return False


def _function(node: ast.AST, _: tuple[str, ...]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            node.func = ast.Name(FUNCTIONS[name])
            return True
        case ast.Call(func=ast.Name(id="cos"), args=[ast.BinOp(right=right)]):
            node.args = [ast.BinOp(ast.Name("pi"), ast.Mult(), ast.BinOp(right, ast.Add(), ast.Constant(1)))]
            return True
    return False


def _symbol(node: ast.AST, alphabet: tuple[str, ...]) -> bool:
    match node:
        case ast.Constant(value=str(symbol)) if symbol in alphabet:
            node.value = alphabet[(alphabet.index(symbol) + 1) % len(alphabet)]
            return True
    return False


_CHANGES: tuple[tuple[str, Callable[[ast.AST, tuple[str, ...]], bool]], ...] = (
    ("sign", _sign),
    ("number", _number),
    ("number", _smaller),
    ("plus 1", _plus_1),
    ("comparison", _comparison),
    ("range", _range),
    ("case", _quantifier),
    ("function", _function),
    ("symbol", _symbol),
)
