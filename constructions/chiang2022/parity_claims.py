"""What Chiang and Cholak (2022) print about PARITY: sections 2.2, 3.2 and appendix A, in the order of the paper."""

from weightproof.constructions.chiang2022.slips import COSH, POSITION_ENCODING, POSITIONS, WORD_EMBEDDING, Z1, Z2
from weightproof.constructions.claims.published import Claims, claim
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
    Projected,
    Shape,
    Stack,
    Stream,
    Value,
    Vector,
    Weights,
    relu,
    zeros,
)

EVEN, ODD = "n % 2 == 0", "n % 2 == 1"
K_EVEN, K_ODD = "count('1') % 2 == 0", "count('1') % 2 == 1"

ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "i/n", "cos(pi*i)")
AVERAGES = ("count('1')/n", "1/n")
Z = "n/2*(exp(c) + exp(-c))"
K_SIGN, OTHER_SIGN = "(-1)**(count('1') + 1)", "(-1)**count('1')"

claims = Claims(
    "parity",
    "section 2.2.1",
    claim(
        "positions",
        "input vectors $a^{0,i}$ for $i = 0, \\dots, n$, with $n = \\lvert w \\rvert + 1$",
        Count("positions", "m + 2"),
        slip=POSITIONS,
    ),
    claim("WE-domain", "$WE : \\Sigma \\to R^d$", Domain("WE", "0", "1"), slip=WORD_EMBEDDING),
    claim("PE-domain", "$PE : N \\to R^d$", Domain("PE", "i"), slip=POSITION_ENCODING),
    "section 2.2.2",
    claim(
        "square",
        "matrices are of shape $d \\times d$: $W^{V,1,1}$",
        Shape(Weights("W_V", 1, 1), 9, 9),
        under=(("padding",),),
    ),
    claim(
        "keys",
        "keys and values are of shape $(n+1) \\times d$, a row for each position, with $n = \\lvert w \\rvert + 1$",
        Count("positions", "m + 2"),
        slip=POSITIONS,
    ),
    claim(
        "values-stacked",
        "the vectors $W^{V,2,1} a^{1,i}$ side by side make a matrix with a row for each position and $d$ columns",
        Stack("W_V", 2, 1, "columns", "n", 9),
        under=(("transposition",),),
    ),
    "section 2.2.3",
    claim("output-layer", "$y = \\sigma(W^{L+1} a^{L,0} + b^{L+1})$: CLS is read", Output("first")),
    claim("b3-shape", "$b^{L+1}$ is $1 \\times 1$", Shape(Weights("b"), 1)),
    "section 3.1",
    claim(
        "network",
        "$\\sum_{j=1}^{n} (-1)^{j+1} I[k \\ge j] - 0.5 > 0$ exactly where $k$ is odd, for $\\lvert w \\rvert = n$",
        Value(Formula("sum((count('1') >= j)*(-1)**(j + 1) for j in positions)"), "(count('1') % 2 == 1)"),
    ),
    "proposition 1",
    claim("recognises", "recognises PARITY, at every length", Accepts()),
    "section 3.2",
    claim("width", "$d = 9$", Count("width", 9)),
    claim("layers", "$L = 2$ layers", Count("layers", 2)),
    claim("heads", "$H = 2$ heads", Count("heads", 2)),
    claim("WE-0", "$WE(0) = (1, 0, 0, 0, 0)$", Matrix(Weights("WE", token="0"), *"10000")),
    claim("WE-1", "$WE(1) = (0, 1, 0, 0, 0)$", Matrix(Weights("WE", token="1"), *"01000")),
    claim("WE-CLS", "$WE(CLS) = (0, 0, 1, 0, 0)$", Matrix(Weights("WE", token="CLS"), *"00100")),
    claim(
        "PE", "$PE(i) = (0, 0, 0, i/n, \\cos i\\pi)$", Vector(0, "0", "0", "0", "i/n", "cos(pi*i)", stage="position")
    ),
    claim(
        "last-position",
        "dimension 4 ranges from $0$ to $(n-1)/n$",
        Value(Stream("i/n", 0, "embedding"), "(i == n - 1)*(n - 1)/n", when="i == 0 or i == n - 1"),
    ),
    claim(
        "alternation",
        "dimension 5 is $+1$ at even positions and $-1$ at odd ones",
        Value(Stream("cos(i*pi)", 0, "embedding"), "(i % 2 == 0) - (i % 2 == 1)"),
    ),
    claim(
        "a0",
        "$a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], i/n, \\cos i\\pi)$",
        Vector(0, *ENCODING, stage="embedding"),
    ),
    claim("W_Q-1", "$W^{Q,1,1} = 0$", Matrix(Weights("W_Q", 1, 1))),
    claim("W_K-1", "$W^{K,1,1} = 0$", Matrix(Weights("W_K", 1, 1))),
    claim(
        "W_V-1",
        "$W^{V,1,1}$: $0^{5 \\times 5}$ above $(0, 1, 0, 0, 0)$ and $(0, 0, 1, 0, 0)$",
        Matrix(Weights("W_V", 1, 1), *zeros(5, 5), "0 1 0 0 0", "0 0 1 0 0"),
    ),
    claim("W_V-1-shape", "$W^{V,1,1}$ is $7 \\times 5$", Shape(Weights("W_V", 1, 1), 7, 5)),
    claim("second-head", "$W^{V,1,2} = 0$", Matrix(Weights("W_V", 1, 2))),
    claim(
        "c1",
        "$c^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], i/n, \\cos i\\pi, k/n, 1/n)$",
        Vector(1, *ENCODING, *AVERAGES, stage="attention"),
    ),
    claim(
        "W_F1",
        "$W^{F,1,1}$: $(0, 0, 0, -1, 0, 1, -1)$, $(0, 0, 0, -1, 0, 1, 0)$, $(0, 0, 0, -1, 0, 1, 1)$",
        Matrix(Weights("W_F1", 1), "0 0 0 -1 0 1 -1", "0 0 0 -1 0 1 0", "0 0 0 -1 0 1 1"),
    ),
    claim("b_F1", "$b^{F,1,1} = (0, 0, 0)$", Matrix(Weights("b_F1", 1), *"000")),
    claim("b_F1-shape", "$b^{F,1,1}$ has 3 rows", Shape(Weights("b_F1", 1), 3)),
    claim(
        "h1",
        "$h^{1,i} = \\frac{1}{n} (\\max(0, k-i-1), \\max(0, k-i), \\max(0, k-i+1))$",
        Vector(
            1,
            relu("count('1') - i - 1", "1/n"),
            relu("count('1') - i", "1/n"),
            relu("count('1') - i + 1", "1/n"),
            stage="activation",
        ),
    ),
    claim(
        "W_F2", "$W^{F,1,2}$: $0^{7 \\times 3}$ above $(1, -2, 1)$", Matrix(Weights("W_F2", 1), *zeros(7, 3), "1 -2 1")
    ),
    claim("W_F2-shape", "$W^{F,1,2}$ is $8 \\times 3$", Shape(Weights("W_F2", 1), 8, 3)),
    claim("b_F2", "$b^{F,1,2} = 0$", Matrix(Weights("b_F2", 1))),
    claim(
        "a1",
        "$a^{1,i}$: $c^{1,i}$ with the eighth row $I[i = k]/n$",
        Vector(1, *ENCODING, *AVERAGES, "(i == count('1'))/n"),
    ),
    claim(
        "W_Q-2-1",
        "$W^{Q,2,1} = (0, 0, c\\sqrt{d}, 0, 0, 0, 0, 0)$",
        Matrix(Weights("W_Q", 2, 1), "0 0 c*sqrt(d) 0 0 0 0 0"),
    ),
    claim("W_K-2-1", "$W^{K,2,1} = (0, 0, 0, 0, -1, 0, 0, 0)$", Matrix(Weights("W_K", 2, 1), "0 0 0 0 -1 0 0 0")),
    claim(
        "W_V-2-1",
        "$W^{V,2,1}$: $0^{8 \\times 8}$ above $(0, 0, 0, 0, 0, 0, 0, 1)$",
        Matrix(Weights("W_V", 2, 1), *zeros(8, 8), "0 0 0 0 0 0 0 1"),
    ),
    claim(
        "W_Q-2-2",
        "$W^{Q,2,2} = (0, 0, c\\sqrt{d}, 0, 0, 0, 0, 0)$",
        Matrix(Weights("W_Q", 2, 2), "0 0 c*sqrt(d) 0 0 0 0 0"),
    ),
    claim("W_K-2-2", "$W^{K,2,2} = (0, 0, 0, 0, 1, 0, 0, 0)$", Matrix(Weights("W_K", 2, 2), "0 0 0 0 1 0 0 0")),
    claim(
        "W_V-2-2",
        "$W^{V,2,2}$: $0^{8 \\times 8}$ above $(0, 0, 0, 0, 0, 0, 0, -1)$",
        Matrix(Weights("W_V", 2, 2), *zeros(8, 8), "0 0 0 0 0 0 0 -1"),
    ),
    claim("second-FFNN", "$W^{F,2,2} = 0$", Matrix(Weights("W_F2", 2))),
    claim(
        "a2",
        "$a^{2,0} = (0, 0, 1, 0, 1, k/n, 1/n, I[k = 0]/n, s)$, $s$ for $n$ even",
        Vector(
            2,
            *("0", "0", "1", "0", "1", *AVERAGES, "(count('1') == 0)/n", f"{K_SIGN}*2*tanh(c)/n**2"),
            when=f"i == 0 and {EVEN}",
        ),
    ),
    claim(
        "s-even",
        "$s = (-1)^{k+1} \\frac{2 \\tanh c}{n^2}$ for $n$ even",
        Value(Logit(), f"{K_SIGN}*2*tanh(c)/n**2", EVEN),
    ),
    claim("positive-even", "for $n$ even, $s > 0$ if $k$ is odd", Compares(">", 0, K_ODD, EVEN)),
    claim("negative-even", "for $n$ even, $s < 0$ if $k$ is even", Compares("<", 0, K_EVEN, EVEN)),
    claim("order-even", "for $n$ even, $s \\in O(1/n)$", Order("O", "1/n", EVEN)),
    claim("positive-odd", "for $n$ odd, $s > 0$ exactly where $k$ is odd", Compares(">", 0, K_ODD, ODD, only=True)),
    claim("order-odd", "for $n$ odd, $s \\in O(1/n)$", Order("O", "1/n", ODD)),
    "section 1",
    claim("cross-entropy", "the cross-entropy tends to 1 bit: $s \\to 0$", Order("o", "1")),
    "section 3.2",
    claim("W3", "$W^3 = (0, 0, 0, 0, 0, 0, 0, 0, 1)$", Matrix(Weights("W"), "0 0 0 0 0 0 0 0 1")),
    claim("W3-shape", "$W^3$ is $1 \\times 9$", Shape(Weights("W"), 1, 9)),
    claim("b3", "$b^3 = 0$", Matrix(Weights("b"), "0")),
    claim("output", "$y > 1/2$ exactly where $k$ is odd", Accepts(K_ODD)),
    "appendix A",
    claim("q", "$q^{2,1,0} = c\\sqrt{d}$", Value(Projected("W_Q", 2, 1, "q"), "c*sqrt(d)", when="i == 0")),
    claim("K-2-1", "$K^{2,1,0}_i = -\\cos i\\pi = (-1)^{i+1}$", Value(Projected("W_K", 2, 1, "q"), "(-1)**(i + 1)")),
    claim("K-2-2", "$K^{2,2,0}_i = \\cos i\\pi = (-1)^i$", Value(Projected("W_K", 2, 2, "q"), "(-1)**i")),
    claim("V-2-1", "$V^{2,1,0}_{i,9} = I[i = k]/n$", Value(Projected("W_V", 2, 1, "s"), "(i == count('1'))/n")),
    claim("V-2-2", "$V^{2,2,0}_{i,9} = -I[i = k]/n$", Value(Projected("W_V", 2, 2, "s"), "-(i == count('1'))/n")),
    claim(
        "alpha-1-even",
        "$\\alpha^{2,1,0}_i = \\frac{\\exp((-1)^{i+1} c)}{\\frac{n}{2} (\\exp c + \\exp(-c))}$ for $n$ even",
        Value(Attention(2, 1), f"exp((-1)**(p + 1)*c)/({Z})", EVEN),
    ),
    claim(
        "alpha-2-even",
        "$\\alpha^{2,2,0}_i = \\frac{\\exp((-1)^i c)}{\\frac{n}{2} (\\exp c + \\exp(-c))}$ for $n$ even",
        Value(Attention(2, 2), f"exp((-1)**p*c)/({Z})", EVEN),
    ),
    claim(
        "s-even-steps",
        "$s = \\frac{\\exp((-1)^{k+1} c) - \\exp((-1)^k c)}{\\frac{n^2}{2} (\\exp c + \\exp(-c))}$ for $n$ even",
        Value(Logit(), f"(exp({K_SIGN}*c) - exp({OTHER_SIGN}*c))/(n**2/2*(exp(c) + exp(-c)))", EVEN),
    ),
    claim(
        "s-even-steps-2",
        "$s = (-1)^{k+1} \\frac{\\exp c - \\exp(-c)}{\\frac{n^2}{2} (\\exp c + \\exp(-c))}$ for $n$ even",
        Value(Logit(), f"{K_SIGN}*(exp(c) - exp(-c))/(n**2/2*(exp(c) + exp(-c)))", EVEN),
    ),
    claim(
        "alpha-1-odd",
        "$\\alpha^{2,1,0}_i = \\exp((-1)^{i+1} c)/Z_1$, $Z_1 = \\frac{n-1}{2} \\exp c + \\frac{n+1}{2} \\exp(-c)$, "
        "for $n$ odd",
        Value(Attention(2, 1), f"exp((-1)**(p + 1)*c)/{Z1}", ODD),
    ),
    claim(
        "alpha-2-odd",
        "$\\alpha^{2,2,0}_i = \\exp((-1)^i c)/Z_2$, $Z_2 = \\frac{n+1}{2} \\exp c + \\frac{n-1}{2} \\exp(-c)$, "
        "for $n$ odd",
        Value(Attention(2, 2), f"exp((-1)**p*c)/{Z2}", ODD),
    ),
    claim(
        "s-odd",
        "$s = \\frac{\\exp((-1)^{k+1} c) Z_2 - \\exp((-1)^k c) Z_1}{n Z_1 Z_2}$ for $n$ odd",
        Value(Logit(), f"(exp({K_SIGN}*c)*{Z2} - exp({OTHER_SIGN}*c)*{Z1})/(n*{Z1}*{Z2})", ODD),
    ),
    claim(
        "s-odd-k-even-steps",
        "$s = \\frac{\\frac{n-1}{2} \\exp(-2c) - \\frac{n-1}{2} \\exp 2c}{n Z_1 Z_2}$ for $n$ odd, $k$ even",
        Value(Logit(), f"((n - 1)/2*exp(-2*c) - (n - 1)/2*exp(2*c))/(n*{Z1}*{Z2})", f"{ODD} and {K_EVEN}"),
    ),
    claim(
        "s-odd-k-even",
        "$s = -\\frac{(n-1) \\sinh 2c}{n Z_1 Z_2}$ for $n$ odd, $k$ even",
        Value(Logit(), f"-(n - 1)*sinh(2*c)/(n*{Z1}*{Z2})", f"{ODD} and {K_EVEN}"),
    ),
    claim("negative-odd", "$s < 0$ for $n$ odd, $k$ even", Compares("<", 0, K_EVEN, ODD), under=(("empty word",),)),
    claim(
        "s-odd-k-odd-steps",
        "$s = \\frac{\\frac{n+1}{2} \\exp 2c - \\frac{n+1}{2} \\exp(-2c)}{n Z_1 Z_2}$ for $n$ odd, $k$ odd",
        Value(Logit(), f"((n + 1)/2*exp(2*c) - (n + 1)/2*exp(-2*c))/(n*{Z1}*{Z2})", f"{ODD} and {K_ODD}"),
    ),
    claim(
        "s-odd-k-odd",
        "$s = \\frac{(n+1) \\cosh 2c}{n Z_1 Z_2}$ for $n$ odd, $k$ odd",
        Value(Logit(), f"(n + 1)*cosh(2*c)/(n*{Z1}*{Z2})", f"{ODD} and {K_ODD}"),
        slip=COSH,
    ),
    claim("positive-odd-k-odd", "$s > 0$ for $n$ odd, $k$ odd", Compares(">", 0, K_ODD, ODD)),
    "appendix B",
    claim("no-bias", "the feed-forward networks have no biases: $b^{F,1,1} = 0$", Matrix(Weights("b_F1", 1))),
    claim(
        "c2",
        "$s = c^{2,0}_9$, here for $n$ even",
        Value(Stream("s", 2, "attention"), f"{K_SIGN}*2*tanh(c)/n**2", f"i == 0 and {EVEN}"),
    ),
)
