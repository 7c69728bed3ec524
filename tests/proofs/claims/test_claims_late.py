"""Statements that are wrong on long words only, or at parameter values that nobody would try: none of them is true."""

from __future__ import annotations

import pytest

from tests.proofs.claims.test_claims import judged
from tests.support.replays import breaks
from tests.support.suites import short_suite
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Logit,
    Predicts,
    Statement,
    Stream,
    Value,
    Vector,
    relu,
)
from weightproof.constructions.library import load
from weightproof.proofs.claims.judging import judge_claims

K = "count('1')"
ENCODING = ("(w[i] == '0')", "(w[i] == '1')", "(i == 0)")
PALINDROME = (
    "sum((2*j <= n - 1)*((w[j] == '1') - (w[n-1-j] == '1'))*exp(c*j) for j in positions)/sum(exp(c*j) for j in indices)"
)

DEPTH = "count('0', j) - count('1', j)"
BALANCED = f"count('1') == count('0') and all(0 <= {DEPTH} and {DEPTH} <= D for j in positions)"

LATE: list[tuple[str, str, Statement]] = [
    ("golden ratio", "palindrome", Accepts(None, "c > 0")),
    ("c > log 20", "first-one-layer", Accepts(None, "exp(c) > 20")),
    ("c > log 20, as a comparison of c", "first-one-layer", Accepts(None, "c > log(20)")),
    ("c > log 20, of the logit", "first-one-layer", Compares(">", 0, "w[1] == '1'", "exp(c) > 20", only=True)),
    ("sums of sums", "dyck1", Compares(">", "-2", "n >= 1")),
    ("n > 40", "one", Compares(">", 0, f"{K} == 1 or ({K} == 2 and n > 40)", only=True)),
    ("n > 40, of acceptance", "one", Accepts(f"{K} == 1 or ({K} == 2 and n > 40)")),
    ("k > 7", "one", Value(Logit(), f"(({K} == 1) - 1/2)/n + ({K} > 7)")),
    ("n = 200", "one", Value(Logit(), f"(({K} == 1) - 1/2)/n + ({K} == 3 and n == 200)")),
    ("i = 30", "one", Value(Stream("h1", 1, "activation"), f"{relu(f'{K} - 2', '1/n')} + (i == 30)")),
    ("p = 25", "parity", Value(Attention(1, 1), "1/n + (p == 25)")),
    ("row at n = 20", "one", Vector(0, *ENCODING[:3], "i/n + (n == 20 and w[i] == '1')", stage="embedding")),
    ("beside a sum", "palindrome", Value(Logit(), f"{PALINDROME} + (n == 20)")),
    ("a depth of 25", "dyck1-depth", Accepts(f"{BALANCED} and all({DEPTH} < 25 for j in positions)")),
]
"""False statements that hold on all words up to 7 symbols, or at all parameter values that are sampled."""


@pytest.mark.parametrize("case", short_suite(LATE, LATE[::2]), ids=lambda case: case[0])
def test_what_is_wrong_first_on_long_words_or_at_critical_values_is_false(case: tuple[str, str, Statement]) -> None:
    _, name, statement = case
    judgement = judged(name, statement)
    assert judgement.verdict == "false"
    assert judgement.difference is not None
    assert judgement.difference.word is not None
    assert len(judgement.difference.word) > 7 or name == "palindrome"
    assert breaks(load(name), statement, judgement.difference)


def test_a_case_that_occurs_on_long_words_only_is_not_vacuous() -> None:
    assert judged("one", Value(Logit(), f"(({K} == 1) - 1/2)/n", f"{K} == 30")).verdict == "true"
    assert (
        judged("one", Value(Logit(), f"(({K} == 2) - 1/2)/n", f"{K} == 30 or {K} == 31 and n > 50")).verdict == "true"
    )
    assert judged("one", Value(Logit(), f"(({K} == 30) - 1/2)/n", f"{K} == 30")).verdict == "false"


SOME = "count('0') + count('1') > 0"
LIMIT = f"(exp(1)*(N + 1) + N)/(1 + exp(1)) - (count('0')*N + count('1')*(N + 1))/({SOME[:-4]})"
FAR: list[tuple[str, str, Statement, str]] = [
    ("at every N from 3 on", "false", Predicts("N >= 3"), ""),
    ("1,498 symbols at N = 10", "false", Predicts("N >= 10 and count('2') < 1500"), "2{1499}"),
    ("true of ten", "true", Predicts("N >= 5 and count('2') <= 10"), ""),
    ("16 symbols at N = 5", "false", Predicts("N >= 5 and count('2') <= 16"), "2222222222222222"),
    ("17 symbols at N = 5", "false", Predicts("N >= 5 and count('2') <= 17"), "2222222222222222"),
    ("a limit", "false", Value(Logit("4"), LIMIT, when=SOME, tends="N"), ""),
    ("the end of a domain", "false", Compares("<", "-8*N - 8", "n >= 1", of="[EOS]"), ""),
]
"""Statements about NOISY-MAJORITY; what the word that shows it ends in."""


@pytest.mark.parametrize("case", short_suite(FAR, [FAR[1]]), ids=lambda case: case[0])
def test_what_is_predicted_far_out_is_judged(case: tuple[str, str, Statement, str]) -> None:
    _, verdict, statement, end = case
    claims = Claims("noisy-majority", Published("far", "here", "as stated", statement))
    [judgement] = judge_claims(load("noisy-majority"), claims, timeout=90)
    assert judgement.verdict == verdict
    if judgement.difference is not None:
        assert judgement.difference.word is not None
        assert judgement.difference.word.endswith(end)
