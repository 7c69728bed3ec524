"""Which powers are not attempted: their values would fill the memory, or take hours to write down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq

LARGEST_POWER = 1 << 24
"""Bits of a power above which it is an error, not an attempt."""
LARGEST_EXPANSION = 1 << 10
"""Exponent of a sum of several generators above which it is, too."""

Sum = Mapping[Any, fmpq]
"""Monomials in generators, with their coefficients."""


def too_large(quotient: tuple[Sum, Sum], exponent: int) -> bool:
    """Whether a quotient of sums has too large a power."""
    if exponent > LARGEST_EXPANSION and any(len(side) > 1 and not _closed(side) for side in quotient):
        return True
    rational = all(side.keys() <= {()} for side in quotient)  # 0, 1 and -1 are short whatever the exponent
    bits = max(1 if rational else 2, *(x.height_bits() for side in quotient for x in side.values()))
    return bits > 1 and bits * exponent > LARGEST_POWER


def _closed(side: Sum) -> bool:
    """Whether powers stop having new terms: all generators are square roots of rationals."""
    return all(g.function == "sqrt" and isinstance(g.argument, fmpq) for powers in side for g, _ in powers)
