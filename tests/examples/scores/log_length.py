"""FIRST by one layer whose scores are scaled by log n: position 1 weighs n^2, and every other one weighs 1."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="FIRST",
    alphabet=("0", "1"),
    member=lambda word: word[:1] == "1",
    characterisation="w[1] == '1'",
    description="the first symbol is 1",
)


def network(one: object = 1, scale: str = "log(n)/sqrt(d)") -> Encoder:
    lean_to_first = Head(
        W_Q={"q": {"[w=CLS]": "2*sqrt(d)"}},
        W_K={"q": {"[i=1]": 1}},
        W_V={"s": {"[w=0]": -1, "[w=1]": one, "[w=CLS]": -1}},
        scale=scale,
    )
    return Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[i=1]", "s"),
        embedding=Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}}, PE={"[i=1]": "(i == 1)"}),
        layers=(Layer(heads=(lean_to_first,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("log-length", "FIRST by attention scaled by log n", "an example", language, network())

mistakes = {"a 1 weighs too little": network(one="1/5"), "late: n is taken to be 5": network(scale="log(5)/sqrt(d)")}
