"""TinyAdder does not add all numbers: its prompt is a+b=, the first digits in front."""

from weightproof.proofs.theorems.adderboard.adding import FIRST_IN_FRONT, adds

a, b = FIRST_IN_FRONT

theorems = (adds(a, "+", b, "=", backward=True, expected="refuted"),)
