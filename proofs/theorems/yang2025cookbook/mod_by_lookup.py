"""A count and a position modulo 3, for every word."""

from weightproof.proofs.theorem import Decides

theorems = (Decides("recognises", "accepts exactly the words whose number of 1s is a multiple of 3"),)
of_length = (Decides("recognises", "accepts exactly the words whose length is a multiple of 3"),)
