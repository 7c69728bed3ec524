"""The symbol at the position whose number is the number of 1s.

By a distance and by a square it is found for words of every length. Of hashes the engine reads no scores: all lengths
are unknown, and what is proved is of words that are that short.
"""

from weightproof.proofs.theorem import Decides, Expected

RECOGNISES = "accepts exactly where the symbol at the position that is the number of 1s is 1"


def on_all(expected: Expected = "proved") -> Decides:
    return Decides("recognises", RECOGNISES, expected=expected)


theorems = (on_all(),)
hashed = (Decides("recognises, n <= 8", RECOGNISES, up_to=8),)
by_size = (on_all(),)
scaled_keys = (on_all("refuted"),)
