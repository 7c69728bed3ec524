"""Every claim about the decoder for circuits, with one thing changed: the verdict is what runs by other means show."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.proofs.claims.circuits.by_hand import borne_out
from tests.proofs.claims.circuits.changed import changed
from weightproof.constructions.claims.circuits import Carries, Circuital, PartialSum
from weightproof.constructions.claims.problems import check_claims
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statement import Topic
from weightproof.constructions.library import CIRCUITS, printed_of
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.proofs.claims import circuits
from weightproof.proofs.claims.judging import judge_statement
from weightproof.proofs.quantities.outcome import Fails, Holds


def statements() -> dict[str, Circuital]:
    """What is claimed, and what corrects it."""
    printed = printed_of("circuit-by-decoder-as-printed")
    assert printed is not None
    found = [*printed.claims.claims, *(slip.correction for claim in printed.claims.claims for slip in claim.slips)]
    return {claim.id: claim.senses[0].statement for claim in found}  # type: ignore[misc]


def mutants(said: Circuital) -> list[Circuital]:
    assert is_well_formed(said)
    return list({repr(mutant): mutant for mutant in changed(said) if is_well_formed(mutant)}.values())


def is_well_formed(said: Circuital) -> bool:
    try:
        claims = Claims("circuit-by-decoder", Published("mutant", "here", "as stated", said))
        check_claims(claims, Topic("circuits", Circuital, tuple(CIRCUITS)))
    except ConstructionError:
        return False
    return True


def tally(said: Circuital) -> tuple[Counter[str], list[Circuital]]:
    """The changes by what came out, and those for which that is wrong."""
    counted, wrong = Counter[str](), []
    for mutant in mutants(said):
        outcome = judge_statement(mutant)
        kind = {Holds: "borne out", Fails: "false"}.get(type(outcome), "unknown")
        counted[kind] += 1
        if kind != "unknown" and borne_out(mutant) != (kind == "borne out"):
            wrong.append(mutant)
    return counted, wrong


@pytest.mark.controls
def test_what_is_claimed_is_as_judged_by_other_means() -> None:
    for id, said in statements().items():
        assert borne_out(said) == isinstance(judge_statement(said), Holds), id


@pytest.mark.controls
def test_every_change_is_false_or_borne_out() -> None:
    total = Counter[str]()
    for id, said in statements().items():
        counted, wrong = tally(said)
        assert not wrong, (id, wrong)
        if isinstance(judge_statement(said), Holds):
            assert counted["false"] > 0, id
        total += counted
    assert total["false"] > 100
    assert total["unknown"] * 20 < total.total()


@pytest.mark.parametrize(
    ("judge", "name", "kind"), [("_vector_apart", "3.3/y_0", Carries), ("_score_apart", "3.3/sums-end", PartialSum)]
)
def test_a_judge_that_takes_everything_for_the_same_is_found_out(
    judge: str, name: str, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circuits, judge, lambda *_: None)
    said = statements()[name]
    assert isinstance(said, kind)
    _, wrong = tally(said)
    assert len(wrong) > 3
