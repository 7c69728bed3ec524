"""Boolean functions of what the last symbols are: each is found at every position of every word."""

from weightproof.proofs.theorem import Decides

RECOGNISES = Decides("recognises", "accepts exactly the words whose last symbols have it")

theorems = conjoined = disjoined = negated = majority = (RECOGNISES,)
as_printed = (Decides("recognises", RECOGNISES.statement, expected="refuted"),)
"""XOR with the signs of the literals as printed finds its complement."""
