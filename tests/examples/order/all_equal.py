"""ALL EQUAL: no two symbols differ, which is said with a quantifier inside a quantifier.

The smaller of the two counts is k_a - max(0, k_a - k_b); it is 0 exactly then.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="ALL EQUAL",
    alphabet=("a", "b"),
    member=lambda word: len(set(word)) <= 1,
    characterisation="all(w[j] == 'a' or all(w[k] == 'b' for k in positions) for j in positions)",
    description="nothing but as, or nothing but bs",
)


def network(smaller: object = -1, a: object = -1) -> Encoder:
    count = Head(W_V={"a/n": {"[w=a]": 1}, "b/n": {"[w=b]": 1}, "1/n": {"[w=CLS]": 1}})
    compare = FeedForward(
        first=Linear({"a": {"a/n": 1}, "a-b": {"a/n": 1, "b/n": smaller}, "1": {"1/n": 1}}),
        second=Linear({"s": {"a": a, "a-b": 1, "1": "1/2"}}),
    )
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "a/n", "b/n", "1/n", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(count,), feed_forward=compare),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("all-equal", "ALL EQUAL by the smaller count", "an example", language, network())

mistakes = {
    "the smaller count is quartered": network(smaller="-1/4"),
    "late: an a weighs a little": network(a="-27/26"),
}
