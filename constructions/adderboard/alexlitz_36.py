"""TinyAdder, 36 parameters: Alex Litzenberger.

Two layers, softmax1, which is softmax with something of score 0 and value 0 beside, and a bias of log(10) (j - i). The
prompt is a+b=, the first digits in front, behind a marker, and the first digit of the sum is appended first. The first
layer's head on special tokens leaves 10^k, of the place k, but for a factor: positive before =, and negative behind;
its gated units multiply digits, and halves between them, by it. The second layer's head averages all of that, and so
what is left of the sum once the digits that were appended are taken away; its units find the half that is nearest.

In the source the three heads without values stand beside the two, and are left out here. A coordinate that is 1 stands
for what its biases are added to. The output is the least, of numbers of which here the opposites are the outputs.
"""

from fractions import Fraction

from weightproof.constructions.adderboard.sums import DIGITS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Decoder, Embedding, FeedForward, Head, Layer, Linear, Readout

entry = Entry(
    author="alexlitz",
    parameters=36,
    counted="13 of tokens, 6 of the first layer's heads, 12 of its units, 2 of the second layer's head, 3 of "
    "its units; what copies is free, and what multiplies many alike counts once",
    elsewhere="falsified",
)

CANDIDATES = tuple(f"candidate {digit}" for digit in DIGITS)
STREAM = ("=", "special", "digit", "place", "scale", *CANDIDATES, "digit at its place")
"""The first ten coordinates are those of the outputs, too: what is there before is next to nothing beside them."""

first = Layer(
    heads=(
        Head(
            W_V={"place": {"special": "exp(40)", "=": "-11*exp(40)"}},
            W_Q={"q": {"1": 1}},
            W_K={"q": {"special": "-40 + 1000", "1": -1000}},
            scale=1,
            bias="log(10)*(j - i)",
            sink=0,
            mask="causal",
        ),
        Head(W_V={"scale": {"=": 1}}, sink=0, mask="causal"),
    ),
    feed_forward=FeedForward(
        gate=Linear({**{name: {"scale": 1} for name in CANDIDATES}, "digit at its place": {"digit": 1}}),
        first=Linear(
            {
                **{name: {"place": Fraction(2 * k + 1, 2) * 10**12} for k, name in enumerate(CANDIDATES)},
                "digit at its place": {"place": 10**10},
            }
        ),
        second=Linear({name: {name: 1} for name in (*CANDIDATES, "digit at its place")}),
    ),
)
second = Layer(
    heads=(
        Head(
            W_V={"v": {"digit at its place": 100, "1": 15}},
            W_O={name: {"v": 1} for name in STREAM},
            sink=0,
            mask="causal",
        ),
    ),
    feed_forward=FeedForward(
        first=Linear({f"{sign}{name}": {name: f"{sign}10000"} for name in CANDIDATES for sign in ("", "-")}),
        second=Linear(
            {
                output: {name: 100, f"-{name}": 100}
                for output, name in zip(STREAM[: len(DIGITS)], CANDIDATES, strict=True)
            }
        ),
    ),
)

construction = Construction(
    name="alexlitz-36",
    title="adds most numbers of ten digits, with 36 parameters",
    source="AdderBoard, entry of Alex Litzenberger (TinyAdder)",
    language=Language("SUM", (*DIGITS, "+", "="), bool, "n >= 1", description="two numbers, followed by + and by ="),
    network=Decoder(
        coordinates=("1", *STREAM),
        embedding=Embedding(
            {
                "[BOS]": {"special": 1},
                **{digit: {"digit": 10 * int(digit)} for digit in DIGITS},
                "+": {"special": 1},
                "=": {"special": 1, "=": 1},
            },
            {"1": 1},
        ),
        layers=(first, second),
        readout=Readout(
            Linear({digit: {name: -1} for digit, name in zip(DIGITS, STREAM, strict=False)}),
            position="last",
            accept="argmax",
        ),
        begin="[BOS]",
    ),
)
