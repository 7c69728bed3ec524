"""ORDERED, the words with no 0 behind a 1: van Doornmalen, Mathwieser, Kozachinskiy, Steifer, Verschae, Urrutia and
Wałęga (2026), Transformer Heads Looking for Order, arXiv 2609.25588, section 3.1.

One head looks for the last 0, by the score i n - x_i n^2, the other one for the first 1, by the score with the other
sign; each finds the position, nearly, and what stands there. The paper gives the embedding and the scores, and says in
words what the output network checks. i counts from 1, and the last position, n, is read.

Three output networks are here. That of `construction` is ours, and has one layer of ReLU. The other two do what is
printed, by a layer of absolute values and two of steps. As printed, words of equal symbols are looked for where the
last 0 is at 1 and the first 1 at n; but where all symbols are equal the first head is at n, and the second one at 1:
`exchanged` has it so.
"""

from weightproof.constructions.languages.languages import ORDERED
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

embedding = Embedding(WE={"0": {}, "1": {"x": 1}}, PE={"i": "i + 1", "i^2": "(i + 1)**2"})

last_zero = Head(
    W_Q={"n": {"i": 1}, "n^2": {"i^2": 1}},
    W_K={"n": {"i": 1}, "n^2": {"x": -1}},
    W_V={"i0": {"i": 1}, "x0": {"x": 1}},
    scale=1,
)
first_one = Head(
    W_Q={"n": {"i": 1}, "n^2": {"i^2": 1}},
    W_K={"n": {"i": -1}, "n^2": {"x": 1}},
    W_V={"i1": {"i": 1}, "x1": {"x": 1}},
    scale=1,
)
HEADS = (last_zero, first_one)
SEEN = ("i", "i^2", "x", "i0", "x0", "i1", "x1")
SIZES = ("|i0 - end| + |i1 - end|", "|i1 - 1 - i0|", "|x1 - x0|")
CHECKS = ("at ends", "adjacent", "equal")

near = FeedForward(
    first=Linear({check: {size: -1} for check, size in zip(CHECKS, SIZES, strict=True)}, dict.fromkeys(CHECKS, "1/5")),
    second=Linear({check: {check: 1} for check in CHECKS}),
    activation="step",
)
"""Each size is less than 0.2."""
choose = FeedForward(
    first=Linear(
        {"equal at ends": {"at ends": 1, "equal": 1}, "adjacent elsewhere": {"adjacent": 1, "at ends": -1}},
        {"equal at ends": "-3/2", "adjacent elsewhere": "-1/2"},
    ),
    second=Linear({"s": {"equal at ends": 1, "adjacent elsewhere": 1}}, {"s": "-1/2"}),
    activation="step",
)


def checked(end_of_i0: str, end_of_i1: str) -> tuple[Layer, ...]:
    """The layers that do what is printed, with the distance of each head from an end of the word, "1" or "n"."""

    def distance(of: str, end: str) -> dict[str, int]:
        return {of: 1, "i": -1} if end == "n" else {of: 1}

    sizes = FeedForward(
        first=Linear(
            {
                "h0": distance("i0", end_of_i0),
                "h1": distance("i1", end_of_i1),
                "h2": {"i1": 1, "i0": -1},
                "h3": {"x1": 1, "x0": -1},
            },
            {"h0": -int(end_of_i0 == "1"), "h1": -int(end_of_i1 == "1"), "h2": -1},
        ),
        second=Linear({SIZES[0]: {"h0": 1, "h1": 1}, SIZES[1]: {"h2": 1}, SIZES[2]: {"h3": 1}}),
        activation="abs",
    )
    return Layer(HEADS, sizes), Layer(feed_forward=near), Layer(feed_forward=choose)


def ordered(name: str, title: str, source: str, layers: tuple[Layer, ...], *more: str) -> Construction:
    return Construction(
        name=name,
        title=title,
        source=source,
        language=ORDERED,
        network=Encoder(
            coordinates=(*SEEN, *more, "s"),
            embedding=embedding,
            layers=layers,
            readout=Readout(Linear({"logit": {"s": 1}}), position="last"),
            begin=None,
        ),
    )


adjacent_or_equal = FeedForward(
    first=Linear({"h1": {"i1": 1, "i0": -1}, "h2": {"x1": -1, "x0": 1}}, {"h2": 1}),
    second=Linear({"s": {"h1": 1, "h2": 1}}, {"s": "-1/2"}),
)
"""i1 - i0 is about 1 in an ordered word of two symbols, and -1 or less in any other word; x1 - x0 is 0 where all
symbols are equal, and else about 1."""

construction = ordered(
    "ordered",
    "ORDERED by the last 0 and the first 1; the output network is ours",
    "after van Doornmalen et al. (2026), section 3.1: the heads are theirs",
    (Layer(HEADS, adjacent_or_equal),),
)
as_printed = ordered(
    "ordered-as-printed",
    "ORDERED with the cases of the output network as printed",
    "van Doornmalen et al. (2026), section 3.1",
    checked("1", "n"),
    *SIZES,
    *CHECKS,
)
exchanged = ordered(
    "ordered-exchanged",
    "ORDERED with the two ends of the output network exchanged",
    "after van Doornmalen et al. (2026), section 3.1",
    checked("n", "1"),
    *SIZES,
    *CHECKS,
)
