"""PARITY, the words with an odd number of 1s: Chiang and Cholak (2022), section 3.2 and appendix A.

The first layer finds k, the number of 1s, as the average k/n, and its feed-forward network marks position k with
I[i=k]/n. The two heads of the second layer lean towards the odd and towards the even positions; both average the mark,
with opposite signs, so that the sign of their difference is the parity of k.
"""

from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"i/n": "i/n", "cos(i*pi)": "cos(pi*i)"},
)

count_ones = Head(W_V={"k/n": {"[w=1]": 1}, "1/n": {"[w=CLS]": 1}})

mark_position_k = FeedForward(
    first=Linear(
        {
            "h1": {"i/n": -1, "k/n": 1, "1/n": -1},
            "h2": {"i/n": -1, "k/n": 1},
            "h3": {"i/n": -1, "k/n": 1, "1/n": 1},
        }
    ),
    second=Linear({"[i=k]/n": {"h1": 1, "h2": -2, "h3": 1}}),
)

lean_to_odd = Head(
    W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}},
    W_K={"q": {"cos(i*pi)": -1}},
    W_V={"s": {"[i=k]/n": 1}},
)
lean_to_even = Head(
    W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}},
    W_K={"q": {"cos(i*pi)": 1}},
    W_V={"s": {"[i=k]/n": -1}},
)

construction = Construction(
    name="parity",
    title="PARITY by two heads that lean to odd and to even positions",
    source="Chiang and Cholak (2022), section 3.2",
    language=PARITY,
    parameters=(Parameter("c", domain="c > 0", default="log(2)"),),
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "i/n", "cos(i*pi)", "k/n", "1/n", "[i=k]/n", "s"),
        embedding=embedding,
        layers=(
            Layer(heads=(count_ones,), feed_forward=mark_position_k),
            Layer(heads=(lean_to_odd, lean_to_even)),
        ),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
