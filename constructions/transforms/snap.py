"""Weights rounded to few bits: what of a trained network is needed for what it decides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.constructions.transforms.rewriting import Refused, encoders_of, rewritten

MOST_BITS = 1000
LEFT = frozenset({"PE", "scale", "epsilon", "angle", "sees", "sink"})
"""What is no weight: encodings, scales of scores, the numbers of norms and masks."""


def snap(construction: Construction, bits: Expression) -> Construction:
    """Every weight as the nearest multiple of 2^-bits, or the even one of two: matrices, biases, and gains of norms.
    Encodings, scales and epsilons stay. Refused where a weight is no fraction, or bits no whole number from 0 on."""
    network, number = encoders_of(construction), _fraction(bits)
    if number is None or number.denominator != 1 or not 0 <= number <= MOST_BITS:
        raise Refused(f"bits = {bits} is no number of bits from 0 to {MOST_BITS}")
    grid = 2**number.numerator

    def rounded(weight: Expression) -> Expression:
        value = _fraction(weight)
        if value is None:
            raise Refused(f"the weight {weight} is no fraction, and is not rounded")
        return Expression(str(Fraction(round(value * grid), grid)))

    return replace(construction, network=rewritten(network, rounded, LEFT))


def _fraction(of: Expression) -> Fraction | None:
    value = None if of.names else evaluate(of, {})
    return Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else None
