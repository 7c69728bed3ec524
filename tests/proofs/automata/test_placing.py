"""Positions that are compared with numbers of positions of the whole word, as paths guess where these stand, against
what formulas mean."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.proofs.automata.test_counts import wrong
from tests.proofs.automata.test_sentences import ALPHABET, MARKERS
from weightproof.proofs.automata import placing
from weightproof.symbolic.algebra.vocabulary import Underivable

FORMULAS = (
    "any(j == count('1') and w[j] == '1' for j in positions)",
    "all(j < count('1') or w[j] == '0' for j in positions)",
    "any(w[j] == '1' and j + 1 >= count('1') - count('0') + 2 for j in positions)",
    "any(2*j == n and w[j] == '1' for j in positions)",
    "any(2*j >= n and w[j] == '1' and all(2*k < n or w[k] != '0' for k in positions) for j in indices)",
    "any(3*j < 2*count('1') - 1/2 and w[j] == '0' for j in indices)",
    "sum((w[j] == '1')*(j <= count('0')) for j in positions) >= 2",
    "any(j == n - count('1') and w[j] == '1' for j in indices)",
    "any(-2*j > count('1') - n and w[j] == '1' for j in indices)",
    "any(j == sum((w[k] == '1')*(2*k <= n) for k in positions) and w[j] == '1' for j in positions)",
    "any(j == count('1') and any(k == count('0') and w[k] == '0' for k in indices) for j in indices)",
    "any(j == count('1') + 1 and count('1', j) >= 2 for j in positions)",
    "any(count('1') == j for j in positions)",
    "not any(count('1') == j for j in indices) and n == count('1')",
    "all(j != count('1') - 2 or (w[j] == '1') + (j == 3) >= 1 for j in positions)",
    "sum((2*j > count('1') + 1) for j in positions) % 2 == 1",
    "w[count('1')] == '1'",
    "w[n - count('1') - 1] != '0' or w[n/2] == '1'",
    "w[count('1')/2] == '0'",
    "all(w[j + (w[j] == '1')] == '1' for j in positions)",
    "count('1', count('0')) == 2",
    "count('1', n - count('0')) > count('0', 2*count('1') - 1)",
    "any(w[j] == '1' and w[count('1')] == '1' and w[j-1] == '0' for j in positions)",
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_word_is_one_path_on_which_its_formula_is_what_is_said(formula: str) -> None:
    assert [wrong(formula, begin, end) for begin, end in MARKERS] == [None] * len(MARKERS)


def drawn(seed: int) -> str:
    """A statement about positions that are compared with numbers of positions."""
    random = Random(f"placing {seed}")

    def number() -> str:
        symbol, other = random.choice(ALPHABET), random.choice(ALPHABET)
        kind = random.choice(
            (
                f"count('{symbol}')",
                f"count('{symbol}')",
                "n",
                f"count('{symbol}{other}')",
                f"sum((w[m] == '{symbol}')*(m % 2 == {random.randint(0, 1)}) for m in positions)",
                f"sum((w[m] == '{symbol}')*(2*m <= n) for m in indices)",
            )
        )
        return f"{random.choice((1, 1, 1, 2, -1, '1/2'))}*{kind}"

    def compared(known: str) -> str:
        total = " + ".join(number() for _ in range(random.choice((1, 1, 2))))
        op, constant = random.choice(("==", "==", "!=", "<", "<=", ">", ">=")), random.choice((0, 0, 1, -1, "1/2", 3))
        return f"({random.choice((1, 1, 1, 2, 3, -1, -2))}*{known} {op} {total} + {constant})"

    def atom(known: str) -> str:
        symbol, op = random.choice(ALPHABET), random.choice(("==", "<=", ">"))
        return random.choice(
            (
                compared(known),
                compared(known),
                compared(known),
                f"(w[{known}{random.choice(('', '', ' - 1', ' + 1'))}] == '{symbol}')",
                f"(count('{symbol}', {known}) {op} {random.choice((1, known))})",
            )
        )

    def both(known: str) -> str:
        return f"({atom(known)} {random.choice(('and', 'and', 'or'))} {random.choice(('', 'not '))}{atom(known)})"

    domain = random.choice(("positions", "indices"))
    return random.choice(
        (
            f"all({both('j')} for j in {domain})",
            f"any({both('j')} for j in {domain})",
            f"any({compared('j')} and any({both('k')} and k > j for k in positions) for j in {domain})",
            f"sum({both('j')} for j in {domain}) > 1",
            f"2*sum({both('j')} for j in {domain}) > count('1')",
            f"any({compared('j')} for j in {domain}) and {compared('n')}",
            f"any(w[j] == '1' and sum({both('k')}*(k <= j) for k in positions) > 1 for j in positions)",
        )
    )


@pytest.mark.parametrize("seed", range(12))
def test_so_it_is_of_drawn_formulas(seed: int) -> None:
    begin, end = MARKERS[seed % len(MARKERS)]
    assert wrong(drawn(seed), begin, end) is None, drawn(seed)


def outcome(seed: int) -> str:
    """Three guesses that are independent may be of more kinds of positions than there may be."""
    begin, end = MARKERS[seed % len(MARKERS)]
    try:
        found = wrong(drawn(seed), begin, end)
    except Underivable as error:
        return str(error)
    assert found is None, (drawn(seed), found)
    return "right"


@pytest.mark.controls
@pytest.mark.parametrize("start", range(1_000, 1_200, 50))
def test_so_it_is_of_many_drawn_formulas(start: int) -> None:
    assert Counter(outcome(seed) for seed in range(start, start + 50))["right"] > 40


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("SIGNS", {placing.AT: 1}),
        ("SIGNS", {placing.BETWEEN: 0}),
        ("FOLLOWING", {placing.BEFORE: (placing.BEFORE, placing.AT)}),
        ("FOLLOWING", {None: (placing.BEFORE, placing.AT)}),
        ("FOLLOWING", {None: (placing.BELOW, placing.BEFORE)}),
    ],
)
def test_a_guess_that_is_missing_or_says_something_else_is_seen(
    monkeypatch: pytest.MonkeyPatch, name: str, changed: dict[Any, Any]
) -> None:
    monkeypatch.setattr(placing, name, getattr(placing, name) | changed)

    def is_wrong(formula: str) -> bool:
        try:
            return wrong(formula, None, None) is not None
        except AssertionError:  # a word is no path
            return True

    assert any(map(is_wrong, FORMULAS))
