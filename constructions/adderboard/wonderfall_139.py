"""139 parameters: Wonderfall.

One layer as of Qwen3, three coordinates, four heads on one key and one value, norms before all of it and of queries
and keys, and four gated units. A digit d is (1000 - d^2/4000, d, d/2000). The heads leave x, the digit appended last
less the digits of the place before, in the second coordinate, and s, the sum of the digits of the place, next to
nothing beside, in the third. Where x is -9 or less there was a carry. Gates are 20 times what relu would be taken of,
so that SiLU is next to that; their units are made of the large coordinate.
"""

from fractions import Fraction

from weightproof.constructions.adderboard.looking_back import OF_PLACE, OF_PLACE_BEFORE, looking_back, rotary
from weightproof.constructions.adderboard.sums import DIGITS, PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    FeedForward,
    Head,
    Layer,
    Linear,
    Norm,
    Readout,
    RootMeanSquare,
)

entry = Entry(
    author="Wonderfall",
    parameters=139,
    counted="every number in a tensor, zeros among them; the readout is the embedding, and the rotation is free",
    elsewhere="proven",
)

digits = {
    digit: {"large": 1000 - Fraction(int(digit) ** 2, 4000), "x": int(digit), "sum": Fraction(int(digit), 2000)}
    for digit in DIGITS
}
norm = RootMeanSquare("1/1000000")
sharp = RootMeanSquare("1/1000000", gain={"q0": 256, "q1": 256})


def head(back: int, into: dict[str, int]) -> Head:
    """The digit that stands so many positions back, times a sign."""
    return Head(
        W_V={"v": {"x": "1000/sqrt(3)"}},
        W_O={row: {"v": sign} for row, sign in into.items()},
        W_Q=looking_back(back, of="large"),
        W_K={"q0": {"large": 1}, "q1": {}},
        query_norm=sharp,
        key_norm=sharp,
        rotary=rotary,
        scale="1/sqrt(2)",
        mask="causal",
    )


heads = (*(head(back, {"x": -1}) for back in OF_PLACE_BEFORE), *(head(back, {"sum": 1}) for back in OF_PLACE))


def gate(of_one: int, **of: int) -> dict[str, str]:
    """20 times a sum, once a norm has divided by 1000/sqrt(3)."""
    others = {name: f"20*({factor})*1000/sqrt(3)" for name, factor in of.items()}
    return {"large": f"20*({of_one})/sqrt(3)", **others}


ten_or_more = {"ten+": gate(-188, x=-2, sum=20), "ten-": gate(-189, x=-2, sum=20)}
one = {"large": 1}
UNIT = "1/(20*sqrt(3))"
"""By which a unit is 1 where what its gate is made of is 1."""


def network(units: FeedForward, final_norm: Norm) -> Decoder:
    """With other units behind the heads, and another gain of the final norm."""
    return Decoder(
        coordinates=("large", "x", "sum"),
        embedding=Embedding(digits),
        layers=(
            Layer(
                attention_norm_before=norm,
                heads=heads,
                feed_forward_norm_before=norm,
                feed_forward=units,
            ),
        ),
        final_norm=final_norm,
        readout=Readout(Linear(digits), position="last", accept="argmax"),
    )


def final_norm(x: str | int) -> RootMeanSquare:
    """x: its gain there."""
    return RootMeanSquare("1/1000000", gain={"large": "1/sqrt(3)", "x": x, "sum": "1000/sqrt(3)"})


construction = Construction(
    name="wonderfall-139",
    title="adds numbers of ten digits, with 139 parameters",
    source="AdderBoard, entry of Wonderfall with 139 parameters",
    language=PROMPTS,
    network=network(
        FeedForward(
            gate=Linear({"carry+": gate(-8, x=-1), "carry-": gate(-9, x=-1)} | ten_or_more),
            activation="silu",
            first=Linear({"carry+": one, "carry-": one, "ten+": one, "ten-": one}),
            second=Linear({"sum": {"carry+": UNIT, "carry-": f"-{UNIT}", "ten+": f"-10*{UNIT}", "ten-": f"10*{UNIT}"}}),
        ),
        final_norm(x=0),
    ),
)
