"""The distinct mistakes of print in Steffen et al. (2022), each with its smallest correction.

Corrections are in the notation of the paper, whose n is n - 1 here, with k(w[:i]) = count_1 - count_0 and 1/(i+1).
"""

from weightproof.constructions.claims.published import Slip
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Count,
    Domain,
    Output,
    Shape,
    Stream,
    Value,
    Vector,
    Weights,
)

ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "(i == n - 1)")
"""The fourth is I[i = n], for the paper's n."""
OPENED, CLOSED = "(count('0', i) - count('1', i))", "(count('1', i) - count('0', i))"

POSITIONS = Slip(
    "steffen2022/positions",
    "dyck1",
    "Positions are numbered $1, \\dots, n$, which leaves out CLS at 0, whose vector keys, values and output need.",
    "section 2.1",
    "$i = 0, \\dots, n$, of $n$ symbols",
    Count("positions", "m + 1"),
)
WORD_EMBEDDING = Slip(
    "steffen2022/WE",
    "dyck1",
    "The word embedding is declared on $\\Sigma$, in which there is no CLS.",
    "section 2.1",
    "$WE : \\Sigma \\cup \\{CLS\\} \\to R^d$",
    Domain("WE", "0", "1", "CLS"),
)
POSITION_ENCODING = Slip(
    "steffen2022/PE",
    "dyck1",
    "The position encoding is declared as a function of the position alone, but $I[i = n]$ depends on $n$, too.",
    "section 2.1",
    "$PE : N \\times N \\to R^d$, of $i$ and $n$",
    Domain("PE", "i", "n"),
)
OUTPUT = Slip(
    "steffen2022/output",
    "dyck1",
    "The output layer reads CLS, at which causal attention sees nothing of the word; the one of section 4 sums over "
    "all positions.",
    "section 2.1",
    "$y = \\sum_{i=0}^n (W^{L+1} a^{L,i} + b^{L+1})$",
    Output("sum"),
)
K = Slip(
    "steffen2022/k",
    "dyck1",
    "$k(w[:i])$ is defined as the opened less the closed brackets; the weights compute the closed less the opened "
    "ones, as the words before the display say and all that follows needs.",
    "section 4.1",
    "the first head computes $\\frac{1}{i+1} (count_1 w[:i] - count_0 w[:i]) = \\frac{1}{i+1} k(w[:i])$",
    Value(Stream("k/i", 1, "attention"), f"{CLOSED}/(i + 1)"),
)
ROW = Slip(
    "steffen2022/row",
    "dyck1",
    "The row $\\frac{1}{i}$ of $c^{1,i}$ is missing from the vectors printed later, though $W^{F,1,1}$ and $W^{F,2,1}$ "
    "have a column for it.",
    "section 4.1",
    "$a^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \\frac{1}{i+1} k(w[:i]), \\frac{1}{i+1}, "
    "\\frac{1}{i+1} I[k(w[:i]) > 0], \\frac{1}{i+1} I[k(w[:i]) = 0])$",
    Vector(1, *ENCODING, f"{CLOSED}/(i + 1)", "1/(i + 1)", f"({CLOSED} > 0)/(i + 1)", f"({CLOSED} == 0)/(i + 1)"),
)
BIAS = Slip(
    "steffen2022/bias",
    "dyck1",
    "$b^{F,2,2}$ is added to a vector of nine rows, and cannot have one; for DYCK-(1,D) it is printed with all rows.",
    "section 4.1",
    "$b^{F,2,2} = 0^{9 \\times 1}$",
    Shape(Weights("b_F2", 2), 9, 1),
)
INDEX = Slip(
    "steffen2022/index",
    "dyck1",
    "The first superscript is a layer, of which there are two, and not a position: $a^{i,n}$ stands for $a^{2,i}$.",
    "section 4.1",
    "in $a^{2,i}$: $\\frac{1}{i+1}$ if $i = n$, and 0 otherwise, where all brackets are closed",
    Value(Stream("[k=0 and last]/i", 2), "(i == n - 1)/(i + 1)", "count('0') == count('1')"),
)
DEPTH = Slip(
    "steffen2022/depth",
    "dyck1-depth",
    "The opened less the closed brackets are to be at most $D$; at least $-D$ are the closed less the opened ones.",
    "section 4.2",
    "accepted are the words of 1-DYCK with $count_0 w[:i] - count_1 w[:i] \\le D$ for all $i$",
    Accepts(
        "count('1') == count('0') and all(count('1', j) <= count('0', j) "
        "and count('0', j) - count('1', j) <= D for j in positions)"
    ),
)
PRECEDES = Slip(
    "steffen2022/precede",
    "dyck1",
    "A position attends to itself, too, which does not precede it: CLS to nothing else.",
    "section 4",
    "our model only attends to input elements up to the current index $i$: CLS to itself alone",
    Value(Attention(1, 1), "(p == 0)"),
)
