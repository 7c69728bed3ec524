"""The entry of fblissjr with 33 parameters adds: its prompt is a|b|, the last digits in front."""

from weightproof.proofs.theorems.adderboard.adding import LAST_IN_FRONT, adds

a, b = LAST_IN_FRONT

theorems = (adds(a, "|", b, "|"),)
