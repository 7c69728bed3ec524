"""What Chiang and Cholak (2022) print about the flawed transformer for FIRST: section 5.2."""

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims, Reading

FIRST_IS_ONE = "w[1] == '1'"

claims = Claims(
    "first-one-layer",
    "section 5.2",
    "layers: $L = 1$",
    says.Count("layers", 1),
    *says.matrix("W_Q", "W^{Q,1,1}", says.Weights("W_Q", 1, 1), "0 0 c*sqrt(d) 0"),
    *says.matrix("W_K", "W^{K,1,1}", says.Weights("W_K", 1, 1), "0 0 0 1"),
    *says.matrix("W_V", "W^{V,1,1}", says.Weights("W_V", 1, 1), *says.zeros(4, 4), "-1/2 1/2 -1/2 0", shape=(5, 4)),
    *says.matrix("FFNN", "W^{F,1,2}", says.Weights("W_F2", 1)),
    "W2: the output layer selects component 5",
    says.Matrix(says.Weights("W"), "0 0 0 0 1"),
    r"s: $s = \frac{\exp c - 1}{\exp c + n - 1} (I[w_1 = 1] - \frac{1}{2}) + \frac{n}{\exp c + n - 1} (\frac{k}{n} - "
    r"\frac{1}{2})$",
    says.Value(
        says.Logit(), "(exp(c) - 1)/(exp(c) + n - 1)*((w[1] == '1') - 1/2) + n/(exp(c) + n - 1)*(count('1')/n - 1/2)"
    ),
    r"right: for $c > \log(n-1)$, $s > 0$ exactly where $w_1 = 1$",
    says.Compares(">", 0, FIRST_IS_ONE, "exp(c) > n - 1", only=True),
    r"wrong: for $c \le \log(n-1)$ the second term can be big enough for a wrong answer",
    Reading(
        says.Accepts("0 > 1", f"exp(c) <= n - 1 and {FIRST_IS_ONE} and count('1') == 1"),
        sense="it rejects 10...0, of any length and for each such c",
    ),
)
