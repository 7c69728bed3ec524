"""EXACTLY THREE 1s by a hidden unit that squares: (1/2)/n^2 - ((k - 3)/n)^2 is positive at k = 3 alone."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="EXACTLY THREE",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") == 3,
    characterisation="count('1') == 3",
    description="three 1s",
)


def network(three: object = -3, zero: object = 0) -> Encoder:
    count = Head(W_V={"k/n": {"[w=1]": 1, "[w=0]": zero}, "1/n": {"[w=CLS]": 1}})
    distance = FeedForward(
        first=Linear({"k-3": {"k/n": 1, "1/n": three}, "1": {"1/n": 1}}),
        second=Linear({"s": {"k-3": -1, "1": "1/2"}}),
        activation="square",
    )
    return Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "k/n", "1/n", "s"),
        embedding=Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(count,), feed_forward=distance),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("three-by-square", "EXACTLY THREE by a square", "an example", language, network())

mistakes = {"two, not three": network(three=-2), "late: a 0 counts a little": network(zero="1/50")}
