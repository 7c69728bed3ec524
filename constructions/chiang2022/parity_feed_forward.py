"""PARITY of words of length n by a feed-forward network for each n: Chiang and Cholak (2022), section 3.1, after
Rumelhart et al. (1986).

The first layer counts the 1s, k of them, and compares: unit j is [k >= j]. The second one adds up those of odd j and
subtracts those of even j, which leaves 1 where k is odd.
"""

from __future__ import annotations

from weightproof.constructions.modular.counting import Units

units = Units(
    name="parity-feed-forward",
    title="PARITY by a feed-forward network for each length",
    source="Chiang and Cholak (2022), section 3.1, after Rumelhart et al. (1986)",
    W_1=1,
    b_1="-(j - 1/2)",
    W_2="(-1)**(j + 1)",
    b_2="-1/2",
)
