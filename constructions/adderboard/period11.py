"""What three entries share: sinusoids of positions with a period of 11, and heads that add up the digits of a place.

The prompt is a0b0, the first digits in front, so that the digits of one place of a and b stand 11 apart, at i and at i
+ 11, with the same sinusoids. In the prompt these are 100 times as large as behind it. A query is turned, so that its
score is greatest where the positions of query and key add up to a number of turns, but for multiples of 11: to 8 at
the digits of the place that is to be appended, to 9 at those of the place before. Either head sees two such positions
alike, and its mean, times 2, is the sum of their digits.
"""

from __future__ import annotations

from weightproof.constructions.adderboard.sums import DIGITS
from weightproof.constructions.meaning.schema import Embedding, Head, Linear, Readout

_large = "(1 + 99*(i <= 21))"

embedding = Embedding(
    WE={digit: {"digit": int(digit)} for digit in DIGITS},
    PE={"sin": f"{_large}*sin(pi*2*i/11)", "cos": f"{_large}*cos(pi*2*i/11)"},
)


def pair_sum(turns: int, into: str, scale: int = 1) -> Head:
    """The sum of two digits, written into a coordinate. scale: of its queries."""
    cos, sin = f"{scale}*cos(pi*2*{turns}/11)", f"{scale}*sin(pi*2*{turns}/11)"
    return Head(
        W_V={"v": {"digit": 1}},
        W_O={into: {"v": 2}},
        W_Q={"q0": {"sin": f"-{cos}", "cos": sin}, "q1": {"sin": sin, "cos": cos}},
        W_K={"q0": {"sin": 1}, "q1": {"cos": 1}},
        scale="1/sqrt(2)",
        mask="causal",
    )


nearest_digit = Readout(
    Linear({digit: {"sum": 2 * int(digit)} for digit in DIGITS}, {digit: -(int(digit) ** 2) for digit in DIGITS}),
    position="last",
    accept="argmax",
)
"""2 d z - d^2 = z^2 - (z - d)^2, greatest where d is nearest to z."""
