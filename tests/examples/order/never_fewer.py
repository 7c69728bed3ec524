"""NEVER FEWER as than bs in any prefix, by causal attention: (k_b - k_a)/(i + 1) is found where it is positive.

All positions are read, and what is found is summed.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="NEVER FEWER",
    alphabet=("a", "b"),
    member=lambda word: all(word[:k].count("a") >= word[:k].count("b") for k in range(len(word) + 1)),
    characterisation="all(count('a', j) >= count('b', j) for j in positions)",
    description="in no prefix are there fewer as than bs",
)


def network(b: object = 1) -> Encoder:
    balance = Head(W_V={"d": {"[w=a]": -1, "[w=b]": b}}, mask="causal")
    below = FeedForward(first=Linear({"h": {"d": 1}}), second=Linear({"s": {"h": 1}}))
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "d", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {}}),
        layers=(Layer(heads=(balance,), feed_forward=below),),
        readout=Readout(Linear({"logit": {"s": 1}}), position="sum", accept="logit = 0"),
    )


construction = Construction("never-fewer", "NEVER FEWER by a causal mean", "an example", language, network())

mistakes = {"a b weighs too much": network(b=2), "late: a b weighs a little less": network(b="15/16")}
