"""One of several best positions, the first or the last one: chapter 4, section "Tie Breaking".

Average-hard attention sees all positions with the greatest score. Where scores are 0 or 1, 1/(j + 1) added to them, or
taken away, leaves the first of these alone, or the last one: it changes a score by less than 1, but at position 0,
which is BOS and has no score of 1 here. So does what else is always less than 1 and grows with j, or falls, as j/n.
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.constructions.yang2025cookbook.on_words import BITS, ONE, SOURCE, Row, Rows, encoder

SECTION = f"{SOURCE}, chapter 4, Tie Breaking"


def breaking_ties(values: Rows, score: Row, order: Row, one: str) -> Head:
    """What is at the position with the greatest `order` of those whose score is 1, the greatest where orders differ by
    less than 1; `one` is always 1."""
    return Head(values, {"s": {one: 1}}, {"s": {**score, **order}}, normaliser="hardmax", scale=1)


PLACES = {"1/(j+1)": "1/(i + 1)", "j/n": "i/n", "1": 1, "[even]": "(i % 2 == 0)"}
FIRST_EVEN = Language(
    "FIRST 1 AT AN EVEN PLACE",
    BITS,
    lambda word: "1" in word and (word.index("1") + 1) % 2 == 0,
    "any(w[j] == '1' and j % 2 == 0 and all(k >= j or w[k] != '1' for k in positions) for j in positions)",
    description="the first 1 stands at an even place",
)
LAST_EVEN = Language(
    "LAST 1 AT AN EVEN PLACE",
    BITS,
    lambda word: "1" in word and (word.rindex("1") + 1) % 2 == 0,
    "any(w[j] == '1' and j % 2 == 0 and all(k <= j or w[k] != '1' for k in positions) for j in positions)",
    description="the last 1 stands at an even place",
)


def of_ones(name: str, title: str, order: Row, language: Language) -> Construction:
    """Where there is no 1, what is seen has none."""
    head = breaking_ties({"even": {"[even]": 1}, "1 there": {ONE: 1}}, {ONE: 1}, order, "1")
    places = {name: value for name, value in PLACES.items() if name in {*order, "1", "[even]"}}
    network = encoder(Layer(heads=(head,)), logit={"even": 1, "1 there": 1}, bias="-3/2", places=places)
    return Construction(name, title, SECTION, language, network)


construction = of_ones("cookbook-last", "The last of the best positions, by -1/(j + 1)", {"1/(j+1)": -1}, LAST_EVEN)
first = of_ones("cookbook-first", "The first of the best positions, by 1/(j + 1)", {"1/(j+1)": 1}, FIRST_EVEN)
last_by_place = of_ones("cookbook-last-place", "The last of the best positions, by j/n", {"j/n": 1}, LAST_EVEN)
first_by_place = of_ones("cookbook-first-place", "The first of the best positions, by -j/n", {"j/n": -1}, FIRST_EVEN)
