"""MAJORITY WITH TIES, the words with at least as many 1s as 0s.

A 1 weighs 2, a 0 weighs -2, and CLS breaks a tie with 1: the sum is odd, hence never 0.
"""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="MAJORITY WITH TIES",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") >= word.count("0"),
    characterisation="count('1') >= count('0')",
    description="at least as many 1s as 0s",
)

embedding = Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}})

ones_against_zeros = Head(W_V={"s": {"[w=1]": 2, "[w=0]": -2, "[w=CLS]": 1}})

construction = Construction(
    name="majority-with-ties",
    title="MAJORITY WITH TIES, broken by CLS",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(ones_against_zeros,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
