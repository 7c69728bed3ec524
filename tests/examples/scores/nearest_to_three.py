"""NEAREST TO THREE: the third symbol is 1, or, of shorter words, the last one: scores -|i - 3| with hardmax."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="NEAREST TO THREE",
    alphabet=("0", "1"),
    member=lambda word: word[:3][-1:] == "1",
    characterisation="w[3] == '1' or n <= 3 and w[n - 1] == '1'",
    description="the third symbol is 1, or the last one of a shorter word",
)


def network(three: object = -3, far: str = "i") -> Encoder:
    look_at_third = Head(
        W_Q={"q": {"1": 1}},
        W_K={"q": {"i": 1, "1": three}},
        W_V={"s": {"[w=1]": 1, "1": "-1/2"}},
        score="-|dot|",
        normaliser="hardmax",
    )
    return Encoder(
        coordinates=("[w=1]", "1", "i", "s"),
        embedding=Embedding(WE={"0": {"1": 1}, "1": {"[w=1]": 1, "1": 1}, "CLS": {"1": 1}}, PE={"i": far}),
        layers=(Layer(heads=(look_at_third,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("nearest-to-three", "NEAREST TO THREE by a distance", "an example", language, network())

mistakes = {
    "counted from 0": network(three=-2),
    "late: the fourteenth is taken for the third": network(far="i - 11*(i == 14)"),
}
