"""STARTS WITH ab: both places are marked, the residual connection is cut, and the marks at all positions are summed."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Language, Layer, Linear, Readout

language = Language(
    name="STARTS WITH ab",
    alphabet=("a", "b"),
    member=lambda word: word.startswith("ab"),
    characterisation="w[1] == 'a' and w[2] == 'b'",
    description="begins with an a and then a b",
)


def network(second: object = 1, symbol: object = 0) -> Encoder:
    mark = FeedForward(
        first=Linear(
            {
                "a1": {"[w=a]": 1, "[i=1]": 1},
                "b2": {"[w=b]": 1, "[i=2]": 1},
                "CLS": {"[w=CLS]": 1},
                "b": {"[w=b]": 1},
            },
            {"a1": -1, "b2": -1},
        ),
        second=Linear({"s": {"a1": 1, "b2": second, "CLS": "-3/2", "b": symbol}}),
    )
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "[i=1]", "[i=2]", "s"),
        embedding=Embedding(
            WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}},
            PE={"[i=1]": "(i == 1)", "[i=2]": "(i == 2)"},
        ),
        layers=(Layer(feed_forward=mark, feed_forward_residual=False),),
        readout=Readout(Linear({"logit": {"s": 1}}), position="sum"),
    )


construction = Construction("starts-with-ab", "STARTS WITH ab by a sum of marks", "an example", language, network())

mistakes = {"a b alone is enough": network(second=2), "late: every b weighs something": network(symbol="-1/30")}
