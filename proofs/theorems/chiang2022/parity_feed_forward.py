"""The feed-forward networks for PARITY: what section 3.1 prints of each layer."""

from __future__ import annotations

from weightproof.proofs.modular.counting import Compares, Decides, Sums

theorems = (
    Compares("first layer", "unit j is [k >= j], k the number of 1s, for all j from 1 to n"),
    Sums("second layer", "the units, odd ones added and even ones subtracted, make [k is odd]"),
    Decides("parity", "y is 1 for words of n bits with an odd number of 1s, and 0 for all others"),
)
