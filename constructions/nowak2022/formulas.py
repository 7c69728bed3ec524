"""What Nowak et al. (2022) print in formulas that are about no network in particular: appendices A and B."""

from weightproof.constructions.claims.formulas import Always, Plus, Shaped, Sizes, Times, Transposed
from weightproof.constructions.claims.published import Claims, Formulas, Published, Slip

NAME = "nowak2022-formulas"
SIZES = Sizes({"V": ("n", 11), "row_11": (1, "n"), "softmax": ("n", 1), "softmax_11": (1, 1), "a_11": (1, 1)})
ROW = Slip(
    "nowak2022/row-11",
    NAME,
    "The index 11 stands at the softmax, which has a number for each position, and not at the product, of which it is "
    "the row.",
    Published(
        "nowak2022/row-11",
        "appendix A",
        "$((V^{2,1})^T softmax(\\dots))_{11} + a^{1,0}_{11}$ is a number",
        Shaped(Plus(Times("row_11", "softmax"), "a_11"), SIZES, 1, 1),
    ),
)
FRACTION = Slip(
    "nowak2022/fraction",
    NAME,
    "One symbol of $n$ is another one, which is $\\frac{1}{n}$ of them: it decreases, but not by the same each time.",
    Published(
        "nowak2022/fraction",
        "appendix B.3",
        "from $n$ to $n + 1$ the fractional difference falls by $\\frac{1}{n (n+1)}$",
        Always("1/n - 1/(n + 1) == 1/(n*(n + 1))", {"n": "natural"}),
    ),
)

printed = Formulas(
    "formulas beside the construction for PALINDROME",
    "Nowak et al. (2022), appendices A and B",
    Claims(
        NAME,
        Published(
            f"{NAME}/row-11",
            "appendix A",
            "$s = (V^{2,1})^T softmax(\\dots)_{11} + \\dots + a^{1,0}_{11}$ is a number",
            Shaped(Plus(Times(Transposed("V"), "softmax_11"), "a_11"), SIZES, 1, 1),
            slip=ROW,
        ),
        Published(
            f"{NAME}/product",
            "appendix A",
            "$(\\sum_{h} Att(q^{2,h,0}, K^{2,h}, V^{2,h}) + a^{1,0})_{11}$, with "
            "$Att(q, K, V) = V^T softmax \\frac{K q}{\\sqrt d}$: the sum has 11 rows",
            Shaped(Plus(Times(Transposed("V"), "softmax"), Times(Transposed("V"), "softmax")), SIZES, 11, 1),
        ),
        Published(
            f"{NAME}/fraction",
            "appendix B.3",
            "flip any one of the characters: the fractional difference decreasing linearly with the sequence length",
            Always("1/n - 1/(n + 1) == 1/(n + 1) - 1/(n + 2)", {"n": "natural"}),
            slip=FRACTION,
        ),
        notation="The matrix of values has a row for each of n positions.",
    ),
)
