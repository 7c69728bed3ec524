"""ODD PLACES ARE 1, the words with a 1 at the positions 1, 3, 5, ...: 0s there are marked, marks are averaged."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="ODD PLACES ARE 1",
    alphabet=("0", "1"),
    member=lambda word: "0" not in word[::2],
    characterisation="all(w[j] == '1' or j % 2 == 0 for j in positions)",
    description="the first symbol, the third, the fifth, ... are 1",
)


def network(odd: str = "(i % 2 == 1)", marker: object = "1/2") -> Encoder:
    mark = FeedForward(
        first=Linear({"h": {"[w=0]": 1, "[i odd]": 1}}, {"h": -1}), second=Linear({"[w=0 and i odd]": {"h": 1}})
    )
    return Encoder(
        coordinates=("[w=0]", "[w=CLS]", "[i odd]", "[w=0 and i odd]", "s"),
        embedding=Embedding(WE={"0": {"[w=0]": 1}, "1": {}, "CLS": {"[w=CLS]": 1}}, PE={"[i odd]": odd}),
        layers=(
            Layer(feed_forward=mark),
            Layer(heads=(Head(W_V={"s": {"[w=0 and i odd]": -1, "[w=CLS]": marker}}),)),
        ),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("odd-places", "ODD PLACES ARE 1 by marks", "an example", language, network())

mistakes = {
    "one 0 is allowed": network(marker="3/2"),
    "late: the places end at 13": network(odd="(i % 2 == 1)*(i < 14)"),
}
