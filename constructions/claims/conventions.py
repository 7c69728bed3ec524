"""What each convention makes of a literal statement: a mechanical change, which leaves every formula what it is.

- "index shift": a divisor that is a position (i, p, the bound position of a sum, or the last position, n - 1) is read
  one larger, as causal attention at position i averages over i + 1 positions.
- "padding": a matrix or a shape counts zeros up to the width.
- "empty word": the statement is made of words with at least one symbol.
- "symbols only": it is made of positions that hold a symbol of the word, and sums run over these.
- "transposition": the rows and columns of a shape change places.
- "fractions": the statement is made of recurrent networks whose embeddings lie in [0, 1].
"""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Convention, Published, Reading
from weightproof.constructions.claims.statement import Statement, with_fields
from weightproof.constructions.claims.stepwise import OfEvery
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression, quantifier


def otherwise(claim: Published, construction: Construction | None) -> Iterator[Reading]:
    """What the claim says under its conventions, in the order in which they are tried."""
    for conventions in claim.under:
        for sense in claim.senses:
            statement = under(sense.statement, conventions, construction)
            if statement is not None:
                yield Reading(statement, sense.sense, conventions)


def under(
    statement: Statement, conventions: tuple[Convention, ...], construction: Construction | None
) -> Statement | None:
    """The statement under all of the conventions; None where one of them does not change it. construction: the one that
    it is about, if any."""
    for convention in conventions:
        changed: Statement
        match statement:
            case says.OfNetwork() if construction is not None:
                changed = _under(statement, convention, construction)
            case OfEvery() if convention == "fractions":
                changed = statement.of_fractions()
            case _:
                return None
        if changed == statement:
            return None
        statement = changed
    return statement


def _under(statement: says.OfNetwork, convention: Convention, construction: Construction) -> says.OfNetwork:
    network = construction.encoder
    begin, end = int(network.begin is not None), int(network.end is not None)
    place = _place(statement)
    match convention, statement:
        case "index shift", _:
            named = set() if place is None else {place}
            return _with_formulas(statement, _Shift(named).visit)
        case "padding", says.Matrix() | says.Shape():
            return with_fields(statement, padded=True)
        case "transposition", says.Shape(rows=rows, columns=columns) | says.Stack(rows=rows, columns=columns):
            return with_fields(statement, rows=columns, columns=rows)
        case "empty word", _:
            return _where(statement, f"n >= {begin + end + 1}")
        case "symbols only", _:
            changed = _with_formulas(statement, _OverSymbols().visit)
            return changed if place is None else _where(changed, f"{place} >= {begin} and {place} <= n - {1 + end}")
    return statement


def _place(statement: says.OfNetwork) -> str | None:
    """The name of the position that a statement is about; None where it is about whole words or about weights."""
    match statement:
        case says.Vector() | says.Value(of=says.Stream() | says.Projected()):
            return "i"
        case says.Value(of=says.Attention()):
            return "p"
    return None


def _where(statement: says.OfNetwork, condition: str) -> says.OfNetwork:
    """The statement of what satisfies a condition, too."""
    for field in ("when", "given"):
        if (case := getattr(statement, field, None)) is not None:
            return with_fields(statement, **{field: Expression(f"({case}) and {condition}")})
    return statement


def _with_formulas(statement: says.OfNetwork, change: Callable[[ast.expr], ast.expr]) -> says.OfNetwork:
    """The statement with each of its formulas changed."""

    def formula(value: Expression) -> Expression:
        tree = change(copy.deepcopy(value.tree))
        return value if ast.dump(tree) == ast.dump(value.tree) else Expression(ast.unparse(tree))

    changed: dict[str, object] = {}
    for field in dataclasses.fields(statement):
        match getattr(statement, field.name):
            case Expression() as value:
                changed[field.name] = formula(value)
            case (Expression(), *_) as values:
                changed[field.name] = tuple(map(formula, values))
    return with_fields(statement, **changed)


@dataclass
class _Shift(ast.NodeTransformer):
    """Divisors that are a position, read one larger. positions: the names of those in sight."""

    positions: set[str]

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        name, _, body = quantifier(node)
        node.elt = _Shift({*self.positions, name}).visit(body)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(op=ast.Div(), right=ast.Name(id=name)) if name in self.positions:
                node.right = ast.BinOp(node.right, ast.Add(), ast.Constant(1))
            case ast.BinOp(op=ast.Div(), right=ast.BinOp(ast.Name(id="n"), ast.Sub(), ast.Constant(value=1))):
                node.right = ast.Name("n", ast.Load())
        return node


class _OverSymbols(ast.NodeTransformer):
    """Sums and quantifiers over the positions that hold symbols."""

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = ast.Name("positions", ast.Load())
        return node
