"""116 parameters: nino.

The network of Wonderfall with 121 parameters, with one vector of gains for both norms of the layer, and one for
queries and keys.
"""

from weightproof.constructions.adderboard import wonderfall_121
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction

entry = Entry(
    author="nino",
    parameters=116,
    counted="every number in a tensor, zeros among them, those that are shared once; the rotation is free",
    elsewhere="proven",
)

construction = Construction(
    name="nino-116",
    title="adds numbers of ten digits, with 116 parameters",
    source="AdderBoard, entry of nino (prasannakotyal) with 116 parameters",
    language=PROMPTS,
    network=wonderfall_121.construction.network,
)
