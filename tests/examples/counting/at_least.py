"""AT LEAST D 1s, for every natural number D: a 1 weighs 2, against 2 D - 1 of CLS."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Parameter, Readout

language = Language(
    name="AT LEAST D",
    alphabet=("0", "1"),
    member=lambda word, D: word.count("1") >= D,
    characterisation="count('1') >= D",
    description="D or more 1s",
)


def network(marker: object = "1 - 2*D", zero: object = 0) -> Encoder:
    return Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "s"),
        embedding=Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(Head(W_V={"s": {"[w=0]": zero, "[w=1]": 2, "[w=CLS]": marker}}),)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction(
    "at-least",
    "AT LEAST D by uniform attention",
    "an example",
    language,
    network(),
    parameters=(Parameter("D", domain="D >= 0", default=3, kind="natural"),),
)

mistakes = {"more than D are needed": network(marker="-2*D"), "late: a 0 weighs something": network(zero="-1/15")}
