"""MORE ONES, the words with more 1s than 0s.

Uniform attention averages 1 for every 1 and -1 for every 0; the average is positive iff the 1s outnumber the 0s.
"""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="MORE ONES",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") > word.count("0"),
    characterisation="count('1') > count('0')",
    description="more 1s than 0s",
)

embedding = Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {}})

ones_against_zeros = Head(W_V={"s": {"[w=1]": 1, "[w=0]": -1}})

construction = Construction(
    name="more-ones",
    title="MORE ONES by uniform attention",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(ones_against_zeros,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
