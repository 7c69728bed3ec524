"""8 parameters: kswain98.

The network of Lokimorty with 10 parameters, in which most numbers are made of the one, 1000, that digits are embedded
with. The file that the contest leads to counts two parameters by now, that one and the threshold of the gate.
"""

from weightproof.constructions.adderboard import lokimorty_10
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction

entry = Entry(
    author="kswain98",
    parameters=8,
    counted="in the contest's table 8; in the file 2, from which the gain of the final norm, the value and a gate "
    "follow, and all else is free",
    elsewhere="proven",
)

construction = Construction(
    name="kswain98-8",
    title="adds numbers of ten digits, with 8 parameters",
    source="AdderBoard, entry of kswain98 with 8 parameters",
    language=PROMPTS,
    network=lokimorty_10.construction.network,
)
