"""AS MANY, the words with as many as as bs: the average of 1 for an a and -1 for a b is 0."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="AS MANY",
    alphabet=("a", "b"),
    member=lambda word: word.count("a") == word.count("b"),
    characterisation="count('a') == count('b')",
    description="as many as as bs",
)

embedding = Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "CLS": {}})

difference = Head(W_V={"s": {"[w=a]": 1, "[w=b]": -1}})

construction = Construction(
    name="as-many",
    title="AS MANY by a logit of 0",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=a]", "[w=b]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(difference,)),),
        readout=Readout(Linear({"logit": {"s": 1}}), accept="logit = 0"),
    ),
)
