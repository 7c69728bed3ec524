"""THE FIRST OF TWO DECIDES: softmax leans to position 1 with the weight e^c, c >= log 2, and sees position 2 as well.

The values are 1 for a 1 and -1 for a 0 at the two positions, and -1/2 for CLS: e^c - 1 - 1/2 is positive.
"""

from weightproof import Construction, Embedding, Encoder, FeedForward, Head, Language, Layer, Linear, Parameter, Readout
from weightproof.proofs.theorem import Decides

language = Language(
    name="FIRST",
    alphabet=("0", "1"),
    member=lambda word: word[:1] == "1",
    characterisation="w[1] == '1'",
    description="the first symbol is 1",
)


def network(marker: object = "-1/2", window: str = "(i == 2)") -> Encoder:
    signs = FeedForward(
        first=Linear(
            {
                "+": {"[w=1]": 1, "[i=1]": 1, "[i=2]": 1},
                "-": {"[w=0]": 1, "[i=1]": 1, "[i=2]": 1},
            },
            {"+": -1, "-": -1},
        ),
        second=Linear({"sign": {"+": 1, "-": -1}}),
    )
    lean = Head(
        W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}},
        W_K={"q": {"[i=1]": 1}},
        W_V={"s": {"sign": 1, "[w=CLS]": marker}},
    )
    return Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[i=1]", "[i=2]", "sign", "s"),
        embedding=Embedding(
            WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
            PE={"[i=1]": "(i == 1)", "[i=2]": window},
        ),
        layers=(Layer(feed_forward=signs), Layer(heads=(lean,))),
        readout=Readout(Linear({"logit": {"s": 1}})),
    )


construction = Construction(
    "first-decides",
    "FIRST against the second symbol",
    "an example",
    language,
    network(),
    parameters=(Parameter("c", domain="c > 0", default="log(2)"),),
)

theorems = (Decides("recognises", "accepts exactly the words of FIRST", given="c >= log(2)"),)

mistakes = {
    "CLS weighs too much": network(marker=-1),
    "late: the symbols from 13 on are seen, too": network(window="(i == 2) + (i >= 13)"),
}
