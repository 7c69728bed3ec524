"""Where the one-layer transformer for FIRST errs: Chiang and Cholak (2022), section 5.2."""

from weightproof.constructions.chiang2022.first_one_layer_claims import claims
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

theorems = (
    Decides("recognises", "accepts exactly the words that start with 1, for every c > 0", expected="refuted"),
    Decides(
        "right above log(n-1)",
        "for c > log(n-1), accepts exactly the words of n positions that start with 1",
        given="exp(c) > n - 1",
    ),
    Decides(
        "wrong up to log(n-1)",
        "for c <= log(n-1), rejects the word of n positions that starts with its only 1",
        given="exp(c) <= n - 1 and w[1] == '1' and count('1') == 1",
        accepts="0 > 1",
    ),
    Decides(
        "where it accepts",
        "accepts exactly where w_1 = 1 and e^c > n + 1 - 2k, or w_1 != 1 and e^c < 2k + 1 - n",
        accepts=("(w[1] == '1' and exp(c) > n + 1 - 2*count('1')) or (w[1] == '0' and exp(c) < 2*count('1') + 1 - n)"),
    ),
    ClosedForm(claims.named("first-one-layer/s"), given="n >= 2"),
    Margin(
        "accepted",
        "(exp(c) + 1 - n)/(2*(exp(c) + n - 1))",
        when="n >= 2",
        given="exp(c) > n - 1",
        attained=(("1", 1), ("0", "n - 2")),
    ),
    Margin(
        "rejected",
        "(exp(c) + 3 - n)/(2*(exp(c) + n - 1))",
        when="n >= 2",
        given="exp(c) > n - 1",
        attained=(("0", 1), ("1", "n - 2")),
    ),
)
