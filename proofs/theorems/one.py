"""ONE is recognised: Nowak et al. (2022), section 3.1."""

from constructions.one import construction
from proofs.theorem import ClosedForm, Decides

theorems = (
    Decides("recognises", "accepts exactly the words with exactly one 1"),
    *(ClosedForm(claim) for claim in construction.claims),
)
