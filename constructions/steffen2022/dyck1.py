"""1-DYCK, the balanced words of one pair of brackets, 0 opening and 1 closing: Steffen et al., section 4.1.

Causal attention finds (closed - opened)/(i+1) over positions 0..i; the first feed-forward network turns it into the
prefix indicators [more closed than opened]/(i+1) and [as many closed as opened]/(i+1); the second keeps the latter at
the last position only. The logit sums over all positions: 1/n for a balanced word, and a fraction of a violation, which
weighs more, for every prefix with too many closing brackets.

The paper writes 1/i; causal attention at position i averages over i+1 positions, which is what these weights compute
and how the claims read it. CLS holds no symbol, so the claimed sum over positions leaves it out: words are not empty.

A word without a violation that ends with an open bracket has logit 0 exactly: it is rejected, but no rounded arithmetic
can be trusted with it, at any length. `dyck1-margin` is ours, not the paper's: one hidden unit finds [last]/(i+1), and
half of it is subtracted in the readout, so that balanced words have logit 1/(2n) and all others at most -1/(2n).

The readout alone cannot do it, whatever it reads of the paper's nine coordinates. Let v be a prefix without violation
that ends at depth 1: v1 is to be accepted, v0 rejected, and their logits differ by A + B/n with A and B fixed. What v
itself adds must vary by less; but the sums of its k/i and of its [k=0]/i vary without bound, so neither is read. What
is left of a balanced word's logit is x + r/n, with x a combination of 1, n and 1 + 1/2 + ... + 1/n that v0 also has,
but for A. x + r/n > 0 > x - A and the word 1...1 force A = 0; then -r/n < x < 0, though no such combination but 0 tends
to 0. Nor does it help to change the paper's hidden unit: it is nonnegative, and moves the logit to one side only.
"""

from weightproof.constructions.languages.languages import DYCK1
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"[last]": "(i == n - 1)"},
)

balance = Head(W_V={"k/i": {"[w=0]": -1, "[w=1]": 1}, "1/i": {"[w=CLS]": 1}}, mask="causal")

prefix_indicators = FeedForward(
    first=Linear(
        {
            "h1": {"k/i": 1, "1/i": 1},
            "h2": {"k/i": 1},
            "h3": {"k/i": 1, "1/i": -1},
        }
    ),
    second=Linear({"[k>0]/i": {"h2": 1, "h3": -1}, "[k=0]/i": {"h1": 1, "h2": -2, "h3": 1}}),
)

COORDINATES = ("[w=0]", "[w=1]", "[w=CLS]", "[last]", "k/i", "1/i", "[k>0]/i", "[k=0]/i", "[k=0 and last]/i")

only_last = {"[w=0]": -1, "[w=1]": -1, "[w=CLS]": -1, "[last]": 1}
"""0 at the last position, -1 elsewhere."""

balanced_at_the_end = FeedForward(
    first=Linear({"h": {**only_last, "[k=0]/i": 1}}),
    second=Linear({"[k=0 and last]/i": {"h": 1}}),
)

construction = Construction(
    name="dyck1",
    title="1-DYCK by prefix counts and a sum over positions",
    source="Steffen et al. (2022), section 4.1",
    language=DYCK1,
    network=Encoder(
        coordinates=COORDINATES,
        embedding=embedding,
        layers=(
            Layer(heads=(balance,), feed_forward=prefix_indicators),
            Layer(feed_forward=balanced_at_the_end),
        ),
        readout=Readout(Linear({"logit": {"[k=0 and last]/i": 1, "[k>0]/i": -1}}), position="sum"),
    ),
)

with_margin = Construction(
    name="dyck1-margin",
    title="1-DYCK with a margin on both sides",
    source="after Steffen et al. (2022), section 4.1",
    language=DYCK1,
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
        readout=Readout(Linear({"logit": {"[k=0 and last]/i": 1, "[k>0]/i": -1, "[last]/i": "-1/2"}}), position="sum"),
    ),
)
