"""Dynamic NanoGPT Adder, 130 parameters: cosminscn.

One layer, four coordinates, two heads, whose queries are 100 times those of the entry of 50 parameters. At the last
position `digit` is what was appended last, `sin` the sum of the digits before it, and a sinusoid of at most 1, and
`sum` that of the digits of the place. Two units make 1 of a carry and 0 of none, two others -10 where the sum with the
carry is 10 or more.
"""

from weightproof.constructions.adderboard.period11 import embedding, nearest_digit, pair_sum
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, FeedForward, Layer, Linear

entry = Entry(
    author="cosminscn",
    parameters=130,
    counted="every number in a tensor, zeros among them; sinusoids are free",
    elsewhere="not run",
)

carry = {"digit": -100, "sin": 100}
ten = {"digit": -10, "sin": 10, "sum": 1000}

construction = Construction(
    name="cosminscn-130",
    title="adds numbers of ten digits, with 130 parameters",
    source="AdderBoard, entry of cosminscn with 130 parameters",
    language=PROMPTS,
    network=Decoder(
        coordinates=("digit", "sin", "cos", "sum"),
        embedding=embedding,
        layers=(
            Layer(
                heads=(pair_sum(8, into="sum", scale=100), pair_sum(9, into="sin", scale=100)),
                feed_forward=FeedForward(
                    first=Linear(
                        {"carry+": carry, "carry-": carry, "ten+": ten, "ten-": ten},
                        {"carry+": -50, "carry-": -150, "ten+": -9045, "ten-": -9055},
                    ),
                    second=Linear({"sum": {"carry+": "1/100", "carry-": "-1/100", "ten+": -1, "ten-": 1}}),
                ),
            ),
        ),
        readout=nearest_digit,
    ),
)
