"""Every claim about formulas, with one thing changed: what is false is so by other means than the judge's, and what is
true is so wherever it is tried by these; a true claim has changes that are false."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tests.proofs.claims.formulas.by_hand import borne_out, breaks
from tests.proofs.claims.formulas.changed import changed
from weightproof.constructions.claims.formulas import (
    Always,
    Circular,
    Costs,
    Formulaic,
    OfVectors,
    Shaped,
    Shares,
    Weighs,
)
from weightproof.constructions.claims.problems import check_claims
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statement import Topic
from weightproof.constructions.library import FORMULAS, printed_of
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.proofs.claims.formulas import always, sums, vectors
from weightproof.proofs.claims.judging import judge_statement
from weightproof.proofs.quantities.outcome import Fails, Holds
from weightproof.symbolic.modular.waves import Waves

EVERY = 8
"""One change of so many of each statement is part of `make test`; all are of `make controls`."""
HEADER = "claims about formulas changed\ttried\tfalse\tunknown\tborne out"


def statements(name: str) -> dict[str, Formulaic]:
    """What is claimed, and what corrects it, by the claim and the reading."""
    claims = printed_of(name).claims.claims
    every = [*claims, *(slip.correction for claim in claims for slip in claim.slips)]
    found: dict[str, Formulaic] = {}
    for claim in every:
        for reading in claim.senses:
            assert isinstance(reading.statement, Formulaic)
            found[f"{claim.id} {reading.sense or ''}".strip()] = reading.statement
    return found


def is_well_formed(said: Formulaic) -> bool:
    try:
        check_claims(
            Claims("mutants", Published("mutant", "here", "as stated", said)),
            Topic("formulas", Formulaic, ("mutants",)),
        )
    except ConstructionError:
        return False
    return True


def tally(said: Formulaic, every: int = 1) -> tuple[Counter[str], list[Formulaic]]:
    """The changes by what came out, and those for which that is wrong."""
    counted, wrong = Counter[str](), []
    assert is_well_formed(said)
    for mutant in itertools.islice(filter(is_well_formed, changed(said)), 0, None, every):
        outcome = judge_statement(mutant)
        match outcome:
            case Fails():
                counted["false"] += 1
                right = breaks(mutant, outcome.difference)
            case Holds():
                counted["borne out"] += 1
                right = borne_out(mutant)
            case _:
                counted["unknown"] += 1
                right = True
        if not right:
            wrong.append(mutant)
    return counted, wrong


@pytest.mark.parametrize("name", FORMULAS)
def test_a_sample_of_changes_is_false_or_unknown_or_borne_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(always, "TIMEOUT", 1.0)
    for id, said in statements(name).items():
        counted, wrong = tally(said, EVERY)
        assert not wrong, id
        assert counted.total() > 0, id


@pytest.mark.controls
@pytest.mark.parametrize("name", FORMULAS)
def test_every_change_is_false_or_unknown_or_borne_out(
    name: str, count_row: Callable[[str, str, Sequence[int]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(always, "TIMEOUT", 1.0)
    total, faults = Counter[str](), []
    for id, said in statements(name).items():
        counted, wrong = tally(said)
        faults += [(id, mutant) for mutant in wrong]
        if isinstance(judge_statement(said), Holds):
            assert counted["false"] > 0, id
        total += counted
    count_row(HEADER, name, [total.total(), *(total[kind] for kind in ("false", "unknown", "borne out"))])
    assert not faults, faults
    assert total["unknown"] * 10 < total.total()


@pytest.mark.parametrize("name", FORMULAS)
def test_what_is_claimed_is_as_judged_by_other_means(name: str) -> None:
    for id, said in statements(name).items():
        outcome = judge_statement(said)
        if isinstance(outcome, Holds):
            assert borne_out(said), id
        else:
            assert isinstance(outcome, Fails), id
            assert breaks(said, outcome.difference), id


def test_a_judge_that_believes_the_solvers_of_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(always, "refuted", lambda *_: None)
    monkeypatch.setattr(always, "_solved", lambda _: Holds("all numbers", "believed"))
    _, wrong = tally(Always("x + 1 > x", {"x": "real"}))
    assert wrong


@pytest.mark.parametrize(
    ("kind", "place", "blind"),
    [
        (Shaped, "shapes._equal", lambda *_, **__: None),
        (Costs, "shapes._divides", lambda *_: True),
        (Circular, "sums._in_waves", lambda *_: Waves()),
    ],
)
def test_a_judge_that_does_not_look_is_found_out(
    kind: type, place: str, blind: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"weightproof.proofs.claims.formulas.{place}", blind)
    said = next(each for name in FORMULAS for each in statements(name).values() if isinstance(each, kind))
    _, wrong = tally(said)
    assert wrong


def test_a_judge_that_takes_every_sum_for_the_same_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "refuted", lambda *_: None)
    monkeypatch.setattr(vectors, "_is_certain", lambda _: True)
    said = next(each for each in statements("fraknoi2024-formulas").values() if isinstance(each, OfVectors))
    _, wrong = tally(said)
    assert wrong


@pytest.mark.parametrize("kind", [Weighs, Shares])
def test_a_judge_that_takes_all_weights_of_subsets_for_the_same_is_found_out(
    kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tries no small sets, and takes other factors for equal ones."""
    monkeypatch.setattr(sums, "_sizes", lambda: ())
    monkeypatch.setattr(sums, "_equal", lambda *_: True)
    said = next(each for each in statements("fraknoi2024-formulas").values() if isinstance(each, kind))
    _, wrong = tally(said)
    assert wrong
