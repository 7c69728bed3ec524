"""The entry of xangma with 177 parameters adds: its prompt is 0a00b0, the last digits in front."""

from weightproof.proofs.theorems.adderboard.adding import LAST_IN_FRONT, adds

a, b = LAST_IN_FRONT

theorems = (adds("0", a, "00", b, "0"),)
