"""Sections 2.1 and 2.2: embeddings, layer normalisation and the softmax function."""

from __future__ import annotations

from weightproof.constructions.claims.formulas import Always, Each, Entries, Mean, Numbers, OfVectors, Plus, Shaped, Sum
from weightproof.constructions.claims.published import Reading, claim
from weightproof.constructions.fraknoi2024.formulas.naming import sizes, slip

COLUMN = "(c - c % 2)/2 <= d/2 - 1"
"""The j that makes c one of 2j and 2j + 1 is in range."""
COLUMNS = "0 <= c and c <= d - 1"
Let = dict[str, Each | Sum]
MOMENTS: Let = {"mu": Mean("x"), "sigma2": Mean("(x - mu)**2")}
NORMALISED: Let = {**MOMENTS, "out": Each("(x - mu)/(sigma2 + epsilon)")}
WITH_ROOT: Let = {**MOMENTS, "out": Each("(x - mu)/sqrt(sigma2 + epsilon)")}
SCALED: Let = {**MOMENTS, "unit": Each("(x - mu)/(sigma2 + epsilon)"), "out": Each("unit*gamma + beta")}
MEAN: Let = {"mean": Mean("out")}
VARIANCE: Let = {**MEAN, "variance": Mean("(out - mean)**2")}
POSITIVE: dict[str, Numbers] = {"epsilon": "positive"}
RESCALED: Let = {"mean_x": Mean("x"), "variance_x": Mean("(x - mean_x)**2"), "out": Each("x*gamma + beta"), **VARIANCE}
SCALARS: dict[str, Numbers] = {"epsilon": "positive", "gamma": "real", "beta": "real"}


def of_x(says: str, let: Let, numbers: dict[str, Numbers], **others: Entries) -> OfVectors:
    """Of every vector of every width d; others: further vectors."""
    return OfVectors(says, let, {"x": "real", **others}, "d", numbers)


ODD_WIDTH = slip(
    "odd-width",
    "The frequencies come in pairs: of an odd width the last column has no $j$ in the range.",
    "section 2.1",
    "$P_{i,2j}$ and $P_{i,2j+1}$, $0 \\le j \\le \\frac{d}{2} - 1$, are all entries of row $i$, for even $d$",
    Always(COLUMN, {"d": "natural", "c": "integer"}, f"d % 2 == 0 and {COLUMNS}"),
)
ROOT = slip(
    "root",
    "What layer normalisation divides by lacks its square root.",
    "section 2.2",
    "$\\frac{w - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}$ has the variance $\\frac{\\sigma^2}{\\sigma^2 + \\epsilon}$, "
    "which is 1 for $\\epsilon = 0$",
    of_x("variance == sigma2/(sigma2 + epsilon)", {**WITH_ROOT, **VARIANCE}, POSITIVE),
)
SQUARE = slip(
    "gamma",
    "What is scaled by $\\gamma$ has $\\gamma^2$ times the variance.",
    "section 2.2",
    "scaled by $\\gamma$ and shifted by $\\beta$, the output has $\\gamma^2$ times the variance",
    of_x("variance == gamma**2*variance_x", RESCALED, {"gamma": "real", "beta": "real"}),
)
VECTORS = slip(
    "vectors",
    "$\\gamma$ has an entry for each coordinate: what it makes of a vector of mean 0 has another mean, if they differ.",
    "section 2.2",
    "with the same $\\gamma$ in every coordinate, the output has the mean of $\\beta$",
    of_x(
        "mean == mean_beta", {**SCALED, **MEAN, "mean_beta": Mean("beta")},
        {"epsilon": "positive", "gamma": "real"}, beta="real",
    ),
)  # fmt: skip
SOFTMAX_SUM: Let = {"Z": Sum("exp(x)"), "total": Sum("exp(x)/Z")}
BOUND = slip(
    "softmax-bound",
    "The sum of the softmax function ends at $n$, the length of the sequence, and not at the number of entries.",
    "section 2.2",
    "the entries of $\\frac{e^w}{\\sum_{i=1}^{v} e^{w_i}}$ add up to 1, for $w$ of $v$ entries",
    OfVectors("total == 1", SOFTMAX_SUM, {"x": "real"}, "v"),
)

CLAIMS = (
    "section 2.1, section 2.3",
claim(
        "out_0",
        "$out_0 = x_0 + P \\in R^{n \\times d}$",
        Shaped(Plus("x", "P"), sizes("x", "P"), "n", "d"),
    ),
    "section 2.1",
claim(
        "positions",
        "$P \\in R^{n \\times d}$ has the entries $P_{i,2j}$ and $P_{i,2j+1}$, $0 \\le j \\le \\frac{d}{2} - 1$",
        Always(COLUMN, {"d": "natural", "c": "integer"}, COLUMNS),
        slip=ODD_WIDTH,
    ),
    "section 2.2",
claim(
        "epsilon",
        "$\\epsilon$ prevents division by zero: $\\sigma^2 + \\epsilon > 0$",
        of_x("sigma2 + epsilon > 0", MOMENTS, POSITIVE),
    ),
    claim(
        "zero-mean",
        "$\\frac{w - \\mu}{\\sigma^2 + \\epsilon}$ has zero mean",
        of_x("mean == 0", {**NORMALISED, **MEAN}, POSITIVE),
    ),
    claim(
        "unit-variance",
        "$\\frac{w - \\mu}{\\sigma^2 + \\epsilon}$ has unit variance",
        of_x("variance == 1", {**NORMALISED, **VARIANCE}, POSITIVE),
        slip=ROOT,
    ),
    claim(
        "beta-mean",
        "the output $\\frac{w - \\mu}{\\sigma^2 + \\epsilon} \\odot \\gamma + \\beta$ has $\\beta$ mean",
        Reading(
            of_x("mean == beta", {**SCALED, **MEAN}, SCALARS), "the same gamma and beta in every coordinate"
        ),
        Reading(
            of_x(
                "mean == mean_beta", {**SCALED, **MEAN, "mean_beta": Mean("beta")}, POSITIVE,
                gamma="real", beta="real",
            ),
            "vectors gamma and beta, and the mean of beta",
        ),
        slip=VECTORS,
    ),
    claim(
        "gamma-variance",
        "of unit variance, scaled by $\\gamma$ and shifted by $\\beta$, the output has $\\gamma$ variance",
        of_x("variance == gamma*variance_x", RESCALED, {"gamma": "real", "beta": "real"}),
        slip=SQUARE,
    ),
    claim(
        "softmax",
        "the entries of $\\frac{e^w}{\\sum_{i=1}^{n} e^{w_i}}$ add up to 1",
        Reading(OfVectors("total == 1", SOFTMAX_SUM, {"x": "real"}, "n"), "w has n entries"),
        Reading(
            OfVectors(
                "total == 1", {**SOFTMAX_SUM, "Z": Sum("exp(x)", upto="n")}, {"x": "real"}, "v", {"n": "natural"}
            ),
            "w has an entry for each of v tokens, and the sequence has n",
        ),
        slip=BOUND,
    ),
)  # fmt: skip
