"""SAME ENDS, the words whose first and last symbol do not differ; the empty word is one of them.

The first layer marks a 1 at position 1 and a 1 at the last position. Uniform attention in the second finds the
difference of the two marks, divided by n, and its feed-forward network takes the absolute value: the logit is
(1/2 - |difference|)/n.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="SAME ENDS",
    alphabet=("0", "1"),
    member=lambda word: word[:1] == word[-1:],
    characterisation="not ((w[1] == '0' and w[n - 1] == '1') or (w[1] == '1' and w[n - 1] == '0'))",
    description="begins and ends with the same symbol",
)

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {}, "CLS": {"[w=CLS]": 1}},
    PE={"[i=1]": "(i == 1)", "[last]": "(i == n - 1)"},
)

mark_ends = FeedForward(
    first=Linear({"h1": {"[w=0]": -1, "[w=CLS]": -1, "[i=1]": 1}, "h2": {"[w=0]": -1, "[w=CLS]": -1, "[last]": 1}}),
    second=Linear({"[w=1 and i=1]": {"h1": 1}, "[w=1 and last]": {"h2": 1}}),
)

compare_ends = Head(W_V={"difference/n": {"[w=1 and i=1]": 1, "[w=1 and last]": -1}, "1/n": {"[w=CLS]": 1}})

no_difference = FeedForward(
    first=Linear({"h1": {"difference/n": 1}, "h2": {"difference/n": -1}, "h3": {"1/n": 1}}),
    second=Linear({"s": {"h1": -1, "h2": -1, "h3": "1/2"}}),
)

construction = Construction(
    name="same-ends",
    title="SAME ENDS by the absolute value of a difference",
    source="an example",
    language=language,
    network=Encoder(
        coordinates=(
            "[w=0]", "[w=CLS]", "[i=1]", "[last]", "[w=1 and i=1]", "[w=1 and last]", "difference/n", "1/n", "s",
        ),
        embedding=embedding,
        layers=(Layer(feed_forward=mark_ends), Layer(heads=(compare_ends,), feed_forward=no_difference)),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)  # fmt: skip
