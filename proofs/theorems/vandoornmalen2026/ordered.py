"""ORDERED by two heads: van Doornmalen et al. (2026), theorem 1 and section 3.1.

As printed words of two equal symbols or more are rejected, and 01. With the two ends exchanged 00, 01 and 11 still are,
as at n = 2 the heads are 0.12 off, and 0.1 is allowed for; from n = 3 on no word is known to be wrong. Of all lengths
nothing is proved: the weights are exponentials of products of positions, of which there is no closed form, and what is
compared are two positions, which no finite memory tells.
"""

from weightproof.proofs.theorem import Decides

WORDS = "accepts exactly the words with no 0 behind a 1"

theorems = (Decides("recognises", WORDS, up_to=12),)

as_printed = (Decides("recognises", WORDS, expected="refuted"),)

exchanged = (
    Decides("recognises", WORDS, expected="refuted"),
    Decides("recognises from three symbols on", WORDS, given="n >= 3", up_to=12),
)
