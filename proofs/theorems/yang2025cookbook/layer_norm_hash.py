"""The first coordinate of a layer norm hash, of every position."""

from weightproof.proofs.theorem import Compares, Decides

theorems = (
    Decides("recognises", "accepts exactly the words that are not empty"),
    Compares("==", "sqrt(2)*(n - 1)/sqrt((n - 1)**2 + 1)", where="n >= 1", name="of a position"),
)
as_printed = (
    Compares("==", "(n - 1)/sqrt(2*(n - 1)**2 + 2)", where="n >= 1", name="of a position, as printed", expected="refuted"),
)
