"""FIRST is recognised: Chiang and Cholak (2022), section 3.3."""

from weightproof.constructions.chiang2022.first_claims import claims
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

theorems = (
    Decides("recognises", "accepts exactly the words that start with 1, for every c > 0"),
    ClosedForm(claims.named("first/s"), given="n >= 2"),
    Margin("accepted", "exp(c)/(2*(exp(c) + n - 1))", when="n >= 2", attained=(("1", "n - 1"),)),
    Margin("rejected", "exp(c)/(2*(exp(c) + n - 1))", when="n >= 2", attained=(("0", "n - 1"),)),
    # The empty word: no rounded arithmetic can be trusted with it.
    Margin("rejected", 0, when="n == 1", attained=()),
)
