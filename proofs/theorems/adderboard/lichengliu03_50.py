"""TinyAdder-50p adds: its prompt is a0b0, the first digits in front."""

from weightproof.proofs.theorems.adderboard.adding import FIRST_IN_FRONT, adds

a, b = FIRST_IN_FRONT

theorems = (adds(a, "0", b, "0"),)
