"""1-DYCK is recognised with a margin on both sides; see `dyck1`.

2*S1_first/(j + 1) is what a violation at j weighs, 1/(j+1) for these weights.
"""

from weightproof.proofs.theorem import Decides, Margin

# Found, too; stated because it is asked for again with every weight that is changed.
OUTWEIGHED = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j) "
    "and (w[j] != '0' or count('1', j) < count('0', j))) "
    "or (not so_far and S1*(j + 1) <= -2*S1_first "
    "and S1*(j + 1) <= -2*S1_first*(count('1', j) - count('0', j)))"
)

theorems = (
    Decides("recognises", "accepts exactly the balanced words", invariant=OUTWEIGHED),
    Margin("accepted", "1/(2*n)", when="n % 2 == 1", attained=(("01", "(n - 1)/2"),)),
    Margin("accepted", None, when="n % 2 == 0"),
    Margin("rejected", "1/(2*n)", when="n >= 2", attained=(("0", "n - 1"),)),
)
