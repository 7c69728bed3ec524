"""28 parameters: jacobli99.

Their network of 93 parameters, whose matrices are made of fewer numbers.
"""

from weightproof.constructions.adderboard import jacobli99_93
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction

entry = Entry(
    author="jacobli99",
    parameters=28,
    counted="10 of digits, 3 scales, 6 of outputs of heads, 5 of units and 4 of their biases; the rotation and the "
    "score that hides are free",
    elsewhere="unknown",
)

construction = Construction(
    name="jacobli99-28",
    title="adds numbers of ten digits, with 28 parameters",
    source="AdderBoard, entry of jacobli99 (SeuperHakkerJa) with 28 parameters",
    language=PROMPTS,
    network=jacobli99_93.construction.network,
)
