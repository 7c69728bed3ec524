"""The exact solutions of FIRST and PARITY, trained further; Chiang and Cholak (2022) train none of them."""

from weightproof.constructions.chiang2022 import first, parity
from weightproof.numeric.learning.onwards import onwards

C = ("fix:c=1",)
"""As in section 5.3."""

experiments = (onwards("first", first.construction, C), onwards("parity", parity.construction, C))
