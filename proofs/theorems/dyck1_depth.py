"""DYCK-(1,D) is recognised for every D: Steffen et al. (2022), section 4.2.

S1 and S2 sum [more closed than opened]/(j+1) and [deeper than D]/(j+1): as in `dyck1`.
"""

from constructions.dyck1_depth import construction
from proofs.theorem import ClosedForm, Decides

theorems = (
    Decides(
        "recognises",
        "accepts exactly the balanced words nested at most D deep, for every D >= 0",
        invariant=(
            "(so_far and S1 == 0 and count('1', j) <= count('0', j) "
            "and (w[j] != '0' or count('1', j) < count('0', j))) "
            "or (not so_far and S1 <= -reward and S1 <= -reward*(count('1', j) - count('0', j)))"
        ),
    ),
    *(ClosedForm(claim) for claim in construction.claims),
)
