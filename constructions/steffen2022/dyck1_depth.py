"""DYCK-(1,D), the balanced words nested at most D deep, 0 opening and 1 closing: Steffen et al., section 4.2.

As `dyck1`, with the depth bound D/(i+1) in the position encoding and a third prefix indicator, [depth > D]/(i+1).
The paper writes D/i and 1/i; causal attention at position i averages over i+1 positions.

As in `dyck1`, a word without a violation that ends with an open bracket has logit 0. `dyck1-depth-margin` is ours, not
the paper's: one hidden unit finds [last]/(i+1), and half of it is subtracted in the readout. That less does not do is
shown in `dyck1`: with D fixed, the sums of k/i and of [k=0]/i still vary without bound.
"""

from weightproof.constructions.languages.languages import DYCK1_DEPTH
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"[last]": "(i == n - 1)", "D/i": "D/(i + 1)"},
)

balance = Head(W_V={"1/i": {"[w=CLS]": 1}, "k/i": {"[w=0]": -1, "[w=1]": 1}}, mask="causal")

prefix_indicators = FeedForward(
    first=Linear(
        {
            "h1": {"1/i": 1, "k/i": 1},
            "h2": {"k/i": 1},
            "h3": {"1/i": -1, "k/i": 1},
            "h4": {"D/i": -1, "k/i": -1},
            "h5": {"D/i": -1, "1/i": -1, "k/i": -1},
        }
    ),
    second=Linear(
        {
            "[k=0]/i": {"h1": 1, "h2": -2, "h3": 1},
            "[k>0]/i": {"h2": 1, "h3": -1},
            "[k<-D]/i": {"h4": 1, "h5": -1},
        }
    ),
)

COORDINATES = (
    "[w=0]",
    "[w=1]",
    "[w=CLS]",
    "[last]",
    "D/i",
    "1/i",
    "k/i",
    "[k=0]/i",
    "[k>0]/i",
    "[k<-D]/i",
    "[k=0 and last]/i",
)
DEPTH = Parameter("D", domain="D >= 0", default=3, kind="natural")

only_last = {"[w=0]": -1, "[w=1]": -1, "[w=CLS]": -1, "[last]": 1}
"""0 at the last position, -1 elsewhere."""

balanced_at_the_end = FeedForward(
    first=Linear({"h": {**only_last, "[k=0]/i": 1}}),
    second=Linear({"[k=0 and last]/i": {"h": 1}}),
)

construction = Construction(
    name="dyck1-depth",
    title="DYCK-(1,D) by prefix counts and a sum over positions",
    source="Steffen et al. (2022), section 4.2",
    language=DYCK1_DEPTH,
    parameters=(DEPTH,),
    network=Encoder(
        coordinates=COORDINATES,
        embedding=embedding,
        layers=(
            Layer(heads=(balance,), feed_forward=prefix_indicators),
            Layer(feed_forward=balanced_at_the_end),
        ),
        readout=Readout(
            Linear({"logit": {"[k=0 and last]/i": 1, "[k>0]/i": -1, "[k<-D]/i": -1}}),
            position="sum",
        ),
    ),
)

with_margin = Construction(
    name="dyck1-depth-margin",
    title="DYCK-(1,D) with a margin on both sides",
    source="after Steffen et al. (2022), section 4.2",
    language=DYCK1_DEPTH,
    parameters=(DEPTH,),
    network=Encoder(
        coordinates=(*COORDINATES, "[last]/i"),
        embedding=embedding,
        layers=(
            Layer(heads=(balance,), feed_forward=prefix_indicators),
            Layer(
                feed_forward=FeedForward(
                    first=Linear({"h": {**only_last, "[k=0]/i": 1}, "h'": {**only_last, "1/i": 1}}),
                    second=Linear({"[k=0 and last]/i": {"h": 1}, "[last]/i": {"h'": 1}}),
                )
            ),
        ),
        readout=Readout(
            Linear({"logit": {"[k=0 and last]/i": 1, "[k>0]/i": -1, "[k<-D]/i": -1, "[last]/i": "-1/2"}}),
            position="sum",
        ),
    ),
)
