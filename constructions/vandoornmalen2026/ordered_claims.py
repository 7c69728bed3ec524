"""What van Doornmalen et al. (2026) print about the network for ORDERED: theorem 1 and section 3.1."""

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims, slips

OFF_AT_2 = "exp(-2)/(1 + exp(-2))"
"""How far the first head is from the last 0 of 01, which is at 1, as the other position has a score less by 2."""
IS_01 = "n == 2 and w[0] == '0' and w[1] == '1'"

SLIPS = slips(
    "vandoornmalen2026",
    "ordered-exchanged",
    "ends: Where all symbols are equal the first head is at $n$ and the second one at 1, as the text says above; the "
    "condition has the two exchanged, so that 000 is held to be unordered.",
    r"section 3.1: if $\lvert i_0^* - n \rvert + \lvert i_1^* - 1 \rvert < 0.2$, as $i_0^* = 3 - \frac{e^6 + 2 e^3}"
    "{e^3 + e^6 + e^9}$ of the word 000",
    says.Value(
        says.Formula("(exp(3) + 2*exp(6) + 3*exp(9))/(exp(3) + exp(6) + exp(9))"),
        "3 - (exp(6) + 2*exp(3))/(exp(3) + exp(6) + exp(9))",
    ),
    "tenth: A margin of $n = 2$ leaves an error of 0.12, and both heads have one.",
    r"section 3.1: $\lvert i_0 - i_0^* \rvert < 0.2$, here of the word 01",
    says.Value(says.Formula(f"({OFF_AT_2} < 1/5)"), "1", IS_01),
)

NETWORK = (
    "section 3.1",
    r"embedding: $E(x_i, i, n) = (i, i^2, x_i)$",
    says.Vector(0, "i + 1", "(i + 1)**2", "(w[i] == '1')", stage="embedding"),
    "PE: the positional encoding is length-independent: the position and its square",
    says.Domain("PE", "i"),
    "heads: two heads",
    says.Count("heads", 2),
)
NOTATION = "Positions are printed from 1 on, and counted from 0 here."

claims = (
    Claims(
        "ordered",
        "theorem 1",
        "layers: one layer",
        says.Count("layers", 1),
        *NETWORK,
        notation=NOTATION,
        repair="the output network is ours; what the printed one checks is right from three symbols on",
    ),
    Claims(
        "ordered-as-printed",
        *NETWORK,
        r"tenth: $\lvert i_0 - i_0^* \rvert < 0.1$, here of the word 01",
        says.Value(says.Formula(f"({OFF_AT_2} < 1/10)"), "1", IS_01),
        SLIPS["tenth"],
        r"cases: if $\lvert i_0^* - 1 \rvert + \lvert i_1^* - n \rvert < 0.2$, $x_1^*$ and $x_n^*$ are compared; else "
        r"ordered is what has $\lvert i_1^* - 1 - i_0^* \rvert < 0.2$",
        says.Accepts(),
        SLIPS["ends"],
        SLIPS["tenth"],
        notation=NOTATION,
    ),
)
