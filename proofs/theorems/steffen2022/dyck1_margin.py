"""1-DYCK is recognised with a margin on both sides; see `dyck1`."""

from weightproof.proofs.theorem import Decides, Margin

theorems = (
    Decides("recognises", "accepts exactly the balanced words"),
    Margin("accepted", "1/(2*n)", when="n % 2 == 1", attained=(("01", "(n - 1)/2"),)),
    Margin("accepted", None, when="n % 2 == 0"),
    Margin("rejected", "1/(2*n)", when="n >= 2", attained=(("0", "n - 1"),)),
)
