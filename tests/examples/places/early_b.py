"""AN EARLY b, the words with a b among the first three symbols: bs at the positions 1 to 3 are marked and averaged."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="AN EARLY b",
    alphabet=("a", "b"),
    member=lambda word: "b" in word[:3],
    characterisation="any(w[j] == 'b' and j <= 3 for j in positions)",
    description="a b among the first three symbols",
)


def network(window: str = "i <= 3", marker: object = "-1/2") -> Encoder:
    mark = FeedForward(
        first=Linear({"h": {"[w=b]": 1, "[i<4]": 1}}, {"h": -1}), second=Linear({"[w=b and i<4]": {"h": 1}})
    )
    return Encoder(
        coordinates=("[w=b]", "[w=CLS]", "[i<4]", "[w=b and i<4]", "s"),
        embedding=Embedding(WE={"a": {}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}}, PE={"[i<4]": f"({window})"}),
        layers=(
            Layer(feed_forward=mark),
            Layer(heads=(Head(W_V={"s": {"[w=b and i<4]": 1, "[w=CLS]": marker}}),)),
        ),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("early-b", "AN EARLY b by marks in a window", "an example", language, network())

mistakes = {
    "one b is not enough": network(marker="-3/2"),
    "late: the window opens again": network(window="i <= 3 or i == 14"),
}
