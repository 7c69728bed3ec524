"""27 parameters: Wonderfall.

One layer, two coordinates, one head, norms before all of it, and two units. Values, the output of the head and the
second map of the feed-forward network are of one matrix, whose number is c.
"""

from weightproof.constructions.adderboard.period19 import (
    SHARPNESS,
    embedding,
    final_norm,
    norm,
    rotary,
    tied,
    turned,
)
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, FeedForward, Head, Layer, Linear

entry = Entry(
    author="Wonderfall",
    parameters=27,
    counted="in the contest's table 27; in the file 26: 12 of digits, 4 of queries and keys, 4 of values, a phase and "
    "a factor, 2 of the first map, 2 of the final norm; the rotation is free",
    elsewhere="proven",
)

c = "100*sqrt(2)/256"
sharp = f"sqrt({SHARPNESS}/sqrt(2))"
of_values = f"-22*1000/sqrt(2)/(2*({c})**2)"

construction = Construction(
    name="wonderfall-27",
    title="adds numbers of ten digits, with 27 parameters",
    source="AdderBoard, entry of Wonderfall with 27 parameters",
    language=PROMPTS,
    network=Decoder(
        coordinates=("large", "sum"),
        embedding=embedding,
        layers=(
            Layer(
                attention_norm_before=norm,
                heads=(
                    Head(
                        W_V={"v0": {"sum": f"-({of_values})*({c})"}, "v1": {"sum": f"({of_values})*({c})"}},
                        W_O={"sum": {"v0": f"-{c}", "v1": c}},
                        W_Q={row: {"large": f"{sharp}*({of['large']})"} for row, of in turned.items()},
                        W_K={"q0": {"large": sharp}, "q1": {}},
                        rotary=rotary,
                        scale="1/sqrt(2)",
                        mask="causal",
                    ),
                ),
                feed_forward_norm_before=norm,
                feed_forward=FeedForward(
                    first=Linear({"94": {"large": -12032, "sum": 128000}, "95": {"large": -12160, "sum": 128000}}),
                    second=Linear({"sum": {"95": c, "94": f"-{c}"}}),
                ),
            ),
        ),
        final_norm=final_norm,
        readout=tied,
    ),
)
