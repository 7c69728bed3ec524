"""FIRST and PARITY of Chiang and Cholak (2022), ONE of Nowak et al. (2022), and 1-DYCK with a margin, after Steffen et
al. (2022)."""

from weightproof.constructions.chiang2022 import first, parity
from weightproof.constructions.nowak2022 import one
from weightproof.constructions.steffen2022 import dyck1
from weightproof.numeric.learning.exact_solutions import onwards

C = ("fix:c=1",)
"""As in Chiang and Cholak's section 5.3."""

experiments = (
    onwards("first", first.construction, C),
    onwards("parity", parity.construction, C),
    onwards("one", one.construction),
    onwards("dyck1", dyck1.with_margin),
)
