"""1 AT BOTH ENDS: the first symbol and the last one are marked and averaged, under a norm with epsilon = 1/10."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, LayerNorm, Linear, Readout

language = Language(
    name="1 AT BOTH ENDS",
    alphabet=("0", "1"),
    member=lambda word: word[:1] == "1" and word[-1:] == "1",
    characterisation="w[1] == '1' and w[n - 1] == '1'",
    description="begins and ends with a 1",
)


def network(marker: object = "-3/2", zero: object = 0) -> Encoder:
    mark = FeedForward(
        first=Linear({"f": {"[w=1]": 1, "[i=1]": 1}, "l": {"[w=1]": 1, "[last]": 1}}, {"f": -1, "l": -1}),
        second=Linear({"u": {"f": 1}, "v": {"l": 1}}),
    )
    row = {"u": 1, "v": 1, "[w=CLS]": marker, "[w=0]": zero}
    average = Head(W_V={"+": row, "-": {name: f"-({weight})" for name, weight in row.items()}})
    return Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[i=1]", "[last]", "u", "v", "+", "-"),
        embedding=Embedding(
            WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
            PE={"[i=1]": "(i == 1)", "[last]": "(i == n - 1)"},
        ),
        layers=(Layer(feed_forward=mark), Layer(heads=(average,), attention_norm=LayerNorm("1/10"))),
        readout=Readout(Linear({"logit": {"+": 1, "-": -1}})),
    )


construction = Construction("first-last-normed", "1 AT BOTH ENDS under a layer norm", "an example", language, network())

mistakes = {"one end is enough": network(marker="-1/2"), "late: a 0 weighs something": network(zero="-1/25")}
