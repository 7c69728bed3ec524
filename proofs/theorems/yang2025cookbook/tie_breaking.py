"""The first and the last of several best positions.

By j/n they are found in words of every length. By 1/(j + 1), as printed, which the engine does not read in scores, all
lengths are unknown, and what is proved is of words that are that short.
"""

from weightproof.proofs.theorem import Decides

FIRST, LAST = (
    "accepts exactly where the first 1 is at an even place",
    "accepts exactly where the last 1 is at an even place",
)

theorems = (Decides("recognises, n <= 9", LAST, up_to=9),)
first = (Decides("recognises, n <= 9", FIRST, up_to=9),)
last_by_place = (Decides("recognises", LAST),)
first_by_place = (Decides("recognises", FIRST),)
