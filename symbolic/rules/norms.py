"""Normalisation: a row is shifted by its mean, but by the root mean square, and multiplied by a positive scale, of
which the square is known; then come gain and bias.

The scale of a row is 1/sqrt(mean square + epsilon), a real of its own. It is a function of the position where the row
is that of a symbol and its square depends on that; it differs from row to row, but for rows with the same square. A row
that has a scale already is a multiple R v of a vector v without one, with 1/R^2 = q; its norm is R' v with
1/R'^2 = mean square of v + epsilon q.

With epsilon = 0 a row whose coordinates are multiples of one value x is left the sign of x, and has no value where x is
0. Where the sign is open in the derivation, or whether a row has coordinates that are not 0, it is for the theorems to
show that one of them is not 0 on their words.
"""

from __future__ import annotations

import itertools
from typing import assert_never

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.schema import LayerNorm, Norm, RootMeanSquare
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, canonical, normalise, substitute
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, i, is_scale
from weightproof.symbolic.derivation import Applied, NonZero, Normed, Record, Vector
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.rules.rows import Row

NO_EPSILON = LayerNorm(0).epsilon


def normalised(
    norm: Norm, vector: Vector, row: Row, coordinates: tuple[str, ...], record: Record, location: str
) -> Vector:
    """The row after the norm, its gain and its bias; Underivable where its mean square and epsilon may both be 0."""
    result = _scaled(norm, vector, row, coordinates, record, location)
    if norm.gain is not None:
        gain = {name: read_scalar(weight, row.vocabulary) for name, weight in norm.gain.items()}
        result = {name: value * gain[name] for name, value in result.items() if name in gain}
    for name, weight in (norm.bias or {}).items():
        result[name] = result.get(name, ZERO) + read_scalar(weight, row.vocabulary)
    return {name: value for name, value in result.items() if value.terms}


def _scaled(
    norm: Norm, vector: Vector, row: Row, coordinates: tuple[str, ...], record: Record, location: str
) -> Vector:
    where = f"{location}, row {row.name}"
    match norm:
        case LayerNorm():
            mean = _mean(vector, row, coordinates, record, where)
        case RootMeanSquare():
            mean = ZERO
        case other:
            assert_never(other)
    centred = _less(vector, mean, row, coordinates)
    before = _common_scale(centred)
    plain = {name: _over(value, before) for name, value in centred.items()}
    factor = Iverson.constant(1 if before is None else before)
    signs = _signs(norm, plain, row, len(coordinates), record, where)
    if signs is not None:
        of, divided, square = signs
        record.norms[location, row.name] = Normed(vector, mean, of * factor, divided, square, None)
        [(_, number)] = square.terms
        return {name: value.scaled(1 / sympy.sqrt(number)) for name, value in divided.items()}
    multiples = None if row.position == i else _multiples(norm, plain, row)
    epsilon = read_scalar(norm.epsilon, row.vocabulary, context=row.context)
    added = epsilon * (Iverson.constant(1) if before is None else record.square_of(before))
    total = added
    for value in plain.values():
        total += (value * value).scaled(sympy.Rational(1, len(coordinates)))
    opaque = any(record.mentions_reals(x) for _, x in total.terms)
    square = total if opaque else normalise(row.vocabulary.settle(total), row.context)  # else the expansion is endless
    nonzero = None if multiples is None else _of_one_value(*multiples, len(coordinates))
    if nonzero is None and not _is_positive(square, plain, epsilon, row, where):
        if norm.epsilon != NO_EPSILON or row.position == i or not plain:
            raise Underivable(f"{where}: all coordinates may be equal, and then a norm with epsilon = 0 has no value")
        nonzero = NonZero(tuple(plain.values()), sympy.Rational(1, len(coordinates)))
    scale = None if opaque or nonzero is not None else _known_scale(square, row, record)
    scale = scale or record.scale(square, row.position == i and i in square.free_symbols)
    record.step("mean square, and epsilon", where, total, square, scale=scale)
    record.norms[location, row.name] = Normed(vector, mean, factor, plain, square, scale)
    if nonzero is not None:
        record.nonzero[scale] = nonzero
    if multiples is not None:
        value, factors = multiples
        return {name: value.scaled(factor * scale) for name, factor in factors.items()}
    return {name: value.scaled(scale) for name, value in plain.items()}


def _of_one_value(value: Iverson, factors: dict[str, sympy.Expr], width: int) -> NonZero:
    return NonZero((value,), sum((factor**2 for factor in factors.values()), sympy.S.Zero) / width)


def _signs(
    norm: Norm, vector: Vector, row: Row, width: int, record: Record, where: str
) -> tuple[Iverson, Vector, Iverson] | None:
    """A row whose coordinates are multiples of one value is left its sign alone by a norm with epsilon = 0: the size of
    the value, the row divided by that, and the mean square of this.

    None where it is no such row, or where the sign is open or 0 in some case.
    """
    multiples = _multiples(norm, vector, row)
    if multiples is None:
        return None
    value, factors = multiples
    sign = ZERO
    for cell, x in cells(value):
        inside = row.context.given(*cell.forms())
        if not inside.impossible():
            found = sign_of(x, inside, row.vocabulary)
            if found not in (Sign.POSITIVE, Sign.NEGATIVE):
                return None
            sign += cell.scaled(sympy.Integer(found.value))
    sign = normalise(sign, row.context)
    square = sum((factor**2 for factor in factors.values()), sympy.S.Zero) / width
    record.step("sgn", where, Applied("sgn", value), sign)
    divided = {name: sign.scaled(factor) for name, factor in factors.items()}
    return value * sign, divided, Iverson.constant(square)


def _multiples(norm: Norm, vector: Vector, row: Row) -> tuple[Iverson, dict[str, sympy.Expr]] | None:
    """The value of which every coordinate is a rational multiple, and the factors, under a norm with epsilon = 0."""
    if norm.epsilon != NO_EPSILON or not vector:
        return None
    value = next(iter(vector.values()))
    factors = {name: _factor(other, value, row.context) for name, other in vector.items()}
    known = {name: factor for name, factor in factors.items() if factor is not None}
    return (value, known) if len(known) == len(factors) else None


def _factor(value: Iverson, of: Iverson, context: Context) -> sympy.Expr | None:
    """The rational f with value = f of; None if there is none."""
    (_, left), (_, right) = value.terms[0], of.terms[0]
    factor = canonical(left / right)
    if not factor.is_Rational or normalise(value - of.scaled(factor), context).terms:
        return None
    return factor


def _mean(vector: Vector, row: Row, coordinates: tuple[str, ...], record: Record, where: str) -> Iverson:
    total = ZERO
    for value in vector.values():
        total += value.scaled(sympy.Rational(1, len(coordinates)))
    mean = normalise(total, row.context)
    if mean.terms:
        record.step("mean of the coordinates", where, total, mean)
    return mean


def _less(vector: Vector, mean: Iverson, row: Row, coordinates: tuple[str, ...]) -> Vector:
    """The coordinates less their mean; those that are 0 are absent."""
    if not mean.terms:
        return vector
    shifted = {name: normalise(vector.get(name, ZERO) - mean, row.context) for name in coordinates}
    return {name: value for name, value in shifted.items() if value.terms}


def _known_scale(square: Iverson, row: Row, record: Record) -> sympy.Expr | None:
    """At a marker's position, the scale of the symbols' rows taken there, where it has this square."""
    if row.position == i:
        return None
    for known, other in record.scales.items():
        if known.has(i):
            here = row.vocabulary.settle(substitute(other, {i: row.position}))
            if not normalise(here - square, row.context).terms:
                scale: sympy.Expr = known.xreplace({i: row.position})
                return scale
    return None


def _common_scale(vector: Vector) -> sympy.Expr | None:
    """A scale that is a factor of every coordinate, if there is one."""
    coefficients = [coefficient for value in vector.values() for _, coefficient in value.terms]
    mentioned = {atom for x in coefficients for atom in x.atoms(sympy.Symbol, AppliedUndef) if is_scale(atom)}
    for scale in sorted(mentioned, key=str):
        if coefficients and not any(canonical(x / scale).has(scale) for x in coefficients):
            return scale
    return None


def _over(value: Iverson, scale: sympy.Expr | None) -> Iverson:
    if scale is None:
        return value
    return Iverson(tuple((conditions, canonical(coefficient / scale)) for conditions, coefficient in value.terms))


def _is_positive(square: Iverson, plain: Vector, epsilon: Iverson, row: Row, where: str) -> bool:
    """Whether a sum of squares is certainly positive: one of them is that of a number which is not 0, as where two
    numbers differ, or epsilon is not 0. Raises Underivable where epsilon may be negative."""
    vocabulary = row.vocabulary
    if any(certify(x, row.context, vocabulary, strict=False) is None for _, x in epsilon.terms):
        raise Underivable(f"{where}: epsilon may be negative")
    for cell, value in cells(square):
        inside = row.context.given(*cell.forms())
        if inside.impossible() or any(_is_not_0(part, inside, vocabulary) for part in (epsilon, *plain.values())):
            continue
        differences = (normalise(one - other, inside) for one, other in itertools.combinations(plain.values(), 2))
        if any(x.terms and _is_not_0(x, inside, vocabulary) for x in differences):
            continue
        if sign_of(value, inside, vocabulary) is not Sign.POSITIVE:
            return False
    return True


def _is_not_0(value: Iverson, context: Context, vocabulary: Vocabulary) -> bool:
    for cell, x in cells(value):
        inside = context.given(*cell.forms())
        if not inside.impossible() and sign_of(x, inside, vocabulary) not in (Sign.POSITIVE, Sign.NEGATIVE):
            return False
    return True
