"""What Nowak et al. (2022) print about PALINDROME: section 3.2 and appendix A, in the order of the paper.

What depends on W_V of head 1 is claimed of the weights as printed, too: see `palindrome_as_printed`.
"""

from typing import Literal

from weightproof.constructions.claims.published import Claims, Convention, Published, Reading, Slip, claim
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Count,
    Domain,
    Formula,
    Logit,
    Matrix,
    Order,
    Output,
    Prefers,
    Projected,
    Shape,
    Stack,
    Stream,
    Value,
    Vector,
    Weights,
    zeros,
)
from weightproof.constructions.nowak2022.slips import (
    AT_CLS,
    BOTH_HALVES,
    CENTER,
    CLOSER,
    CLOSER_IN_FIRST_HALF,
    PLUS,
    POSITION_ENCODING,
    POWERS,
    POWERS_REVERSED,
    ROUNDED,
    SIGN,
    WHY_EOS,
    WORD_EMBEDDING,
    WRONG_HALF,
    Z_REVERSED,
    Z,
)

LEFT, RIGHT = "i <= (n - 1)/2", "i >= (n - 1)/2"
POSITION = ("i", "n - i - 1", f"({LEFT})", f"({RIGHT})")
ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "(i == n - 1)", *POSITION)
BASE_2 = "exp(c) == 2"
TOTAL, REVERSED = f"({Z})", f"({Z_REVERSED})"
S = f"1/{TOTAL}*sum((2*j <= n - 1)*((w[j] == '1') - (w[n-1-j] == '1'))*exp(c*j) for j in indices)"


def mismatches(where: str) -> str:
    """The signed sum over the positions j with a mismatch that are counted; CLS and EOS, at 0 and n-1, are one."""
    mismatch = "(w[j] != w[n-1-j] or j == 0 or j == n - 1)"
    return f"1/(2**n - 1)*sum(({where} and {mismatch})*(-1)**(w[j] == '0')*2**j for j in indices)"


def embedding(token: str, *column: str) -> tuple[Published, Published]:
    """The ten printed rows of a word embedding, and how many they are; the sum of both embeddings is printed with 8."""
    name, of = f"palindrome/WE-{token}", Weights("WE", token=token)
    return (
        Published(name, "section 3.2.1", f"$WE({token}) = ({', '.join(column)})$", Matrix(of, *column)),
        Published(f"{name}-shape", "section 3.2.1", f"$WE({token})$ has 10 rows", Shape(of, 10), under=(("padding",),)),
    )


def of_both(name: str, *of_matrix: Slip, of_sums: tuple[Slip, ...] = ()) -> tuple[str | Published, ...]:
    """What depends on W_V of head 1, about one of the two constructions: the matrix itself is a slip of the repaired
    one, all that should come of it is false of the other."""
    return (
        "section 3.2.3",
        claim(
            f"{name}/W_V-2-1",
            "$W^{V,2,1}$: $0^{10 \\times 10}$ above $(0, \\dots, 0, 1)$",
            Matrix(Weights("W_V", 2, 1), *zeros(10, 10), "0 0 0 0 0 0 0 0 0 1"),
            slip=of_matrix,
        ),
        claim(
            f"{name}/s",
            "$s = \\frac{1}{2^n - 1} \\sum (-1)^{I[w_i = 0]} 2^i$ for $c = \\ln 2$, "
            "over $i$ in the first half with $w_i \\ne w_{n-i-1}$",
            Value(Logit(), mismatches("2*j <= n - 1"), at={"c": "log(2)"}),
            under=(("symbols only",),),
            slip=of_sums,
        ),
        claim(
            f"{name}/zero",
            "$s = 0$ exactly where $w$ is a palindrome",
            Compares("==", 0, None, BASE_2, only=True),
            slip=of_sums,
        ),
        "section 3.2.4",
        claim(f"{name}/recognises", "$y = I[s = 0]$ recognises PALINDROME", Accepts(None, BASE_2), slip=of_sums),
        "appendix A",
        claim(
            f"{name}/V-2-1",
            "$V^{2,1} = (I[w_i = 1], \\dots, I[w_i = 1], 0, \\dots, 0)$: the 1s of the first half",
            Value(Projected("W_V", 2, 1, "s"), f"({LEFT} and w[i] == '1')"),
            slip=of_sums,
        ),
        claim(
            f"{name}/s-1",
            "$s = \\sum_i I[w_i = 1 \\wedge i \\le \\frac{n-1}{2}] \\frac{\\exp(ci)}{\\sum_j \\exp(cj)} "
            "- \\sum_i I[w_i = 1 \\wedge i \\ge \\frac{n-1}{2}] "
            "\\frac{\\exp(c(n-i-1))}{\\sum_j \\exp(c(n-j-1))}$",
            Value(
                Logit(),
                f"sum((w[j] == '1' and 2*j <= n - 1)*exp(c*j) for j in indices)/{TOTAL} "
                f"- sum((w[j] == '1' and 2*j >= n - 1)*exp(c*(n - j - 1)) for j in indices)/{REVERSED}",
            ),
            slip=of_sums,
        ),
        claim(
            f"{name}/s-3",
            "$s = \\sum_{i=0}^{\\lfloor \\frac{n-1}{2} \\rfloor} I[w_i = 1] \\frac{\\exp(ci)}{\\sum_j \\exp(cj)} "
            "- \\sum_{i=0}^{\\lfloor \\frac{n-1}{2} \\rfloor} I[w_{n-i-1} = 1] "
            "\\frac{\\exp(ci)}{\\sum_j \\exp(cj)}$",
            Value(
                Logit(),
                f"sum((w[j] == '1' and 2*j <= n - 1)*exp(c*j) for j in indices)/{TOTAL} "
                f"- sum((w[n-1-j] == '1' and 2*j <= n - 1)*exp(c*j) for j in indices)/{TOTAL}",
            ),
            slip=of_sums,
        ),
        claim(
            f"{name}/s-4",
            "$s = \\frac{1}{\\sum_j \\exp(cj)} \\sum_{i \\le \\frac{n-1}{2}} (I[w_i = 1] - I[w_{n-i-1} = 1]) e^{ci}$",
            Value(Logit(), S),
            slip=of_sums,
        ),
    )


STACKED: tuple[
    tuple[str, str, Literal["W_K", "W_V"], int, tuple[object, object], tuple[tuple[Convention, ...], ...]], ...
] = (
    ("K-2-1", "$K^{2,1} = (0, \\dots, n-1)^\\top$ is a column", "W_K", 1, ("n", 1), ()),
    ("V-2-1", "$V^{2,1}$ is the transpose of a matrix of 11 rows", "W_V", 1, ("n", 11), ()),
    ("K-2-2", "$K^{2,2} = (n-1, \\dots, 0)$ is a row", "W_K", 2, (1, "n"), (("transposition",),)),
    ("V-2-2", "$V^{2,2}$ is a matrix of 11 rows", "W_V", 2, (11, "n"), (("transposition",),)),
)
"""How keys and values are put together in appendix A: those of the second head without the sign of transposition."""

claims = Claims(
    "palindrome",
    "section 2.1",
    claim(
        "positions",
        "$n$ is the length of the sequence plus any CLS or EOS tokens, and $w_i$ for $i \\in [0, \\dots, n-1]$",
        Count("positions", "m + 2"),
    ),
    "section 2.2",
    claim("WE-domain", "$WE : \\Sigma \\to R^d$", Domain("WE", "0", "1"), slip=WORD_EMBEDDING),
    claim("PE-domain", "$PE : N \\to R^d$", Domain("PE", "i"), slip=POSITION_ENCODING),
    claim(
        "PE-in-words",
        "position encodings are functions of the position and the length of the input",
        Domain("PE", "i", "n"),
    ),
    claim("output-position", "the output at position 0 is the result", Output("first")),
    "section 3.2",
    claim("layers", "$L = 2$", Count("layers", 2)),
    claim("heads", "$H = 2$ in the second layer", Count("heads", 2, layer=2)),
    claim("width", "$d = 11$", Count("width", 11)),
    *embedding("0", *"1000000000"),
    *embedding("1", *"0100000000"),
    *embedding("CLS", *"0010000000"),
    *embedding("EOS", *"0001000000"),
    "section 3.2.1",
    claim(
        "PE",
        "$PE(i) = (0, 0, 0, 0, i, n-i-1, I[i \\le \\frac{n-1}{2}], I[i \\ge \\frac{n-1}{2}])$",
        Vector(0, "0", "0", "0", "0", *POSITION, stage="position"),
    ),
    claim(
        "halves",
        "the two halves are disjoint for even $n$; for odd $n$ both contain $i = \\frac{n-1}{2}$",
        Value(Stream("[left]", 0, "embedding"), f"1 - ({RIGHT}) + (2*i == n - 1)"),
    ),
    claim(
        "a0",
        "$a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[w_i = EOS], i, n-i-1, I[i \\le \\frac{n-1}{2}], "
        "I[i \\ge \\frac{n-1}{2}])$",
        Vector(0, *ENCODING, stage="embedding"),
    ),
    "section 3.2.2",
    claim("W_V-1", "$W^{V,1} = 0$", Matrix(Weights("W_V", 1, 1))),
    claim(
        "W_F1",
        "$W^{F,1,1}$: $(-1, 0, -1, -1, 0, 0, 1, 0)$ and $(-1, 0, -1, -1, 0, 0, 0, 1)$",
        Matrix(Weights("W_F1", 1), "-1 0 -1 -1 0 0 1 0", "-1 0 -1 -1 0 0 0 1"),
    ),
    claim("W_F1-shape", "$W^{F,1,1}$ is $2 \\times 8$", Shape(Weights("W_F1", 1), 2, 8)),
    claim("b_F1", "$b^{F,1,1} = 0$", Matrix(Weights("b_F1", 1))),
    claim(
        "W_F2",
        "$W^{F,1,2}$: $0^{8 \\times 2}$ above $(1, 0)$ and $(0, 1)$",
        Matrix(Weights("W_F2", 1), *zeros(8, 2), "1 0", "0 1"),
    ),
    claim("W_F2-shape", "$W^{F,1,2}$ is $10 \\times 2$", Shape(Weights("W_F2", 1), 10, 2)),
    claim("b_F2", "$b^{F,1,2} = 0$", Matrix(Weights("b_F2", 1))),
    claim(
        "a1",
        "$a^{1,i}$: $a^{0,i}$ with $I[i \\le \\frac{n-1}{2} \\wedge w_i = 1]$ and "
        "$I[i \\ge \\frac{n-1}{2} \\wedge w_i = 1]$",
        Vector(1, *ENCODING, f"({LEFT} and w[i] == '1')", f"({RIGHT} and w[i] == '1')"),
    ),
    *(
        Published(
            f"palindrome/center-{head}",
            "section 3.2.3",
            f"both heads attend more to positions closer to the center of the sequence: head {head}",
            Reading(Prefers(2, head, CLOSER), "of all positions"),
            Reading(Prefers(2, head, closer_in_its_half), "of those in the half that it looks at"),
            slip=CENTER,
        )
        for head, closer_in_its_half in ((1, CLOSER_IN_FIRST_HALF), (2, "p < q and 2*p >= n - 1 and q <= n - 1"))
    ),
    *(
        Published(
            f"palindrome/W_Q-2-{head}",
            "section 3.2.3",
            f"$W^{{Q,2,{head}}} = (0, 0, c\\sqrt{{d}}, 0, \\dots, 0)$",
            Matrix(Weights("W_Q", 2, head), "0 0 c*sqrt(d) 0 0 0 0 0 0 0"),
        )
        for head in (1, 2)
    ),
    "section 3.2.3",
    claim(
        "W_K-2-1", "$W^{K,2,1} = (0, 0, 0, 0, 1, 0, 0, 0, 0, 0)$", Matrix(Weights("W_K", 2, 1), "0 0 0 0 1 0 0 0 0 0")
    ),
    claim(
        "W_K-2-2", "$W^{K,2,2} = (0, 0, 0, 0, 0, 1, 0, 0, 0, 0)$", Matrix(Weights("W_K", 2, 2), "0 0 0 0 0 1 0 0 0 0")
    ),
    claim(
        "W_V-2-2",
        "$W^{V,2,2}$: $0^{10 \\times 10}$ above $(0, \\dots, 0, -1)$",
        Matrix(Weights("W_V", 2, 2), *zeros(10, 10), "0 0 0 0 0 0 0 0 0 -1"),
    ),
    claim("W_V-2-shape", "$W^{V,2,1}$ is $11 \\times 10$", Shape(Weights("W_V", 2, 1), 11, 10)),
    claim("second-FFNN", "$W^{F,2,2} = 0$", Matrix(Weights("W_F2", 2))),
    claim(
        "a2",
        "$a^{2,0} = (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, s)$",
        Vector(2, "0", "0", "1", *["0"] * 7, S, when="i == 0"),
        slip=AT_CLS,
    ),
    *of_both("palindrome", WRONG_HALF),
    "section 3.2.4",
    claim("W", "$W^O = (0, \\dots, 0, 1)$", Matrix(Weights("W"), "0 0 0 0 0 0 0 0 0 0 1")),
    claim("b", "$b^O = 0$", Matrix(Weights("b"), "0")),
    claim(
        "magnitude",
        "in the worst case $s$ is of magnitude $O(1/2^n)$, for $c = \\ln 2$",
        Reading(
            Order("O", "1/2**n", side="rejected", at={"c": "log(2)"}),
            sense="the worst case is the least s that is not 0",
        ),
    ),
    "section 3.2.5",
    claim(
        "base-2",
        "$c = \\ln 2$ turns the softmax into base 2: $\\alpha^{2,1,0}_i = 2^i/(2^n - 1)$",
        Value(Attention(2, 1), "2**p/(2**n - 1)", at={"c": "log(2)"}),
    ),
    "appendix A",
    claim(
        "q", "$q^{2,1,0} = q^{2,2,0} = c\\sqrt{d}$: head 1", Value(Projected("W_Q", 2, 1, "q"), "c*sqrt(d)", "i == 0")
    ),
    claim(
        "q-2", "$q^{2,1,0} = q^{2,2,0} = c\\sqrt{d}$: head 2", Value(Projected("W_Q", 2, 2, "q"), "c*sqrt(d)", "i == 0")
    ),
    claim("K-2-1", "$K^{2,1} = (0, \\dots, i, \\dots, n-1)$", Value(Projected("W_K", 2, 1, "q"), "i")),
    claim("K-2-2", "$K^{2,2} = (n-1, \\dots, n-i-1, \\dots, 0)$", Value(Projected("W_K", 2, 2, "q"), "n - i - 1")),
    *(
        Published(f"palindrome/{id}-stacked", "appendix A", printed, Stack(part, 2, head, "rows", *shape), under=under)
        for id, printed, part, head, shape, under in STACKED
    ),
    "appendix A",
    claim(
        "V-2-2",
        "$V^{2,2} = (0, \\dots, 0, I[w_i = 1], \\dots, I[w_i = 1])$: the 1s of the second half",
        Value(Projected("W_V", 2, 2, "s"), f"({RIGHT} and w[i] == '1')"),
        slip=SIGN,
    ),
    claim(
        "alpha-1",
        "$\\alpha^{2,1,0}_i = \\frac{\\exp(ci)}{\\sum_{j=0}^{n-1} \\exp(cj)}$",
        Value(Attention(2, 1), f"exp(c*p)/{TOTAL}"),
    ),
    claim(
        "alpha-2",
        "$\\alpha^{2,2,0}_i = \\frac{\\exp(c(n-i-1))}{\\sum_{j=0}^{n-1} \\exp(c(n-j-1))}$",
        Value(Attention(2, 2), f"exp(c*(n - p - 1))/{REVERSED}"),
    ),
    claim(
        "s-5",
        "$s = \\frac{1}{2^n - 1} \\sum_{w_i \\ne w_{n-i-1}} (-1)^{I[w_i = 0]} 2^i$, for $c = \\ln 2$",
        Value(Logit(), mismatches("1 == 1"), at={"c": "log(2)"}),
        under=(("symbols only",),),
        slip=BOTH_HALVES,
    ),
    claim(
        "powers",
        "there is no way to sum powers of 2 with coefficients $\\le 1$ to get a larger power of 2",
        Reading(
            Value(Formula("sum(2**j for j in indices)"), "2**n - 1"),
            sense="all smaller powers together are 1 less than the next",
        ),
    ),
    claim(
        "EOS",
        "unless the sequence is symmetric with its tags, the two halves have different normalisation constants",
        Value(Formula(f"({Z} != {Z_REVERSED})"), "1"),
        slip=WHY_EOS,
    ),
    "appendix C",
    claim(
        "decimals",
        "$1.2345 \\times 10^8 + 6.7890 \\times 10^3 = 123456789$",
        Value(Formula("12345*10**4 + 67890/10"), "123456789"),
    ),
    claim(
        "rounded",
        "to five digits, that is $1.2345 \\times 10^8$",
        Reading(Value(Formula("123456789 - 123456789 % 10**4"), "12345*10**4"), sense="the other digits are cut off"),
        Reading(
            Value(Formula("123456789 + 5000 - (123456789 + 5000) % 10**4"), "12345*10**4"),
            sense="it is rounded to the nearest, as floating point does",
        ),
        slip=ROUNDED,
    ),
    claim(
        "plus",
        "$\\sum_{i=0}^n \\frac{2^i}{2^{n+1} - 1} + \\sum_{i=n}^0 \\frac{2^i}{2^{n+1} - 1} = 0$",
        Value(Formula(f"{POWERS} + {POWERS_REVERSED}"), "0"),
        slip=PLUS,
    ),
    repair="Head 1 of the second layer reads the mark of the first half, where print has that of the second.",
)
