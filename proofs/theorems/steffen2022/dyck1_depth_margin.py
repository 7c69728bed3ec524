"""DYCK-(1,D) is recognised for every D, with a margin on both sides; see `dyck1_depth`.

For D = 0 the margin of the rejected words is again a harmonic sum, and not stated.
"""

from weightproof.proofs.theorem import Decides, Margin
from weightproof.proofs.theorems.steffen2022.dyck1_depth import NESTED, margins
from weightproof.proofs.theorems.steffen2022.dyck1_margin import OUTWEIGHED

accepted, *rejected = margins("1/(2*n)", "1/(2*n)", "1/(2*n)", "(n + 1)/(2*n*(n - 1))")

theorems = (
    Decides("recognises", NESTED, invariant=OUTWEIGHED),
    accepted,
    Margin("accepted", None, when="n % 2 == 0"),
    *rejected,
)
