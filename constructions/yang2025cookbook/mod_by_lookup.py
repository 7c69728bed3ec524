"""A position and a count modulo m: chapter 8, section "Computing MOD without positional encodings", which begins with
the periodic ones that it does without, and chapter 4, section "Table Lookup".

If position j stores f(j), as [j % m = r], which repeats itself, table lookup finds f of a count.

The source's own recipe needs no encoding: it looks up 2j for a count a, by layer norm hashes, and compares the hash of
what it finds. It is not written down here, as no values of a head are normed in this schema.
"""

from __future__ import annotations

from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.constructions.yang2025cookbook.counting_by_attention import COUNTS, average_so_far
from weightproof.constructions.yang2025cookbook.on_words import BITS, SOURCE, Row, encoder
from weightproof.constructions.yang2025cookbook.table_lookup import NUMBER, ONE_OVER, by_distance

SECTION = f"after {SOURCE}, chapter 4, Table Lookup"


def residue(remainder: int, modulus: int) -> str:
    """1 at positions with this remainder, else 0: a position encoding."""
    return f"(i % {modulus} == {remainder})"


def remainder_of(number: Row, one: Row, stored: str, into: str, place: str, key_one: str) -> Head:
    """What the position stores whose number is the count, a row, as `one` is for 1, or both times a positive factor."""
    return by_distance({into: {stored: 1}}, number, one, place, key_one)


MULTIPLE_OF_3 = Language(
    "A MULTIPLE OF 3",
    BITS,
    lambda word: word.count("1") % 3 == 0,
    "count('1') % 3 == 0",
    description="the number of 1s is a multiple of 3",
)
PLACES = {"j": "i", "1": 1, "[j%3=0]": residue(0, 3)}
construction = Construction(
    "cookbook-mod",
    "A count modulo 3, looked up",
    SECTION,
    MULTIPLE_OF_3,
    encoder(
        Layer(heads=(average_so_far(COUNTS),)),
        Layer(heads=(remainder_of(NUMBER, ONE_OVER, "[j%3=0]", "r", "j", "1"),)),
        logit={"r": 1},
        bias="-1/2",
        places=PLACES,
    ),
)
LENGTH = Language(
    "LENGTH A MULTIPLE OF 3",
    BITS,
    lambda word: len(word) % 3 == 0,
    "(n - 1) % 3 == 0",
    description="the number of symbols is a multiple of 3",
)
of_length = Construction(
    "cookbook-mod-position",
    "A position modulo 3, by a periodic encoding",
    f"{SOURCE}, chapter 8, Computing MOD without positional encodings",
    LENGTH,
    encoder(logit={"[j%3=0]": 1}, bias="-1/2", places=PLACES),
)
