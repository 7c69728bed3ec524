"""PARITY, trained on from an exact solution: right on all words of the length that it was shown, not on all shorter."""

from weightproof.proofs.theorem import Decides

EXACTLY = "accepts exactly the words of PARITY"

theorems = (
    Decides("of 10 symbols", f"{EXACTLY} of that length", given="n == 11", up_to=11),
    Decides("of fewer", f"{EXACTLY} that are shorter", given="2 <= n and n < 11", up_to=10, expected="refuted"),
)
