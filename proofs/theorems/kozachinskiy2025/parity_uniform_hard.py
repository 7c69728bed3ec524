"""PARITY by a head that looks at the position whose number is that of the 1s, after Kozachinskiy and Steifer (2025)."""

from weightproof.proofs.theorem import Decides

theorems = (Decides("recognises", "accepts exactly the words with an odd number of 1s"),)
scaled = (Decides("recognises", "the same with softmax, steeper as words get longer"),)
