"""Feed-forward networks: activations are resolved by cases, and every case is decided or the step is refused.

A ReLU of a value with brackets is taken cell by cell; in a cell its argument is a positive factor times an integer
form t, and max(0, f*t) = f*t*[t >= 1]. Normalising the sum of such terms turns piecewise linear functions of one
integer into the brackets they amount to. Of a real x, that explicit sums, scales or powers of e make up, no bracket can
speak: max(0, f*x) = f*(x + |x|)/2.

Where the sign is open, two units may still be told: those whose arguments are opposite, and whose outputs are always
subtracted, as max(0, x) - max(0, -x) = x.

With a gate all this is of the gate, and the result is multiplied by what the first map makes.
"""

from __future__ import annotations

import sympy

from weightproof.constructions.meaning.schema import Activation, FeedForward, Linear
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, normalise
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable, Vocabulary, cells
from weightproof.symbolic.derivation import Applied, Record, Vector
from weightproof.symbolic.rules.attention import apply_rows, is_positive
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.rules.rows import Row
from weightproof.symbolic.rules.signs_of_sums import signed_with_sums


def apply_linear(linear: Linear, vector: Vector, vocabulary: Vocabulary) -> Vector:
    result = apply_rows(linear.weights, vector, vocabulary)
    for row, weight in linear.bias.items():
        result[row] = result.get(row, ZERO) + read_scalar(weight, vocabulary)
    return result


def feed_forward(network: FeedForward, vector: Vector, row: Row, record: Record, location: str) -> Vector:
    """second(activation(first(vector))), or second(activation(gate(vector)) first(vector)), at a row."""
    # A unit whose argument is 0 is in no vector, and not looked at: its activation has to be 0 as well.
    assert not _activate(network.activation, ZERO, row, record, location).terms
    hidden: Vector = {}
    gated = network.gate is not None
    arguments = _applied(network.gate or network.first, vector, row)
    factors = _applied(network.first, vector, row) if gated else {}
    for unit, argument in arguments.items():
        if unit in hidden:
            continue
        where, at = f"{location}, {'gate' if gated else 'unit'} {unit}", f"row {row.name}"
        try:
            value = _activate(network.activation, argument, row, record, where)
            before = Applied(network.activation, argument)
            record.step(f"{network.activation} by cases", f"{where}, {at}", before, value)
        except Underivable:
            other = _subtracted(network, unit, arguments, factors, row)
            if other is None:
                raise
            value, hidden[other] = argument, ZERO
            record.step("relu(x) - relu(-x) = x", f"{where} less {other}, {at}", argument, value)
        if gated:
            opened, value = value, normalise(value * factors.get(unit, ZERO), row.context)
            record.step("times its gate", f"{location}, unit {unit}, {at}", opened * factors.get(unit, ZERO), value)
        hidden[unit] = value
    record.units[location, row.name] = {unit: (arguments[unit], value) for unit, value in hidden.items()}
    result: Vector = {}
    for name, value in apply_linear(network.second, hidden, row.vocabulary).items():
        resolved = normalise(value, row.context)
        record.step(
            "piecewise linear in integers: brackets", f"{location}, coordinate {name}, row {row.name}", value, resolved
        )
        if resolved.terms:
            result[name] = resolved
    return result


def _applied(linear: Linear, vector: Vector, row: Row) -> Vector:
    return {unit: normalise(x, row.context) for unit, x in apply_linear(linear, vector, row.vocabulary).items()}


def _subtracted(network: FeedForward, unit: str, arguments: Vector, factors: Vector, row: Row) -> str | None:
    """The unit with the opposite argument, if what the two put out is always subtracted, and of gates what they open is
    the same."""
    if network.activation != "relu":
        return None
    weights = network.second.weights.values()
    for other, argument in arguments.items():
        if other == unit or normalise(arguments[unit] + argument, row.context).terms:
            continue
        if normalise(factors.get(unit, ZERO) - factors.get(other, ZERO), row.context).terms:
            continue
        sums = (sum((read_scalar(w[x], row.vocabulary) for x in (unit, other) if x in w), ZERO) for w in weights)
        if not any(normalise(total, row.context).terms for total in sums):
            return other
    return None


def _activate(activation: Activation, x: Iverson, row: Row, record: Record, location: str) -> Iverson:
    match activation:
        case "square":
            return normalise(x * x, row.context)
        case "relu":
            return _positive(x, row, record, location, keep=True)
        case "step":
            return _positive(x, row, record, location, keep=False)
        case "saturated-linear":
            above = _positive(x - Iverson.constant(1), row, record, location, keep=True)
            return normalise(_positive(x, row, record, location, keep=True) - above, row.context)
        case "identity":
            return x
        case "abs":
            both = (_positive(each, row, record, location, keep=True) for each in (x, ZERO - x))
            return normalise(sum(both, ZERO), row.context)
        case "tanh" | "sigmoid" | "silu" | "gelu" | "gelu-tanh":
            raise Underivable(f"{location}: {activation} has no rule for closed forms")
    DERIVATION.refuse("activation", activation)


def _positive(x: Iverson, row: Row, record: Record, location: str, *, keep: bool) -> Iverson:
    """x*[x > 0] if `keep`, else [x > 0]."""
    total = ZERO
    for cell, value in cells(x):
        inside = row.context.given(*cell.forms())
        if value == 0 or inside.impossible():
            continue
        result = Iverson.constant(value if keep else 1)
        half = _half_of_a_real(value, inside, row.vocabulary, record) if keep else None
        total += cell * (half or result * is_positive(value, inside, row.vocabulary, location))
    return normalise(total, row.context)


def _half_of_a_real(value: sympy.Expr, context: Context, vocabulary: Vocabulary, record: Record) -> Iverson | None:
    """(x + |x|)/2 where the open factor of x holds explicit sums, scales or powers of e; None where brackets may speak
    of x."""
    known = signed_with_sums(value, record.sums, context, vocabulary)
    if known.denominator or len(known.numerator) != 1 or not record.mentions_reals(known.numerator[0]):
        return None
    [factor] = known.numerator
    positive = sympy.cancel(value / (known.direction * factor))
    return Iverson.constant((value + positive * sympy.Abs(factor)) / 2)
