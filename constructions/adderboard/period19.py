"""What six entries share: a rotation with a period of 19 positions, and one head that adds up the digits of two
places.

The prompt is 0a000000000b0, the last digits in front, so that the digits of one place of a and b stand 19 apart, and a
rotation by 2 pi/19 a position does not tell them apart. The last position attends to what stands 10 and 11 positions
before it, but for multiples of 19: of the four digits those of the place that is to be appended weigh ten times as
much as those of the place before, for which the query is turned by 10.3 positions, and scores have their scale. With a
value of 22 d for the digit d the head finds about 10 s + s', the sums of the digits of the two places. The digit that
was appended last is subtracted, as a digit is embedded as (1000 - d^2/1000, -d): then the last digit of s' falls out,
and 9 or more beyond 10 s is a carry. The first coordinate, hardly changed by its second term, is what norms divide by.
"""

from __future__ import annotations

from fractions import Fraction

from weightproof.constructions.adderboard.sums import DIGITS
from weightproof.constructions.meaning.schema import Embedding, Linear, Readout, RootMeanSquare, Rotary

norm = RootMeanSquare("1/1000000")

digits = {digit: {"large": 1000 - Fraction(int(digit) ** 2, 1000), "sum": -int(digit)} for digit in DIGITS}
"""2 d z - d^2 is greatest where d is the nearest digit to z: so are 100 (1000 - d^2/1000) and 20 z d together."""

embedding = Embedding(digits)

turned = {"q0": {"large": "cos(2*pi*103/190)"}, "q1": {"large": "-sin(2*pi*103/190)"}}
"""The query, turned by 10.3 positions."""

SHARPNESS = "log(10)/(cos(2*pi*3/190) - cos(2*pi*7/190))"
"""By which scores at distances of 0.3 and 0.7 positions from what is looked for differ by log(10)."""

rotary = (Rotary("q0", "q1", "2*pi/19"),)

final_norm = RootMeanSquare("1/1000000", gain={"large": "50*sqrt(2)", "sum": "-10*sqrt(2)"})

tied = Readout(Linear(digits), position="last", accept="argmax")
"""The outputs are those of the embedding."""
