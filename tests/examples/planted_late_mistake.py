"""MORE ONES, with a mistake that shows late: a 1 counts 3/4 of a 0, so that four 1s do not outweigh three 0s."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="MORE ONES",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") > word.count("0"),
    characterisation="count('1') > count('0')",
    description="more 1s than 0s",
)

embedding = Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": "3/4"}, "CLS": {}})

ones_against_zeros = Head(W_V={"s": {"[w=1]": 1, "[w=0]": -1}})

construction = Construction(
    name="planted-late-mistake",
    title="MORE ONES with a 1 that weighs too little",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(ones_against_zeros,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
