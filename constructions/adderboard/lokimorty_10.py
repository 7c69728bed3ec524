"""10 parameters: Lokimorty.

Their network of 12 parameters with the factor of the units within the second map, and the gates tied: the second one
is the first one, less a thousandth of what multiplies the sum.
"""

from weightproof.constructions.adderboard.lokimorty_12 import attention
from weightproof.constructions.adderboard.period19 import embedding, final_norm, norm, tied
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, FeedForward, Layer, Linear

entry = Entry(
    author="lokimorty",
    parameters=10,
    counted="2 of digits, 2 of the query, 1 of the value, 2 of gates, 1 of units, 2 of the final norm; the rotation "
    "and the scale of scores are free",
    elsewhere="proven",
)

layer = Layer(
    attention_norm_before=norm,
    heads=(attention,),
    feed_forward_norm_before=norm,
    feed_forward=FeedForward(
        gate=Linear({"94": {"large": -12032, "sum": 128000}, "95": {"large": "-12032 - 128000/1000", "sum": 128000}}),
        activation="silu",
        first=Linear({"94": {"large": 1}, "95": {"large": 1}}),
        second=Linear({"sum": {"95": "100/256", "94": "-100/256"}}),
    ),
)

construction = Construction(
    name="lokimorty-10",
    title="adds numbers of ten digits, with 10 parameters",
    source="AdderBoard, entry of Lokimorty with 10 parameters",
    language=PROMPTS,
    network=Decoder(("large", "sum"), embedding, (layer,), tied, final_norm=final_norm),
)
