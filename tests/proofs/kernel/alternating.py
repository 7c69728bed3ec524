"""CONTAINS a, by two heads behind a norm: one leans to even positions, as CLS is, and one to odd ones; how much they do
depends on the length of the row, and so on i/n."""

from dataclasses import replace

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, LayerNorm, Linear, Parameter, Readout

language = Language(
    name="CONTAINS a",
    alphabet=("a",),
    member=lambda word: "a" in word,
    characterisation="count('a') >= 1",
    description="at least one a",
)


def leaning(to_even: object, value: object) -> Head:
    return Head(
        W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}},
        W_K={"q": {"cos(i*pi)": to_even}},
        W_V={"s": {"[w=CLS]": value}, "-s": {"[w=CLS]": f"-({value})"}},
    )


def network(odd: object = -1) -> Encoder:
    return Encoder(
        coordinates=("[w=a]", "-[w=a]", "[w=CLS]", "-[w=CLS]", "cos(i*pi)", "-cos(i*pi)", "i/n", "-i/n", "s", "-s"),
        embedding=Embedding(
            WE={"a": {"[w=a]": 1, "-[w=a]": -1}, "CLS": {"[w=CLS]": 1, "-[w=CLS]": -1}},
            PE={"cos(i*pi)": "cos(pi*i)", "-cos(i*pi)": "-cos(pi*i)", "i/n": "i/n", "-i/n": "-i/n"},
        ),
        layers=(Layer(attention_norm=LayerNorm("1/100")), Layer(heads=(leaning(1, 1), leaning(-1, odd)))),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


CONSTRUCTION = Construction(
    "alternating",
    "CONTAINS a by alternating positions",
    "an example",
    language,
    network(),
    parameters=(Parameter("c", "c > 0", 1),),
)

MISTAKEN = replace(CONSTRUCTION, network=network(odd="-3/2"))
"""With more weight on the head that leans to odd positions."""
