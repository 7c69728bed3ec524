"""FIRST is recognised: Chiang and Cholak (2022), section 3.3."""

from constructions.first import construction
from proofs.theorem import ClosedForm, Decides

theorems = (
    Decides("recognises", "accepts exactly the words that start with 1, for every c > 0"),
    *(ClosedForm(claim) for claim in construction.claims),
)
