"""AS MANY 1s AS 0s, OR MORE: a 1 weighs log 2, a 0 the opposite, and CLS breaks ties with a rational number."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="AS MANY, OR MORE",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") >= word.count("0"),
    characterisation="count('1') >= count('0')",
    description="at least as many 1s as 0s",
)


def network(marker: object = "1/4", zero: object = "-log(2)") -> Encoder:
    return Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "s"),
        embedding=Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}}),
        layers=(Layer(heads=(Head(W_V={"s": {"[w=0]": zero, "[w=1]": "log(2)", "[w=CLS]": marker}}),)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction("logarithms", "AS MANY, OR MORE by logarithms", "an example", language, network())

mistakes = {"CLS weighs more than a 1": network(marker=1), "late: the logarithm is rounded": network(zero="-5/7")}
