"""What Nowak et al. (2022) print about ONE: sections 2 and 3.1, in the order of the paper."""

from weightproof.constructions.claims.published import Claims, claim
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Count,
    Domain,
    Logit,
    Matrix,
    Order,
    Output,
    Rows,
    Shape,
    Value,
    Vector,
    Weights,
    relu,
    zeros,
)
from weightproof.constructions.nowak2022.slips import POSITION_ENCODING, WORD_EMBEDDING

ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "i/n")
AVERAGES = ("count('1')/n", "1/n")
S = "((count('1') == 1) - 1/2)/n"

claims = Claims(
    "one",
    "section 1, Hahn's lemma",
    claim("order", "the output depends on a single symbol by $O(1/n)$, and $s$ with it", Order("O", "1/n")),
    "section 2.1",
    claim(
        "positions",
        "$n$ is the length of the sequence plus any CLS or EOS tokens, and $w_i$ for $i \\in [0, \\dots, n-1]$",
        Count("positions", "m + 1"),
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
    claim(
        "square", "matrices are of shape $d \\times d$: $W^V$", Shape(Weights("W_V", 1, 1), 7, 7), under=(("padding",),)
    ),
    "section 3",
    claim("recognises", "recognises ONE with accuracy 1", Accepts()),
    "section 3.1",
    claim("layers", "$L = 1$", Count("layers", 1)),
    claim("heads", "$H = 1$", Count("heads", 1)),
    claim("width", "$d = 7$", Count("width", 7)),
    "section 3.1.1",
    claim("WE-0", "$WE(0) = (1, 0, 0, 0)$", Matrix(Weights("WE", token="0"), *"1000")),
    claim("WE-1", "$WE(1) = (0, 1, 0, 0)$", Matrix(Weights("WE", token="1"), *"0100")),
    claim("WE-CLS", "$WE(CLS) = (0, 0, 1, 0)$", Matrix(Weights("WE", token="CLS"), *"0010")),
    claim("PE", "$PE(i) = (0, 0, 0, i/n)$", Vector(0, "0", "0", "0", "i/n", stage="position")),
    claim("a0", "$a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], i/n)$", Vector(0, *ENCODING, stage="embedding")),
    claim(
        "a0-shape",
        "$a^{0,i}$ is a column, transposed: $1 \\times 4$",
        Shape(Rows(0, "embedding"), 1, 4),
        under=(("transposition",),),
    ),
    "section 3.1.2",
    claim(
        "uniform",
        "what the attention layer obtains is averaged by $n$: $\\alpha_i = 1/n$",
        Value(Attention(1, 1), "1/n"),
    ),
    claim("W_Q", "$W^Q = 0$", Matrix(Weights("W_Q", 1, 1))),
    claim("W_K", "$W^K = 0$", Matrix(Weights("W_K", 1, 1))),
    claim(
        "W_V",
        "$W^V$: $0^{4 \\times 4}$ above $(0, 1, 0, 0)$ and $(0, 0, 1, 0)$",
        Matrix(Weights("W_V", 1, 1), *zeros(4, 4), "0 1 0 0", "0 0 1 0"),
    ),
    claim("W_V-shape", "$W^V$ is $6 \\times 4$", Shape(Weights("W_V", 1, 1), 6, 4)),
    claim(
        "c1",
        "$c^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], i/n, k/n, 1/n)$",
        Vector(1, *ENCODING, *AVERAGES, stage="attention"),
    ),
    claim(
        "W_F1",
        "$W^{F,1}$: $(0, 0, 0, 0, 1, -2)$, $(0, 0, 0, 0, 1, -1)$, $(0, 0, 0, 0, 1, 0)$, $(0, 0, 0, 0, 0, 1)$",
        Matrix(Weights("W_F1", 1), "0 0 0 0 1 -2", "0 0 0 0 1 -1", "0 0 0 0 1 0", "0 0 0 0 0 1"),
    ),
    claim("W_F1-shape", "$W^{F,1}$ is $4 \\times 6$", Shape(Weights("W_F1", 1), 4, 6)),
    claim("b_F1", "$b^{F,1} = 0$", Matrix(Weights("b_F1", 1))),
    claim(
        "h1",
        "$h^{1,i} = \\frac{1}{n} (\\max(0, k-2), \\max(0, k-1), \\max(0, k), 1)$",
        Vector(
            1,
            relu("count('1') - 2", "1/n"),
            relu("count('1') - 1", "1/n"),
            relu("count('1')", "1/n"),
            "1/n",
            stage="activation",
        ),
    ),
    claim(
        "W_F2",
        "$W^{F,2}$: $0^{6 \\times 4}$ above $(1, -2, 1, -0.5)$",
        Matrix(Weights("W_F2", 1), *zeros(6, 4), "1 -2 1 -1/2"),
    ),
    claim("W_F2-shape", "$W^{F,2}$ is $7 \\times 4$", Shape(Weights("W_F2", 1), 7, 4)),
    claim("b_F2", "$b^{F,2} = 0$", Matrix(Weights("b_F2", 1))),
    claim("a1", "$a^{1,0} = (0, 0, 1, 0, k/n, 1/n, s)$", Vector(1, "0", "0", "1", "0", *AVERAGES, S, when="i == 0")),
    claim("s", "$s = \\frac{I[k = 1] - 0.5}{n}$", Value(Logit(), S)),
    claim("positive", "$s > 0$ exactly where $k = 1$", Compares(">", 0, "count('1') == 1", only=True)),
    "section 3.1.3",
    claim("W", "$W^O = (0, 0, 0, 0, 0, 0, 1)$", Matrix(Weights("W"), "0 0 0 0 0 0 1")),
    claim("b", "$b^O = 0$", Matrix(Weights("b"), "0")),
    claim("output", "$y > 1/2$ for $k = 1$", Accepts("count('1') == 1")),
    claim("smaller", "$y < 1/2$ for $k \\ne 1$", Compares("<", 0, "count('1') != 1")),
)
