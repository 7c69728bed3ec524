"""TinyAdder-50p, 50 parameters: lichengliu03.

One layer, four coordinates, two heads. At the last position `digit` is what was appended last, `sin` the sum of the
digits before it, and a sinusoid of at most 1, and `sum` that of the digits of the place. The difference of the first
two is 9 or 10 where there was a carry, and 0 or -1 where there was none, but for the sinusoid: two units make 1 and 0
of it, two others -10 where the sum with the carry is 10 or more.
"""

from weightproof.constructions.adderboard.period11 import embedding, nearest_digit, pair_sum
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, FeedForward, Layer, Linear

entry = Entry(
    author="lichengliu03",
    parameters=50,
    counted="every number in a tensor; sinusoids are free, and so are a direction that is used twice and d in 2 d z",
    elsewhere="proven",
)

carry = {"digit": -1, "sin": 1}
ten = {"digit": -10, "sin": 10, "sum": 1000}

construction = Construction(
    name="lichengliu03-50",
    title="adds numbers of ten digits, with 50 parameters",
    source="AdderBoard, entry of lichengliu03 (TinyAdder-50p)",
    language=PROMPTS,
    network=Decoder(
        coordinates=("digit", "sin", "cos", "sum"),
        embedding=embedding,
        layers=(
            Layer(
                heads=(pair_sum(8, into="sum"), pair_sum(9, into="sin")),
                feed_forward=FeedForward(
                    first=Linear(
                        {"carry+": carry, "carry-": carry, "ten+": ten, "ten-": ten},
                        {"carry+": "-1/2", "carry-": "-3/2", "ten+": -9045, "ten-": -9055},
                    ),
                    second=Linear({"sum": {"carry+": 1, "carry-": -1, "ten+": -1, "ten-": 1}}),
                ),
            ),
        ),
        readout=nearest_digit,
    ),
)
