"""93 parameters: jacobli99.

One layer, two coordinates, five heads and no norm. A digit d is (1000 - d^2/4000, d). The heads leave 1000 and the
digit appended last, less the digits of the place before, in the first coordinate, which is 1000 - 9 or less where
there was a carry; and the sum of the digits of the place in the second one. Two units add the carry to it, two others
take 10 away where they make 10 or more.

In the source what comes later is hidden by a score that is 10,000 less. Nothing comes behind the position that is
read, and there is one layer, so that it makes no difference. In float32 outputs differ by as little as a unit in the
last place; what is said here is of real numbers.
"""

from fractions import Fraction

from weightproof.constructions.adderboard.looking_back import OF_PLACE, OF_PLACE_BEFORE, looking_back, rotary
from weightproof.constructions.adderboard.sums import DIGITS, PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, Embedding, FeedForward, Head, Layer, Linear, Readout

entry = Entry(
    author="jacobli99",
    parameters=93,
    counted="every number in a tensor, zeros among them, and the score that hides; the rotation is free",
    elsewhere="not run",
)

digits = {digit: {"large": 1000 - Fraction(int(digit) ** 2, 4000), "sum": Fraction(digit)} for digit in DIGITS}


def head(back: int, into: dict[str, int]) -> Head:
    """The digit that stands so many positions back, times its signs."""
    return Head(
        W_V={"v": {"sum": 1}},
        W_O={row: {"v": sign} for row, sign in into.items()},
        W_Q=looking_back(back, of="large", scale=256),
        W_K={"q0": {"large": 256}, "q1": {}},
        rotary=rotary,
        scale="1/sqrt(2)",
        mask="causal",
    )


carry, ten = {"large": -1}, {"large": -2, "sum": 20}

construction = Construction(
    name="jacobli99-93",
    title="adds numbers of ten digits, with 93 parameters",
    source="AdderBoard, entry of jacobli99 (SeuperHakkerJa) with 93 parameters",
    language=PROMPTS,
    network=Decoder(
        coordinates=("large", "sum"),
        embedding=Embedding(digits),
        layers=(
            Layer(
                heads=(
                    head(0, {"large": 1, "sum": -1}),
                    *(head(back, {"large": -1}) for back in OF_PLACE_BEFORE),
                    *(head(back, {"sum": 1}) for back in OF_PLACE),
                ),
                feed_forward=FeedForward(
                    first=Linear(
                        {"carry+": carry, "carry-": carry, "ten+": ten, "ten-": ten},
                        {"carry+": 1000 - 8, "carry-": 1000 - 9, "ten+": 2000 - 188, "ten-": 2000 - 189},
                    ),
                    second=Linear({"sum": {"carry+": 1, "carry-": -1, "ten+": -10, "ten-": 10}}),
                ),
            ),
        ),
        readout=Readout(
            Linear({digit: {"large": of["large"] / 1000, "sum": of["sum"] / 2000} for digit, of in digits.items()}),
            position="last",
            accept="argmax",
        ),
    ),
)
