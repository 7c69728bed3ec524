"""What stood behind the last symbol when it last was there: chapter 8, section "Induction Heads", whose text the early
source lacks, made of the recipes for the position before and for ties.

The first layer tells each position the symbol before it. The head of the second one sees, of the positions behind a
symbol that is the last one of the word, the last, and copies what is there: that is predicted.
"""

from __future__ import annotations

from weightproof.constructions.crasp.weights import looking_back
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Head, Layer, Linear, Readout
from weightproof.constructions.yang2025cookbook.on_words import BITS, SOURCE, Row, Rows, of, over

SECTION = f"after {SOURCE}, chapter 8, Induction Heads"
PLACES = {"i": "i", "1": 1, "j/n": "i/n"}


def before(symbol: str) -> str:
    """1 where the symbol before is this one."""
    return f"[-1={symbol}]"


def copying(values: Rows, symbols: tuple[str, ...], order: Row, one: str) -> Head:
    """What is at the last of the positions that stand behind the symbol that is here: the product of one-hot vectors
    is 1 there, and `order` is less than 1."""
    own: dict[str, Row] = {a: {of(a): 1} for a in symbols}
    behind: dict[str, Row] = {a: {before(a): 1} for a in symbols}
    return Head(values, {**own, "order": {one: 1}}, {**behind, "order": order}, normaliser="hardmax", scale=1)


def copied(word: str) -> str | None:
    at = word[:-1].rfind(word[-1:]) if word else -1
    return None if at < 0 else word[at + 1]


def seen_before(behind: str, last: str) -> str:
    """The last symbol is this one; and where it last stood before, another one was behind it."""
    return (
        f"w[n - 1] == '{last}' and any(w[j] == '{last}' and w[j + 1] == '{behind}' and "
        f"all(k <= j or k == n - 1 or w[k] != '{last}' for k in positions) for j in positions)"
    )


SEEN = Language(
    "SEEN BEFORE",
    BITS,
    lambda word: copied(word) is not None,
    "count('0') >= 2 and w[n - 1] == '0' or count('1') >= 2 and w[n - 1] == '1'",
    description="what stood behind the last symbol when it last was there",
    labels={a: f"{seen_before(a, '0')} or {seen_before(a, '1')}" for a in BITS},
    label=copied,
)

previous = looking_back({before(a): {of(a): 1} for a in BITS}, 1, "i", "1")
construction = Construction(
    "cookbook-induction",
    "An induction head",
    SECTION,
    SEEN,
    over(
        (
            Layer(heads=(previous,)),
            Layer(heads=(copying({f"next {a}": {of(a): 1} for a in BITS}, BITS, {"j/n": 1}, "1"),)),
        ),
        Readout(Linear({a: {f"next {a}": 1} for a in BITS}), position="last", accept="argmax"),
        PLACES,
    ),
)
