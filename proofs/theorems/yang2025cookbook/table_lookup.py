"""The symbol at the position whose number is the number of 1s.

By a distance it is found for words of every length. Of a square and of hashes the engine reads no scores that depend on
a count: all lengths are unknown, and what is proved is of words that are that short.
"""

from weightproof.proofs.theorem import Decides, Expected

RECOGNISES = "accepts exactly where the symbol at the position that is the number of 1s is 1"


def short(up_to: int) -> Decides:
    return Decides(f"recognises, n <= {up_to}", RECOGNISES, up_to=up_to)


def on_all(expected: Expected = "proved") -> Decides:
    return Decides("recognises", RECOGNISES, expected=expected)


theorems = (short(10),)
hashed = (short(8),)
by_size = (on_all(),)
scaled_keys = (on_all("refuted"),)
