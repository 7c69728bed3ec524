"""FIRST by one layer, as in Chiang and Cholak (2022), section 5.2, leaning to the first symbol with the weight 200.

The values of the other positions are not zeroed out: 198 of them and CLS outweigh it in the word 1 0^199.
"""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="FIRST",
    alphabet=("0", "1"),
    member=lambda word: word[:1] == "1",
    characterisation="w[1] == '1'",
    description="the first symbol is 1",
)

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"[i=1]": "(i == 1)"},
)

lean_to_first = Head(
    W_Q={"q": {"[w=CLS]": "log(200)*sqrt(d)"}},
    W_K={"q": {"[i=1]": 1}},
    W_V={"s": {"[w=0]": "-1/2", "[w=1]": "1/2", "[w=CLS]": "-1/2"}},
)

construction = Construction(
    name="two-hundred",
    title="FIRST by one layer with a fixed weight",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[i=1]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(lean_to_first,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
