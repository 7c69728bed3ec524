"""148 parameters: bingbangboom-lab.

The network of xangma with 177 parameters, in which both layers share the vectors that their queries, keys, values and
heads read, and what is 1 in each is counted apart.
"""

from weightproof.constructions.adderboard import xangma_177
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction

entry = Entry(
    author="bingbangboom-lab",
    parameters=148,
    counted="every number in a tensor that is trained, 143, and 5 that are not; the rotation and the norms are free",
    elsewhere="not run",
)

construction = Construction(
    name="bingbangboom-lab-148",
    title="adds numbers of ten digits, with 148 parameters",
    source="AdderBoard, entry of bingbangboom-lab with 148 parameters",
    language=PROMPTS,
    network=xangma_177.construction.network,
)
