"""AT MOST ONE b, read at the end: causal attention, no CLS, and the answer where EOS stands, which weighs 3."""

from weightproof import Construction, Embedding, Encoder, Head, Language, Layer, Linear, Readout

language = Language(
    name="AT MOST ONE b",
    alphabet=("a", "b"),
    member=lambda word: word.count("b") <= 1,
    characterisation="count('b') <= 1",
    description="no b or a single one",
)

embedding = Embedding(WE={"a": {}, "b": {"[w=b]": 1}, "EOS": {"[w=EOS]": 1}})

count_b = Head(W_V={"s": {"[w=b]": -2, "[w=EOS]": 3}}, mask="causal")

construction = Construction(
    name="at-most-one-b",
    title="AT MOST ONE b, read at the last position",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=("[w=b]", "[w=EOS]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(count_b,)),),
        readout=Readout(Linear({"logit": {"s": 1}}), position="last"),
        begin=None,
        end="EOS",
    ),
)
