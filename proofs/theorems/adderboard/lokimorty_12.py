"""The entry of Lokimorty with 12 parameters adds: its prompt is 0a000000000b0, the last digits in front."""

from weightproof.proofs.theorems.adderboard.adding import LAST_IN_FRONT, adds

a, b = LAST_IN_FRONT

theorems = (adds("0", a, "0" * 9, b, "0"),)
