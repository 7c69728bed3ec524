"""That an entry adds: the one statement of all of them, each about prompts of its own form."""

from __future__ import annotations

from weightproof.constructions.adderboard.sums import MOST, addition
from weightproof.constructions.languages.transducers import Track
from weightproof.proofs.theorem import Computes, Expected

FIRST_IN_FRONT = (Track("a", backward=True), Track("b", backward=True))
"""The two numbers, each with its first digit in front."""
LAST_IN_FRONT = (Track("a"), Track("b"))
"""The same with the last digit in front."""


def adds(*prompt: str | Track, backward: bool = False, expected: Expected = "proved") -> Computes:
    """backward: the first digit of the sum is appended first, and not its last one."""
    order = "first" if backward else "last"
    said = "".join(part if isinstance(part, str) else part.name for part in prompt)
    return Computes(
        "adds",
        f"appends to {said} the sum of any two numbers of {MOST} digits, the {order} digit first",
        addition,
        prompt,
        backward,
        expected,
    )
