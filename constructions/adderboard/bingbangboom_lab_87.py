"""87 parameters: bingbangboom-lab.

The network of xangma with 177 parameters, of which digits, values, heads and the second maps are by hand.
"""

from weightproof.constructions.adderboard import xangma_177
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction

entry = Entry(
    author="bingbangboom-lab",
    parameters=87,
    counted="71 numbers in tensors that are trained, and 16 that are not; the rotation and what is 0 are free",
    elsewhere="not run",
)

construction = Construction(
    name="bingbangboom-lab-87",
    title="adds numbers of ten digits, with 87 parameters",
    source="AdderBoard, entry of bingbangboom-lab with 87 parameters",
    language=PROMPTS,
    network=xangma_177.construction.network,
)
