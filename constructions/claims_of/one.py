"""What Nowak et al. (2022) print about ONE: sections 2 and 3.1, in the order of the paper."""

from constructions.claims import (
    Accepts,
    Attention,
    Claims,
    Compares,
    Count,
    Logit,
    Matrix,
    Order,
    Published,
    Reading,
    Rows,
    Shape,
    Value,
    Vector,
    Weights,
    relu,
    zeros,
)

ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)", "i/n")
AVERAGES = ("count('1')/n", "1/n")
S = "((count('1') == 1) - 1/2)/n"

claims = Claims(
    "one",
    Published(
        "one/order",
        "section 1, Hahn's lemma",
        "the output depends on a single symbol by $O(1/n)$, and $s$ with it",
        Order("O", "1/n"),
    ),
    Published("one/positions", "section 2.1", "positions $i = 0, \\dots, n-1$", Count("positions", "n")),
    Published(
        "one/square",
        "section 2.2",
        "matrices are of shape $d \\times d$: $W^V$",
        Shape(Weights("W_V", 1, 1), 7, 7),
        Reading(Shape(Weights("W_V", 1, 1), 7, 7, padded=True), convention="padded with zeros to the width"),
    ),
    Published("one/recognises", "section 3", "recognises ONE with accuracy 1", Accepts()),
    Published("one/layers", "section 3.1", "$L = 1$", Count("layers", 1)),
    Published("one/heads", "section 3.1", "$H = 1$", Count("heads", 1)),
    Published("one/width", "section 3.1", "$d = 7$", Count("width", 7)),
    Published("one/WE-0", "section 3.1.1", "$WE(0) = (1, 0, 0, 0)$", Matrix(Weights("WE", token="0"), *"1000")),
    Published("one/WE-1", "section 3.1.1", "$WE(1) = (0, 1, 0, 0)$", Matrix(Weights("WE", token="1"), *"0100")),
    Published("one/WE-CLS", "section 3.1.1", "$WE(CLS) = (0, 0, 1, 0)$", Matrix(Weights("WE", token="CLS"), *"0010")),
    Published(
        "one/PE", "section 3.1.1", "$PE(i) = (0, 0, 0, i/n)$", Vector(0, "0", "0", "0", "i/n", stage="position")
    ),
    Published(
        "one/a0",
        "section 3.1.1",
        "$a^{0,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], i/n)$",
        Vector(0, *ENCODING, stage="embedding"),
    ),
    Published(
        "one/a0-shape",
        "section 3.1.1",
        "$a^{0,i}$ is a column, transposed: $1 \\times 4$",
        Shape(Rows(0, "embedding"), 1, 4),
        Reading(Shape(Rows(0, "embedding"), 4, 1), convention="without the sign of transposition"),
    ),
    Published("one/uniform", "section 3.1.2", "what the attention layer obtains is averaged by $n$: $\\alpha_i = 1/n$", Value(Attention(1, 1), "1/n")),
    Published("one/W_Q", "section 3.1.2", "$W^Q = 0$", Matrix(Weights("W_Q", 1, 1))),
    Published("one/W_K", "section 3.1.2", "$W^K = 0$", Matrix(Weights("W_K", 1, 1))),
    Published(
        "one/W_V",
        "section 3.1.2",
        "$W^V$: $0^{4 \\times 4}$ above $(0, 1, 0, 0)$ and $(0, 0, 1, 0)$",
        Matrix(Weights("W_V", 1, 1), *zeros(4, 4), "0 1 0 0", "0 0 1 0"),
    ),
    Published("one/W_V-shape", "section 3.1.2", "$W^V$ is $6 \\times 4$", Shape(Weights("W_V", 1, 1), 6, 4)),
    Published(
        "one/c1",
        "section 3.1.2",
        "$c^{1,i} = (I[w_i = 0], I[w_i = 1], I[w_i = CLS], i/n, k/n, 1/n)$",
        Vector(1, *ENCODING, *AVERAGES, stage="attention"),
    ),
    Published(
        "one/W_F1",
        "section 3.1.2",
        "$W^{F,1}$: $(0, 0, 0, 0, 1, -2)$, $(0, 0, 0, 0, 1, -1)$, $(0, 0, 0, 0, 1, 0)$, $(0, 0, 0, 0, 0, 1)$",
        Matrix(Weights("W_F1", 1), "0 0 0 0 1 -2", "0 0 0 0 1 -1", "0 0 0 0 1 0", "0 0 0 0 0 1"),
    ),
    Published("one/W_F1-shape", "section 3.1.2", "$W^{F,1}$ is $4 \\times 6$", Shape(Weights("W_F1", 1), 4, 6)),
    Published("one/b_F1", "section 3.1.2", "$b^{F,1} = 0$", Matrix(Weights("b_F1", 1))),
    Published(
        "one/h1",
        "section 3.1.2",
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
    Published(
        "one/W_F2",
        "section 3.1.2",
        "$W^{F,2}$: $0^{6 \\times 4}$ above $(1, -2, 1, -0.5)$",
        Matrix(Weights("W_F2", 1), *zeros(6, 4), "1 -2 1 -1/2"),
    ),
    Published("one/W_F2-shape", "section 3.1.2", "$W^{F,2}$ is $7 \\times 4$", Shape(Weights("W_F2", 1), 7, 4)),
    Published("one/b_F2", "section 3.1.2", "$b^{F,2} = 0$", Matrix(Weights("b_F2", 1))),
    Published(
        "one/a1",
        "section 3.1.2",
        "$a^{1,0} = (0, 0, 1, 0, k/n, 1/n, s)$",
        Vector(1, "0", "0", "1", "0", *AVERAGES, S, when="i == 0"),
    ),
    Published("one/s", "section 3.1.2", "$s = \\frac{I[k = 1] - 0.5}{n}$", Value(Logit(), S)),
    Published(
        "one/positive",
        "section 3.1.2",
        "$s > 0$ exactly where $k = 1$",
        Compares(">", 0, "count('1') == 1", only=True),
    ),
    Published(
        "one/W", "section 3.1.3", "$W^O = (0, 0, 0, 0, 0, 0, 1)$", Matrix(Weights("W"), "0 0 0 0 0 0 1")
    ),
    Published("one/b", "section 3.1.3", "$b^O = 0$", Matrix(Weights("b"), "0")),
    Published("one/output", "section 3.1.3", "$y > 1/2$ for $k = 1$", Accepts("count('1') == 1")),
    Published(
        "one/smaller", "section 3.1.3", "$y < 1/2$ for $k \\ne 1$", Compares("<", 0, "count('1') != 1")
    ),
)
