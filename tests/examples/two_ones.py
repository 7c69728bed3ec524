"""AT LEAST TWO, the words with two or more 1s.

Uniform attention finds k/n and 1/n; the feed-forward network turns them into (min(k, 2) - 3/2)/n.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="AT LEAST TWO",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") >= 2,
    characterisation="count('1') >= 2",
    description="two or more 1s",
)

embedding = Embedding(WE={"0": {}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}})

count_ones = Head(W_V={"k/n": {"[w=1]": 1}, "1/n": {"[w=CLS]": 1}})

at_least_two = FeedForward(
    first=Linear({"h1": {"k/n": 1}, "h2": {"k/n": 1, "1/n": -2}, "h3": {"1/n": 1}}),
    second=Linear({"s": {"h1": 1, "h2": -1, "h3": "-3/2"}}),
)

construction = Construction(
    name="two-ones",
    title="AT LEAST TWO by a clipped count",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=1]", "[w=CLS]", "k/n", "1/n", "s"),
        embedding=embedding,
        layers=(Layer(heads=(count_ones,), feed_forward=at_least_two),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
