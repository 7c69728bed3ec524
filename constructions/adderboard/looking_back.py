"""What the entries share whose rotation is by 1 radian a position: heads that look a number of positions back.

The prompt is 0a00b0, the last digits in front. Then the digits of the place that is to be appended stand 22 and 10
positions before the last one, those of the place before 23 and 11. A query that is turned by as many radians finds the
key that many positions before it; the next best one, of other distances below 34, is 0.0088 worse, of 1.
"""

from __future__ import annotations

from weightproof.constructions.meaning.schema import Rotary

OF_PLACE = (22, 10)
OF_PLACE_BEFORE = (23, 11)

rotary = (Rotary("q0", "q1", 1),)


def looking_back(positions: int, of: str, scale: int = 1) -> dict[str, dict[str, str]]:
    """A query: a large coordinate, turned, times a scale."""
    return {"q0": {of: f"{scale}*cos({positions})"}, "q1": {of: f"-{scale}*sin({positions})"}}
