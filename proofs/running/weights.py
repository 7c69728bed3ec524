"""The weights of a network as enclosures: matrices and rows by the names of what they map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flint import arb, fmpq

from weightproof.constructions.meaning.interpreter import affine, numbers, vector_of
from weightproof.constructions.meaning.schema import Head, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import Evaluator, Number
from weightproof.proofs.running.enclosures import Enclosed, enclosed


@dataclass(frozen=True)
class Weights:
    """scalars: the number, in a ball, that a weight stands for."""

    scalars: Evaluator

    def number(self, scalar: Expression) -> Enclosed:
        return enclosed([ball(self.scalars(scalar))], ())

    def row(self, row: Mapping[str, Expression], names: tuple[str, ...]) -> Enclosed:
        """In the order of the names; 0 for one that is absent."""
        values = vector_of(row, names, self.scalars)
        return enclosed([ball(values[name]) for name in names], (len(names),))

    def matrix(self, rows: Rows, names: tuple[str, ...], columns: tuple[str, ...]) -> Enclosed:
        """Rows and columns in the order of their names; 0 where there is no weight."""
        known = numbers(rows, self.scalars)
        values = [ball(known.get(name, {}).get(column, fmpq(0))) for name in names for column in columns]
        return enclosed(values, (len(names), len(columns)))

    def linear(self, linear: Linear, columns: tuple[str, ...]) -> tuple[Enclosed, Enclosed]:
        """The matrix, with the rows of the map in their order, and what is added to each."""
        bias, names = affine(linear, self.scalars).bias, linear.rows
        added = enclosed([ball(bias.get(name, fmpq(0))) for name in names], (len(names),))
        return self.matrix(linear.weights, names, columns), added


def ball(value: Number) -> arb | fmpq:
    """A value that is known to be no number of a format."""
    assert isinstance(value, arb | fmpq)
    return value


def scored(head: Head) -> tuple[str, ...]:
    """The score coordinates, which queries and keys share."""
    return tuple(name for name in head.W_Q if name in head.W_K)
