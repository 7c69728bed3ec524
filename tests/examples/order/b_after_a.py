"""A b SOMEWHERE BEHIND AN a: causal attention tells each b whether an a stands before it; a step marks those bs.

Over the letters a, b and c, and said with a quantifier inside a quantifier. All positions are read and summed.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="A b BEHIND AN a",
    alphabet=("a", "b", "c"),
    member=lambda word: "a" in word and "b" in word[word.index("a") :],
    characterisation="any(w[j] == 'b' and any(w[k] == 'a' and k < j for k in positions) for j in positions)",
    description="an a, and a b somewhere behind it",
)


def network(marker: object = "-1/2", c: object = 0) -> Encoder:
    share = Head(W_V={"a": {"[w=a]": 1}}, mask="causal")
    seen = FeedForward(first=Linear({"h": {"a": 1}}), second=Linear({"[a seen]": {"h": 1}}), activation="step")
    mark = FeedForward(
        first=Linear({"ab": {"[w=b]": 1, "[a seen]": 1}, "CLS": {"[w=CLS]": 1}, "c": {"[w=c]": 1}}, {"ab": -1}),
        second=Linear({"s": {"ab": 1, "CLS": marker, "c": c}}),
    )
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=c]", "[w=CLS]", "a", "[a seen]", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "c": {"[w=c]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(share,), feed_forward=seen), Layer(feed_forward=mark)),
        readout=Readout(Linear({"logit": {"s": 1}}), position="sum"),
    )


construction = Construction("b-after-a", "A b BEHIND AN a by a causal mean", "an example", language, network())

mistakes = {"one b is not enough": network(marker="-3/2"), "late: a c weighs something": network(c="1/30")}
