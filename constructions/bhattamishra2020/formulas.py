"""What Bhattamishra et al. (2020) print in formulas that are about no network in particular: sections 3.2 and 4.2,
appendices B.2 and D."""

from weightproof.constructions.claims.formulas import Always, Numbers
from weightproof.constructions.claims.published import Claims, Formulas, Published, Slip

NAME = "bhattamishra2020-formulas"
SIGMA = "((0 <= x and x <= 1)*x + (x > 1))"
AT_ENDS = Slip(
    "bhattamishra2020/sigma",
    NAME,
    "At 0 and at 1 no case applies; appendix B.2 has them in the second one.",
    Published(
        "bhattamishra2020/sigma",
        "appendix B.2, (4)",
        "$\\sigma(x)$ is 0 for $x < 0$, $x$ for $0 \\leq x \\leq 1$ and 1 for $x > 1$: one case applies to every $x$",
        Always("(x < 0) + (0 <= x and x <= 1) + (x > 1) == 1", {"x": "real"}),
    ),
)
VALUES: dict[str, Numbers] = {"delta": "positive", "k": "natural", "p": "natural"}
GIVEN = "k*delta <= 1 and (k + 1)*delta > 1"

printed = Formulas(
    "formulas of a framework for transformers, and of a task that one without a residual connection cannot do",
    "Bhattamishra et al. (2020), sections 3.2 and 4.2, appendices B.2 and D",
    Claims(
        NAME,
        Published(
            f"{NAME}/sigma",
            "section 3.2",
            "$\\sigma(x)$ takes value 0 for $x < 0$, value $x$ for $0 < x < 1$ and value 1 for $x > 1$: one case "
            "applies to every $x$",
            Always("(x < 0) + (0 < x and x < 1) + (x > 1) == 1", {"x": "real"}),
            slip=AT_ENDS,
        ),
        Published(
            f"{NAME}/relu",
            "section 3.2",
            "$\\sigma(x) = ReLU(x) - ReLU(x - 1)$",
            Always(f"{SIGMA} == (x > 0)*x - (x - 1 > 0)*(x - 1)", {"x": "real"}),
        ),
        Published(
            f"{NAME}/range-of-Delta",
            "appendix D",
            "$0 \\leq \\Delta_{t,k} \\leq 1$, as $\\Delta_t = \\sigma(\\omega_t - \\omega_{t-1})$",
            Always(f"0 <= {SIGMA} and {SIGMA} <= 1", {"x": "real"}),
        ),
        Published(
            f"{NAME}/task",
            "proposition 4.3",
            "where $\\Delta < 1/2^n$, the numbers $0, \\Delta, 2 \\Delta, \\dots, k \\Delta$, with $k$ the maximum "
            "integer such that $k \\Delta \\leq 1$, are more than $2^n - 1$",
            Always("k + 1 > p - 1", VALUES, f"{GIVEN} and delta*p < 1"),
        ),
        notation="p is 2^n, and delta the number of the task.",
    ),
)
