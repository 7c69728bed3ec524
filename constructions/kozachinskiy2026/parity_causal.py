"""PARITY by softmax with causal masks and an encoding of i alone, bounded by a polynomial: what Kozachinskiy, Steifer
and Wałęga (2026), Parity, Sensitivity, and Transformers, arXiv 2602.05896, do by four layers, with such masks and
without. Of that paper we had the abstract. The network is ours: it has three layers, and needs the masks.

CLS stands at 0, and the last position is read. Position i finds [w_i = 1] i^2, nearly: a 1 looks at the largest i^2 so
far, which is its own, a 0 at all positions so far, and the mean over these of (3 i^2 + i)/2 is taken off, which is less
than its last term by i^2. With weights 1/i^2, and 1 at CLS, of sum Z, the last position finds k/Z then, k being the
number of 1s, and 1/Z. So it can score position i by

    8 (2 i k/Z - i^2/Z) = 8 (k^2 - (i - k)^2)/Z,

which is largest at i = k, by 8/Z or more, where Z < 2.65 at every length. There it finds (-1)^k.
"""

from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"1": 1, "i": "i", "i^2": "i**2", "log(i)": "log(i + (i == 0))", "(-1)^i": "cos(pi*i)"},
)

own_if_1 = Head(
    W_Q={"q": {"[w=1]": 10}},
    W_K={"q": {"i^2": 1}},
    W_V={"[w=1]i^2": {"i^2": "3/2", "i": "1/2"}},
    scale=1,
    mask="causal",
)
mean_so_far = Head(W_V={"[w=1]i^2": {"i^2": "-3/2", "i": "-1/2"}}, mask="causal")

count_ones = Head(
    W_Q={"q": {"1": -2}},
    W_K={"q": {"log(i)": 1}},
    W_V={"k/Z": {"[w=1]i^2": 1}, "1/Z": {"[w=CLS]": 1}},
    scale=1,
    mask="causal",
)

lean_to_k = Head(
    W_Q={"i": {"k/Z": 16}, "i^2": {"1/Z": -8}},
    W_K={"i": {"i": 1}, "i^2": {"i^2": 1}},
    W_V={"s": {"(-1)^i": -1}},
    scale=1,
    mask="causal",
)

construction = Construction(
    name="parity-causal",
    title="PARITY by causal softmax that does not know the length; a network of ours",
    source="after Kozachinskiy et al. (2026); the weights are ours",
    language=PARITY,
    network=Encoder(
        coordinates=(
            *("[w=1]", "[w=CLS]", "1", "i", "i^2", "log(i)", "(-1)^i"),
            *("[w=1]i^2", "k/Z", "1/Z", "s"),
        ),
        embedding=embedding,
        layers=(Layer(heads=(own_if_1, mean_so_far)), Layer(heads=(count_ones,)), Layer(heads=(lean_to_k,))),
        readout=Readout(Linear({"logit": {"s": 1}}), position="last"),
    ),
)
