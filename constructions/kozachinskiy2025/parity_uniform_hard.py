"""PARITY by two layers of which nothing depends on the length, with hard attention, and a marker in front: the idea of
Kozachinskiy and Steifer (2025), arXiv 2501.02535, without what softmax asks for. The weights are ours.

Positions count from 0, where CLS stands, so that there is a position k, of k ones, in every word. The first layer finds
k/n, and 1/n as the mean of what marks CLS. A head of the second one looks where |k/n - i/n| is least, which is at
i = k alone, and finds (-1)^k there.

With softmax in place of hardmax the scores have to get steeper as words get longer. `scaled` has a scale of the scores
for that, which alone knows the length; the paper does without.
"""

from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"1": 1, "i": "i", "(-1)^i": "cos(pi*i)"},
)

averages = Head(W_V={"k/n": {"[w=1]": 1}, "1/n": {"[w=CLS]": 1}})

QUERIES = {"k": {"k/n": 1}, "i": {"1/n": -1}}
KEYS = {"k": {"1": 1}, "i": {"i": 1}}
VALUES = {"s": {"(-1)^i": -1}}

look_at_k = Head(W_Q=QUERIES, W_K=KEYS, W_V=VALUES, score="-|dot|", normaliser="hardmax", scale=1)
lean_to_k = Head(W_Q=QUERIES, W_K=KEYS, W_V=VALUES, score="-|dot|", scale="n*log(4)")
"""Of all other positions together less than 2/3 of the weight of position k."""


def by_one_head(name: str, title: str, head: Head) -> Construction:
    return Construction(
        name=name,
        title=title,
        source="after Kozachinskiy and Steifer (2025); the weights are ours",
        language=PARITY,
        network=Encoder(
            coordinates=("[w=1]", "[w=CLS]", "1", "i", "(-1)^i", "k/n", "1/n", "s"),
            embedding=embedding,
            layers=(Layer(heads=(averages,)), Layer(heads=(head,))),
            readout=Readout(Linear({"logit": {"s": 1}})),
        ),
    )


construction = by_one_head(
    "parity-uniform-hard", "PARITY by hard attention that does not know the length; weights of ours", look_at_k
)
scaled = by_one_head(
    "parity-uniform-scaled", "PARITY by softmax of which only the scale knows the length; weights of ours", lean_to_k
)
