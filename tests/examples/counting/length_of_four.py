"""A LENGTH OF FOUR, EIGHT, ... and no b at the end: sine and cosine with period 4, read at the last position.

No marker stands before or behind the word, so that the empty word, of which nothing could be read, has a CLS.
"""

from weightproof import Construction, Embedding, Encoder, Language, Linear, Readout

language = Language(
    name="A LENGTH OF FOUR, EIGHT, ... AND NO b AT THE END",
    alphabet=("a", "b"),
    member=lambda word: len(word) % 4 == 0 and word[-1:] != "b",
    characterisation="n % 4 == 1 and w[n - 1] != 'b'",
    description="the length is a multiple of 4, and the last symbol is no b",
)


def network(b: object = -1, cosine: str = "cos(pi*i/2)", sine: object = 0) -> Encoder:
    return Encoder(
        coordinates=("[w=b]", "cos", "sin", "1"),
        embedding=Embedding(
            WE={"a": {"1": 1}, "b": {"[w=b]": 1, "1": 1}, "CLS": {"1": 1}}, PE={"cos": cosine, "sin": "sin(pi*i/2)"}
        ),
        layers=(),
        readout=Readout(Linear({"logit": {"cos": 1, "sin": sine, "[w=b]": b, "1": "-1/2"}}), position="last"),
    )


construction = Construction(
    "length-of-four", "A LENGTH OF FOUR, EIGHT, ... by a cosine", "an example", language, network()
)

mistakes = {"a b weighs too little": network(b="-1/4"), "late: the wave grows": network(cosine="cos(pi*i/2) + i/32")}
