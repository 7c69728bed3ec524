"""CONTAINS BOTH an a and a b, over three letters: the smaller count is k_a - max(0, k_a - k_b), against half of CLS."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="CONTAINS BOTH",
    alphabet=("a", "b", "c"),
    member=lambda word: "a" in word and "b" in word,
    characterisation="any(w[j] == 'a' for j in positions) and any(w[j] == 'b' for j in positions)",
    description="an a and a b",
)


def network(half: object = "-1/2", a: object = 1) -> Encoder:
    count = Head(W_V={"a/n": {"[w=a]": 1}, "b/n": {"[w=b]": 1}, "1/n": {"[w=CLS]": 1}})
    smaller = FeedForward(
        first=Linear({"a": {"a/n": 1}, "a-b": {"a/n": 1, "b/n": -1}, "1": {"1/n": 1}}),
        second=Linear({"s": {"a": a, "a-b": -1, "1": half}}),
    )
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "a/n", "b/n", "1/n", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "c": {}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(count,), feed_forward=smaller),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("contains-both", "CONTAINS BOTH by the smaller count", "an example", language, network())

mistakes = {"once is not enough": network(half="-3/2"), "late: an a weighs a little more": network(a="27/26")}
