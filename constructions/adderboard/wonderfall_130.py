"""130 parameters: Wonderfall.

Their network of 139 parameters, but that in the place of the two units of the carry stands one whose gate is always
open: it adds 0.05 - x/10, which is -0.05 or 0.05 without a carry, and 0.95 or 1.05 with one.
"""

from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.adderboard.wonderfall_139 import UNIT, final_norm, network, one, ten_or_more
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import FeedForward, Linear

entry = Entry(
    author="Wonderfall",
    parameters=130,
    counted="every number in a tensor, zeros among them; the readout is the embedding, and the rotation is free",
    elsewhere="proven",
)

construction = Construction(
    name="wonderfall-130",
    title="adds numbers of ten digits, with 130 parameters",
    source="AdderBoard, entry of Wonderfall with 130 parameters",
    language=PROMPTS,
    network=network(
        FeedForward(
            gate=Linear(ten_or_more | {"carry": {"large": "20/sqrt(3)"}}),
            activation="silu",
            first=Linear({"ten+": one, "ten-": one, "carry": {"large": "1/2/sqrt(3)", "x": "-1000/sqrt(3)"}}),
            second=Linear({"sum": {"ten+": f"-10*{UNIT}", "ten-": f"10*{UNIT}", "carry": "1/10/(20/(1 + exp(-20)))"}}),
        ),
        final_norm(x=0),
    ),
)
