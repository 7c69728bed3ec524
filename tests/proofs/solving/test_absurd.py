"""Where no part of a goal can be false together: 0 > 0 follows, as an identity."""

from __future__ import annotations

import pytest
import sympy

from tests.support.derived import derivation_of
from weightproof.appendix.reasons import reasoned
from weightproof.proofs.solving.close import close
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import FALSE, Formula, Rel, disjunction
from weightproof.proofs.solving.products import check
from weightproof.proofs.solving.reasons import Absurd
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.linear import Context

VOCABULARY = derivation_of("parity").vocabulary
A, B, C = sympy.symbols("N1 N2 N3", integer=True)
EQUAL, LARGER, MORE = Rel("==", A - B), Rel(">", A - B), Rel(">", A + B - 2 * C)


def item(goal: Formula, *hypotheses: Rel) -> Implication:
    return Implication("absurd", VOCABULARY, Context(frozenset(), len(VOCABULARY.alphabet)), hypotheses, goal)


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        (FALSE, (EQUAL, LARGER)),
        (FALSE, (Rel(">=", A - 1), Rel(">=", -A))),
        (disjunction(Rel(">", A - C), Rel(">", B - C)), (MORE,)),
        (disjunction(Rel(">=", A - B), Rel(">=", B - A)), ()),
    ],
)
def test_it_is_shown_by_an_identity(goal: Formula, hypotheses: tuple[Rel, ...]) -> None:
    asked = item(goal, *hypotheses)
    closed = close(asked, 5)
    assert closed.evidence is Evidence.CERTIFICATE
    if isinstance(closed.because, Absurd):
        assert check(closed.because.reason)
        assert closed.because.reason.goal == Rel(">", sympy.S.Zero)
        assert reasoned(asked, closed.because, "nothing")
    assert closed.because is not None


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        (FALSE, (EQUAL,)),
        (FALSE, (Rel(">=", A), Rel(">=", -A))),
        (disjunction(Rel(">", A - C), Rel(">", B - C)), (Rel(">=", A + B - 2 * C),)),
    ],
)
def test_what_is_not_so_stays_open(goal: Formula, hypotheses: tuple[Rel, ...]) -> None:
    assert close(item(goal, *hypotheses), 5).evidence is None


def test_hypotheses_without_a_model_are_said_to_have_none() -> None:
    assert close(item(FALSE, EQUAL, LARGER), 5).vacuous
