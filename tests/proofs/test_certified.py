"""The one way from obligations that exact arithmetic closes to a verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from weightproof.proofs.certified import SCOPE, Obligations, Stated, proved, settle
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict, WrongStep
from weightproof.symbolic.algebra.vocabulary import Underivable

FAILS = Counterexample.at(WrongStep(1, "u", expected="1", found="0"), "a family", "a")
THEOREM = Stated("a family", "a theorem", "u is 1", SCOPE, lambda deadline: settle([]))


def underived() -> None:
    raise Underivable("no rule")


def verdict(
    obligations: Obligations, refuting: Counterexample | None = None, spot: Counterexample | None = None
) -> Verdict:
    stated = replace(THEOREM, decide=lambda deadline: settle(obligations, lambda: refuting, lambda: spot, deadline))
    [result] = proved([stated])
    return result.verdict


def test_what_is_closed_is_proved_and_what_stays_open_is_not() -> None:
    closed: tuple[str, Callable[[], None]] = ("one", lambda: None)
    assert verdict([closed]) == Proved(SCOPE, Evidence.CERTIFICATE)
    assert verdict([closed, ("two", lambda: "is 2")]) == Unknown("is 2", "two")
    assert verdict([closed, ("two", underived)]) == Unknown("not derived: no rule", "two")
    assert verdict([("two", lambda: "is 2")], refuting=FAILS) == Refuted(FAILS)


def test_a_word_that_fails_where_all_is_closed_is_an_internal_error() -> None:
    with pytest.raises(AssertionError, match="proved, but on 'a' at step 1 'u' is 0, not 1"):
        verdict([("one", lambda: None)], spot=FAILS)


def test_a_proof_of_nothing_is_an_internal_error() -> None:
    with pytest.raises(AssertionError, match="which proves nothing"):
        verdict([])
