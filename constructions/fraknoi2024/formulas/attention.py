"""Sections 2.3 and 2.4: attention, masks, shapes of matrices, the feed-forward network."""

from __future__ import annotations

from weightproof.constructions.claims.formulas import (
    Always,
    Among,
    Costs,
    Heads,
    Mean,
    OfVectors,
    Plus,
    Shaped,
    Sum,
    Times,
    Transposed,
)
from weightproof.constructions.claims.published import Reading, claim
from weightproof.constructions.fraknoi2024.formulas.naming import sizes, slip

Q, K, V = Times("x", "W_Q"), Times("x", "W_K"), Times("x", "W_V")
R = Times("A", V)
Y = Times(R, "W_O")
HEAD = sizes("x", "out", "A", "M", "W_Q", "W_K", "W_V", "W_O")
OF_HEADS = sizes("x", "out", "A", "W_Q", "W_K", "W_V", "W_O", where={"d": "a*d_h"})
BLOCK = Heads(Times(Q, Transposed(K), V, "W_O"), "a", "sum")
HIDDEN = Plus(Times("x", "W_1"), "b_1")
MASK = {"0": "j <= i and i <= n", "-infinity": "i < j and j <= n"}


def attended(upto: str) -> OfVectors:
    """Of scores x: what a row gives to the first so many positions; e to the power of what is masked is 0."""
    weights = {"Z": Sum("exp(x)", upto=upto), "total": Sum("exp(x)/Z", upto=upto)}
    return OfVectors("total == 1", weights, {"x": "real"}, "n", {"i": "natural"})


SHAPE_OF_Y = slip(
    "y",
    "A matrix times $W_O \\in R^{d_h \\times d}$ has $d$ columns, not $d_h$.",
    "section 2.3",
    "$y_i^h = r_i^h W_{O,i}^h \\in R^{n \\times d}$",
    Shaped(Y, HEAD, "n", "d"),
)
CONCATENATION = slip(
    "concatenation",
    "Outputs of $d$ columns are put beside each other, one for each head, and added to $d$ columns: they are to be "
    "added up, or multiplied by one $W_O \\in R^{a d_h \\times d}$ after they were put beside each other.",
    "section 2.3",
    "$z_i = y_i^1 + \\dots + y_i^a + out_{i-1} \\in R^{n \\times d}$",
    Shaped(Plus(Heads(Y, "a", "sum"), "out"), HEAD, "n", "d"),
)
MASK_ENTRIES = slip(
    "mask",
    "The masking matrix is declared with the entries 0 and 1, and printed with others, which are added to scores.",
    "section 2.3",
    "$M \\in \\{0, -\\infty\\}^{n \\times n}$",
    Among(MASK, "0", "-infinity", over=("i", "j", "n")),
)
DIAGONAL = slip(
    "diagonal",
    "Where the diagonal is masked, too, the first token attends to nothing, and its softmax is 0 divided by 0.",
    "section 2.3",
    "with $-\\infty$ on the diagonal, row $i + 1$ sums to 1, for $i \\ge 1$",
    attended("i"),
)
QUADRATIC = slip(
    "linear",
    "Queries and keys are both linear in the embeddings, so that $q k^T$ is quadratic in them; and attention weights, "
    "which depend on the embeddings, are multiplied by values, which do so, too.",
    "section 2.3",
    "$q k^T$ is not linear: of twice the embeddings it is four times as much",
    Always("(q*(2*x))*(k*(2*x)) == 4*((q*x)*(k*x))", {"q": "real", "k": "real", "x": "real"}),
)
PROJECTIONS = slip(
    "projections",
    "Queries, keys, values and outputs take $d^2$ steps for each token, which are more than $n d$ where $d$ is larger.",
    "section 2.3",
    "the complexity of the self-attention block is $O(n^2 \\cdot d + n \\cdot d^2)$",
    Costs(BLOCK, sizes=OF_HEADS, bound="n**2*d + n*d**2", growing=("n", "a", "d_h")),
)
OF_PARAMETERS = "l*(2*d*m + m + d)/(v*d + l*(4*a*d*d_h + 2*d*m + m + d + 4*d) + d*v + v) == 2/3"
"""Of l feed-forward networks, beside heads, norms, embeddings and the output layer."""
TWO_THIRDS = slip(
    "two-thirds",
    "The share depends on the sizes: it is two thirds of the matrices between embedding and output where $m = 4 d$ and "
    "$a d_h = d$.",
    "section 2.4",
    "of the matrices of a layer, the feed-forward network has two thirds, where $m = 4 d$ and $a d_h = d$",
    Always("2*d*(4*d)/(4*d*d + 2*d*(4*d)) == 2/3", {"d": "natural"}),
)

CLAIMS = (
    "section 2.3",
    claim("q", "$q_i^h = x_{i-1} W_{Q,i}^h \\in R^{n \\times d_h}$", Shaped(Q, HEAD, "n", "d_h")),
    claim("k", "$k_i^h = x_{i-1} W_{K,i}^h \\in R^{n \\times d_h}$", Shaped(K, HEAD, "n", "d_h")),
    claim("v", "$v_i^h = x_{i-1} W_{V,i}^h \\in R^{n \\times d_h}$", Shaped(V, HEAD, "n", "d_h")),
    claim(
        "A",
        "$A = softmax(\\frac{q_i^h (k_i^h)^T + M}{\\sqrt{d_h}}) \\in R^{n \\times n}$",
        Shaped(Plus(Times(Q, Transposed(K)), "M"), HEAD, "n", "n"),
    ),
    claim(
        "scale",
        "The $\\frac{1}{\\sqrt{d_h}}$ term is a scaling factor, which is used to prevent the dot product from becoming "
        "too large",
        Reading(
            OfVectors(
                "variance == mean",
                {"variance": Sum("u*v/sqrt(d_h)**2"), "mean": Mean("u*v")},
                {"u": "positive", "v": "positive"},
                "d_h",
            ),
            "of independent entries of mean 0 and variances u and v: its variance is the mean of u v, not the sum",
        ),
    ),
    claim("r", "$r_i^h = A v_i^h \\in R^{n \\times d_h}$", Shaped(R, HEAD, "n", "d_h")),
    claim("y", "$y_i^h = r_i^h W_{O,i}^h \\in R^{n \\times d_h}$", Shaped(Y, HEAD, "n", "d_h"), slip=SHAPE_OF_Y),
    claim(
        "z",
        "$z_i = [y_i^1, \\dots, y_i^a] + out_{i-1} \\in R^{n \\times d}$",
        Shaped(Plus(Heads(Y, "a", "beside"), "out"), HEAD, "n", "d"),
        slip=CONCATENATION,
    ),
    claim(
        "M",
        "$M \\in \\{0, 1\\}^{n \\times n}$, with 0 where $j \\le i$ and $-\\infty$ where $j > i$",
        Among(MASK, "0", "1", over=("i", "j", "n")),
        slip=MASK_ENTRIES,
    ),
    claim(
        "rows",
        "each row of the attention matrix sums to 1",
        Reading(attended("i"), "with -infinity above the diagonal"),
        Reading(attended("i - 1"), "with -infinity on the diagonal, too, as there sometimes is"),
        slip=DIAGONAL,
    ),
    claim(
        "linear",
        "the softmax function is the only part that is not linear",
        Reading(
            Always("(q*(2*x))*(k*(2*x)) == 2*((q*x)*(k*x))", {"q": "real", "k": "real", "x": "real"}),
            "so the scores of twice the embeddings are twice as large",
        ),
        slip=QUADRATIC,
    ),
    claim(
        "output-matrix",
        "with $d_h := d/a$ the outputs of the heads have the right dimension without an output matrix",
        Shaped(Plus(Heads(R, "a", "beside"), "out"), OF_HEADS, "n", "d"),
    ),
    claim(
        "other-dimension",
        "query and key vectors can have any other dimension than value vectors, the same for both",
        Shaped(Times(Q, Transposed(K), V), sizes("x", "W_Q", "W_K", "W_V", W_Q=("d", "e"), W_K=("d", "e")), "n", "d_h"),
    ),
    claim(
        "scores-cost",
        "calculating the $q k^T$ terms requires $O(n^2 \\cdot d)$ steps",
        Reading(
            Costs(
                Heads(Times("q", Transposed("k")), "a", "beside"),
                sizes=sizes("q", "k", q=("n", "d_h"), k=("n", "d_h"), where={"d": "a*d_h"}),
                bound="n**2*d",
                growing=("n", "a", "d_h"),
            ),
            "in all heads, for d = a d_h",
        ),
    ),
    claim(
        "block-cost",
        "the complexity of the self-attention block is $O(n^2 \\cdot d)$",
        Reading(Costs(BLOCK, sizes=OF_HEADS, bound="n**2*d", growing=("n",)), "of long sequences, whatever d is"),
        Reading(Costs(BLOCK, sizes=OF_HEADS, bound="n**2*d", growing=("n", "a", "d_h")), "of large n and d"),
        slip=PROJECTIONS,
    ),
    "section 2.4",
    claim(
        "feed-forward",
        "$out_i = z_i + \\max(0, c_i W_{i,1} + b_{i,1}) W_{i,2} + b_{i,2}$, $W_{i,1}, W_{i,2}^T \\in R^{d \\times m}$",
        Shaped(
            Plus("out", Times(HIDDEN, Transposed("W_2^T")), "b_2"),
            sizes("x", "out", "W_1", "b_1", "W_2^T", "b_2"),
            "n",
            "d",
        ),
    ),
    claim(
        "two-thirds",
        "feed-forward layers constitute two thirds of a transformer's parameters",
        Reading(
            Always(OF_PARAMETERS, {"d": "natural", **dict.fromkeys(("d_h", "a", "m", "v", "l"), "natural")}),
            "of all that sections 2.1 to 2.5 call learnable, whatever their sizes",
        ),
        Reading(TWO_THIRDS.correction.senses[0].statement, "of matrices of layers, m = 4 d and a d_h = d"),
        slip=TWO_THIRDS,
    ),
)
