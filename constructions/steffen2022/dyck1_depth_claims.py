"""What Steffen et al. (2022) print about DYCK-(1,D): section 4.2, in the order of the paper; see `dyck1`."""

from weightproof.constructions.claims.published import Claims, claim
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
    "section 2.1",
    claim("WE-domain", "$WE : \\Sigma \\to R^d$", Domain("WE", "0", "1"), slip=WORD_EMBEDDING),
    claim("PE-domain", "$PE : N \\to R^d$", Domain("PE", "i"), slip=POSITION_ENCODING),
    claim("output-layer", "$y = W^{L+1} a^{L,0} + b^{L+1}$", Output("first"), slip=OUTPUT),
    "section 4",
    claim(
        "precede",
        "our model only attends to input elements that precede the current index $i$: CLS, at $i = 0$, to none",
        Value(Attention(1, 1), "0", "p >= 0"),
        slip=PRECEDES,
    ),
    claim("recognises", "recognises DYCK-(1,D) with perfect accuracy", Accepts()),
    "section 4.2",
    claim(
        "a0",
        "$a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \\frac{D}{i})$",
        Vector(0, *ENCODING, "D/i", stage="embedding"),
        under=SHIFTED,
    ),
    claim("W_Q", "$W^{Q,1,1} = 0$", Matrix(Weights("W_Q", 1, 1))),
    claim("W_K", "$W^{K,1,1} = 0$", Matrix(Weights("W_K", 1, 1))),
    claim(
        "W_V",
        "$W^{V,1,1}$: $0^{5 \\times 5}$ above $(0, 0, 1, 0, 0)$ and $(-1, 1, 0, 0, 0)$",
        Matrix(Weights("W_V", 1, 1), *zeros(5, 5), "0 0 1 0 0", "-1 1 0 0 0"),
    ),
    claim("W_V-shape", "$W^{V,1,1}$ is $7 \\times 5$", Shape(Weights("W_V", 1, 1), 7, 5)),
    claim(
        "c1",
        "$c^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = n], \\frac{D}{i}, \\frac{1}{i} k(w[:i]))$",
        vector(1, *WITH_DEPTH, "{k}/i", stage="attention"),
        under=SHIFTED,
        slip=(ROW, K),
    ),
    claim("c1-shape", "$c^{1,i}$ has 6 rows", Shape(Rows(1, "attention"), 6), slip=ROW),
    claim(
        "k",
        "$c^{1,i}$ holds $\\frac{1}{i} k(w[:i])$",
        value(Stream("k/i", 1, "attention"), "{k}/i"),
        under=SHIFTED,
        slip=K,
    ),
    claim(
        "W_F1-1",
        "$W^{F,1,1}$: $0^{5 \\times 4}$ beside $(0, 1, 1)$, $(0, 0, 1)$, $(0, -1, 1)$, $(-1, 0, -1)$, $(-1, -1, -1)$",
        Matrix(
            Weights("W_F1", 1),
            *("0 0 0 0 0 1 1", "0 0 0 0 0 0 1", "0 0 0 0 0 -1 1", "0 0 0 0 -1 0 -1", "0 0 0 0 -1 -1 -1"),
        ),
    ),
    claim("W_F1-1-shape", "$W^{F,1,1}$ is $5 \\times 7$", Shape(Weights("W_F1", 1), 5, 7)),
    claim("b_F1-1", "$b^{F,1,1} = 0$", Matrix(Weights("b_F1", 1))),
    claim("b_F1-1-shape", "$b^{F,1,1}$ is $5 \\times 1$", Shape(Weights("b_F1", 1), 5, 1)),
    claim(
        "W_F2-1",
        "$W^{F,1,2}$: $0^{7 \\times 5}$ above $(1, -2, 1, 0, 0)$, $(0, 1, -1, 0, 0)$, $(0, 0, 0, 1, -1)$",
        Matrix(Weights("W_F2", 1), *zeros(7, 5), "1 -2 1 0 0", "0 1 -1 0 0", "0 0 0 1 -1"),
    ),
    claim("W_F2-1-shape", "$W^{F,1,2}$ is $10 \\times 5$", Shape(Weights("W_F2", 1), 10, 5)),
    claim("b_F2-1", "$b^{F,1,2} = 0$", Matrix(Weights("b_F2", 1))),
    claim("b_F2-1-shape", "$b^{F,1,2}$ is $10 \\times 1$", Shape(Weights("b_F2", 1), 10, 1)),
    claim(
        "h1",
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
    claim(
        "a1",
        "$a^{1,i}$: the rows of $c^{1,i}$ as printed, with $\\frac{1}{i} I[k(w[:i]) = 0]$, "
        "$\\frac{1}{i} I[k(w[:i]) > 0]$, $\\frac{1}{i} I[k(w[:i]) < -D]$",
        vector(1, *WITH_DEPTH, "{k}/i", "({k} == 0)/i", "({k} > 0)/i", "({k} < -D)/i"),
        under=SHIFTED,
        slip=(ROW, K),
    ),
    claim("a1-shape", "$a^{1,i}$ has 9 rows", Shape(Rows(1), 9), slip=ROW),
    claim(
        "zero",
        "$a^{1,i}$ holds $\\frac{1}{i} I[k(w[:i]) = 0]$",
        value(Stream("[k=0]/i", 1), "({k} == 0)/i"),
        under=SHIFTED,
    ),
    claim(
        "positive",
        "$a^{1,i}$ holds $\\frac{1}{i} I[k(w[:i]) > 0]$",
        value(Stream("[k>0]/i", 1), "({k} > 0)/i"),
        under=SHIFTED,
        slip=K,
    ),
    claim(
        "deep",
        "$a^{1,i}$ holds $\\frac{1}{i} I[k(w[:i]) < -D]$",
        value(Stream("[k<-D]/i", 1), "({k} < -D)/i"),
        under=SHIFTED,
        slip=K,
    ),
    claim("W_V-2", "$W^{V,2,1} = 0$", Matrix(Weights("W_V", 2, 1))),
    claim(
        "W_F1-2",
        "$W^{F,2,1} = (-1, -1, -1, 1, 0, 0, 0, 1, 0, 0)$",
        Matrix(Weights("W_F1", 2), "-1 -1 -1 1 0 0 0 1 0 0"),
    ),
    claim("W_F1-2-shape", "$W^{F,2,1}$ is $1 \\times 10$", Shape(Weights("W_F1", 2), 1, 10)),
    claim("b_F1-2", "$b^{F,2,1} = 0$", Matrix(Weights("b_F1", 2))),
    claim("W_F2-2", "$W^{F,2,2}$: $0^{10 \\times 1}$ above $1$", Matrix(Weights("W_F2", 2), *zeros(10, 1), "1")),
    claim("W_F2-2-shape", "$W^{F,2,2}$ is $11 \\times 1$", Shape(Weights("W_F2", 2), 11, 1)),
    claim("b_F2-2", "$b^{F,2,2} = 0$", Matrix(Weights("b_F2", 2))),
    claim("b_F2-2-shape", "$b^{F,2,2}$ is $11 \\times 1$", Shape(Weights("b_F2", 2), 11, 1)),
    claim(
        "a2",
        "$a^{2,i}$: the rows of $a^{1,i}$ as printed, with the tenth row $\\frac{1}{i} I[k(w[:i]) = 0 \\wedge i = n]$",
        vector(
            2, *WITH_DEPTH, *("{k}/i", "({k} == 0)/i", "({k} > 0)/i", "({k} < -D)/i", "({k} == 0 and i == n - 1)/i")
        ),
        under=SHIFTED,
        slip=(ROW, K),
    ),
    claim("a2-shape", "$a^{2,i}$ has 10 rows", Shape(Rows(2), 10), slip=ROW),
    claim(
        "end",
        "$a^{2,i}$ holds $\\frac{1}{i} I[k(w[:i]) = 0 \\wedge i = n]$",
        value(Stream("[k=0 and last]/i", 2), "({k} == 0 and i == n - 1)/i"),
        under=SHIFTED,
    ),
    "section 4.2, after 4.1",
    claim(
        "end-of-balanced",
        "it is $1/i$ if $i = n$, and 0 otherwise, where all brackets are closed",
        value(Stream("[k=0 and last]/i", 2), f"{LAST}/i", "count('0') == count('1')"),
        under=SHIFTED,
    ),
    "section 4.2",
    claim(
        "depth",
        "the difference in the number of opening and closing brackets of any $w[:i]$ is at most $-D$",
        Accepts(
            "count('0') == count('1') and all(count('1', j) <= count('0', j) for j in positions) "
            "and all(count('0', j) - count('1', j) <= -D for j in positions)"
        ),
        slip=DEPTH,
    ),
    claim(
        "conditions",
        "words of DYCK-(1,D) are those with $I[k(w[:i]) > 0] = 0$ and $I[k(w[:i]) < -D] = 0$ for all $i \\le n$, and "
        "$k = 0$ at the end",
        Accepts(
            f"all({AT_J} <= 0 for j in positions) and all({AT_J} >= -D for j in positions) and count('0') == count('1')"
        ),
        slip=K,
    ),
    claim(
        "s",
        "the output is $\\sum_{i=0}^n (\\frac{1}{i} I[k(w[:i]) = 0 \\wedge i = n] - \\frac{1}{i} I[k(w[:i]) > 0] "
        "- \\frac{1}{i} I[k(w[:i]) < -D])$",
        total("({k} == 0 and j == n - 1)/j - ({k} > 0)/j - ({k} < -D)/j"),
        under=SHIFTED,
        slip=K,
    ),
    claim(
        "member",
        "it equals $1/n$ exactly where the word is balanced and at most $D$ deep",
        Compares("==", "1/(n - 1)", None, only=True),
        under=SHIFTED,
    ),
    claim("other", "it is at most 0 on all other words", Compares(">", 0, None, only=True)),
    claim("depth-row", "$c^{1,i}$ holds $\\frac{D}{i}$", Value(Stream("D/i", 1, "attention"), "D/i"), under=SHIFTED),
    notation="The paper's n is n - 1 here: it numbers the symbols 1 to n, and CLS stands at 0.",
    repair="The readout sums over all positions, as section 4.2 has it, and the position encoding holds D/(i+1), where "
    "print has D/i, which has no value at CLS.",
)
