"""Units of one row that together make a tent: relu(x + e_j*a) with outer weights that sum to 0."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from weightproof.constructions.scalars.exact import Real, enclosure
from weightproof.numeric.certificate.uniform.block import Block
from weightproof.numeric.certificate.uniform.forms import Form
from weightproof.numeric.certificate.uniform.ranges import ZERO, Range, greatest, least


def tent(block: Block, units: Sequence[tuple[Form, Real]]) -> tuple[Form, Range] | None:
    """A form a >= 0 and a range: the units, (preactivation, outer weight), are together a times something in the range.

    Where the preactivations are x + e_j*a, and the outer weights sum to 0, the row is a*f(x/a) with f piecewise
    linear, flat at both ends, so that its extreme values are those at the kinks -e_j.
    """
    if len(units) < 2 or sum((outer for _, outer in units), fmpq(0)) != 0:
        return None
    gaps = [form - units[0][0] for form, _ in units]
    width = next((gap for gap in gaps if not gap.is_zero), None)
    if width is None:
        return None
    if not block.range(width).nonnegative:
        width = width.times(fmpq(-1))
    shifts = [_ratio(gap, width) for gap in gaps]
    if any(shift is None for shift in shifts) or not block.range(width).nonnegative:
        return None
    balls = [enclosure(shift) for shift in shifts if shift is not None]
    outer = [enclosure(outer) for _, outer in units]
    heights = [ZERO]
    for kink in balls:
        terms = (w * (shift - kink).max(ZERO) for w, shift in zip(outer, balls, strict=True))
        heights.append(sum(terms, ZERO))
    return width, Range(least(heights), greatest(heights))


def _ratio(form: Form, width: Form) -> Real | None:
    """The number of which the form is that multiple of the width; None where it is none."""
    if form.is_zero:
        return fmpq(0)
    [ratio, *rest] = [
        *(form.tokens.get(token, fmpq(0)) / x for token, x in width.tokens.items()),
        *(form.profiles.get(profile, fmpq(0)) / x for profile, x in width.profiles.items()),
    ]
    return ratio if all(other == ratio for other in rest) and (form - width.times(ratio)).is_zero else None
