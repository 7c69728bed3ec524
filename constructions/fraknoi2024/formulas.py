"""What Fraknoi (2024) prints in formulas that are about no network in particular: sections 2, 3.1, 4 and 5; and the
mistakes of print in it, each with its smallest correction."""

from __future__ import annotations

from collections.abc import Mapping

from weightproof.constructions.claims import formulas as says
from weightproof.constructions.claims.published import Claims, Printed, Reading, slips

NAME = "fraknoi2024-formulas"
SIZES: Mapping[str, tuple[object, ...]] = {
    **dict.fromkeys(("x", "out", "P"), ("n", "d")),
    **dict.fromkeys(("W_Q", "W_K", "W_V"), ("d", "d_h")),
    "W_O": ("d_h", "d"),
    **dict.fromkeys(("M", "A"), ("n", "n")),
    **dict.fromkeys(("W_1", "W_2^T"), ("d", "m")),
    **{"b_1": ("m",), "b_2": ("d",), "W_H": ("d", "v"), "b_H": ("v",)},
}


def sizes(*names: str, where: Mapping[str, object] | None = None, **others: tuple[object, ...]) -> says.Sizes:
    """The printed sizes of some of them; others: in place of these. where: as in `Sizes`."""
    return says.Sizes({name: {**SIZES, **others}[name] for name in names}, where)


COLUMN = "(c - c % 2)/2 <= d/2 - 1"
"""The j that makes c one of 2j and 2j + 1 is in range."""
COLUMNS = "0 <= c and c <= d - 1"
Let = dict[str, says.Each | says.Sum]
MOMENTS: Let = {"mu": says.Mean("x"), "sigma2": says.Mean("(x - mu)**2")}
NORMALISED: Let = {**MOMENTS, "out": says.Each("(x - mu)/(sigma2 + epsilon)")}
WITH_ROOT: Let = {**MOMENTS, "out": says.Each("(x - mu)/sqrt(sigma2 + epsilon)")}
SCALED: Let = {**MOMENTS, "unit": says.Each("(x - mu)/(sigma2 + epsilon)"), "out": says.Each("unit*gamma + beta")}
MEAN: Let = {"mean": says.Mean("out")}
VARIANCE: Let = {**MEAN, "variance": says.Mean("(out - mean)**2")}
POSITIVE: dict[str, says.Numbers] = {"epsilon": "positive"}
RESCALED: Let = {
    "mean_x": says.Mean("x"),
    "variance_x": says.Mean("(x - mean_x)**2"),
    "out": says.Each("x*gamma + beta"),
    **VARIANCE,
}
SCALARS: dict[str, says.Numbers] = {"epsilon": "positive", "gamma": "real", "beta": "real"}


def of_x(formula: str, let: Let, numbers: dict[str, says.Numbers], **others: says.Entries) -> says.OfVectors:
    """A statement about every vector of every width d; others: further vectors."""
    return says.OfVectors(formula, let, {"x": "real", **others}, "d", numbers)


SOFTMAX_SUM: Let = {"Z": says.Sum("exp(x)"), "total": says.Sum("exp(x)/Z")}
Q, K, V = says.Times("x", "W_Q"), says.Times("x", "W_K"), says.Times("x", "W_V")
R = says.Times("A", V)
Y = says.Times(R, "W_O")
HEAD = sizes("x", "out", "A", "M", "W_Q", "W_K", "W_V", "W_O")
OF_HEADS = sizes("x", "out", "A", "W_Q", "W_K", "W_V", "W_O", where={"d": "a*d_h"})
BLOCK = says.Heads(says.Times(Q, says.Transposed(K), V, "W_O"), "a", "sum")
HIDDEN = says.Plus(says.Times("x", "W_1"), "b_1")
MASK = {"0": "j <= i and i <= n", "-infinity": "i < j and j <= n"}


def attended(upto: str) -> says.OfVectors:
    """What a row of scores x gives to the first so many positions; e to the power of what is masked is 0."""
    weights = {"Z": says.Sum("exp(x)", upto=upto), "total": says.Sum("exp(x)/Z", upto=upto)}
    return says.OfVectors("total == 1", weights, {"x": "real"}, "n", {"i": "natural"})


OF_PARAMETERS = "l*(2*d*m + m + d)/(v*d + l*(4*a*d*d_h + 2*d*m + m + d + 4*d) + d*v + v) == 2/3"
"""The share of l feed-forward networks, beside heads, norms, embeddings and the output layer."""

DISTRIBUTIONS: dict[str, says.Entries] = {"p": "distribution", "q": "distribution"}
WEIGHTS = {f"W_{name}": "0 == 0" for name in ("E", "Q", "K", "V", "O", "1", "2", "H")}
INITIALISED = ("W_E", "W_Q", "W_K", "W_O", "W_1", "W_2")
WITH_2_OVER_D = {f"W_({name})": "0 == 0" for name in ("i,1", "i,2", "l,1")}
STEPPED: dict[str, says.Numbers] = {"x": "real", "l": "positive", "eta": "positive"}


def step(gradient: str) -> str:
    """What AdamW's first update makes of a gradient: its moments, corrected, are the gradient and its square."""
    return f"({gradient})/(sqrt(({gradient})**2) + e)"


DROPPED: dict[str, says.Numbers] = {"p": "fraction", "x": "real"}


def cross_entropy(expected: str, of: str, weighed: str, logs: str) -> says.OfVectors:
    """-E_expected[log of] = -sum of weighed times log logs."""
    sums: dict[str, says.Each | says.Sum] = {
        "left": says.Sum(f"{expected}*(-log({of}))"),
        "right": says.Sum(f"-({weighed}*log({logs}))"),
    }
    return says.OfVectors("left == right", sums, DISTRIBUTIONS, "v")


MODULUS = 113
DIGIT_SUMS = " and ".join(f"0 <= s{digit} and s{digit} <= 18" for digit in (1, 2, 3))
CARRY = "(s2 >= 10 or (s2 == 9 and s1 >= 10))"
"""MC1 of the second digit, or its MS9 and MC1 of the first."""
NUMBER = "(r + 113*(r == 0))"
"""That stands for a residue r."""
SUM = "(s1 + 10*s2 + 100*s3)"


def cos(**angles: int) -> says.Wave:
    return says.Wave("cos", **angles)


def sin(**angles: int) -> says.Wave:
    return says.Wave("sin", **angles)


ROW = "1 <= i and i <= n"
OF_ONE = "(x - x)/((x - x)**2 + e)*gamma + beta"
"""Layer normalisation of section 2.2 at d = 1, where the mean is the entry."""
LAST = "(y - y)/((y - y)**2 + e)*gamma + beta"
NORMS: dict[str, says.Numbers] = {"x": "real", "y": "real", "e": "positive", "gamma": "real", "beta": "real"}
STEPS: dict[str, says.Numbers] = {"h": "natural", "s": "integer"}
HALVED = "0 <= s and s <= h"
MARGIN = "((1 - z > 0)*(1 - z))"
OUTPUTS = says.Heads("r", "a", "beside")
SOME_OUTPUTS = says.Heads("r", "j", "beside")
SHAPLEY = says.Factorials(("s", "h - s - 1"), ("h",))
"""The weight of a subset of s of h heads."""
ASKED = {"2^(H without i)": "1 <= h", "2^H": "1 <= h"}
"""What S, and S with i, are taken from."""

SLIPS = slips(
    "fraknoi2024",
    NAME,
    "odd-width: The frequencies come in pairs: of an odd width the last column has no $j$ in the range.",
    r"section 2.1: $P_{i,2j}$ and $P_{i,2j+1}$, $0 \le j \le \frac{d}{2} - 1$, are all entries of row $i$, for even "
    "$d$",
    says.Always(COLUMN, {"d": "natural", "c": "integer"}, f"d % 2 == 0 and {COLUMNS}"),
    "root: What layer normalisation divides by lacks its square root.",
    r"section 2.2: $\frac{w - \mu}{\sqrt{\sigma^2 + \epsilon}}$ has the variance $\frac{\sigma^2}{\sigma^2 + "
    r"\epsilon}$, which is 1 for $\epsilon = 0$",
    of_x("variance == sigma2/(sigma2 + epsilon)", {**WITH_ROOT, **VARIANCE}, POSITIVE),
    r"gamma: What is scaled by $\gamma$ has $\gamma^2$ times the variance.",
    r"section 2.2: scaled by $\gamma$ and shifted by $\beta$, the output has $\gamma^2$ times the variance",
    of_x("variance == gamma**2*variance_x", RESCALED, {"gamma": "real", "beta": "real"}),
    r"vectors: $\gamma$ has an entry for each coordinate: what it makes of a vector of mean 0 has another mean, if "
    "they differ.",
    r"section 2.2: with the same $\gamma$ in every coordinate, the output has the mean of $\beta$",
    of_x(
        "mean == mean_beta",
        {**SCALED, **MEAN, "mean_beta": says.Mean("beta")},
        {"epsilon": "positive", "gamma": "real"},
        beta="real",
    ),
    "softmax-bound: The sum of the softmax function ends at $n$, the length of the sequence, and not at the number "
    "of entries.",
    r"section 2.2: the entries of $\frac{e^w}{\sum_{i=1}^{v} e^{w_i}}$ add up to 1, for $w$ of $v$ entries",
    says.OfVectors("total == 1", SOFTMAX_SUM, {"x": "real"}, "v"),
    r"y: A matrix times $W_O \in R^{d_h \times d}$ has $d$ columns, not $d_h$.",
    r"section 2.3: $y_i^h = r_i^h W_{O,i}^h \in R^{n \times d}$",
    says.Shaped(Y, HEAD, "n", "d"),
    "concatenation: Outputs of $d$ columns are put beside each other, one for each head, and added to $d$ columns: "
    r"they are to be added up, or multiplied by one $W_O \in R^{a d_h \times d}$ after they were put beside each "
    "other.",
    r"section 2.3: $z_i = y_i^1 + \dots + y_i^a + out_{i-1} \in R^{n \times d}$",
    says.Shaped(says.Plus(says.Heads(Y, "a", "sum"), "out"), HEAD, "n", "d"),
    "mask: The masking matrix is declared with the entries 0 and 1, and printed with others, which are added to "
    "scores.",
    r"section 2.3: $M \in \{0, -\infty\}^{n \times n}$",
    says.Among(MASK, "0", "-infinity", over=("i", "j", "n")),
    "diagonal: Where the diagonal is masked, too, the first token attends to nothing, and its softmax is 0 divided "
    "by 0.",
    r"section 2.3: with $-\infty$ on the diagonal, row $i + 1$ sums to 1, for $i \ge 1$",
    attended("i"),
    "linear: Queries and keys are both linear in the embeddings, so that $q k^T$ is quadratic in them; and "
    "attention weights, which depend on the embeddings, are multiplied by values, which do so, too.",
    "section 2.3: $q k^T$ is not linear: of twice the embeddings it is four times as much",
    says.Always("(q*(2*x))*(k*(2*x)) == 4*((q*x)*(k*x))", {"q": "real", "k": "real", "x": "real"}),
    "projections: Queries, keys, values and outputs take $d^2$ steps for each token, which are more than $n d$ "
    "where $d$ is larger.",
    r"section 2.3: the complexity of the self-attention block is $O(n^2 \cdot d + n \cdot d^2)$",
    says.Costs(BLOCK, sizes=OF_HEADS, bound="n**2*d + n*d**2", growing=("n", "a", "d_h")),
    "two-thirds: The share depends on the sizes: it is two thirds of the matrices between embedding and output "
    "where $m = 4 d$ and $a d_h = d$.",
    "section 2.4: of the matrices of a layer, the feed-forward network has two thirds, where $m = 4 d$ and $a d_h = d$",
    says.Always("2*d*(4*d)/(4*d*d + 2*d*(4*d)) == 2/3", {"d": "natural"}),
    "cross-entropy: The expected value is taken with respect to one distribution, and the sum with respect to the "
    "other one; with $p$ estimated and $q$ true, as is said, it is that with respect to $q$.",
    r"section 2.6, definition 2.1: $H(p, q) = -E_q[\log p] = -\sum_{x} q(x) \log p(x)$",
    cross_entropy("q", "p", "q", "p"),
    "weight-decay: Weight decay that is added to the gradient goes through the moments, as in Adam with $L_2$ "
    "regularization; AdamW adds it to the update only.",
    r"section 2.6: AdamW calculates the moments of the gradient alone, and $\theta_t = \theta_{t-1} - \eta (u + "
    r"\lambda \theta_{t-1})$ with what is made of them, $u$, is $(1 - \eta \lambda) \theta_{t-1} - \eta u$",
    says.Always("x - eta*(u + l*x) == (1 - eta*l)*x - eta*u", {**STEPPED, "u": "real"}),
    "learning-rate: Two learning rates are printed.",
    r"section 2.6: $\eta_t = 10^{-3}$ is the learning rate of 0.001",
    says.Always("1/10**3 == 1/1000", {}),
    "initialisation: Of the learnable matrices, those of values and of the output layer are left out.",
    "section 2.7: what is initialised is $W_E, W_Q, W_K, W_V, W_O, W_1, W_2, W_H$",
    says.Among(WEIGHTS, *INITIALISED, "W_V", "W_H"),
    "before-relu: Of the matrices with the factor $2/d$, those of the second maps stand behind the activation.",
    r"section 2.7: what precedes a ReLU activation is $W_{i,1}$, for $1 \le i \le \ell$",
    says.Among({"W_(i,1)": "0 == 0", "W_(l,1)": "0 == 0"}, "W_(i,1)", "W_(l,1)"),
    "dropout: What is removed with probability $p$ is kept with probability $1 - p$, and $m_i = 1$ keeps it.",
    r"section 2.8: with $m_i = 1$ with probability $1 - p$, the expected value of $w \odot m$ is $(1 - p) w$",
    says.Always("(1 - p)*(x*1) + p*(x*0) == (1 - p)*x", DROPPED),
    "frequencies: A frequency that is a multiple of $P = 113$, 0 among them, gives every logit the same.",
    r"section 4: the sum of $\cos(w_k(a + b - c))$ is greatest at $c^* = a + b \mod p$ alone, for $k$ that are no "
    "multiples of 113",
    says.Peak(MODULUS, without=(0,)),
    "one-later: Row $i$ of $p$ is about the token behind the $i$-th, and row $i$ of $y$ about the $i$-th: the sum "
    "compares each prediction with the token that it was made from.",
    r"section 2.6: $-\frac{1}{n-1} \sum_{i=1}^{n-1} \sum_j y_{i+1,j} \log p_{i,j}$: rows $i$ of $p$ and $i + 1$ of "
    "$y$ are among the $n$",
    says.Always(f"{ROW} and 1 <= i + 1 and i + 1 <= n", {"i": "natural", "n": "natural"}, "1 <= i and i <= n - 1"),
    r"one-dimension: At $d = 1$ a number is its own mean, and its normalisation is $\beta$: all tokens are alike "
    "behind it. The construction has no norms.",
    r"section 5.3, with section 2.2: with $d = 1$, $LayerNorm(w) = \beta$",
    says.Always(f"{OF_ONE} == beta", {name: kind for name, kind in NORMS.items() if name != "y"}),
    "head-output: The output of a head has $d_h$ numbers for each token, and not one.",
    r"section 5.4, definition 5.2: $r := [r^{h_1}, \dots, r^{h_j}] \in R^{n \times j d_h}$",
    says.Shaped(SOME_OUTPUTS, sizes("r", r=("n", "d_h")), "n", "j*d_h"),
    "entry-of-head: $e_H$ has one entry for each head, and what it is multiplied with has $d_h$ for each.",
    r"section 5.4, definition 5.1: $[r^1, \dots, r^a]$ fits $e_H$ with $d_h$ entries for each head",
    says.Shaped(says.Plus(OUTPUTS, "e_H"), sizes("r", "e_H", r=("n", "d_h"), e_H=("a*d_h",)), "n", "a*d_h"),
    "hinge: The hinge loss that is printed is not squared.",
    r"section 5.4: squared hinge loss: $\max(0, 1 - y_i (r W_s + b_s))^2$ grows from 0 with the square of what is "
    "missing",
    says.Always(f"{MARGIN}**2 == (z < 1)*(1 - z)**2", {"z": "real"}),
    r"halvings: After $\log_2 a - 1$ steps two heads are left, too.",
    r"section 5.5: the model has more than one head at the end if it had less than $\log_2 a$ halving steps",
    says.Always("(h - s > 0) == (s < h)", STEPS, HALVED),
    "players: The set of the heads is called $H$ wherever it stands but in the domain of $v$.",
    r"section 5.5, definition 5.3: $v : 2^H \to R$ has a value for each $S \subseteq H \setminus \{i\}$ and $S \cup "
    r"\{i\}$",
    says.Among(ASKED, "2^H", "2^(H without i)", over=("h",)),
    "no-heads: Without heads the model predicts one token after every sequence, and is right where that is the token.",
    r"section 5.5: with $v(S) := A(S) - A(\emptyset)$, $v(\emptyset) = 0$, and no $v(S \cup \{i\}) - v(S)$ is "
    "another one",
    says.Always("e - e == 0 and (x - e) - (y - e) == x - y", {"e": "fraction", "x": "fraction", "y": "fraction"}),
    r"orderings: Head $i$ is in $H \setminus S$, too, and is not among those that are put in order.",
    r"section 5.5: $|S|!(|H| - |S| - 1)!$ is the number of possible orderings of the heads in $S$ and $H \setminus "
    r"(S \cup \{i\})$",
    says.Weighs(says.Factorials(("s", "h - s - 1")), says.Factorials(("s", "h - (s + 1)"))),
)

printed = Printed(
    "formulas of a framework for transformers, and of addition modulo 113",
    "Fraknoi (2024), sections 2, 3.1, 4 and 5",
    Claims(
        NAME,
        "section 2.1, section 2.3",
        r"out_0: $out_0 = x_0 + P \in R^{n \times d}$",
        says.Shaped(says.Plus("x", "P"), sizes("x", "P"), "n", "d"),
        "section 2.1",
        r"positions: $P \in R^{n \times d}$ has the entries $P_{i,2j}$ and $P_{i,2j+1}$, $0 \le j \le \frac{d}{2} - 1$",
        says.Always(COLUMN, {"d": "natural", "c": "integer"}, COLUMNS),
        SLIPS["odd-width"],
        "section 2.2",
        r"epsilon: $\epsilon$ prevents division by zero: $\sigma^2 + \epsilon > 0$",
        of_x("sigma2 + epsilon > 0", MOMENTS, POSITIVE),
        r"zero-mean: $\frac{w - \mu}{\sigma^2 + \epsilon}$ has zero mean",
        of_x("mean == 0", {**NORMALISED, **MEAN}, POSITIVE),
        r"unit-variance: $\frac{w - \mu}{\sigma^2 + \epsilon}$ has unit variance",
        of_x("variance == 1", {**NORMALISED, **VARIANCE}, POSITIVE),
        SLIPS["root"],
        r"beta-mean: the output $\frac{w - \mu}{\sigma^2 + \epsilon} \odot \gamma + \beta$ has $\beta$ mean",
        Reading(of_x("mean == beta", {**SCALED, **MEAN}, SCALARS), "the same gamma and beta in every coordinate"),
        Reading(
            of_x(
                "mean == mean_beta",
                {**SCALED, **MEAN, "mean_beta": says.Mean("beta")},
                POSITIVE,
                gamma="real",
                beta="real",
            ),
            "vectors gamma and beta, and the mean of beta",
        ),
        SLIPS["vectors"],
        r"gamma-variance: of unit variance, scaled by $\gamma$ and shifted by $\beta$, the output has $\gamma$ "
        "variance",
        of_x("variance == gamma*variance_x", RESCALED, {"gamma": "real", "beta": "real"}),
        SLIPS["gamma"],
        r"softmax: the entries of $\frac{e^w}{\sum_{i=1}^{n} e^{w_i}}$ add up to 1",
        Reading(says.OfVectors("total == 1", SOFTMAX_SUM, {"x": "real"}, "n"), "w has n entries"),
        Reading(
            says.OfVectors(
                "total == 1", {**SOFTMAX_SUM, "Z": says.Sum("exp(x)", upto="n")}, {"x": "real"}, "v", {"n": "natural"}
            ),
            "w has an entry for each of v tokens, and the sequence has n",
        ),
        SLIPS["softmax-bound"],
        "section 2.3",
        r"q: $q_i^h = x_{i-1} W_{Q,i}^h \in R^{n \times d_h}$",
        says.Shaped(Q, HEAD, "n", "d_h"),
        r"k: $k_i^h = x_{i-1} W_{K,i}^h \in R^{n \times d_h}$",
        says.Shaped(K, HEAD, "n", "d_h"),
        r"v: $v_i^h = x_{i-1} W_{V,i}^h \in R^{n \times d_h}$",
        says.Shaped(V, HEAD, "n", "d_h"),
        r"A: $A = softmax(\frac{q_i^h (k_i^h)^T + M}{\sqrt{d_h}}) \in R^{n \times n}$",
        says.Shaped(says.Plus(says.Times(Q, says.Transposed(K)), "M"), HEAD, "n", "n"),
        r"scale: The $\frac{1}{\sqrt{d_h}}$ term is a scaling factor, which is used to prevent the dot product from "
        "becoming too large",
        Reading(
            says.OfVectors(
                "variance == mean",
                {"variance": says.Sum("u*v/sqrt(d_h)**2"), "mean": says.Mean("u*v")},
                {"u": "positive", "v": "positive"},
                "d_h",
            ),
            "of independent entries of mean 0 and variances u and v: its variance is the mean of u v, not the sum",
        ),
        r"r: $r_i^h = A v_i^h \in R^{n \times d_h}$",
        says.Shaped(R, HEAD, "n", "d_h"),
        r"y: $y_i^h = r_i^h W_{O,i}^h \in R^{n \times d_h}$",
        says.Shaped(Y, HEAD, "n", "d_h"),
        SLIPS["y"],
        r"z: $z_i = [y_i^1, \dots, y_i^a] + out_{i-1} \in R^{n \times d}$",
        says.Shaped(says.Plus(says.Heads(Y, "a", "beside"), "out"), HEAD, "n", "d"),
        SLIPS["concatenation"],
        r"M: $M \in \{0, 1\}^{n \times n}$, with 0 where $j \le i$ and $-\infty$ where $j > i$",
        says.Among(MASK, "0", "1", over=("i", "j", "n")),
        SLIPS["mask"],
        "rows: each row of the attention matrix sums to 1",
        Reading(attended("i"), "with -infinity above the diagonal"),
        Reading(attended("i - 1"), "with -infinity on the diagonal, too, as there sometimes is"),
        SLIPS["diagonal"],
        "linear: the softmax function is the only part that is not linear",
        Reading(
            says.Always("(q*(2*x))*(k*(2*x)) == 2*((q*x)*(k*x))", {"q": "real", "k": "real", "x": "real"}),
            "so the scores of twice the embeddings are twice as large",
        ),
        SLIPS["linear"],
        "output-matrix: with $d_h := d/a$ the outputs of the heads have the right dimension without an output matrix",
        says.Shaped(says.Plus(says.Heads(R, "a", "beside"), "out"), OF_HEADS, "n", "d"),
        "other-dimension: query and key vectors can have any other dimension than value vectors, the same for both",
        says.Shaped(
            says.Times(Q, says.Transposed(K), V),
            sizes("x", "W_Q", "W_K", "W_V", W_Q=("d", "e"), W_K=("d", "e")),
            "n",
            "d_h",
        ),
        r"scores-cost: calculating the $q k^T$ terms requires $O(n^2 \cdot d)$ steps",
        Reading(
            says.Costs(
                says.Heads(says.Times("q", says.Transposed("k")), "a", "beside"),
                sizes=sizes("q", "k", q=("n", "d_h"), k=("n", "d_h"), where={"d": "a*d_h"}),
                bound="n**2*d",
                growing=("n", "a", "d_h"),
            ),
            "in all heads, for d = a d_h",
        ),
        r"block-cost: the complexity of the self-attention block is $O(n^2 \cdot d)$",
        Reading(says.Costs(BLOCK, sizes=OF_HEADS, bound="n**2*d", growing=("n",)), "of long sequences, whatever d is"),
        Reading(says.Costs(BLOCK, sizes=OF_HEADS, bound="n**2*d", growing=("n", "a", "d_h")), "of large n and d"),
        SLIPS["projections"],
        "section 2.4",
        r"feed-forward: $out_i = z_i + \max(0, c_i W_{i,1} + b_{i,1}) W_{i,2} + b_{i,2}$, $W_{i,1}, W_{i,2}^T \in R^{d "
        r"\times m}$",
        says.Shaped(
            says.Plus("out", says.Times(HIDDEN, says.Transposed("W_2^T")), "b_2"),
            sizes("x", "out", "W_1", "b_1", "W_2^T", "b_2"),
            "n",
            "d",
        ),
        "two-thirds: feed-forward layers constitute two thirds of a transformer's parameters",
        Reading(
            says.Always(OF_PARAMETERS, {"d": "natural", **dict.fromkeys(("d_h", "a", "m", "v", "l"), "natural")}),
            "of all that sections 2.1 to 2.5 call learnable, whatever their sizes",
        ),
        Reading(SLIPS["two-thirds"].correction.senses[0].statement, "of matrices of layers, m = 4 d and a d_h = d"),
        SLIPS["two-thirds"],
        "section 2.5",
        r"logits: $logits = out_\ell W_H + b_H \in R^{n \times v}$",
        says.Shaped(says.Plus(says.Times("out", "W_H"), "b_H"), sizes("out", "W_H", "b_H"), "n", "v"),
        "section 2.6, definition 2.1",
        r"cross-entropy: $-E_p[\log q] = -\sum_{x} q(x) \log p(x)$",
        cross_entropy("p", "q", "q", "p"),
        SLIPS["cross-entropy"],
        "section 2.6",
        "weight-decay: First, the AdamW optimizer calculates the gradient of the loss function and adds the weight "
        "decay term. Then it calculates the first and second moments of the gradient",
        Reading(
            says.Always(
                f"x - eta*({step('g + l*x')} + l*x) == (1 - eta*l)*x - eta*{step('g')}",
                {**STEPPED, "g": "real", "e": "positive"},
            ),
            "so that at t = 1 AdamW shrinks x by eta l x, whatever the gradient g is",
        ),
        SLIPS["weight-decay"],
        "moments: it calculates the first and second moments of the gradient and uses decay rates, i.e. takes into "
        "account the previous moments",
        Reading(
            says.Always("b*((1 - p)*g) + (1 - b)*g == (1 - b*p)*g", {"b": "fraction", "p": "fraction", "g": "real"}),
            "so of a gradient g that stays what it is m_t = (1 - b^t) g, by induction from m_0 = 0; p is b^(t - 1)",
        ),
        "bias-correction: it applies bias correction to these moments, that helps correct the bias toward zero during "
        "the early time steps",
        Reading(
            says.Always(
                "(g == 0 or ((1 - p)*g)**2 < g**2) and (1 - p)*g/(1 - p) == g",
                {"p": "fraction", "g": "real"},
                "0 < p and p < 1",
            ),
            "m_t = (1 - p) g, for p = b^t, is nearer to 0 than g, and m_t/(1 - p) is g",
        ),
        "section 2.6, section 5.2",
        r"learning-rate: Let $\eta_t = 10^{-4}$ the learning rate; learning rate = 0.001",
        Reading(says.Always("1/10**4 == 1/1000", {}), "of the same training"),
        SLIPS["learning-rate"],
        "section 2.7",
        "initialisation: the parameters are initialised so: $W_E, W_Q, W_K, W_O, W_1, W_2$",
        says.Among(WEIGHTS, *INITIALISED),
        SLIPS["initialisation"],
        r"before-relu: the factor $\frac{2}{d}$, of $W_{i,1}, W_{i,2}, W_{\ell,1}$, precedes a ReLU activation",
        says.Among(WITH_2_OVER_D, "W_(i,1)", "W_(l,1)"),
        SLIPS["before-relu"],
        "section 2.8",
        r"dropout: with $m_i = 1$ with probability $p$, the expected value of $w \odot m$ is $(1 - p) w$",
        says.Always("p*(x*1) + (1 - p)*(x*0) == (1 - p)*x", DROPPED),
        SLIPS["dropout"],
        "section 3.1, section 5",
        r"majority: $\sum_{i=1}^{n} x_i > \frac{n}{2}$ says that 1s are in the majority, and is false in case of a tie",
        says.Always(
            "(ones > n/2) == (ones > n - ones) and not (2*ones == n and ones > n/2)",
            {"n": "natural", "ones": "integer"},
            "0 <= ones and ones <= n",
        ),
        "section 4",
        "residues: each number between 1 and 113 is represented with a unique token",
        Reading(
            says.Always(
                f"1 <= {NUMBER} and {NUMBER} <= 113 and {NUMBER} % 113 == r and ((x - y) % 113 != 0 or x == y)",
                {"r": "integer", "x": "integer", "y": "integer"},
                "0 <= r and r < 113 and 1 <= x and x <= 113 and 1 <= y and y <= 113",
            ),
            "so each residue modulo 113 has just one",
        ),
        r"cosine-of-sum: $\cos(w_k(a + b)) = \cos(w_k a) \cos(w_k b) - \sin(w_k a) \sin(w_k b)$",
        says.Circular(((1, (cos(a=1, b=1),)),), ((1, (cos(a=1), cos(b=1))), (-1, (sin(a=1), sin(b=1))))),
        r"sine-of-sum: $\sin(w_k(a + b)) = \sin(w_k a) \cos(w_k b) + \cos(w_k a) \sin(w_k b)$",
        says.Circular(((1, (sin(a=1, b=1),)),), ((1, (sin(a=1), cos(b=1))), (1, (cos(a=1), sin(b=1))))),
        r"cosine-of-difference: $\cos(w_k(a + b - c)) = \cos(w_k(a + b)) \cos(w_k c) + \sin(w_k(a + b)) \sin(w_k c)$",
        says.Circular(((1, (cos(a=1, b=1, c=-1),)),), ((1, (cos(a=1, b=1), cos(c=1))), (1, (sin(a=1, b=1), sin(c=1))))),
        r"interference: adding $\cos(w_k(a + b - c))$, $w_k = \frac{2 k \pi}{P}$, for various $k \in N$ causes "
        r"constructive interference at $c^* = a + b \mod p$ and destructive interference everywhere else",
        says.Peak(MODULUS),
        SLIPS["frequencies"],
        "W_L: $W_L := W_{1,2} W_H$ maps the $m$ neurons to $v$ logits",
        says.Shaped(says.Times("W_2", "W_H"), sizes("W_2", "W_H", W_2=("m", "d")), "m", "v"),
        "third-digit: to predict the third digit from right: MC1 on first digit, MC1 and MS9 on second digit, BA on "
        "third digit",
        says.Always(
            f"(({SUM} - {SUM} % 100)/100) % 10 == (s3 % 10 + {CARRY}) % 10",
            {"s1": "integer", "s2": "integer", "s3": "integer"},
            DIGIT_SUMS,
        ),
        "section 2.5, section 2.6",
        r"loss: in $H(p, y) = -\frac{1}{n} \sum_{i=1}^{n} \sum_{j=1}^{v} y_{i,j} \log p_{i,j}$ the token of $p_{i,j}$, "
        "at the $(i+1)$-th position, is that of $y_{i,j}$, the $i$-th",
        says.Always("i + 1 == i", {"i": "natural"}),
        SLIPS["one-later"],
        "section 5.3, with section 2.2",
        "one-dimension: with $d = 1$ and the layer normalization before the self-attention block, the transformer can "
        "tell two tokens apart",
        says.Always(f"x == y or {OF_ONE} != {LAST}", NORMS),
        SLIPS["one-dimension"],
        "section 5.4, definition 5.1",
        r"learned-accuracy: $out_1 := [r^1, \dots, r^a] \odot e_H + out_0$, where $e_H^i = 1$ if $i \in H$: one entry "
        "for each head",
        says.Shaped(says.Plus(OUTPUTS, "e_H"), sizes("r", "e_H", r=("n", "d_h"), e_H=("a",)), "n", "a*d_h"),
        SLIPS["entry-of-head"],
        "section 5.4, definition 5.2",
        r"head-output: $r := [r^{h_1}, \dots, r^{h_j}] \in R^{n \times j}$, where $r^h \in R^{n \times d_h}$",
        says.Shaped(SOME_OUTPUTS, sizes("r", r=("n", "d_h")), "n", "j"),
        SLIPS["head-output"],
        r"separator: with $r \in R^{n \times j}$ and $W_s \in R^j$, $r W_s + b_s$ is one number for each token",
        says.Shaped(
            says.Plus(says.Times("r", "W_s"), "b_s"),
            sizes("r", "W_s", "b_s", r=("n", "j"), W_s=("j", "1"), b_s=("1",)),
            "n",
            1,
        ),
        "section 5.4",
        r"hinge: I use squared hinge loss as the loss function: $\max(0, 1 - y_i (r W_s + b_s))$",
        says.Always(f"{MARGIN} == {MARGIN}**2", {"z": "real"}),
        SLIPS["hinge"],
        "section 5.5",
        r"halvings: the model had more than one head at the end, i.e. had less than $\log_2 a - 1$ halving steps",
        says.Always("(h - s > 0) == (s < h - 1)", STEPS, HALVED),
        SLIPS["halvings"],
        "section 5.5, definition 5.3",
        r"characteristic-function: let $v : 2^N \to R$ be a characteristic function [...] If $S \subseteq H$ then "
        "$v(S)$",
        says.Among(ASKED, "2^N", over=("h",)),
        SLIPS["players"],
        "section 5.4, section 5.5, definitions 5.1 and 5.3",
        r"no-heads: $v(\emptyset) = 0$; to define the characteristic function $v$ we can use the learned accuracy",
        Reading(
            says.Always("right/n == 0", {"right": "integer", "n": "natural"}, "0 <= right and right <= n"),
            "so of n sequences of a test set, after each of which one and the same token is predicted, right is 0",
        ),
        SLIPS["no-heads"],
        "section 5.5",
        "orderings: These marginal contributions are weighted by the number of possible orderings of the heads in $S$ "
        r"and $H \setminus S$: $|S|!(|H| - |S| - 1)!$",
        says.Weighs(says.Factorials(("s", "h - s - 1")), says.Factorials(("s", "h - s"))),
        SLIPS["orderings"],
        "section 5.5, definition 5.3",
        r"shapley: The Shapley value $\varphi_i(v) := \sum_{S \subseteq H \setminus \{i\}} \frac{|S|!(|H| - |S| - "
        r"1)!}{|H|!} (v(S \cup \{i\}) - v(S))$ gives a fair contribution of head $i$",
        Reading(says.Shares(SHAPLEY), "so the contributions of all heads add up to v(H)"),
        notation="An entry of the vector w is called x, and scores are called so, too; sizes are natural numbers. "
        "Of halvings h is log_2 a and s the number of steps; z is y_i (r W_s + b_s). Of subsets s heads of h are in S. "
        "Of AdamW x is theta, g the gradient, l is lambda and e epsilon.",
    ),
)
