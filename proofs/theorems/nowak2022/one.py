"""ONE is recognised: Nowak et al. (2022), section 3.1."""

from weightproof.constructions.nowak2022.one_claims import claims
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

theorems = (
    Decides("recognises", "accepts exactly the words with exactly one 1"),
    ClosedForm(claims.named("one/s")),
    Margin("accepted", "1/(2*n)", when="n >= 2", attained=(("1", 1), ("0", "n - 2"))),
    Margin("rejected", "1/(2*n)", attained=(("0", "n - 1"),)),
)
