"""33 parameters: fblissjr.

One layer, three coordinates, three heads without queries and keys: a fixed table of scores says what each position
sees. The prompt is a|b|, the last digits in front, so that the digits of place k stand at k and 11 + k, and digit k of
the sum is appended after position 21 + k. There the first head sees the two digits of place k, with a score of 0, and
the first |, with one of 80, the value of which is 0: times exp(80) its mean is next to their sum. The second head sees
the digits of all places before, those of place j with a score of (j - k) log(10): the sum of 10^(j - k) (a_j + b_j),
which is 1 or more where there is a carry. The third one takes away the digit itself. Two units make 1 of a carry, two
others take 10 away: both are relu(x + 1/10^11) - relu(x + 1/(2 10^11)), times 2 10^11, which is 1 where x >= 0, and 0
where x is less than -1/10^11.
"""

from weightproof.constructions.adderboard.sums import DIGITS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Decoder, Embedding, FeedForward, Head, Layer, Linear, Readout

entry = Entry(
    author="fblissjr",
    parameters=33,
    counted="every value that occurs in tensors, however often it does; the table of scores is free",
    elsewhere="proven",
)

BEHIND = "i >= 21"
ITSELF = "i < 21 and j == i"
ANCHOR = "80*(i >= 21)*(j == 10)"

pair = Head(
    W_V={"v": {"sum": 1}},
    W_O={"sum": {"v": "exp(80)"}},
    sees=f"{ITSELF} or {BEHIND} and (j == 10 or i < 31 and (j == i - 21 or j == i - 10))",
    bias=ANCHOR,
    mask="causal",
)
places_before = Head(
    W_V={"v": {"sum": 1}},
    W_O={"before": {"v": "exp(80)"}},
    sees=f"{ITSELF} or {BEHIND} and (j < i - 21 and j <= 10 or j == 10 or 10 < j and j < i - 10 and j < 21)",
    bias=f"{ANCHOR} - (i >= 21)*(not j == 10)*(i - 21 - j + 11*(j > 10))*log(10)",
    mask="causal",
)
itself = Head(W_V={"v": {"sum": -1}}, W_O={"sum": {"v": 1}}, sees="j == i", mask="causal")

carry, ten = {"before": 1}, {"sum": 1, "before": 1}

construction = Construction(
    name="fblissjr-33",
    title="adds numbers of ten digits, with 33 parameters",
    source="AdderBoard, entry of fblissjr with 33 parameters",
    language=Language("SUM", (*DIGITS, "|"), bool, "n >= 1", description="two numbers, each followed by |"),
    network=Decoder(
        coordinates=("sum", "before", "unused"),
        embedding=Embedding({**{digit: {"sum": int(digit)} for digit in DIGITS}, "|": {}}),
        layers=(
            Layer(
                heads=(pair, places_before, itself),
                feed_forward=FeedForward(
                    first=Linear(
                        {"carry+": carry, "carry-": carry, "ten+": ten, "ten-": ten},
                        {
                            "carry+": "-1 + 1/10**11",
                            "carry-": "-1 + 1/10**11/2",
                            "ten+": "-10 + 1/10**11",
                            "ten-": "-10 + 1/10**11/2",
                        },
                    ),
                    second=Linear(
                        {"sum": {"carry+": 2 * 10**11, "carry-": -2 * 10**11, "ten+": -2 * 10**12, "ten-": 2 * 10**12}}
                    ),
                ),
            ),
        ),
        readout=Readout(
            Linear(
                {**{digit: {"sum": 2 * int(digit)} for digit in DIGITS}, "|": {}},
                {**{digit: -(int(digit) ** 2) for digit in DIGITS}, "|": -2 * 10**12},
            ),
            position="last",
            accept="argmax",
        ),
    ),
)
