"""The sums of decimal numbers: what all entries of the contest are to append to two numbers."""

from __future__ import annotations

from weightproof.constructions.languages.transducers import Transducer
from weightproof.constructions.meaning.construction import Language

DIGITS = tuple("0123456789")
MOST = 10
"""Digits of each of the two numbers, zeros in front among them."""

PROMPTS = Language("SUM", DIGITS, bool, "n >= 1", description="two numbers, to which their sum is appended")
"""Of what a prompt is made where zeros are all that stands between the numbers."""


def _added(carry: int, a: str, b: str) -> tuple[int, str]:
    total = carry + int(a) + int(b)
    return total // 10, str(total % 10)


addition = Transducer(tracks={"a": DIGITS, "b": DIGITS}, slots=MOST, step=_added, start=0, more=1)
"""Two numbers, the last digit first, and the digits of their sum, one more."""
