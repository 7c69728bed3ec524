"""The layer norm hash of a number: chapter 4, section "Table Lookup", and chapter 6, section "Layer-Norm Hash".

LayerNorm(x, 1, -x, -1) = sqrt(2) (x, 1, -x, -1)/sqrt(x^2 + 1), as the mean is 0 and the mean of squares (x^2 + 1)/2. It
does not depend on a positive factor of x and 1.

In chapter 4 it is printed as (x, 1, -x, -1)/sqrt(2 x^2 + 2), half of that, by the sum of squares; and
chapter 6 has 1 for the product of a hash with itself, which is 4. What a hash is for, that its product with another
one is less, is as true of its double: `cookbook-lookup-hash`.
"""

from __future__ import annotations

from collections.abc import Mapping

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Layer, LayerNorm, Linear, Readout
from weightproof.constructions.yang2025cookbook.counting_by_attention import EVERY_WORD
from weightproof.constructions.yang2025cookbook.on_words import BITS, BOS, SOURCE, Row

SYMBOLS = Language("SOME SYMBOL", BITS, lambda word: word != "", "n >= 2", description="words that are not empty")
COORDINATES = ("x", "1", "-x", "-1")


def doubled(x: Row, one: Row) -> Mapping[str, Row]:
    """(x, 1, -x, -1), which LayerNorm makes the hash of x over one."""
    opposite = ({name: f"-({weight})" for name, weight in row.items()} for row in (x, one))
    return dict(zip(COORDINATES, (x, one, *opposite), strict=True))


SECTION = f"{SOURCE}, chapter 4, Table Lookup"


def of_position(name: str, title: str, layer: Layer) -> Construction:
    """What is at the first coordinate of the last position, where x is i."""
    network = Encoder(
        coordinates=COORDINATES,
        embedding=Embedding({"0": {}, "1": {}, BOS: {}}, {"x": "i", "1": 1, "-x": "-i", "-1": -1}),
        layers=(layer,),
        readout=Readout(Linear({"logit": {"x": 1}}), position="last"),
        begin=BOS,
    )
    return Construction(name, title, SECTION, SYMBOLS if layer.feed_forward is None else EVERY_WORD, network)


construction = of_position("cookbook-hash", "The layer norm hash of a position", Layer(attention_norm=LayerNorm()))
squares = FeedForward(
    Linear({name: {name: 1} for name in COORDINATES}),
    Linear({"x": dict.fromkeys(COORDINATES, 1)}),
    activation="square",
)
product = of_position(
    "cookbook-hash-product",
    "The product of a layer norm hash with itself",
    Layer(attention_norm=LayerNorm(), feed_forward=squares, feed_forward_residual=False),
)
