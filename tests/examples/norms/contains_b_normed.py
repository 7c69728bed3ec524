"""CONTAINS b, by two layers with norms: the count in the first, its distance from half of CLS in the second."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, LayerNorm, Linear, Readout

language = Language(
    name="CONTAINS b",
    alphabet=("a", "b"),
    member=lambda word: "b" in word,
    characterisation="count('b') >= 1",
    description="at least one b",
)


def network(half: object = "-1/2", epsilon: str = "1/1000", a: object = 0) -> Encoder:
    count = Head(
        W_V={
            "k/n": {"[w=b]": 1, "[w=a]": a},
            "-k/n": {"[w=b]": -1, "[w=a]": f"-({a})"},
            "1/n": {"[w=CLS]": 1},
            "-1/n": {"[w=CLS]": -1},
        }
    )
    enough = FeedForward(
        first=Linear({"h": {"k/n": 1, "1/n": half}, "g": {"k/n": -1, "1/n": f"-({half})"}}),
        second=Linear({"+": {"h": 1, "g": -1}, "-": {"h": -1, "g": 1}}),
    )
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "not CLS", "k/n", "-k/n", "1/n", "-1/n", "+", "-"),
        embedding=Embedding(
            WE={
                "a": {"[w=a]": 1, "not CLS": -1},
                "b": {"[w=b]": 1, "not CLS": -1},
                "CLS": {"[w=CLS]": 1, "not CLS": -1},
            }
        ),
        layers=(
            Layer(
                heads=(count,),
                attention_norm=LayerNorm(epsilon),
                feed_forward=enough,
                feed_forward_norm=LayerNorm(epsilon),
            ),
        ),
        readout=Readout(Linear({"logit": {"+": 1, "-": -1}})),
    )


construction = Construction("contains-b-normed", "CONTAINS b under layer norms", "an example", language, network())

mistakes = {"one b is not enough": network(half="-3/2"), "late: an a weighs something": network(a="1/30")}
