"""The exact solution of 1-DYCK that has a margin, trained further, after Steffen et al. (2022), section 5, where that
without one is trained."""

from weightproof.constructions.steffen2022 import dyck1
from weightproof.numeric.learning.onwards import onwards

experiments = (onwards("dyck1", dyck1.with_margin),)
