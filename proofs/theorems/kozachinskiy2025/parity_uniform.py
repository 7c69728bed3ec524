"""PARITY by three layers that do not know the length, after Kozachinskiy and Steifer (2025).

Of all lengths nothing is proved: what b_i is falls out of the weights, but its sign depends on which of i and k is
larger, and of the sum of exp(-4 n^2 |b_i|) that the last layer makes over all positions there is no closed form.
"""

from weightproof.proofs.theorem import Decides

theorems = (Decides("recognises", "accepts exactly the words with an odd number of 1s", up_to=13),)
