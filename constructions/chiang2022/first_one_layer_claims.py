"""What Chiang and Cholak (2022) print about the flawed transformer for FIRST: section 5.2."""

from weightproof.constructions.claims.published import Claims, Published, Reading
from weightproof.constructions.claims.statements import (
    Accepts,
    Compares,
    Count,
    Logit,
    Matrix,
    Shape,
    Value,
    Weights,
    zeros,
)

FIRST_IS_ONE = "w[1] == '1'"

claims = Claims(
    "first-one-layer",
    Published("first-one-layer/layers", "section 5.2", "$L = 1$", Count("layers", 1)),
    Published(
        "first-one-layer/W_Q",
        "section 5.2",
        "$W^{Q,1,1} = (0, 0, c\\sqrt{d}, 0)$",
        Matrix(Weights("W_Q", 1, 1), "0 0 c*sqrt(d) 0"),
    ),
    Published(
        "first-one-layer/W_K", "section 5.2", "$W^{K,1,1} = (0, 0, 0, 1)$", Matrix(Weights("W_K", 1, 1), "0 0 0 1")
    ),
    Published(
        "first-one-layer/W_V",
        "section 5.2",
        "$W^{V,1,1}$: $0^{4 \\times 4}$ above $(-\\frac{1}{2}, \\frac{1}{2}, -\\frac{1}{2}, 0)$",
        Matrix(Weights("W_V", 1, 1), *zeros(4, 4), "-1/2 1/2 -1/2 0"),
    ),
    Published(
        "first-one-layer/W_V-shape", "section 5.2", "$W^{V,1,1}$ is $5 \\times 4$", Shape(Weights("W_V", 1, 1), 5, 4)
    ),
    Published("first-one-layer/FFNN", "section 5.2", "$W^{F,1,2} = 0$", Matrix(Weights("W_F2", 1))),
    Published(
        "first-one-layer/W2",
        "section 5.2",
        "the output layer selects component 5",
        Matrix(Weights("W"), "0 0 0 0 1"),
    ),
    Published(
        "first-one-layer/s",
        "section 5.2",
        "$s = \\frac{\\exp c - 1}{\\exp c + n - 1} (I[w_1 = 1] - \\frac{1}{2}) "
        "+ \\frac{n}{\\exp c + n - 1} (\\frac{k}{n} - \\frac{1}{2})$",
        Value(
            Logit(),
            "(exp(c) - 1)/(exp(c) + n - 1)*((w[1] == '1') - 1/2) + n/(exp(c) + n - 1)*(count('1')/n - 1/2)",
        ),
    ),
    Published(
        "first-one-layer/right",
        "section 5.2",
        "for $c > \\log(n-1)$, $s > 0$ exactly where $w_1 = 1$",
        Compares(">", 0, FIRST_IS_ONE, "exp(c) > n - 1", only=True),
    ),
    Published(
        "first-one-layer/wrong",
        "section 5.2",
        "for $c \\le \\log(n-1)$ the second term can be big enough for a wrong answer",
        Reading(
            Accepts("0 > 1", f"exp(c) <= n - 1 and {FIRST_IS_ONE} and count('1') == 1"),
            sense="it rejects 10...0, of any length and for each such c",
        ),
    ),
)
