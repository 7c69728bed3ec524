"""The distinct mistakes of print in Nowak et al. (2022), each with its smallest correction."""

from weightproof.constructions.claims.published import Slip
from weightproof.constructions.claims.statements import (
    Domain,
    Formula,
    Logit,
    Matrix,
    Prefers,
    Projected,
    Value,
    Vector,
    Weights,
    zeros,
)

WORD_EMBEDDING = Slip(
    "nowak2022/WE",
    "palindrome",
    "The word embedding is declared on $\\Sigma$, in which there is no CLS and no EOS.",
    "section 2.2",
    "$WE : \\Sigma \\cup \\{CLS, EOS\\} \\to R^d$",
    Domain("WE", "0", "1", "CLS", "EOS"),
)
POSITION_ENCODING = Slip(
    "nowak2022/PE",
    "palindrome",
    "The position encoding is declared as a function of the position alone; the text above it allows the length, too, "
    "which every one in use depends on.",
    "section 2.2",
    "$PE : N \\times N \\to R^d$, of $i$ and $n$",
    Domain("PE", "i", "n"),
)
WRONG_HALF = Slip(
    "nowak2022/W_V",
    "palindrome",
    "The 1 in $W^{V,2,1}$ stands one column too far to the right, where it reads the mark of the second half.",
    "section 3.2.3",
    "$W^{V,2,1}$: $0^{10 \\times 10}$ above $(0, \\dots, 0, 1, 0)$",
    Matrix(Weights("W_V", 2, 1), *zeros(10, 10), "0 0 0 0 0 0 0 0 1 0"),
)
Z, Z_REVERSED = "sum(exp(c*j) for j in indices)", "sum(exp(c*(n - j - 1)) for j in indices)"
"""The normalisation constants of the two heads."""
AT_CLS = Slip(
    "nowak2022/CLS",
    "palindrome",
    "CLS is in the first half, at distance $n-1$ from the end, and the residual connection keeps both.",
    "section 3.2.3",
    "$a^{2,0} = (0, 0, 1, 0, 0, n-1, 1, 0, 0, 0, s)$",
    Vector(
        2,
        *("0", "0", "1", "0", "0", "n - 1", "1", "0", "0", "0"),
        f"sum((2*j <= n - 1)*((w[j] == '1') - (w[n-1-j] == '1'))*exp(c*j) for j in indices)/{Z}",
        when="i == 0",
    ),
)
CLOSER = "p < n and ((q < p and p + q < n - 1) or (p < q and p + q > n - 1))"
"""p is closer to (n-1)/2 than q."""
CLOSER_IN_FIRST_HALF = "q < p and 2*p <= n - 1"
CENTER = Slip(
    "nowak2022/center",
    "palindrome",
    "Head 1 attends the more to a position the closer it is to the end of the sequence, head 2 to its beginning: only "
    "in the half that it looks at is that towards the center.",
    "section 3.2.3",
    "in its own half head 1 attends more to positions closer to the center of the sequence",
    Prefers(2, 1, CLOSER_IN_FIRST_HALF),
)
SIGN = Slip(
    "nowak2022/sign",
    "palindrome",
    "The values of the second head lack the sign of $W^{V,2,2}$, which the sum for $s$ has.",
    "appendix A",
    "$V^{2,2} = (0, \\dots, 0, -I[w_i = 1], \\dots, -I[w_i = 1])$",
    Value(Projected("W_V", 2, 2, "s"), "-(i >= (n - 1)/2 and w[i] == '1')"),
)
BOTH_HALVES = Slip(
    "nowak2022/range",
    "palindrome",
    "The last line of the derivation loses the range $i \\le \\frac{n-1}{2}$ of the sum, and so counts each mismatch "
    "twice, once with the weight of the other half.",
    "appendix A",
    "$s = \\frac{1}{2^n - 1} \\sum (-1)^{I[w_i = 0]} 2^i$ over $1 \\le i \\le \\frac{n-1}{2}$ with "
    "$w_i \\ne w_{n-i-1}$, for $c = \\ln 2$",
    Value(
        Logit(),
        "sum((1 <= j and 2*j <= n - 1 and w[j] != w[n-1-j])*(-1)**(w[j] == '0')*2**j for j in indices)/(2**n - 1)",
        at={"c": "log(2)"},
    ),
)
WHY_EOS = Slip(
    "nowak2022/EOS",
    "palindrome",
    "The normalisation constants of the two heads have the same $n$ terms in another order, whatever the positions "
    "hold; EOS is needed so that the first symbol stands opposite the last one, and not CLS.",
    "appendix A",
    "$\\sum_{j=0}^{n-1} \\exp(cj) = \\sum_{j=0}^{n-1} \\exp(c(n-j-1))$",
    Value(Formula(Z), Z_REVERSED),
)
POWERS = "sum(2**j for j in indices)/(2**n - 1)"
POWERS_REVERSED = "sum(2**(n - j - 1) for j in indices)/(2**n - 1)"
PLUS = Slip(
    "nowak2022/plus",
    "palindrome",
    "Two equal sums are added, and should be subtracted.",
    "appendix C",
    "$\\sum_{i=0}^n \\frac{2^i}{2^{n+1} - 1} - \\sum_{i=n}^0 \\frac{2^i}{2^{n+1} - 1} = 0$",
    Value(Formula(f"{POWERS} - {POWERS_REVERSED}"), "0"),
)
ROUNDED = Slip(
    "nowak2022/rounded",
    "palindrome",
    "The second summand changes the fifth digit; one that is ten times smaller would be lost.",
    "appendix C",
    "$1.2345 \\times 10^8 + 6.7890 \\times 10^2$ to five digits is $1.2345 \\times 10^8$",
    # In tenths.
    Value(Formula("12345*10**5 + 6789 + 50000 - (12345*10**5 + 6789 + 50000) % 10**5"), "12345*10**5"),
)
