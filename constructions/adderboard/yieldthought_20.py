"""Spirit-20, 20 parameters: yieldthought.

The network of Wonderfall with 27 parameters, of whose matrices only what is not 0 is counted.
"""

from weightproof.constructions.adderboard import wonderfall_27
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction

entry = Entry(
    author="yieldthought",
    parameters=20,
    counted="12 of digits, 4 of the head, 2 of the first map, 2 of the final norm; the rotation is free",
    elsewhere="proven",
)

construction = Construction(
    name="yieldthought-20",
    title="adds numbers of ten digits, with 20 parameters",
    source="AdderBoard, entry of yieldthought (Spirit-20)",
    language=PROMPTS,
    network=wonderfall_27.construction.network,
)
