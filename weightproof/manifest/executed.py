"""The entries of a contest as they are executed: in floating point, on inputs that are drawn, and on all of them where
rounding is certified not to matter."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from weightproof.constructions.meaning.construction import Construction
from weightproof.measuring.prompts import DRAWN, Form, executed, uncertified
from weightproof.measuring.session import Place
from weightproof.proofs.theorem import Computes

DTYPES = ("float64", "float32", "bfloat16")
KINDS = ("explicit", "strict")
"""Of attention, of which the first is run, and both are asked for a certificate."""


@dataclass(frozen=True)
class Executed:
    """In a dtype, on so many inputs: how many get another token than the right one, and the first of them, with what is
    appended to it. certified: the kind of attention by which all inputs get the right tokens; "" where it is not known
    of any. open: why it is not certified; "" where it is."""

    dtype: str
    inputs: int
    wrong: int
    first: str
    certified: str
    open: str

    @property
    def said(self) -> str:
        if self.wrong:
            return f"wrong: {self.wrong:,} of {self.inputs:,}"
        if self.certified:
            return f"proved, {self.certified}"
        return f"open: none wrong of {self.inputs:,}"


def in_floats(construction: Construction, theorem: Computes, dtype: str, margin: arb | None) -> Executed:
    """Of a decoder, on the CPU. margin: by how much the right token is greater than each other one, at least, over the
    reals; None where that is not known."""
    run, *_ = places = [Place(dtype, "cpu", kind, 0) for kind in KINDS]
    form, count = Form.of(construction, theorem), DRAWN[run.attention]
    wrong = [*executed(construction, form, run, count)]
    reasons = {place.attention: uncertified(construction, form, place, margin) for place in places if not wrong}
    certified = next((kind for kind, reason in reasons.items() if reason is None), "")
    reason = "" if certified or wrong else [*reasons.values()][-1] or ""
    return Executed(dtype, count, len(wrong), wrong[0].said if wrong else "", certified, reason)
