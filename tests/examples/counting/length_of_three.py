"""A LENGTH OF THREE, SIX, ...: over one letter, by a sinusoidal encoding with period 3, read where EOS stands."""

from weightproof import Construction, Embedding, Encoder, Language, Linear, Readout

language = Language(
    name="A LENGTH OF THREE, SIX, ...",
    alphabet=("a",),
    member=lambda word: len(word) % 3 == 0,
    characterisation="count('a') % 3 == 0",
    description="the length is a multiple of 3",
)


def network(wave: str = "cos(2*pi*i/3)") -> Encoder:
    return Encoder(
        coordinates=("cos", "1"),
        embedding=Embedding(WE={"a": {"1": 1}, "EOS": {"1": 1}}, PE={"cos": wave}),
        layers=(),
        readout=Readout(Linear({"logit": {"cos": 1, "1": "1/4"}}), position="last"),
        begin=None,
        end="EOS",
    )


construction = Construction(
    "length-of-three", "A LENGTH OF THREE, SIX, ... by a cosine", "an example", language, network()
)

mistakes = {
    "the period is 6": network(wave="cos(pi*i/3)"),
    "late: the period is 3 up to 14": network(wave="cos(2*pi*i/3)*(i <= 14) - (i > 14)"),
}
