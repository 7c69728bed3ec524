"""SQUARES, the words with 2 k_a^2 > k_b^2: an a weighs sqrt(2), and a b weighs -1."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="SQUARES",
    alphabet=("a", "b"),
    member=lambda word: 2 * word.count("a") ** 2 > word.count("b") ** 2,
    characterisation="2*count('a')*count('a') > count('b')*count('b')",
    description="twice the square of the number of as is more than the square of the number of bs",
)


def network(a: object = "sqrt(2)") -> Encoder:
    return Encoder(
        coordinates=("[w=a]", "[w=b]", "s"),
        embedding=Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {}}),
        layers=(Layer(heads=(Head(W_V={"s": {"[w=a]": a, "[w=b]": -1}}),)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("root-two", "SQUARES by a weight of sqrt(2)", "an example", language, network())

mistakes = {"the root is forgotten": network(a=2), "late: the root is rounded": network(a="10/7")}
