"""What the roundings of a sum may amount to, over all orders in which its terms may be added.

An order is a binary tree with the terms for leaves; a node is rounded by at most the distance of its value to the
nearest number of the format (`off`). What the nodes of a tree may be is known of each set of terms, so that sums that
cancel, whatever is added first, are rounded little. Of all splits of each set the worst is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import arb

from weightproof.numeric.certificate.uniform.ranges import ZERO
from weightproof.numeric.rounding.formats import Format
from weightproof.numeric.rounding.model import off

MOST_TERMS = 5
"""Of which all orders are tried: 105 trees."""

BINADES = 12
"""That are looked at one by one, the highest first."""

Terms = int
"""A set of terms: bit k stands for the k-th."""


def roundings(count: int, reach: Callable[[Terms], arb], format: Format) -> tuple[arb, arb]:
    """What all roundings but the last amount to, and the last one, which is of the whole sum.

    reach: at least the sum of a set of terms, as they are when they are added.
    """
    whole = (1 << count) - 1
    if count < 2:
        return ZERO, ZERO
    if count > MOST_TERMS:
        # By sizes alone: see rounding/model.py, where the terms are taken one after the other, the largest first.
        error, sizes = ZERO, sum((reach(1 << k) for k in range(count)), ZERO)
        for _ in range(count - 2):
            error += off(sizes + error, format)
        return error, off(reach(whole).min(sizes) + error, format)
    errors = {1 << k: ZERO for k in range(count)}
    inner = ZERO
    for terms in range(1, whole + 1):
        if terms & (terms - 1):
            inner = _worst(errors, terms)
            errors[terms] = inner + off(reach(terms) + inner, format)
    return inner, off(reach(whole) + inner, format)


def _worst(errors: dict[Terms, arb], terms: Terms) -> arb:
    result = ZERO
    for left in _parts(terms):
        result = result.max(errors[left] + errors[terms ^ left])
    return result


def _parts(terms: Terms) -> Iterator[Terms]:
    """The proper parts with the lowest term: one of each split."""
    rest = terms & (terms - 1)
    lowest = terms ^ rest
    part = (rest - 1) & rest
    while True:
        yield part | lowest
        if part == 0:
            return
        part = (part - 1) & rest


def spaced(step: arb, high: arb, slack: arb, count: arb, format: Format) -> arb:
    """At least the sum of `off` over numbers that are at least `step` apart, from 0 to `high`; off by `slack` each.

    So many lie in each binade as it has room for, and one more; those below the last binade that is looked at are
    taken together. At most `count` numbers there are.
    """
    top, total = high + slack, ZERO
    if not top > 0:
        return ZERO
    for _ in range(BINADES):
        mantissa, exponent = top.upper().man_exp()
        below = arb(2) ** (int(mantissa - 1).bit_length() - 1 + int(exponent))
        total += ((top - below) / step + 1) * off(top, format)
        top = below
    return (total + count * off(top, format)).min(count * off(high + slack, format))
