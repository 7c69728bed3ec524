"""PARITY by three layers of which nothing depends on the length, after the idea of Kozachinskiy and Steifer (2025),
A completely uniform transformer for parity, arXiv 2501.02535. The weights are ours: of the paper we had the abstract
and a summary. They give the plan, and no weights: two layers that make a sequence a_1, ..., a_n whose only maximum is
at i = k, the number of 1s; then the mean of (-1)^i by softmax of a_i f(n); a correction where k = 0.

There are no markers; i counts from 1, and the last position, n, is read. In the first layer every position finds k/n,
and 1/n as the mean of what marks the first position; units keep both where i = 1. In the second one position i gives
the first position i times the weight of any other, by a score of log(i). Its mean is then

    b_i = ((n - 1) k/n - i (1 - 1/n))/(n - 1 + i) = (1 - 1/n) (k - i)/(n - 1 + i),

and a_i = -|b_i| is largest, 0, at i = k, and less by (1 - 1/n)/(2 n - 1) or more elsewhere. So f(n) = 4 n^2 is enough
for the last layer. Where k = 0 the maximum is at i = 1. A second head there scores the first position with
f(n) (1/(2n) - k/n), which is positive where k = 0 alone, and takes back what the first one finds.
"""

from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {}, "1": {"[w=1]": 1}},
    PE={"[i=1]": "(i == 0)", "log(i)": "log(i + 1)", "f(i)": "4*(i + 1)**2", "(-1)^i": "cos(pi*(i + 1))"},
)

averages = Head(W_V={"k/n": {"[w=1]": 1}, "1/n": {"[i=1]": 1}})

keep_at_first = FeedForward(
    first=Linear({"h1": {"k/n": 1, "[i=1]": 1}, "h2": {"1/n": 1, "[i=1]": 1}}, {"h1": -1, "h2": -1}),
    second=Linear({"[i=1]k/n": {"h1": 1}, "[i=1]/n": {"h2": 1}}),
)
"""[i=1] x = max(0, x + [i=1] - 1) for x of at most 1."""

compare = Head(
    W_Q={"q": {"log(i)": 1}},
    W_K={"q": {"[i=1]": 1}},
    W_V={"b": {"k/n": 1, "[i=1]k/n": -1, "[i=1]": -1, "[i=1]/n": 1}},
    scale=1,
)

less_size = FeedForward(
    first=Linear({"h1": {"b": 1}, "h2": {"b": -1}}),
    second=Linear({"a": {"h1": -1, "h2": -1}}),
)

estimate = Head(W_Q={"q": {"f(i)": 1}}, W_K={"q": {"a": 1}}, W_V={"s": {"(-1)^i": -1}}, scale=1)
correct = Head(
    W_Q={"q": {"f(i)": 1}},
    W_K={"q": {"[i=1]/n": "1/2", "[i=1]k/n": -1}},
    W_V={"s": {"[i=1]": -2, "[i=1]k/n": 2}},
    scale=1,
)

construction = Construction(
    name="parity-uniform",
    title="PARITY by three layers that do not know the length; weights of ours, after the paper's idea",
    source="after Kozachinskiy and Steifer (2025); the weights are ours",
    language=PARITY,
    network=Encoder(
        coordinates=(
            *("[w=1]", "[i=1]", "log(i)", "f(i)", "(-1)^i"),
            *("k/n", "1/n", "[i=1]k/n", "[i=1]/n", "b", "a", "s"),
        ),
        embedding=embedding,
        layers=(
            Layer(heads=(averages,), feed_forward=keep_at_first),
            Layer(heads=(compare,), feed_forward=less_size),
            Layer(heads=(estimate, correct)),
        ),
        readout=Readout(Linear({"logit": {"s": 1}}), position="last"),
        begin=None,
    ),
)
