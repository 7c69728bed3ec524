"""One step of a recurrent network from a state that is known as polynomials in atoms."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from flint import fmpq

from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, total

Values = Mapping[str, Polynomial]
"""Coordinate or unit -> what it is; what is absent is 0."""
Weights = Mapping[str, Mapping[str, Expression]]


@functools.lru_cache(1 << 14)
def weight(scalar: Expression) -> Polynomial:
    """A rational number, or a name for any number; Underivable for other scalars. Kept: weights are read at every
    moment of a run."""
    if not scalar.names:
        value = evaluate(scalar, {})
        if isinstance(value, fmpq):
            return Polynomial.number(value)
    elif scalar.names == {scalar.source}:
        return Polynomial.atom(scalar.source)
    raise Underivable(f"the weight {scalar} is neither a rational number nor a name")


def applied(rows: Weights, values: Values, bias: Mapping[str, Expression] | None = None) -> dict[str, Polynomial]:
    """W x + b by row."""
    found = {
        row: total(weight(w) * values[name] for name, w in columns.items() if name in values)
        for row, columns in rows.items()
    }
    for row, value in (bias or {}).items():
        found[row] = found.get(row, Polynomial()) + weight(value)
    return found


def embedded(rnn: RNN, token: str) -> dict[str, Polynomial]:
    return {name: weight(value) for name, value in rnn.embedding.WE.get(token, {}).items()}


def arguments(rnn: RNN, h: Values, token: str) -> dict[str, Polynomial]:
    """What each unit is the saturated value of, where `token` is read."""
    own = applied(rnn.W_h.weights, h)
    read = applied(rnn.W_x.weights, embedded(rnn, token), rnn.W_x.bias)
    nothing = Polynomial()
    return {unit: own.get(unit, nothing) + read.get(unit, nothing) for unit in rnn.units}


def advanced(rnn: RNN, h: Values, token: str, region: Region) -> dict[str, Polynomial]:
    """The next state, by unit, where `token` is read."""
    return {unit: region.saturated(x) for unit, x in arguments(rnn, h, token).items()}
