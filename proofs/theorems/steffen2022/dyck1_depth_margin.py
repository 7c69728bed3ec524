"""DYCK-(1,D) is recognised for every D, with a margin on both sides; see `dyck1_depth`.

For D = 0 the margin of the rejected words is again a harmonic sum, and not stated.
"""

from weightproof.proofs.theorem import Decides, Margin
from weightproof.proofs.theorems.steffen2022.dyck1_depth import VIOLATED
from weightproof.proofs.theorems.steffen2022.dyck1_margin import OUTWEIGHED

theorems = (
    Decides(
        "recognises",
        "accepts exactly the balanced words nested at most D deep, for every D >= 0",
        invariant=OUTWEIGHED,
    ),
    Margin(
        "accepted",
        "1/(2*n)",
        when="n % 2 == 1 and (D >= 1 or n == 1)",
        attained=(("01", "(n - 1)/2"),),
    ),
    Margin("accepted", None, when="n % 2 == 0"),
    Margin(
        "rejected",
        "1/(2*n)",
        when="n % 2 == 0 and D >= 1",
        attained=(("01", "(n - 2)/2"), ("0", 1)),
    ),
    Margin(
        "rejected",
        "1/(2*n)",
        when="n % 2 == 1 and n >= 3 and D >= 2",
        attained=(("01", "(n - 3)/2"), ("00", 1)),
    ),
    Margin(
        "rejected",
        "(n + 1)/(2*n*(n - 1))",
        when="n % 2 == 1 and n >= 3 and D == 1",
        invariant=VIOLATED,
        attained=(("01", "(n - 3)/2"), ("10", 1)),
    ),
)
