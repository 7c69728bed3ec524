"""The one way from obligations that exact arithmetic closes to a verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from weightproof.proofs.prover import SCOPE, Exact, Obligation, Obligations, checked, proved, settle
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict, WrongStep
from weightproof.symbolic.algebra.vocabulary import Underivable

FAILS = Counterexample.at(WrongStep(1, "u", expected="1", found="0"), "a family", "a")
THEOREM = Exact("a family", "a theorem", "u is 1", SCOPE, list)


def underived() -> None:
    raise Underivable("no rule")


def verdict(
    obligations: Obligations, search: Counterexample | None = None, check: Counterexample | None = None
) -> Verdict:
    stated = replace(THEOREM, decide=lambda deadline: settle(obligations, lambda: search, lambda: check, deadline))
    [result] = proved([stated])
    return result.verdict


def test_what_is_closed_is_proved_and_what_stays_open_is_not() -> None:
    closed, two = checked("one", None), checked("two", "is 2")
    assert verdict([closed]) == Proved(SCOPE, Evidence.CERTIFICATE)
    assert verdict([closed, two]) == Unknown("is 2", "two")
    assert verdict([closed, Obligation("two", underived)]) == Unknown("not derived: no rule", "two")
    assert verdict([two], search=FAILS) == Refuted(FAILS)


def test_a_word_that_fails_where_all_is_closed_is_an_internal_error() -> None:
    with pytest.raises(AssertionError, match="proved, but on 'a' at step 1 'u' is 0, not 1"):
        verdict([checked("one", None)], check=FAILS)


def test_a_proof_of_nothing_is_an_internal_error() -> None:
    with pytest.raises(AssertionError, match="which proves nothing"):
        verdict([])
