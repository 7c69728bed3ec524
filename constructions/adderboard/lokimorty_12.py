"""12 parameters: Lokimorty.

One layer, two coordinates, one head, norms before all of it and of queries and keys, and two gated units. The gate is
positive where 10 s and the carry, with the digit appended last subtracted, exceed 94, and 95: the difference of the
units, which are SiLU times the large coordinate, takes 100 away where the sum with the carry is 10 or more.
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
    author="lokimorty",
    parameters=12,
    counted="2 of digits, 2 of the query, 1 of the value, 3 of gates, 1 and 1 of units, 2 of the final norm; "
    "the rotation and the scale of scores are free",
    elsewhere="proven",
)

attention = Head(
    W_V={"v": {"sum": "-22*1000/sqrt(2)"}},
    W_O={"sum": {"v": 1}},
    W_Q=turned,
    W_K={"q0": {"large": 1}, "q1": {}},
    query_norm=norm,
    key_norm=norm,
    rotary=rotary,
    scale=f"{SHARPNESS}/2",
    mask="causal",
)

construction = Construction(
    name="lokimorty-12",
    title="adds numbers of ten digits, with 12 parameters",
    source="AdderBoard, entry of Lokimorty with 12 parameters",
    language=PROMPTS,
    network=Decoder(
        coordinates=("large", "sum"),
        embedding=embedding,
        layers=(
            Layer(
                attention_norm_before=norm,
                heads=(attention,),
                feed_forward_norm_before=norm,
                feed_forward=FeedForward(
                    gate=Linear({"94": {"large": -12032, "sum": 128000}, "95": {"large": -12160, "sum": 128000}}),
                    activation="silu",
                    first=Linear({"94": {"large": "1/sqrt(2)"}, "95": {"large": "1/sqrt(2)"}}),
                    second=Linear({"sum": {"95": "100*sqrt(2)/256", "94": "-100*sqrt(2)/256"}}),
                ),
            ),
        ),
        final_norm=final_norm,
        readout=tied,
    ),
)
