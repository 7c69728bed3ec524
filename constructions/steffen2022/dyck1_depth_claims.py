"""What Steffen et al. (2022) print about DYCK-(1,D): section 4.2, in the order of the paper; see `dyck1`."""

from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Domain,
    Matrix,
    Output,
    Rows,
    Shape,
    Stream,
    Value,
    Vector,
    Weights,
    relu,
    zeros,
)
from weightproof.constructions.steffen2022.dyck1_claims import AT_J, LAST, SHIFTED, total, value, vector
from weightproof.constructions.steffen2022.slips import (
    DEPTH,
    ENCODING,
    OUTPUT,
    POSITION_ENCODING,
    PRECEDES,
    ROW,
    WORD_EMBEDDING,
    K,
)

WITH_DEPTH = (*ENCODING, "D/i")

claims = Claims(
    "dyck1-depth",
    Published(
        "dyck1-depth/WE-domain", "section 2.1", "$WE : \\Sigma \\to R^d$", Domain("WE", "0", "1"), slip=WORD_EMBEDDING
    ),
    Published("dyck1-depth/PE-domain", "section 2.1", "$PE : N \\to R^d$", Domain("PE", "i"), slip=POSITION_ENCODING),
    Published(
        "dyck1-depth/output-layer", "section 2.1", "$y = W^{L+1} a^{L,0} + b^{L+1}$", Output("first"), slip=OUTPUT
    ),
    Published(
        "dyck1-depth/precede",
        "section 4",
        "our model only attends to input elements that precede the current index $i$: CLS, at $i = 0$, to none",
        Value(Attention(1, 1), "0", "p >= 0"),
        slip=PRECEDES,
    ),
    Published("dyck1-depth/recognises", "section 4", "recognises DYCK-(1,D) with perfect accuracy", Accepts()),
    Published(
        "dyck1-depth/a0",
        "section 4.2",
        "$a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \\frac{D}{i})$",
        Vector(0, *ENCODING, "D/i", stage="embedding"),
        under=SHIFTED,
    ),
    Published("dyck1-depth/W_Q", "section 4.2", "$W^{Q,1,1} = 0$", Matrix(Weights("W_Q", 1, 1))),
    Published("dyck1-depth/W_K", "section 4.2", "$W^{K,1,1} = 0$", Matrix(Weights("W_K", 1, 1))),
    Published(
        "dyck1-depth/W_V",
        "section 4.2",
        "$W^{V,1,1}$: $0^{5 \\times 5}$ above $(0, 0, 1, 0, 0)$ and $(-1, 1, 0, 0, 0)$",
        Matrix(Weights("W_V", 1, 1), *zeros(5, 5), "0 0 1 0 0", "-1 1 0 0 0"),
    ),
    Published(
        "dyck1-depth/W_V-shape", "section 4.2", "$W^{V,1,1}$ is $7 \\times 5$", Shape(Weights("W_V", 1, 1), 7, 5)
    ),
    Published(
        "dyck1-depth/c1",
        "section 4.2",
        "$c^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \\frac{D}{i}, \\frac{1}{i} k(w[:i]))$",
        vector(1, *WITH_DEPTH, "{k}/i", stage="attention"),
        under=SHIFTED,
        slip=(ROW, K),
    ),
    Published("dyck1-depth/c1-shape", "section 4.2", "$c^{1,i}$ has 6 rows", Shape(Rows(1, "attention"), 6), slip=ROW),
    Published(
        "dyck1-depth/k",
        "section 4.2",
        "$c^{1,i}$ holds $\\frac{1}{i} k(w[:i])$",
        value(Stream("k/i", 1, "attention"), "{k}/i"),
        under=SHIFTED,
        slip=K,
    ),
    Published(
        "dyck1-depth/W_F1-1",
        "section 4.2",
        "$W^{F,1,1}$: $0^{5 \\times 4}$ beside $(0, 1, 1)$, $(0, 0, 1)$, $(0, -1, 1)$, $(-1, 0, -1)$, $(-1, -1, -1)$",
        Matrix(
            Weights("W_F1", 1),
            *("0 0 0 0 0 1 1", "0 0 0 0 0 0 1", "0 0 0 0 0 -1 1", "0 0 0 0 -1 0 -1", "0 0 0 0 -1 -1 -1"),
        ),
    ),
    Published(
        "dyck1-depth/W_F1-1-shape", "section 4.2", "$W^{F,1,1}$ is $5 \\times 7$", Shape(Weights("W_F1", 1), 5, 7)
    ),
    Published("dyck1-depth/b_F1-1", "section 4.2", "$b^{F,1,1} = 0$", Matrix(Weights("b_F1", 1))),
    Published(
        "dyck1-depth/b_F1-1-shape", "section 4.2", "$b^{F,1,1}$ is $5 \\times 1$", Shape(Weights("b_F1", 1), 5, 1)
    ),
    Published(
        "dyck1-depth/W_F2-1",
        "section 4.2",
        "$W^{F,1,2}$: $0^{7 \\times 5}$ above $(1, -2, 1, 0, 0)$, $(0, 1, -1, 0, 0)$, $(0, 0, 0, 1, -1)$",
        Matrix(Weights("W_F2", 1), *zeros(7, 5), "1 -2 1 0 0", "0 1 -1 0 0", "0 0 0 1 -1"),
    ),
    Published(
        "dyck1-depth/W_F2-1-shape", "section 4.2", "$W^{F,1,2}$ is $10 \\times 5$", Shape(Weights("W_F2", 1), 10, 5)
    ),
    Published("dyck1-depth/b_F2-1", "section 4.2", "$b^{F,1,2} = 0$", Matrix(Weights("b_F2", 1))),
    Published(
        "dyck1-depth/b_F2-1-shape", "section 4.2", "$b^{F,1,2}$ is $10 \\times 1$", Shape(Weights("b_F2", 1), 10, 1)
    ),
    Published(
        "dyck1-depth/h1",
        "section 4.2",
        "$h^{1,i} = \\frac{1}{i} (\\max(0, k(w[:i]) + 1), \\max(0, k(w[:i])), \\max(0, k(w[:i]) - 1), "
        "\\max(0, -k(w[:i]) - D), \\max(0, -k(w[:i]) - D - 1))$",
        vector(
            1,
            relu("{k} + 1", "1/i"),
            relu("{k}", "1/i"),
            relu("{k} - 1", "1/i"),
            relu("-{k} - D", "1/i"),
            relu("-{k} - D - 1", "1/i"),
            stage="activation",
        ),
        under=SHIFTED,
        slip=K,
    ),
    Published(
        "dyck1-depth/a1",
        "section 4.2",
        "$a^{1,i}$: the rows of $c^{1,i}$ as printed, with $\\frac{1}{i} I[k(w[:i]) = 0]$, "
        "$\\frac{1}{i} I[k(w[:i]) > 0]$, $\\frac{1}{i} I[k(w[:i]) < -D]$",
        vector(1, *WITH_DEPTH, "{k}/i", "({k} == 0)/i", "({k} > 0)/i", "({k} < -D)/i"),
        under=SHIFTED,
        slip=(ROW, K),
    ),
    Published("dyck1-depth/a1-shape", "section 4.2", "$a^{1,i}$ has 9 rows", Shape(Rows(1), 9), slip=ROW),
    Published(
        "dyck1-depth/zero",
        "section 4.2",
        "$a^{1,i}$ holds $\\frac{1}{i} I[k(w[:i]) = 0]$",
        value(Stream("[k=0]/i", 1), "({k} == 0)/i"),
        under=SHIFTED,
    ),
    Published(
        "dyck1-depth/positive",
        "section 4.2",
        "$a^{1,i}$ holds $\\frac{1}{i} I[k(w[:i]) > 0]$",
        value(Stream("[k>0]/i", 1), "({k} > 0)/i"),
        under=SHIFTED,
        slip=K,
    ),
    Published(
        "dyck1-depth/deep",
        "section 4.2",
        "$a^{1,i}$ holds $\\frac{1}{i} I[k(w[:i]) < -D]$",
        value(Stream("[k<-D]/i", 1), "({k} < -D)/i"),
        under=SHIFTED,
        slip=K,
    ),
    Published("dyck1-depth/W_V-2", "section 4.2", "$W^{V,2,1} = 0$", Matrix(Weights("W_V", 2, 1))),
    Published(
        "dyck1-depth/W_F1-2",
        "section 4.2",
        "$W^{F,2,1} = (-1, -1, -1, 1, 0, 0, 0, 1, 0, 0)$",
        Matrix(Weights("W_F1", 2), "-1 -1 -1 1 0 0 0 1 0 0"),
    ),
    Published(
        "dyck1-depth/W_F1-2-shape", "section 4.2", "$W^{F,2,1}$ is $1 \\times 10$", Shape(Weights("W_F1", 2), 1, 10)
    ),
    Published("dyck1-depth/b_F1-2", "section 4.2", "$b^{F,2,1} = 0$", Matrix(Weights("b_F1", 2))),
    Published(
        "dyck1-depth/W_F2-2",
        "section 4.2",
        "$W^{F,2,2}$: $0^{10 \\times 1}$ above $1$",
        Matrix(Weights("W_F2", 2), *zeros(10, 1), "1"),
    ),
    Published(
        "dyck1-depth/W_F2-2-shape", "section 4.2", "$W^{F,2,2}$ is $11 \\times 1$", Shape(Weights("W_F2", 2), 11, 1)
    ),
    Published("dyck1-depth/b_F2-2", "section 4.2", "$b^{F,2,2} = 0$", Matrix(Weights("b_F2", 2))),
    Published(
        "dyck1-depth/b_F2-2-shape", "section 4.2", "$b^{F,2,2}$ is $11 \\times 1$", Shape(Weights("b_F2", 2), 11, 1)
    ),
    Published(
        "dyck1-depth/a2",
        "section 4.2",
        "$a^{2,i}$: the rows of $a^{1,i}$ as printed, with the tenth row $\\frac{1}{i} I[k(w[:i]) = 0 \\wedge i = n]$",
        vector(
            2,
            *WITH_DEPTH,
            *("{k}/i", "({k} == 0)/i", "({k} > 0)/i", "({k} < -D)/i", "({k} == 0 and i == n - 1)/i"),
        ),
        under=SHIFTED,
        slip=(ROW, K),
    ),
    Published("dyck1-depth/a2-shape", "section 4.2", "$a^{2,i}$ has 10 rows", Shape(Rows(2), 10), slip=ROW),
    Published(
        "dyck1-depth/end",
        "section 4.2",
        "$a^{2,i}$ holds $\\frac{1}{i} I[k(w[:i]) = 0 \\wedge i = n]$",
        value(Stream("[k=0 and last]/i", 2), "({k} == 0 and i == n - 1)/i"),
        under=SHIFTED,
    ),
    Published(
        "dyck1-depth/end-of-balanced",
        "section 4.2, after 4.1",
        "it is $1/i$ if $i = n$, and 0 otherwise, where all brackets are closed",
        value(Stream("[k=0 and last]/i", 2), f"{LAST}/i", "count('0') == count('1')"),
        under=SHIFTED,
    ),
    Published(
        "dyck1-depth/depth",
        "section 4.2",
        "the difference in the number of opening and closing brackets of any $w[:i]$ is at most $-D$",
        Accepts(
            "count('0') == count('1') and all(count('1', j) <= count('0', j) for j in positions) "
            "and all(count('0', j) - count('1', j) <= -D for j in positions)"
        ),
        slip=DEPTH,
    ),
    Published(
        "dyck1-depth/conditions",
        "section 4.2",
        "words of DYCK-(1,D) are those with $I[k(w[:i]) > 0] = 0$ and $I[k(w[:i]) < -D] = 0$ for all $i \\le n$, and "
        "$k = 0$ at the end",
        Accepts(
            f"all({AT_J} <= 0 for j in positions) and all({AT_J} >= -D for j in positions) and count('0') == count('1')"
        ),
        slip=K,
    ),
    Published(
        "dyck1-depth/s",
        "section 4.2",
        "the output is $\\sum_{i=0}^n (\\frac{1}{i} I[k(w[:i]) = 0 \\wedge i = n] - \\frac{1}{i} I[k(w[:i]) > 0] "
        "- \\frac{1}{i} I[k(w[:i]) < -D])$",
        total("({k} == 0 and j == n - 1)/j - ({k} > 0)/j - ({k} < -D)/j"),
        under=SHIFTED,
        slip=K,
    ),
    Published(
        "dyck1-depth/member",
        "section 4.2",
        "it equals $1/n$ exactly where the word is balanced and at most $D$ deep",
        Compares("==", "1/(n - 1)", None, only=True),
        under=SHIFTED,
    ),
    Published(
        "dyck1-depth/other",
        "section 4.2",
        "it is at most 0 on all other words",
        Compares(">", 0, None, only=True),
    ),
    Published(
        "dyck1-depth/depth-row",
        "section 4.2",
        "$c^{1,i}$ holds $\\frac{D}{i}$",
        Value(Stream("D/i", 1, "attention"), "D/i"),
        under=SHIFTED,
    ),
    notation="The paper's n is n - 1 here: it numbers the symbols 1 to n, and CLS stands at 0.",
    repair="The readout sums over all positions, as section 4.2 has it, and the position encoding holds D/(i+1), where "
    "print has D/i, which has no value at CLS.",
)
