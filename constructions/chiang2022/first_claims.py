"""What Chiang and Cholak (2022) print about FIRST: sections 3.3 and 5.2, in the order of the paper."""

from weightproof.constructions.chiang2022.slips import VALUES, WORD_EMBEDDING
from weightproof.constructions.claims.published import Claims, claim
from weightproof.constructions.claims.statements import (
    Accepts,
    Domain,
    Logit,
    Matrix,
    Order,
    Output,
    Projected,
    Shape,
    Value,
    Vector,
    Weights,
    Writes,
    zeros,
)

ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "(i == 1)")
S = "exp(c)/(exp(c) + n - 1)*((w[1] == '1') - 1/2)"
AT_CLS = ("0", "0", "1", "0", "0", S)

claims = Claims(
    "first",
    "section 1",
    claim("recognises", "recognises FIRST, at every length", Accepts()),
    "section 2.2.1",
    claim("WE-domain", "$WE : \\Sigma \\to R^d$", Domain("WE", "0", "1"), slip=WORD_EMBEDDING),
    claim("PE-domain", "$PE : N \\to R^d$", Domain("PE", "i")),
    "section 2.2.3",
    claim("output-layer", "$y = \\sigma(W^{L+1} a^{L,0} + b^{L+1})$", Output("first")),
    "section 3.3",
    claim(
        "a0", "$a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], I[i = 1])$", Vector(0, *ENCODING, stage="embedding")
    ),
    claim("W_V-1", "$W^{V,1,1} = 0$", Matrix(Weights("W_V", 1, 1))),
    claim("c1", "$c^{1,i} = a^{0,i}$", Vector(1, *ENCODING, stage="attention")),
    claim("W_F1", "$W^{F,1,1} = (-1, 0, -1, 1)$", Matrix(Weights("W_F1", 1), "-1 0 -1 1")),
    claim("W_F1-shape", "$W^{F,1,1}$ is $1 \\times 4$", Shape(Weights("W_F1", 1), 1, 4)),
    claim("b_F1", "$b^{F,1,1} = 0$", Matrix(Weights("b_F1", 1))),
    claim("W_F2", "$W^{F,1,2}$: the column $(0, 0, 0, 0, 1)$", Matrix(Weights("W_F2", 1), *"00001")),
    claim("W_F2-shape", "$W^{F,1,2}$ is $5 \\times 1$", Shape(Weights("W_F2", 1), 5, 1)),
    claim("b_F2", "$b^{F,1,2} = 0$", Matrix(Weights("b_F2", 1))),
    claim(
        "a1",
        "$a^{1,i}$: $a^{0,i}$ with the fifth row $I[w_i = 1 \\wedge i = 1]$",
        Vector(1, *ENCODING, "(w[i] == '1' and i == 1)"),
    ),
    claim("W_Q-2", "$W^{Q,2,1} = (0, 0, c\\sqrt{d}, 0, 0)$", Matrix(Weights("W_Q", 2, 1), "0 0 c*sqrt(d) 0 0")),
    claim("W_K-2", "$W^{K,2,1} = (0, 0, 0, 1, 0)$", Matrix(Weights("W_K", 2, 1), "0 0 0 1 0")),
    claim(
        "W_V-2",
        "$W^{V,2,1}$: $0^{5 \\times 5}$ above $(0, 0, 0, -\\frac{1}{2}, 1)$",
        Matrix(Weights("W_V", 2, 1), *zeros(5, 5), "0 0 0 -1/2 1"),
    ),
    claim("W_V-2-shape", "$W^{V,2,1}$ is $6 \\times 5$", Shape(Weights("W_V", 2, 1), 6, 5)),
    claim("second-FFNN", "$W^{F,2,2} = 0$", Matrix(Weights("W_F2", 2))),
    claim("a2", "$a^{2,0} = (0, 0, 1, 0, 0, s)$", Vector(2, *AT_CLS, when="i == 0"), under=(("empty word",),)),
    "section 3.3, equation 1",
    claim(
        "s",
        "$s = \\frac{\\exp c}{\\exp c + n - 1} (I[w_1 = 1] - \\frac{1}{2})$",
        Value(Logit(), S),
        under=(("empty word",),),
    ),
    "section 3.3",
    claim("W3", "$W^3 = (0, 0, 0, 0, 0, 1)$", Matrix(Weights("W"), "0 0 0 0 0 1")),
    claim("W3-shape", "$W^3$ is $1 \\times 6$", Shape(Weights("W"), 1, 6)),
    claim("b3", "$b^3 = 0$", Matrix(Weights("b"), "0")),
    claim("output", "$y > 1/2$ exactly where $w_1 = 1$", Accepts("w[1] == '1'")),
    claim("closer", "$y$ gets closer to $1/2$ as $n$ grows: $s \\to 0$", Order("o", "1")),
    "section 1, Hahn's lemma",
    claim("order", "a change of $w_1$ changes $s$ by $O(1/n)$, and $s$ with it", Order("O", "1/n")),
    "section 5.2",
    claim(
        "values",
        "the values $V^{2,1}_i$ of the positions $i \\ne 1$ are 0",
        Value(Projected("W_V", 2, 1, "s"), "0", "i != 1"),
    ),
    claim(
        "values-4-5",
        "these values are $V^{2,1}_{i,4}$ and $V^{2,1}_{i,5}$",
        Writes(Weights("W_V", 2, 1), 4, 5),
        slip=VALUES,
    ),
)
