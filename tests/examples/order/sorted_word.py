"""SORTED, the words a...ab...b: each position looks at the one before it, with scores -|i - 1 - j| and hardmax.

An a behind a b is marked; all positions are read, and the marks are summed.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="SORTED",
    alphabet=("a", "b"),
    member=lambda word: "ba" not in word,
    characterisation="all(w[j] == 'b' or w[j - 1] != 'b' for j in positions)",
    description="no a behind a b",
)


def network(shift: object = -1, marker: object = "1/2", bias: object = 0) -> Encoder:
    look_back = Head(
        W_Q={"i": {"i": 1, "1": shift}, "1": {"1": 1}},
        W_K={"i": {"1": 1}, "1": {"i": -1}},
        W_V={"[before=b]": {"[w=b]": 1}},
        score="-|dot|",
        scale=1,
        normaliser="hardmax",
    )
    mark = FeedForward(
        first=Linear({"ba": {"[w=a]": 1, "[before=b]": 1}, "CLS": {"[w=CLS]": 1}}, {"ba": -1}),
        second=Linear({"s": {"ba": -1, "CLS": marker}}),
    )
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "i", "1", "[before=b]", "s"),
        embedding=Embedding(
            WE={"a": {"[w=a]": 1, "1": 1}, "b": {"[w=b]": 1, "1": 1}, "CLS": {"[w=CLS]": 1, "1": 1}}, PE={"i": "i"}
        ),
        layers=(Layer(heads=(look_back,), feed_forward=mark),),
        readout=Readout(Linear({"logit": {"s": 1}}, {"logit": bias}), position="sum"),
    )


construction = Construction("sorted-word", "SORTED by looking back", "an example", language, network())

mistakes = {"two positions back": network(shift=-2), "late: a bias at every position": network(bias="-1/30")}
