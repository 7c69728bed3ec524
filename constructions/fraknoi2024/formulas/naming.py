"""What the claims of the thesis's formulas are listed under, and the matrices that they share, with the sizes that are
printed of them."""

from __future__ import annotations

from collections.abc import Mapping

from weightproof.constructions.claims.formulas import Formulaic, Sizes
from weightproof.constructions.claims.published import Slip

NAME = "fraknoi2024-formulas"
SIZES: Mapping[str, tuple[object, ...]] = {
    "x": ("n", "d"),
    "out": ("n", "d"),
    "P": ("n", "d"),
    "W_Q": ("d", "d_h"),
    "W_K": ("d", "d_h"),
    "W_V": ("d", "d_h"),
    "W_O": ("d_h", "d"),
    "M": ("n", "n"),
    "A": ("n", "n"),
    "W_1": ("d", "m"),
    "W_2^T": ("d", "m"),
    "b_1": ("m",),
    "b_2": ("d",),
    "W_H": ("d", "v"),
    "b_H": ("v",),
}


def sizes(*names: str, where: Mapping[str, object] | None = None, **others: tuple[object, ...]) -> Sizes:
    """The printed sizes of some of them; others: in place of these. where: as in `Sizes`."""
    return Sizes({name: {**SIZES, **others}[name] for name in names}, where)


def slip(name: str, cause: str, place: str, printed: str, statement: Formulaic) -> Slip:
    """A mistake in a formula, with its correction."""
    return Slip(f"fraknoi2024/{name}", NAME, cause, place, printed, statement)
