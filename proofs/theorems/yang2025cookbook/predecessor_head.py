"""The position before, by what stands behind what in a word.

By a square it is found at every position of words of every length. Of angles that halve the engine has no rule: all
lengths are unknown, and what is proved is of words that are that short.
"""

from weightproof.proofs.theorem import Decides

RISES = "accepts exactly the words without a 1 behind a 0"

theorems = (Decides("recognises", "accepts exactly the words without a 1 behind a 1"),)
turning = (Decides("recognises, n <= 10", RISES, up_to=10),)
unmasked = (Decides("recognises", RISES, expected="refuted"),)
"""Without a mask what is found is the next position."""
