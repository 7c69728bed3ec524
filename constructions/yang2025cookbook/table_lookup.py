"""The value at the position whose number a query has: chapter 4, section "Table Lookup".

Hard attention with the query (a, 1) and the key (2j, -j^2) has the score 2aj - j^2 = a^2 - (a - j)^2, which is the
greatest at j = a alone. A positive factor of the query changes nothing, so a/(i + 1) and 1/(i + 1) are enough, which
uniform attention finds.

The source says so of a factor of the key, too. Of one for all keys that is true; of one that depends on j, as 1/(j + 1)
does where keys are found in the same way, it is not: (2aj - j^2)/(j + 1) is the greatest elsewhere from a = 2 on
(`cookbook-lookup-scaled-keys`).

With the score -|q.k|, which Pérez et al. have and the source's n-grams, (a, 1) and (1, -j) are enough: -|a - j|.

Layer norm hashes (see there) of a and j have the greatest product where the numbers are the same; of a/(i + 1) and
1/(i + 1) is made the same hash as of a.
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Head, Layer, LayerNorm
from weightproof.constructions.yang2025cookbook.counting_by_attention import COUNTS, average_so_far
from weightproof.constructions.yang2025cookbook.layer_norm_hash import doubled
from weightproof.constructions.yang2025cookbook.on_words import BITS, ONE, SOURCE, Row, Rows, encoder

SECTION = f"{SOURCE}, chapter 4, Table Lookup"


def by_square(values: Rows, number: Row, one: Row, place: str, square: str) -> Head:
    """What is at the position j = a: number and one are rows for a and 1, or for both times a positive factor; place
    and square are coordinates that are j and j^2."""
    return Head(
        W_V=values,
        W_Q={"a": number, "1": one},
        W_K={"a": {place: 2}, "1": {square: -1}},
        normaliser="hardmax",
        scale=1,
    )


def by_distance(values: Rows, number: Row, one: Row, place: str, key_one: str) -> Head:
    """The same by -|a - j|, the score of Pérez et al.: key_one is always 1."""
    return Head(
        W_V=values,
        W_Q={"a": number, "1": one},
        W_K={"a": {key_one: 1}, "1": {place: -1}},
        score="-|dot|",
        normaliser="hardmax",
        scale=1,
    )


def by_hash(values: Rows, number: Row, one: Row, key: Row, key_one: Row) -> Head:
    """The same by layer norm hashes, of a/1 and of j/1 with a positive factor for each."""
    return Head(
        W_V=values,
        W_Q=doubled(number, one),
        W_K=doubled(key, key_one),
        normaliser="hardmax",
        scale=1,
        query_norm=LayerNorm(),
        key_norm=LayerNorm(),
    )


def at_count(word: str) -> bool:
    ones = word.count("1")
    return ones > 0 and word[ones - 1] == "1"


AT_COUNT = Language(
    "THE SYMBOL AT THE COUNT IS 1",
    BITS,
    at_count,
    "any(w[j] == '1' and j == count('1') for j in positions)",
    description="of k 1s, the k-th symbol is one",
)
PLACES = {"j": "i", "j^2": "i**2", "1": 1}
NUMBER, ONE_OVER = {"#1/(i+1)": 1}, {"1/(i+1)": 1}


def looked_up(name: str, title: str, head: Head, places: Row = PLACES) -> Construction:
    layers = Layer(heads=(average_so_far(COUNTS),)), Layer(heads=(head,))
    network = encoder(*layers, logit={"v": 1}, bias="-1/2", places=places)
    return Construction(name, title, SECTION, AT_COUNT, network)


construction = looked_up(
    "cookbook-lookup", "Table lookup by a square", by_square({"v": {ONE: 1}}, NUMBER, ONE_OVER, "j", "j^2")
)
by_size = looked_up(
    "cookbook-lookup-distance",
    "Table lookup by a distance",
    by_distance({"v": {ONE: 1}}, NUMBER, ONE_OVER, "j", "1"),
    {"j": "i", "1": 1},
)
scaled_keys = looked_up(
    "cookbook-lookup-scaled-keys",
    "Table lookup by a square, keys scaled by 1/(j + 1)",
    by_square({"v": {ONE: 1}}, NUMBER, ONE_OVER, "j", "j^2"),
    {"j": "i/(i + 1)", "j^2": "i**2/(i + 1)"},
)
hashed = looked_up(
    "cookbook-lookup-hash",
    "Table lookup by layer norm hash",
    by_hash({"v": {ONE: 1}}, NUMBER, ONE_OVER, {"j": 1}, {"1": 1}),
    {"j": "i", "1": 1},
)
