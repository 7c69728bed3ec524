"""197 parameters: xangma.

Two layers as of Qwen3, five coordinates, in each two heads on one key and one value, norms before all of it and of
queries and keys. A digit d is (100, d). The first layer's heads sum the digits of the place before, and its two units
leave a carry; the second layer's heads sum the digits of the place, and its three units what is to be appended.
"""

from fractions import Fraction

from weightproof.constructions.adderboard.looking_back import rotary
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
    Readout,
    RootMeanSquare,
)

entry = Entry(
    author="xangma",
    parameters=197,
    counted="every number in a tensor, zeros among them; the rotation and the norms are free",
    elsewhere="not run",
)

COORDINATES = ("100", "digit", "before", "carry", "sum")

norm = RootMeanSquare("1/1000000")
sharp = RootMeanSquare("1/1000000", gain={"q0": 16, "q1": 16})


def weights(*numbers: str) -> dict[str, Fraction]:
    """A row of a matrix, of the first coordinates."""
    return dict(zip(COORDINATES, map(Fraction, numbers), strict=False))


def head(query: tuple[str, str], key: tuple[str, str], into: str) -> Head:
    """The digit that stands as many positions back as query and key are turned by, added to a coordinate."""
    return Head(
        W_V={"v": {"digit": 1}},
        W_O={into: {"v": 1}},
        W_Q={"q0": {"100": Fraction(query[0])}, "q1": {"100": Fraction(query[1])}},
        W_K={"q0": {"100": Fraction(key[0])}, "q1": {"100": Fraction(key[1])}},
        query_norm=sharp,
        key_norm=sharp,
        rotary=rotary,
        scale="1/sqrt(2)",
        mask="causal",
    )


BEFORE, NOW = ("-0.31672141", "-0.94851863"), ("0.32702553", "-0.94501549")
"""The keys of the two layers."""

carries = weights("1.4898191e-02", "6.6922739e-04", "2.9977213e-05")
sums = weights("1.4899401e-02", "6.5471046e-04", "6.8268733e-04", "-1.6779384e-04", "2.9817384e-05")

layers = (
    Layer(
        attention_norm_before=norm,
        heads=(
            head(("0.98502123", "0.17243294"), BEFORE, into="before"),
            head(("0.96630472", "-0.25740093"), BEFORE, into="before"),
        ),
        feed_forward_norm_before=norm,
        feed_forward=FeedForward(
            gate=Linear(
                {
                    "carry+": weights("-3.3532020e-01", "-1.3412670e03", "6.0353305e04"),
                    "carry-": weights("-1.3743691e01", "-1.3418693e03", "6.0353277e04"),
                }
            ),
            activation="silu",
            first=Linear({"carry+": carries, "carry-": carries}),
            second=Linear({"carry": {"carry+": 1, "carry-": -1}}),
        ),
    ),
    Layer(
        attention_norm_before=norm,
        heads=(
            head(("-0.25507239", "0.96692199"), NOW, into="sum"),
            head(("0.17478994", "0.98460573"), NOW, into="sum"),
        ),
        feed_forward_norm_before=norm,
        feed_forward=FeedForward(
            gate=Linear(
                {
                    "sum": weights("-4.3951669e-01", "5.6323919e00", "4.9838150e-01", "1.3435575e03", "6.0357680e04"),
                    "ten+": weights("-1.2112466e02", "3.2923722e-01", "-5.0313854e00", "1.3449166e03", "6.0357438e04"),
                    "ten-": weights("-1.3453412e02", "-2.6000220e-01", "-5.6458039e00", "1.3450677e03", "6.0357410e04"),
                }
            ),
            activation="silu",
            first=Linear({"sum": sums, "ten+": sums, "ten-": sums}),
            second=Linear({"before": {"sum": 1, "ten+": -10, "ten-": 10}}),
        ),
    ),
)


def network(outputs: Linear) -> Decoder:
    """With another readout."""
    return Decoder(
        coordinates=COORDINATES,
        embedding=Embedding({digit: {"100": 100, "digit": int(digit)} for digit in DIGITS}),
        layers=layers,
        final_norm=norm,
        readout=Readout(outputs, position="last", accept="argmax"),
    )


construction = Construction(
    name="xangma-197",
    title="adds numbers of ten digits, with 197 parameters",
    source="AdderBoard, entry of xangma with 197 parameters",
    language=PROMPTS,
    network=network(
        Linear(
            {
                "0": weights("5.5779090e00", "3.1322198e00", "-4.0438358e02", "6.2589108e01", "9.9358273e-01"),
                "1": weights("5.0814748e00", "2.4687927e00", "-3.1444955e02", "4.8671352e01", "7.7272820e-01"),
                "2": weights("3.6916721e00", "1.7657869e00", "-2.2455742e02", "3.4757641e01", "5.5075526e-01"),
                "3": weights("1.4084998e00", "1.0232025e00", "-1.3470717e02", "2.0847967e01", "3.2766387e-01"),
                "4": weights("-1.7680415e00", "2.4103954e-01", "-4.4898785e01", "6.9423370e00", "1.0345399e-01"),
                "5": weights("-5.8379521e00", "-5.8070201e-01", "4.4867714e01", "-6.9592528e00", "-1.2187435e-01"),
                "6": weights("-1.0801232e01", "-1.4420221e00", "1.3459233e02", "-2.0856800e01", "-3.4832114e-01"),
                "7": weights("-1.6657881e01", "-2.3429208e00", "2.2427509e02", "-3.4750309e01", "-5.7588643e-01"),
                "8": weights("-2.3407900e01", "-3.2833982e00", "3.1391595e02", "-4.8639774e01", "-8.0457014e-01"),
                "9": weights("-3.1051287e01", "-4.2634540e00", "4.0351492e02", "-6.2525200e01", "-1.0343723e00"),
            }
        )
    ),
)
