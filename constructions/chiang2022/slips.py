"""The distinct mistakes of print in Chiang and Cholak (2022), each with its smallest correction."""

from weightproof.constructions.chiang2022.transformed import EXACTLY, FIRST_REPAIRED, GROWING, NORMALISED, SHARPEN
from weightproof.constructions.claims.published import Slip
from weightproof.constructions.claims.statements import (
    Accepts,
    Compares,
    Count,
    CrossEntropy,
    Domain,
    Formula,
    Logit,
    Value,
    Weights,
    Writes,
)

Z1 = "((n - 1)/2*exp(c) + (n + 1)/2*exp(-c))"
Z2 = "((n + 1)/2*exp(c) + (n - 1)/2*exp(-c))"
"""The partition functions of the two heads of PARITY for odd n."""

POSITIONS = Slip(
    "chiang2022/positions",
    "parity",
    "Positions are numbered $0, \\dots, n$, but $n$ counts CLS already, so that they end at $n-1$.",
    "section 2.2.1",
        "positions $i = 0, \\dots, n-1$, keys and values with $n$ rows, with $n = \\lvert w \\rvert + 1$",
        Count("positions", "m + 1"),
)  # fmt: skip
WORD_EMBEDDING = Slip(
    "chiang2022/WE",
    "parity",
    "The word embedding is declared on $\\Sigma$, in which there is no CLS.",
    "section 2.2.1",
    "$WE : \\Sigma \\cup \\{CLS\\} \\to R^d$",
    Domain("WE", "0", "1", "CLS"),
)
POSITION_ENCODING = Slip(
    "chiang2022/PE",
    "parity",
    "The position encoding is declared as a function of the position alone, but $i/n$ depends on $n$, too.",
    "section 2.2.1",
    "$PE : N \\times N \\to R^d$, of $i$ and $n$",
    Domain("PE", "i", "n"),
)
COSH = Slip(
    "chiang2022/cosh",
    "parity",
    "Half the difference of $\\exp 2c$ and $\\exp(-2c)$ is $\\sinh 2c$, as it is in the case of even $k$.",
    "appendix A",
    "$s = \\frac{(n+1) \\sinh 2c}{n Z_1 Z_2}$ for $n$ odd, $k$ odd",
    Value(Logit(), f"(n + 1)*sinh(2*c)/(n*{Z1}*{Z2})", "n % 2 == 1 and count('1') % 2 == 1"),
)
VALUES = Slip(
    "chiang2022/values",
    "first",
    "Components 4 and 5 of the values are 0 at every position, position 1 included; the values stand in component 6.",
    "section 5.2",
    "the values are $V^{2,1}_{i,6}$",
    Writes(Weights("W_V", 2, 1), 6),
)
CROSS_ENTROPY = Slip(
    "chiang2022/cross-entropy",
    "first",
    "The cross-entropy is the negative logarithm of the probability.",
    "section 4.2",
    "$-\\log \\sigma(c \\sqrt{d/2}) = \\eta$",
    Value(Formula("-log(1/(1 + exp(log(exp(eta) - 1))))"), "eta"),
    asked=(*EXACTLY, SHARPEN),
)
ZERO_LOGIT = Slip(
    "chiang2022/zero-logit",
    "first",
    "Where the logit is 0, as FIRST has it on the empty word, the new layer makes a row of zeros, and its norm with "
    "$\\epsilon = 0$ is 0/0: it is not for any $T$.",
    "section 4.2, proposition 2",
    "where $T$ is FIRST with a logit below 0 on the empty word, for $\\eta < \\log 2$ the cross-entropy is at most "
    "$\\eta$",
    CrossEntropy("<=", "eta", "exp(eta) < 2"),
    asked=(FIRST_REPAIRED, *EXACTLY, SHARPEN),
)
LARGE_ETA = Slip(
    "chiang2022/eta",
    "one",
    "For $\\eta \\ge \\log 2$ the factor $c$ is not positive, and turns every decision round.",
    "section 4.2, proposition 2",
    "for $\\eta < \\log 2$ it recognises ONE",
    Accepts(given="exp(eta) < 2"),
    asked=(*EXACTLY, SHARPEN),
)
FIRST_NORMS = Slip(
    "chiang2022/first-norms",
    "first",
    "The norms before the last one scale the rows, too: $s$, its row's 1, and the exponent of $n$ in the attention.",
    "section 5.3, proposition 3",
    "$\\lvert\\bar{s}\\rvert \\ge \\frac{1}{4}$ for $\\epsilon \\le \\frac{3}{10}$ where $w_1 = 1$",
    Compares(">=", "1/4", "w[1] == '1'", "epsilon <= 3/10"),
    asked=(*GROWING, *NORMALISED),
)
