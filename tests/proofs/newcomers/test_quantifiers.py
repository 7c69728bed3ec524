"""Statements about all positions that are about counts: read without an induction, and as they are meant."""

from __future__ import annotations

from itertools import product

import pytest
from flint import fmpq

from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.solving.logic import Quantifier, negation, read_formula, true
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, j
from weightproof.symbolic.evaluate import Word

ALPHABET = ("a", "b")
PLAIN, ENCLOSED = Vocabulary(ALPHABET, True, False, (), (), 3), Vocabulary(ALPHABET, True, True, (), (), 3)

READ = [
    "all(w[j] == 'a' for j in positions)",
    "any(w[j] == 'b' for j in positions)",
    "all(w[j] == 'a' for j in positions) or all(w[j] == 'b' for j in positions)",
    "any(w[j] == 'b' and j <= 3 for j in positions)",
    "all(w[j] == 'a' or j < n - 2 for j in positions)",
    "any(w[j] == 'a' and j == 2 for j in positions)",
    "all(j != 5 for j in positions)",
    "all(w[1] == 'a' or w[j] == 'b' for j in positions)",
    "all(w[j] == 'a' or all(w[k] == 'b' for k in positions) for j in positions)",
    "any(w[j] == 'a' and any(w[k] == 'b' and k <= 2 for k in positions) for j in positions)",
    "all(any(k == j and w[k] == 'a' for k in positions) for j in positions)",
    "not all(count('a') >= 2 and w[j] == 'a' or count('b') >= 3 for j in positions)",
]
LEFT = [
    "all(w[j] == 'a' or j % 2 == 0 for j in positions)",
    "all(w[j] == 'a' or w[j - 1] == 'a' for j in positions)",
    "all(count('a', j) >= count('b', j) for j in positions)",
    "any(w[j] == 'b' and any(w[k] == 'a' and k < j for k in positions) for j in positions)",
]


@pytest.mark.parametrize("text", READ)
@pytest.mark.parametrize("vocabulary", [PLAIN, ENCLOSED], ids=["CLS", "CLS and EOS"])
def test_a_statement_about_counts_is_read_as_it_is_meant(text: str, vocabulary: Vocabulary) -> None:
    formula = read_formula(Expression(text), vocabulary)
    for length in range(7):
        for word in product(ALPHABET, repeat=length):
            tokens = ("CLS", *word, *("EOS",) * vocabulary.end)
            wanted = holds(Expression(text), {}, tokens, ALPHABET)
            at = Word(vocabulary, tokens, {})
            assert true(formula, at, {}) is wanted, word
            assert true(negation(formula), at, {}) is not wanted, word


@pytest.mark.parametrize("text", LEFT)
def test_what_is_no_matter_of_counts_takes_an_induction(text: str) -> None:
    with pytest.raises(Underivable, match="give the theorem an invariant"):
        read_formula(Expression(text), PLAIN)


def bodies(text: str) -> list[Quantifier]:
    quantifiers: list[Quantifier] = []
    read_formula(Expression(text), PLAIN, quantifiers=quantifiers)
    return quantifiers


def test_a_statement_inside_another_one_takes_no_flag_of_its_own() -> None:
    """It is one about counts up to the position of the outer one, or it is refused."""
    [outer] = bodies(LEFT[3])
    for place in range(1, 5):
        for word in product(ALPHABET, repeat=4):
            at = Word(PLAIN, ("CLS", *word), {})
            at.values[j] = fmpq(place)
            assert true(outer.body(j), at, {}) is not (word[place - 1] == "b" and "a" in word[: place - 1])
    [outer] = bodies("any(any(w[k] == 'a' and w[k + j] == 'b' for k in positions) for j in positions)")
    with pytest.raises(Underivable, match="inside another one"):
        outer.body(j)
