"""PARITY by causal softmax that does not know the length, after Kozachinskiy, Steifer and Wałęga (2026).

Of all lengths nothing is proved: the last layer sums exp(-8 (i - k)^2/Z) over all positions, with a Z that is a sum of
1/i^2, and of neither there is a closed form.
"""

from weightproof.proofs.theorem import Decides

theorems = (Decides("recognises", "accepts exactly the words with an odd number of 1s", up_to=13),)
