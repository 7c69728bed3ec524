"""Optimized NanoGPT Adder, 66 parameters: cosminscn.

The network of their entry of 130 parameters, whose matrices are made of fewer numbers: queries of two angles and a
factor, values and the second map of directions, the readout of three factors.
"""

from weightproof.constructions.adderboard import cosminscn_130
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction

entry = Entry(
    author="cosminscn",
    parameters=66,
    counted="every number in a tensor, zeros among them; sinusoids are free, and so is d in 2 d z - d^2",
    elsewhere="not run",
)

construction = Construction(
    name="cosminscn-66",
    title="adds numbers of ten digits, with 66 parameters",
    source="AdderBoard, entry of cosminscn with 66 parameters",
    language=PROMPTS,
    network=cosminscn_130.construction.network,
)
