"""CONTAINS a, over three letters: an a weighs 2 against the -1 of CLS, b and c weigh nothing."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="CONTAINS a",
    alphabet=("a", "b", "c"),
    member=lambda word: "a" in word,
    characterisation="count('a') >= 1",
    description="at least one a",
)

embedding = Embedding(WE={"a": {"[w=a]": 1}, "b": {"[w=b]": 1}, "c": {"[w=c]": 1}, "CLS": {"[w=CLS]": 1}})

count_a = Head(W_V={"s": {"[w=a]": 2, "[w=CLS]": -1}})

construction = Construction(
    name="contains-a",
    title="CONTAINS a by uniform attention",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=a]", "[w=b]", "[w=c]", "[w=CLS]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(count_a,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
