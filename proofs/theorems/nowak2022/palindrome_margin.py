"""PALINDROME is recognised with a margin on both sides, for every base e^c >= 2; see `palindrome`."""

from weightproof.proofs.theorem import Decides, Margin

theorems = (
    Decides(
        "recognises",
        "for every base e^c >= 2, accepts exactly the palindromes",
        given="exp(c) >= 2",
    ),
    Margin(
        "accepted",
        "(exp(c) - 1)/(exp(c*n) - 1)",
        when="n >= 2",
        given="exp(c) >= 2",
        attained=(("0", "n - 2"),),
    ),
    Margin(
        "rejected",
        "(exp(c) - 1)**2/(exp(c*n) - 1)",
        when="n >= 4",
        given="exp(c) >= 2",
        attained=(("1", 1), ("0", "n - 3")),
    ),
)
