"""MOST ARE a, over three letters: an a weighs 1, and b and c weigh -1."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="MOST ARE a",
    alphabet=("a", "b", "c"),
    member=lambda word: 2 * word.count("a") > len(word),
    characterisation="count('a') > count('b') + count('c')",
    description="more than half of the symbols are as",
)


def network(b: object = -1, c: object = -1) -> Encoder:
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=c]", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "c": {"[w=c]": 1}, "CLS": {}}),
        layers=(Layer(heads=(Head(W_V={"s": {"[w=a]": 1, "[w=b]": b, "[w=c]": c}}),)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("most-are-a", "MOST ARE a by uniform attention", "an example", language, network())

mistakes = {"b is left out": network(b=0), "late: a c weighs more than a b": network(c="-11/10")}
