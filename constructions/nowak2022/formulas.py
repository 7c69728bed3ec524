"""What Nowak et al. (2022) print in formulas that are about no network in particular: section 4.1, appendices A to
C."""

from weightproof.constructions.claims.formulas import Always, Plus, Shaped, Sizes, Times, Transposed
from weightproof.constructions.claims.published import Claims, Printed, Reading, slips

NAME = "nowak2022-formulas"
SIZES = Sizes({"V": ("n", 11), "row_11": (1, "n"), "softmax": ("n", 1), "softmax_11": (1, 1), "a_11": (1, 1)})


def rounded(number: str, unit: str) -> str:
    """To the nearest multiple of a unit, of two the greater one: of a number of floating point, its unit in the last
    place."""
    return f"({number} + {unit}/2 - ({number} + {unit}/2) % ({unit}))"


SLIPS = slips(
    "nowak2022",
    NAME,
    "row-11: The index 11 stands at the softmax, which has a number for each position, and not at the product, of "
    "which it is the row.",
    r"appendix A: $((V^{2,1})^T softmax(\dots))_{11} + a^{1,0}_{11}$ is a number",
    Shaped(Plus(Times("row_11", "softmax"), "a_11"), SIZES, 1, 1),
    r"fraction: One symbol of $n$ is another one, which is $\frac{1}{n}$ of them: it decreases, but not by the same "
    "each time.",
    r"appendix B.3: from $n$ to $n + 1$ the fractional difference falls by $\frac{1}{n (n+1)}$",
    Always("1/n - 1/(n + 1) == 1/(n*(n + 1))", {"n": "natural"}),
    "38: The halves of 38 symbols are compared as sums of the powers of 2 from $2^1$ to $2^{19}$, over a common "
    "divisor: numbers of 19 bits, where float32 has 24. What fails at 38 symbols is not that summands are lost.",
    "section 4.1: in float32 the sum over a half of 38 symbols, $2^{20} - 2$, is exact; that over a half of 49 "
    "symbols, $2^{26} - 2$, is not",
    Always(f"{rounded('2**20 - 2', '1/2**4')} == 2**20 - 2 and {rounded('2**26 - 2', '2**2')} != 2**26 - 2", {}),
)

printed = Printed(
    "formulas beside the construction for PALINDROME",
    "Nowak et al. (2022), section 4.1, appendices A to C",
    Claims(
        NAME,
        "appendix A",
        r"row-11: $s = (V^{2,1})^T softmax(\dots)_{11} + \dots + a^{1,0}_{11}$ is a number",
        Shaped(Plus(Times(Transposed("V"), "softmax_11"), "a_11"), SIZES, 1, 1),
        SLIPS["row-11"],
        r"product: $(\sum_{h} Att(q^{2,h,0}, K^{2,h}, V^{2,h}) + a^{1,0})_{11}$, with $Att(q, K, V) = V^T softmax "
        r"\frac{K q}{\sqrt d}$: the sum has 11 rows",
        Shaped(Plus(Times(Transposed("V"), "softmax"), Times(Transposed("V"), "softmax")), SIZES, 11, 1),
        "appendix B.3",
        "fraction: flip any one of the characters: the fractional difference decreasing linearly with the sequence "
        "length",
        Always("1/n - 1/(n + 1) == 1/(n + 1) - 1/(n + 2)", {"n": "natural"}),
        SLIPS["fraction"],
        "appendix C",
        "sample: for large $n$ the summands with smaller powers of $i$ will not contribute to the sum: for $n = "
        r"38$, in float32, that of $i = 0$ to the others of $\sum_{i=0}^n 2^i$",
        Always(f"{rounded('2**39 - 2 + 1', '2**15')} == {rounded('2**39 - 2', '2**15')}", {}),
        "section 4.1",
        "38: the performance deteriorates starting from string length $n = 38$ because of floating point errors, as "
        "by appendix C the summands with smaller powers of $i$ will not contribute to the sum: that of $i = 1$ to "
        r"the others of a half, $\sum_{i=2}^{19} 2^i$",
        Reading(Always(f"{rounded('2**20 - 4 + 2', '1/2**4')} == {rounded('2**20 - 4', '1/2**4')}", {}), "in float32"),
        Reading(
            Always(f"{rounded('2**20 - 4 + 2', '1/2**33')} == {rounded('2**20 - 4', '1/2**33')}", {}), "in float64"
        ),
        SLIPS["38"],
        notation="The matrix of values has a row for each of n positions; sums of powers are over a common divisor.",
    ),
)
