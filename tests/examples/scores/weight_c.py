"""MORE 1s THAN 0s with a parameter as the weight: a 1 weighs c, and a 0 -c, whatever c > 0 is."""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Parameter, Readout

language = Language(
    name="MORE 1s THAN 0s",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") > word.count("0"),
    characterisation="count('1') > count('0')",
    description="more 1s than 0s",
)


def network(zero: str = "-c", up: object = 1) -> Encoder:
    average = Head(W_V={"d": {"[w=1]": "c", "[w=0]": zero}})
    keep = FeedForward(first=Linear({"+": {"d": "c"}, "-": {"d": -1}}), second=Linear({"s": {"+": up, "-": -1}}))
    return Encoder(
        coordinates=("[w=0]", "[w=1]", "d", "s"),
        embedding=Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {}}),
        layers=(Layer(heads=(average,), feed_forward=keep),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction(
    "weight-c",
    "MORE 1s THAN 0s by weights c and -c",
    "an example",
    language,
    network(),
    parameters=(Parameter("c", domain="c > 0", default=1),),
)

mistakes = {"a 0 weighs less": network(zero="-c/2"), "late: a 0 weighs a little more": network(zero="-15*c/14")}
