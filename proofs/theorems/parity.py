"""PARITY is recognised: Chiang and Cholak (2022), proposition 1, without layer normalisation."""

from constructions.parity import construction
from proofs.theorem import ClosedForm, Decides

n_even, k_even, k_odd = construction.claims

theorems = (
    Decides("recognises", "accepts exactly the words with an odd number of 1s, for every c > 0"),
    Decides("bounded", "the same, every count of every length up to 12", up_to=12),
    ClosedForm(n_even),
    ClosedForm(k_even),
    # Printed with cosh(2c); the derivation gives sinh(2c).
    ClosedForm(k_odd, expected="refuted"),
)
