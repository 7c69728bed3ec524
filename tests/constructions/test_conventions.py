"""Each convention changes a statement by its rule, and nothing else; what it does not touch it leaves alone."""

from __future__ import annotations

from typing import get_args

import pytest

from weightproof.constructions.claims.conventions import under
from weightproof.constructions.claims.published import Claims, Convention, Published
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Count,
    Logit,
    Matrix,
    Order,
    Projected,
    Shape,
    Statement,
    Stream,
    Value,
    Vector,
    Weights,
)
from weightproof.constructions.library import load
from weightproof.proofs.claims.judging import judge_claims

HERE = Stream("s", 1)
KEY = Projected("W_K", 2, 1, "q")
CHANGES: list[tuple[Convention, str, Statement, Statement]] = [
    ("index shift", "one", Value(HERE, "1/i"), Value(HERE, "1 / (i + 1)")),
    ("index shift", "one", Value(HERE, "i/n + 2/(n - 1)"), Value(HERE, "i / n + 2 / n")),
    ("index shift", "one", Vector(1, "0", "count('1', i)/i"), Vector(1, "0", "count('1', i) / (i + 1)")),
    ("index shift", "parity", Value(Attention(2, 1), "1/p"), Value(Attention(2, 1), "1 / (p + 1)")),
    (
        "index shift",
        "one",
        Value(Logit(), "sum(1/j for j in indices)"),
        Value(Logit(), "sum((1 / (j + 1) for j in indices))"),
    ),
    ("index shift", "one", Compares("==", "1/(n - 1)"), Compares("==", "1 / n")),
    ("padding", "one", Shape(Weights("W"), 1, 1), Shape(Weights("W"), 1, 1, padded=True)),
    ("padding", "one", Matrix(Weights("W"), "0"), Matrix(Weights("W"), "0", padded=True)),
    ("empty word", "one", Value(HERE, 0, "n > 5"), Value(HERE, 0, "(n > 5) and n >= 2")),
    ("empty word", "palindrome", Vector(1, "0"), Vector(1, "0", when="(n >= 1) and n >= 3")),
    ("empty word", "one", Accepts(), Accepts(None, "(n >= 1) and n >= 2")),
    ("empty word", "one", Compares(">", 0), Compares(">", 0, None, "(n >= 1) and n >= 2")),
    ("empty word", "one", Order("O", "1/n"), Order("O", "1/n", "(n >= 1) and n >= 2")),
    ("symbols only", "one", Value(HERE, 0), Value(HERE, 0, "(n >= 1) and i >= 1 and i <= n - 1")),
    ("symbols only", "palindrome", Value(KEY, 0), Value(KEY, 0, "(n >= 1) and i >= 1 and i <= n - 2")),
    (
        "symbols only",
        "palindrome",
        Value(Attention(2, 1), 0),
        Value(Attention(2, 1), 0, "(n >= 1) and p >= 1 and p <= n - 2"),
    ),
    (
        "symbols only",
        "one",
        Value(Logit(), "sum(j for j in indices)"),
        Value(Logit(), "sum((j for j in positions))"),
    ),
    ("transposition", "one", Shape(Weights("W"), 1, 2), Shape(Weights("W"), 2, 1)),
]


@pytest.mark.parametrize(("convention", "name", "statement", "changed"), CHANGES)
def test_a_convention_changes_a_statement_by_its_rule(
    convention: Convention, name: str, statement: Statement, changed: Statement
) -> None:
    assert under(statement, (convention,), load(name)) == changed
    assert changed != statement


def test_every_convention_is_tried() -> None:
    """All but "fractions", which is of families: tests/proofs/claims/test_simulated.py."""
    assert {convention for convention, *_ in CHANGES} == set(get_args(Convention)) - {"fractions"}


UNCHANGED: list[tuple[Convention, Statement]] = [
    ("index shift", Value(Logit(), "i/n + 1/(n - 2) + 1/(i - 1) + i*2")),  # a Logit stands at no position
    ("index shift", Value(HERE, "1/(2*i) + 1/n + (1/2)**i")),
    ("index shift", Matrix(Weights("W"), "1/2")),
    ("padding", Count("width", 7)),
    ("padding", Value(HERE, 0)),
    ("empty word", Matrix(Weights("W"), "0")),
    ("empty word", Count("positions", "m")),
    ("symbols only", Value(Logit(), "sum(j for j in positions)")),
    ("symbols only", Compares(">", 0)),
    ("transposition", Matrix(Weights("W"), "0")),
    ("transposition", Shape(Weights("W"), 3, 3)),
]


@pytest.mark.parametrize(("convention", "statement"), UNCHANGED)
def test_what_a_convention_does_not_speak_of_it_leaves_alone(convention: Convention, statement: Statement) -> None:
    assert under(statement, (convention,), load("one")) is None


def test_conventions_are_applied_one_after_the_other() -> None:
    both = under(Value(HERE, "1/i"), ("index shift", "symbols only"), load("one"))
    assert both == Value(HERE, "1 / (i + 1)", "(n >= 1) and i >= 1 and i <= n - 1")
    assert under(Value(HERE, "1"), ("symbols only", "index shift"), load("one")) is None


def verdict(name: str, statement: Statement, *conventions: Convention) -> str:
    claim = Published("claim", "here", "as stated", statement, under=tuple((each,) for each in conventions))
    [judgement] = judge_claims(load(name), Claims(name, claim))
    return judgement.verdict


def test_an_index_shift_saves_an_average_and_no_wrong_sign() -> None:
    closed, opened = (f"(count('{a}', i) - count('{b}', i))/i" for a, b in ("10", "01"))
    of = Stream("k/i", 1, "attention")
    assert verdict("dyck1", Value(of, closed), "index shift") == "true-under"
    assert verdict("dyck1", Value(of, opened), "index shift") == "false"
    assert verdict("dyck1", Value(of, closed), "symbols only") == "false"


def test_markers_count_where_a_sum_runs_over_all_indices() -> None:
    formula = "({}sum((w[j] == '1') for j in {}) == 1) - 1/2"
    for domain in ("indices", "positions"):
        assert verdict("one", Value(Logit(), f"({formula.format('', domain)})/n")) == "true"
    assert verdict("one", Value(Logit(), "(count('1') == 1)/n - 1/2/sum(1 for j in indices)")) == "true"
    assert verdict("one", Value(Logit(), "(count('1') == 1)/n - 1/2/sum(1 for j in positions)")) == "false"


def test_a_sum_over_the_markers_too_holds_for_symbols_only() -> None:
    """The mark of a symbol is i >= 1 here; at CLS the sum has one term more."""
    claim = Value(Logit(), "((count('1') == 1) - 1/2)/(1 + sum(1 for j in indices))")
    assert verdict("one", claim, "symbols only") == "true-under"
