"""FIRST, trained on from an exact solution: right far beyond the words that it was shown, and not everywhere."""

from weightproof.proofs.theorem import Decides

EXACTLY = "accepts exactly the words of FIRST"

theorems = (
    Decides("all", EXACTLY, given="n >= 2", expected="refuted"),
    Decides("to 40", f"{EXACTLY} of 1 to 39 symbols", given="n >= 2", up_to=40),
)
