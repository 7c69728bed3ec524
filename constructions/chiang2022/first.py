"""FIRST, the words that start with 1: Chiang and Cholak (2022), section 3.3.

The feed-forward network of the first layer computes I[w_1=1] at position 1 and 0 elsewhere; the second layer makes CLS
lean to position 1, whose value is the only one that is not 0.
"""

from weightproof.constructions.languages.languages import FIRST
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"[i=1]": "(i == 1)"},
)

first_is_one = FeedForward(
    first=Linear({"h": {"[w=0]": -1, "[w=CLS]": -1, "[i=1]": 1}}),
    second=Linear({"[w=1 and i=1]": {"h": 1}}),
)

lean_to_first = Head(
    W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}},
    W_K={"q": {"[i=1]": 1}},
    W_V={"s": {"[i=1]": "-1/2", "[w=1 and i=1]": 1}},
)

construction = Construction(
    name="first",
    title="FIRST by attention to position 1",
    source="Chiang and Cholak (2022), section 3.3",
    language=FIRST,
    parameters=(Parameter("c", domain="c > 0", default="log(2)"),),
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[i=1]", "[w=1 and i=1]", "s"),
        embedding=embedding,
        layers=(Layer(feed_forward=first_is_one), Layer(heads=(lean_to_first,))),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
