"""AT LEAST TWO b, over three letters, with a bias of -1/20 that 1/(2n) outweighs up to 8 symbols only.

Uniform attention finds k/n and 1/n; the feed-forward network turns them into (min(k, 2) - 3/2)/n.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="AT LEAST TWO b",
    alphabet=("a", "b", "c"),
    member=lambda word: word.count("b") >= 2,
    characterisation="count('b') >= 2",
    description="two or more bs",
)

embedding = Embedding(WE={"a": {}, "b": {"[w=b]": 1}, "c": {}, "CLS": {"[w=CLS]": 1}})

count_b = Head(W_V={"k/n": {"[w=b]": 1}, "1/n": {"[w=CLS]": 1}})

at_least_two = FeedForward(
    first=Linear({"h1": {"k/n": 1}, "h2": {"k/n": 1, "1/n": -2}, "h3": {"1/n": 1}}),
    second=Linear({"s": {"h1": 1, "h2": -1, "h3": "-3/2"}}),
)

construction = Construction(
    name="nine",
    title="AT LEAST TWO b with a bias in the readout",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=b]", "[w=CLS]", "k/n", "1/n", "s"),
        embedding=embedding,
        layers=(Layer(heads=(count_b,), feed_forward=at_least_two),),
        readout=Readout(Linear({"logit": {"s": 1}}, {"logit": "-1/20"})),
    ),
)
