"""THIRD, the words of which the third symbol is a 1: the first layer marks a 1 at position 3, the second averages."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="THIRD",
    alphabet=("0", "1"),
    member=lambda word: word[2:3] == "1",
    characterisation="w[3] == '1'",
    description="the third symbol is 1",
)


def network(place: int = 3, marker: object = "-1/2", bias: object = 0) -> Encoder:
    mark = FeedForward(
        first=Linear({"h": {"[w=1]": 1, "[i=3]": 1}}, {"h": -1}), second=Linear({"[w=1 and i=3]": {"h": 1}})
    )
    return Encoder(
        coordinates=("[w=1]", "[w=CLS]", "[i=3]", "[w=1 and i=3]", "s"),
        embedding=Embedding(WE={"0": {}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}}, PE={"[i=3]": f"(i == {place})"}),
        layers=(
            Layer(feed_forward=mark),
            Layer(heads=(Head(W_V={"s": {"[w=1 and i=3]": 1, "[w=CLS]": marker}}),)),
        ),
        readout=Readout(Linear({"logit": {"s": 1}}, {"logit": bias})),
    )


construction = Construction("third-is-one", "THIRD by a mark", "an example", language, network())

mistakes = {"counted from 0": network(place=2), "late: a bias": network(bias="-1/40")}
