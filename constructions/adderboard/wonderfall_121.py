"""121 parameters: Wonderfall.

Their network of 139 parameters without the two units of the carry: the final norm lets x through, a tenth of which
counts against the sum: that adds -0.1 or 0 to it without a carry, and 0.9 or 1 with one.
"""

from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.adderboard.wonderfall_139 import UNIT, final_norm, network, one, ten_or_more
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import FeedForward, Linear

entry = Entry(
    author="Wonderfall",
    parameters=121,
    counted="every number in a tensor, zeros among them; the readout is the embedding, and the rotation is free",
    elsewhere="proven",
)

construction = Construction(
    name="wonderfall-121",
    title="adds numbers of ten digits, with 121 parameters",
    source="AdderBoard, entry of Wonderfall with 121 parameters",
    language=PROMPTS,
    network=network(
        FeedForward(
            gate=Linear(ten_or_more),
            activation="silu",
            first=Linear({"ten+": one, "ten-": one}),
            second=Linear({"sum": {"ten+": f"-10*{UNIT}", "ten-": f"10*{UNIT}"}}),
        ),
        final_norm(x="-1/10*1000/sqrt(3)/2000"),
    ),
)
