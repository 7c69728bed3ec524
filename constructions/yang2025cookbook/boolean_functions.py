"""Boolean functions of coordinates that are 0 or 1: chapter 3, section "Boolean Functions".

- not x is 1 - x, which is linear, and no unit.
- All of n hold where ReLU(x_1 + ... + x_n - n + 1) is 1; it is 0 elsewhere. So the source has them in its full DNF.
- Some of n hold where 1 - ReLU(1 - x_1 - ... - x_n) is 1, as not all of them are not so. Of two that is their maximum.
- Any function is the sum of one conjunction for each row of its truth table that is true, since one of them holds at
  most: the full DNF, of as many units.

In the conjunction of the full DNF every literal is printed with the sign of the first variable, lambda_{i, xi_1} for
lambda_{i, xi_i}. XOR then finds where both hold, or none: `cookbook-xor-as-printed`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from weightproof.constructions.crasp.weights import looking_back
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import FeedForward, Layer, Linear
from weightproof.constructions.yang2025cookbook.on_words import BITS, ONE, SOURCE, Row, encoder, side_by_side

SECTION = f"{SOURCE}, chapter 3, Boolean Functions"
PLACES = {"i": "i", "1": 1}


def negation(of: str, one: str) -> Row:
    """Not so: a row to read, where `one` is always 1."""
    return {one: 1, of: -1}


def conjunction(literals: Mapping[str, bool], into: str) -> FeedForward:
    """1 where each coordinate is as its literal says, else 0."""
    unit = f"{into}: {' and '.join(of if holds else f'not {of}' for of, holds in literals.items())}"
    weights = {of: 1 if holds else -1 for of, holds in literals.items()}
    return FeedForward(Linear({unit: weights}, {unit: 1 - sum(literals.values())}), Linear({into: {unit: 1}}))


def disjunction(of: Sequence[str], into: str) -> FeedForward:
    """1 where some coordinate is 1, else 0."""
    unit = f"{into}: none"
    return FeedForward(Linear({unit: dict.fromkeys(of, -1)}, {unit: 1}), Linear({into: {unit: -1}}, {into: 1}))


def full_dnf(function: Callable[..., bool], of: Sequence[str], into: str) -> FeedForward:
    """1 where the function of the coordinates is true, else 0: a conjunction for each row of its truth table.
    ConstructionError where a coordinate is named twice."""
    if len(set(of)) < len(of):
        raise ConstructionError(f"{into}: a full DNF of {', '.join(of)} names a coordinate twice")
    rows = true_rows(function, len(of))
    never = FeedForward(Linear(), Linear({into: {}}))
    return side_by_side(never, *(conjunction(dict(zip(of, row, strict=True)), into) for row in rows))


def true_rows(function: Callable[..., bool], number: int) -> Iterator[tuple[bool, ...]]:
    """Where a function of so many variables is true."""
    return (row for row in itertools.product((False, True), repeat=number) if function(*row))


X = ("x0", "x1", "x2")


def on_last_symbols(name: str, title: str, number: int, found: FeedForward, language: Language) -> Construction:
    """x0, x1, ... are 1 where the last symbol, the last but one, ... is 1; accepted is where `y` is 1."""
    heads = tuple(looking_back({X[distance]: {ONE: 1}}, distance, "i", "1") for distance in range(number))
    layer = Layer(heads=heads, feed_forward=found)
    return Construction(name, title, SECTION, language, encoder(layer, logit={"y": 1}, bias="-1/2", places=PLACES))


def last(word: str, number: int) -> list[bool]:
    """Which of the last symbols are 1, the last one first; where there is none, it is not."""
    return [word[len(word) - 1 - back :][:1] == "1" if back < len(word) else False for back in range(number)]


THREE_ONES = Language(
    "LAST THREE ARE 1",
    BITS,
    lambda word: all(last(word, 3)),
    "w[n - 1] == '1' and w[n - 2] == '1' and w[n - 3] == '1'",
    description="the last three symbols are 1",
)
SOME_ONE = Language(
    "ONE OF THE LAST THREE IS 1",
    BITS,
    lambda word: any(last(word, 3)),
    "w[n - 1] == '1' or w[n - 2] == '1' or w[n - 3] == '1'",
    description="one of the last three symbols is 1",
)
LAST_TWO_DIFFER = Language(
    "LAST TWO DIFFER",
    BITS,
    lambda word: last(word, 2)[0] != last(word, 2)[1],
    "(w[n - 1] == '1') != (w[n - 2] == '1')",
    description="of the last two symbols one is 1, and the other one is not, or not there",
)
NO_ONE = Language(
    "LAST IS NO 1",
    BITS,
    lambda word: not last(word, 1)[0],
    "w[n - 1] != '1'",
    description="the last symbol is not 1",
)
MOST_OF_THREE = Language(
    "MOST OF THE LAST THREE ARE 1",
    BITS,
    lambda word: sum(last(word, 3)) >= 2,
    "(w[n - 1] == '1') + (w[n - 2] == '1') + (w[n - 3] == '1') >= 2",
    description="two of the last three symbols are 1, or all",
)


def xor(x: bool, y: bool) -> bool:
    return x != y


def most(*values: bool) -> bool:
    return 2 * sum(values) > len(values)


conjoined = on_last_symbols(
    "cookbook-and", "AND of three coordinates", 3, conjunction(dict.fromkeys(X, True), "y"), THREE_ONES
)
disjoined = on_last_symbols("cookbook-or", "OR of three coordinates", 3, disjunction(X, "y"), SOME_ONE)
negated = Construction(
    "cookbook-not",
    "NOT of a coordinate",
    SECTION,
    NO_ONE,
    encoder(logit=negation(ONE, "1"), bias="-1/2", places={"1": 1}),
)
construction = on_last_symbols("cookbook-xor", "XOR by full DNF", 2, full_dnf(xor, X[:2], "y"), LAST_TWO_DIFFER)
with_first_sign = side_by_side(*(conjunction(dict.fromkeys(X[:2], row[0]), "y") for row in true_rows(xor, 2)))
as_printed = on_last_symbols(
    "cookbook-xor-as-printed",
    "XOR by full DNF, every literal with the sign of the first one",
    2,
    with_first_sign,
    LAST_TWO_DIFFER,
)
majority = on_last_symbols(
    "cookbook-most", "Most of three coordinates, by full DNF", 3, full_dnf(most, X, "y"), MOST_OF_THREE
)
