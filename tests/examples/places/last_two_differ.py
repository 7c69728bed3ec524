"""THE LAST TWO DIFFER: 1s at the last two positions are marked, subtracted, and the absolute value is taken."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="THE LAST TWO DIFFER",
    alphabet=("0", "1"),
    member=lambda word: (word[-1:] == "1") != (word[-2:-1] == "1"),
    characterisation="w[n - 1] == '1' and w[n - 2] != '1' or w[n - 1] != '1' and w[n - 2] == '1'",
    description="of the last two symbols one is 1, and the other one is not, or not there",
)


def network(second: object = -1, bias: object = 0) -> Encoder:
    mark = FeedForward(
        first=Linear({"h1": {"[w=1]": 1, "[last]": 1}, "h2": {"[w=1]": 1, "[last but one]": 1}}, {"h1": -1, "h2": -1}),
        second=Linear({"u": {"h1": 1}, "v": {"h2": 1}}),
    )
    average = Head(W_V={"d/n": {"u": 1, "v": second}, "1/n": {"[w=CLS]": 1}})
    compare = FeedForward(
        first=Linear({"+": {"d/n": 1}, "-": {"d/n": -1}, "1": {"1/n": 1}}),
        second=Linear({"s": {"+": 1, "-": 1, "1": "-1/2"}}),
    )
    return Encoder(
        coordinates=("[w=1]", "[w=CLS]", "[last]", "[last but one]", "u", "v", "d/n", "1/n", "s"),
        embedding=Embedding(
            WE={"0": {}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
            PE={"[last]": "(i == n - 1)", "[last but one]": "(i == n - 2)"},
        ),
        layers=(Layer(feed_forward=mark), Layer(heads=(average,), feed_forward=compare)),
        readout=Readout(Linear({"logit": {"s": 1}}, {"logit": bias})),
    )


construction = Construction(
    "last-two-differ", "THE LAST TWO DIFFER by an absolute value", "an example", language, network()
)

mistakes = {"the marks are added": network(second=1), "late: a bias": network(bias="-1/30")}
