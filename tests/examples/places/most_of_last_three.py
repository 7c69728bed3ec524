"""MOST OF THE LAST THREE symbols are bs: bs in the window of the last three positions are marked and averaged."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="MOST OF THE LAST THREE",
    alphabet=("a", "b"),
    member=lambda word: word[-3:].count("b") >= 2,
    characterisation="count('b') - count('b', n - 4) >= 2",
    description="two or three bs among the last three symbols",
)


def network(window: str = "i >= n - 3", bias: object = 0) -> Encoder:
    mark = FeedForward(
        first=Linear({"h": {"[w=b]": 1, "[i>n-4]": 1}}, {"h": -1}), second=Linear({"[w=b and i>n-4]": {"h": 1}})
    )
    average = Head(W_V={"s": {"[w=b and i>n-4]": 2, "[w=CLS]": -3}})
    return Encoder(
        coordinates=("[w=b]", "[w=CLS]", "[i>n-4]", "[w=b and i>n-4]", "s"),
        embedding=Embedding(WE={"a": {}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}}, PE={"[i>n-4]": f"({window})"}),
        layers=(Layer(feed_forward=mark), Layer(heads=(average,))),
        readout=Readout(Linear({"logit": {"s": 1}}, {"logit": bias})),
    )


construction = Construction(
    "most-of-last-three", "MOST OF THE LAST THREE by marks in a window", "an example", language, network()
)

mistakes = {"the window holds four": network(window="i >= n - 4"), "late: a bias": network(bias="-1/20")}
