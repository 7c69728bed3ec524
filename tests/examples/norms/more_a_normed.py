"""MORE a, with a layer norm behind the attention: the difference stands in two coordinates with opposite signs."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, LayerNorm, Linear, Readout

language = Language(
    name="MORE a",
    alphabet=("a", "b"),
    member=lambda word: word.count("a") > word.count("b"),
    characterisation="count('a') > count('b')",
    description="more as than bs",
)


def network(b: object = -1, epsilon: str = "1/100000") -> Encoder:
    difference = Head(W_V={"+": {"[w=a]": 1, "[w=b]": b}, "-": {"[w=a]": -1, "[w=b]": f"-({b})"}})
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=CLS]", "+", "-"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(difference,), attention_norm=LayerNorm(epsilon)),),
        readout=Readout(Linear({"logit": {"+": 1, "-": -1}})),
    )


construction = Construction("more-a-normed", "MORE a under a layer norm", "an example", language, network())

mistakes = {"a b weighs less": network(b="-1/2"), "late: a b weighs a little more": network(b="-11/10")}
