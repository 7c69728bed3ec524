"""The position before: chapter 4, section "Predecessor".

With i, i^2 and 1 in the position encoding, table lookup by a square of a = i - 1 finds it.

The source's own recipe needs no unbounded encoding: v_i = (cos t_i, sin t_i, 10 (-1)^i) with t_i = pi (1 - 2^-i)/10,
and queries whose third coordinate has the opposite sign. The score of i and j is cos(pi (2^-i - 2^-j)/10) - 10
(-1)^(i+j): it is the greatest among positions of the other parity, and of them where 2^-j is closest to 2^-i. That is
i + 1, as the source says: the next position, and no predecessor (`cookbook-predecessor-as-printed`). With future
masking, of which the source says nothing there, it is i - 1.
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Head, Layer, Mask
from weightproof.constructions.yang2025cookbook.boolean_functions import conjunction
from weightproof.constructions.yang2025cookbook.counting_by_attention import average
from weightproof.constructions.yang2025cookbook.on_words import BEGIN, BITS, ONE, SOURCE, ZERO, Row, Rows, encoder
from weightproof.constructions.yang2025cookbook.table_lookup import by_square

SECTION = f"{SOURCE}, chapter 4, Predecessor"
PLACES = {"j": "i", "j^2": "i**2", "1": 1}
ANGLE = "pi*(1 - (1/2)**i)/10"
TURNING = {"cos": f"cos({ANGLE})", "sin": f"sin({ANGLE})", "10(-1)^i": "10*(-1)**i"}


def predecessor(values: Rows) -> Head:
    """What is at the position before; BOS sees itself."""
    return by_square(values, {"j": 1, "1": -1}, {"1": 1}, "j", "j^2")


def predecessor_by_turning(values: Rows, mask: Mask) -> Head:
    """The same by bounded encodings, with future masking."""
    rows: Rows = {"x": {"cos": 1}, "y": {"sin": 1}, "z": {"10(-1)^i": 1}}
    return Head(values, {**rows, "z": {"10(-1)^i": -1}}, rows, normaliser="hardmax", scale=1, mask=mask)


NO_TWO_ONES = Language(
    "NO TWO 1s IN A ROW",
    BITS,
    lambda word: "11" not in word,
    "all(w[j] != '1' or w[j - 1] != '1' for j in positions)",
    description="no 1 behind a 1",
)


def no_two_ones(name: str, title: str, head: Head, places: Row) -> Construction:
    """1/n less twice how often a 1 stands behind a 1, over n."""
    pairs = Layer(heads=(head,), feed_forward=conjunction({ONE: True, "1 before": True}, "11"))
    means = Layer(heads=(average({"1/n": {BEGIN: 1}, "#11/n": {"11": 1}}),))
    network = encoder(pairs, means, logit={"1/n": 1, "#11/n": -2}, places=places)
    return Construction(name, title, SECTION, NO_TWO_ONES, network)


VALUE: Rows = {"1 before": {ONE: 1}}
construction = no_two_ones("cookbook-predecessor", "The position before, by a square", predecessor(VALUE), PLACES)

NO_RISE = Language(
    "NO 1 BEHIND A 0",
    BITS,
    lambda word: "01" not in word,
    "all(w[j] != '1' or w[j - 1] != '0' for j in positions)",
    description="no 1 behind a 0",
)


def no_rise(name: str, title: str, mask: Mask) -> Construction:
    """1/n less twice how often a 1 stands behind a 0, over n."""
    head = predecessor_by_turning({"0 before": {ZERO: 1}}, mask)
    rises = Layer(heads=(head,), feed_forward=conjunction({ONE: True, "0 before": True}, "01"))
    means = Layer(heads=(average({"1/n": {BEGIN: 1}, "#01/n": {"01": 1}}),))
    network = encoder(rises, means, logit={"1/n": 1, "#01/n": -2}, places=TURNING)
    return Construction(name, title, SECTION, NO_RISE, network)


turning = no_rise("cookbook-predecessor-turning", "The position before, by angles that halve, masked", "causal")
unmasked = no_rise("cookbook-predecessor-as-printed", "The position before, by angles that halve, as printed", "none")
