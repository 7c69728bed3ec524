"""ONE, the words with exactly one 1: Nowak et al. (2022), section 3.1.

Uniform attention finds k/n and 1/n; the feed-forward network turns them into (I[k=1] - 1/2)/n.
"""

from weightproof.constructions.languages.languages import ONE
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
    PE={"i/n": "i/n"},
)

count_ones = Head(W_V={"k/n": {"[w=1]": 1}, "1/n": {"[w=CLS]": 1}})

exactly_one = FeedForward(
    first=Linear(
        {
            "h1": {"k/n": 1, "1/n": -2},
            "h2": {"k/n": 1, "1/n": -1},
            "h3": {"k/n": 1},
            "h4": {"1/n": 1},
        }
    ),
    second=Linear({"s": {"h1": 1, "h2": -2, "h3": 1, "h4": "-1/2"}}),
)

construction = Construction(
    name="one",
    title="ONE by a tent function of the number of 1s",
    source="Nowak et al. (2022), section 3.1",
    language=ONE,
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "i/n", "k/n", "1/n", "s"),
        embedding=embedding,
        layers=(Layer(heads=(count_ones,), feed_forward=exactly_one),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
