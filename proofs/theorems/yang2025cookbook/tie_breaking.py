"""The first and the last of several best positions, by 1/(j + 1), as printed, and by j/n."""

from weightproof.proofs.theorem import Decides

FIRST, LAST = (
    "accepts exactly where the first 1 is at an even place",
    "accepts exactly where the last 1 is at an even place",
)

theorems = (Decides("recognises", LAST),)
first = (Decides("recognises", FIRST),)
last_by_place = (Decides("recognises", LAST),)
first_by_place = (Decides("recognises", FIRST),)
