"""6 parameters: zcbtrak.

The network of Lokimorty with 10 parameters, but that the gain of the final norm is within the readout.
"""

from weightproof.constructions.adderboard.lokimorty_10 import layer
from weightproof.constructions.adderboard.period19 import digits, embedding, norm
from weightproof.constructions.adderboard.sums import PROMPTS
from weightproof.constructions.entry import Entry
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, Linear, Readout

entry = Entry(
    author="zcbtrak",
    parameters=6,
    counted="2 of digits, 1 of the value, 2 of gates, 1 of units; the query and what is folded into the readout are "
    "free, which is debated",
    elsewhere="proven",
)

folded = {
    digit: {"large": f"50*sqrt(2)*({row['large']})", "sum": f"-10*sqrt(2)*({row['sum']})"}
    for digit, row in digits.items()
}

construction = Construction(
    name="zcbtrak-6",
    title="adds numbers of ten digits, with 6 parameters",
    source="AdderBoard, entry of zcbtrak with 6 parameters",
    language=PROMPTS,
    network=Decoder(
        ("large", "sum"),
        embedding,
        (layer,),
        Readout(Linear(folded), position="last", accept="argmax"),
        final_norm=norm,
    ),
)
