"""LAST, the words that end with 1.

As in Chiang and Cholak (2022), section 3.3, at the other end of the word: the feed-forward network of the first layer
computes I[w_i=1] at the last position and 0 elsewhere, and CLS leans to the last position. In the empty word CLS is the
last position itself.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Parameter, Readout

language = Language(
    name="LAST",
    alphabet=("0", "1"),
    member=lambda word: word[-1:] == "1",
    characterisation="w[n - 1] == '1'",
    description="the last symbol is 1",
)

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"[last]": "(i == n - 1)"},
)

last_is_one = FeedForward(
    first=Linear({"h": {"[w=0]": -1, "[w=CLS]": -1, "[last]": 1}}),
    second=Linear({"[w=1 and last]": {"h": 1}}),
)

lean_to_last = Head(
    W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}},
    W_K={"q": {"[last]": 1}},
    W_V={"s": {"[last]": "-1/2", "[w=1 and last]": 1}},
)

construction = Construction(
    name="last-is-one",
    title="LAST by attention to the last position",
    source="an example",
    language=language,
    parameters=(Parameter("c", domain="c > 0", default="log(2)"),),
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[last]", "[w=1 and last]", "s"),
        embedding=embedding,
        layers=(Layer(feed_forward=last_is_one), Layer(heads=(lean_to_last,))),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
