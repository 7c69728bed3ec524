"""TWO TO FOUR b: a trapezium over the count, made of four hidden units, is above 1/2 from 2 to 4."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="TWO TO FOUR b",
    alphabet=("a", "b"),
    member=lambda word: 2 <= word.count("b") <= 4,
    characterisation="count('b') >= 2 and count('b') <= 4",
    description="at least two bs and at most four",
)


def network(up: object = -1, end: object = 1) -> Encoder:
    count = Head(W_V={"k/n": {"[w=b]": 1}, "1/n": {"[w=CLS]": 1}})
    trapezium = FeedForward(
        first=Linear(
            {
                "k-1": {"k/n": 1, "1/n": up},
                "k-2": {"k/n": 1, "1/n": -2},
                "k-4": {"k/n": 1, "1/n": -4},
                "k-5": {"k/n": 1, "1/n": -5},
                "1": {"1/n": 1},
            }
        ),
        second=Linear({"s": {"k-1": 1, "k-2": -1, "k-4": -1, "k-5": end, "1": "-1/2"}}),
    )
    return Encoder(
        coordinates=("[w=b]", "[w=CLS]", "k/n", "1/n", "s"),
        embedding=Embedding(WE={"a": {}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(count,), feed_forward=trapezium),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("two-to-four", "TWO TO FOUR b by a trapezium", "an example", language, network())

mistakes = {"one b is enough": network(up=0), "late: the end rises again": network(end="17/16")}
