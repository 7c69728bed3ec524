"""1-DYCK is recognised: Steffen et al. (2022), section 4.1.

S1 = sum over positions of [more closed than opened]/(j+1): 0 as long as nothing is violated, and at least 1/(j+1) once
something has been, which outweighs the 1/n that a balanced end earns. Where nothing is violated, a prefix that ends
in an opening bracket has an open one.

No word of even n is balanced. A word that only opens has logit 0.
"""

from weightproof.constructions.steffen2022.dyck1 import construction
from weightproof.proofs.theorem import ClosedForm, Decides, Margin

INVARIANT = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j) "
    "and (w[j] != '0' or count('1', j) < count('0', j))) "
    "or (not so_far and S1 <= -reward and S1 <= -reward*(count('1', j) - count('0', j)))"
)

theorems = (
    Decides(
        "recognises",
        "accepts exactly the balanced words",
        invariant=INVARIANT,
    ),
    *(ClosedForm(claim) for claim in construction.claims),
    Margin("accepted", "1/n", when="n % 2 == 1", invariant=INVARIANT, attained=(("01", "(n - 1)/2"),)),
    Margin("rejected", 0, when="n >= 2", invariant=INVARIANT, attained=(("0", "n - 1"),)),
)
