"""1-DYCK is recognised with a margin on both sides; see `dyck1`."""

from proofs.theorem import Decides, Margin
from proofs.theorems.dyck1 import INVARIANT

VIOLATED = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j)) "
    "or (not so_far and S1 <= -1/(j + 1) and (count('1', j) != count('0', j) or S1 <= -1/j))"
)

theorems = (
    Decides("recognises", "accepts exactly the balanced words", invariant=INVARIANT),
    Margin("accepted", "1/(2*n)", when="n % 2 == 1", invariant=VIOLATED, attained=(("01", "(n - 1)/2"),)),
    Margin("rejected", "1/(2*n)", when="n >= 2", invariant=VIOLATED, attained=(("0", "n - 1"),)),
)
