"""A count modulo 3, for every word."""

from weightproof.proofs.theorem import Decides

theorems = (Decides("recognises", "accepts exactly the words whose number of 1s is a multiple of 3"),)
