"""PARITY is recognised: Chiang and Cholak (2022), proposition 1, without layer normalisation.

The margins are what the logit is for each parity of n and of the number of 1s. The empty word, n = 1, has logit 0.
"""

from weightproof.constructions.chiang2022.parity_claims import Z1, Z2, claims
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

NO_ONE = (("0", "n - 1"),)
ONE_ONE = (("1", 1), ("0", "n - 2"))

theorems = (
    Decides("recognises", "accepts exactly the words with an odd number of 1s, for every c > 0"),
    Decides("bounded", "the same, every count of every length up to 12", up_to=12),
    ClosedForm(claims.named("parity/s-even"), name="logit, section 3.2, n even"),
    ClosedForm(claims.named("parity/s-odd-k-even"), name="logit, appendix A, n odd, k even"),
    # Printed with cosh(2c); the derivation gives sinh(2c).
    ClosedForm(claims.named("parity/s-odd-k-odd"), name="logit, appendix A, n odd, k odd", expected="refuted"),
    Margin("accepted", "2*tanh(c)/n**2", when="n % 2 == 0", attained=ONE_ONE),
    Margin("rejected", "2*tanh(c)/n**2", when="n % 2 == 0", attained=NO_ONE),
    Margin("accepted", f"(n + 1)*sinh(2*c)/(n*{Z1}*{Z2})", when="n % 2 == 1 and n >= 3", attained=ONE_ONE),
    Margin("rejected", f"(n - 1)*sinh(2*c)/(n*{Z1}*{Z2})", when="n % 2 == 1", attained=NO_ONE),
)
