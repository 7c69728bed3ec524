"""The exact solution of ONE, trained further; Nowak et al. (2022) train none of theirs."""

from weightproof.constructions.nowak2022 import one
from weightproof.numeric.learning.onwards import onwards

experiments = (onwards("one", one.construction),)
