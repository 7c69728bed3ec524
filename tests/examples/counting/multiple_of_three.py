"""A MULTIPLE OF THREE 1s, as PARITY of Chiang and Cholak (2022) is done, with a table of multiples instead of a cosine.

The first layer finds k/n and 1/n by uniform attention, and marks the position i = k. The second one averages the marks
of which the position is a multiple of 3.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Readout

language = Language(
    name="A MULTIPLE OF THREE",
    alphabet=("0", "1"),
    member=lambda word: word.count("1") % 3 == 0,
    characterisation="count('1') % 3 == 0",
    description="the number of 1s is a multiple of 3",
)


def network(multiple: str = "i % 3 == 0", hit: object = 2) -> Encoder:
    count = Head(W_V={"k/n": {"[w=1]": 1}, "1/n": {"[w=CLS]": 1}})
    mark = FeedForward(
        first=Linear(
            {
                "below": {"i/n": 1, "k/n": -1, "1/n": -1},
                "at": {"i/n": 1, "k/n": -1},
                "above": {"i/n": 1, "k/n": -1, "1/n": 1},
            }
        ),
        second=Linear({"[i=k]/n": {"below": 1, "at": -2, "above": 1}}),
    )
    both = FeedForward(
        first=Linear({"both": {"[i=k]/n": 1, "[3|i]/n": 1, "1/n": -1}}),
        second=Linear({"[i=k and 3|i]/n": {"both": 1}}),
    )
    average = Head(W_V={"s": {"[i=k and 3|i]/n": hit, "[i=k]/n": -1}})
    return Encoder(
        coordinates=("[w=1]", "[w=CLS]", "i/n", "[3|i]/n", "k/n", "1/n", "[i=k]/n", "[i=k and 3|i]/n", "s"),
        embedding=Embedding(
            WE={"0": {}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
            PE={"i/n": "i/n", "[3|i]/n": f"({multiple})/n"},
        ),
        layers=(Layer(heads=(count,), feed_forward=mark), Layer(feed_forward=both), Layer(heads=(average,))),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction(
    "multiple-of-three", "A MULTIPLE OF THREE by the position of the count", "an example", language, network()
)

mistakes = {
    "the wrong residue": network(multiple="i % 3 == 1"),
    "late: the table of multiples ends at 14": network(multiple="i % 3 == 0 and i <= 14"),
}
