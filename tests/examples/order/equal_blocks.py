"""EQUAL BLOCKS, the words a^m b^m: a b before an a is found by a causal mean, unequal counts by the mean over all.

The logit is 0 where neither is found.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="EQUAL BLOCKS",
    alphabet=("a", "b"),
    member=lambda word: word == "a" * (len(word) // 2) + "b" * (len(word) // 2),
    characterisation="count('a') == count('b') and all(w[j] == 'b' or count('b', j) == 0 for j in positions)",
    description="a^m b^m",
)


def network(b: object = 1, bias: object = 0) -> Encoder:
    order = Layer(
        heads=(Head(W_V={"k_b/i": {"[w=b]": 1}}, mask="causal"),),
        feed_forward=FeedForward(
            Linear({"late a": {"k_b/i": 1, "[w=b]": -1, "[w=CLS]": -1}}, {"late a": bias}), Linear({"v": {"late a": 1}})
        ),
    )
    compare = Layer(
        heads=(Head(W_V={"s": {"v": 1}, "balance": {"[w=a]": 1, "[w=b]": f"-({b})"}}),),
        feed_forward=FeedForward(
            Linear({"more a": {"balance": 1}, "more b": {"balance": -1}}), Linear({"s": {"more a": 1, "more b": 1}})
        ),
    )
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "k_b/i", "v", "balance", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(order, compare),
        readout=Readout(Linear({"logit": {"s": 1}}), accept="logit = 0"),
    )


construction = Construction("equal-blocks", "EQUAL BLOCKS by two means", "an example", language, network())

mistakes = {"a b weighs two as": network(b=2), "late: one b in ten is no b": network(bias="-1/10")}
