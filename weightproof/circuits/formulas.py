"""Numbers of s bits, and what heads look up by them, as formulas: parts of derivations and proofs about circuits."""

from __future__ import annotations

from collections.abc import Iterable

from weightproof.document.blocks import Code, Math, Spans
from weightproof.machines.formulas import signed
from weightproof.symbolic.fixed_point.arithmetic import Number
from weightproof.symbolic.fixed_point.lookup import LookUp


def scores(look: LookUp) -> Spans:
    """What a head scores at the address, and elsewhere, as a part of a sentence."""
    return (
        "the score is ",
        _numbers(look.here),
        " at the position with the number ",
        Code(look.field),
        " and ",
        _numbers(look.elsewhere),
        " at all others, which have no weight, as their exponential is rounded to 0",
    )


def _numbers(numbers: Iterable[Number]) -> Math:
    return Math(", ".join(map(number, sorted(numbers))))


def number(x: Number) -> str:
    """In terms of B, where it has no value."""
    parts = [(x.tops, "B" if abs(x.tops) == 1 else f"{_fraction(x.tops)} B"), (x.number, _fraction(x.number))]
    return signed((value, text) for value, text in parts if value)


def _fraction(x: object) -> str:
    whole, _, below = str(x).lstrip("-").partition("/")
    return rf"\tfrac{{{whole}}}{{{below}}}" if below else whole
