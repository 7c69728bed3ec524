"""Every theorem that is stated, of built-in constructions and transformed ones, proved from the weights:
`pytest -m proofs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.support.derived import ALL_STATED, construction_of, file_of, proofs_of, stated_of
from tests.support.printed import section_of, told, trusted
from weightproof.manifest import families
from weightproof.manifest.constructions import of_construction
from weightproof.manifest.pages import name_of
from weightproof.proofs.prover import Exact, proved
from weightproof.proofs.solving.close import SIDE_CONDITIONS
from weightproof.proofs.solving.logic import TRUE
from weightproof.proofs.solving.solvers import SOLVERS
from weightproof.proofs.theorem import Decides, OnWords, Predicts, Theorem
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Result, Unknown

pytestmark = pytest.mark.proofs
HEADER = "construction\ttheorem\tverdict\tscope\tevidence\tsolver time\ttime"


def _theorems() -> list[Any]:
    pairs = ((name, theorem) for name in ALL_STATED for theorem in stated_of(name))
    return [pytest.param(name, theorem, id=f"{name}: {theorem.name}") for name, theorem in pairs]


WITH_PROOFS = [name for name in ALL_STATED if any(theorem.expected == "proved" for theorem in stated_of(name))]


@pytest.mark.parametrize(("name", "theorem"), _theorems())
def test_theorem(name: str, theorem: Theorem, table_row: Callable[[str, Sequence[str]], None]) -> None:
    """The verdict is the expected one, for all lengths unless the theorem says otherwise; no proof is vacuous.

    The hypotheses of each obligation are satisfiable, and the model that satisfies them is kept. The case of a margin
    may exclude one, by the parity of n say, which linear arithmetic does not always see.
    """
    proof = proofs_of(name)[theorem.name]
    result = proof.result
    match result.verdict:
        case Proved(scope=scope, evidence=evidence):
            basis = evidence.value
        case Refuted(counterexample=counterexample):
            scope, basis = f"word {counterexample.word!r}", counterexample.evidence
        case Unknown(reason=reason):
            scope, basis = "-", reason
    seconds = (f"{result.solver_seconds:.2f} s", f"{result.seconds:.2f} s")
    table_row(HEADER, [name, theorem.name, result.verdict.name, scope, basis, *seconds])
    assert result.verdict.name == theorem.expected, result.verdict
    if not isinstance(result.verdict, Proved):
        return
    if isinstance(theorem, Decides):
        expected = "all lengths" if theorem.up_to is None else f"n <= {theorem.up_to}"
        assert result.verdict.scope == expected
    if isinstance(theorem, OnWords) and getattr(theorem, "up_to", None) is None:
        closed = [each for each in proof.closed if each.obligation.name != SIDE_CONDITIONS]
        assert [each.obligation.name for each in closed if each.evidence is None] == []
        without = [each.obligation.name for each in closed if each.model is None or each.vacuous]
        assert len(without) < len(closed)
        if isinstance(theorem, Decides):
            assert without == []


@pytest.mark.parametrize("name", ALL_STATED)
def test_a_construction_is_decided_for_all_lengths(name: str) -> None:
    """It is proved to recognise a language, or to predict its tokens, for words of every length, or refuted with a
    word."""
    unbounded = [t for t in stated_of(name) if isinstance(t, Predicts) or (isinstance(t, Decides) and t.up_to is None)]
    verdicts = {proofs_of(name)[theorem.name].result.verdict.name for theorem in unbounded}
    assert verdicts
    assert verdicts <= {"proved", "refuted"}


@pytest.mark.parametrize("name", WITH_PROOFS)
def test_both_solvers_confirm_the_side_conditions(name: str) -> None:
    """The linear facts that a derivation and a proof used, settled by elimination, are unsat to both solvers, too."""
    closed = [each for proof in proofs_of(name).values() for each in proof.closed]
    confirmed = [each for each in closed if each.obligation.name == SIDE_CONDITIONS]
    assert any(each.obligation.goal != TRUE for each in confirmed)
    for each in confirmed:
        assert [(answer.solver, answer.status) for answer in each.answers] == [(s, "unsat") for s in SOLVERS]


@pytest.mark.parametrize("name", ALL_STATED)
def test_the_manifest_says_what_is_proved_now(name: str) -> None:
    construction, proved_now = construction_of(name), [proof.result for proof in proofs_of(name).values()]
    written = of_construction(construction, proved_now, stated_of(name))
    if (difference := told(section_of(name, name_of(file_of(name))), written)) is not None:
        pytest.fail(difference, pytrace=False)


@pytest.mark.parametrize("page", families.PAGES)
def test_what_is_stated_of_families_is_proved_and_the_manifest_says_so(
    page: str, monkeypatch: pytest.MonkeyPatch, table_row: Callable[[str, Sequence[str]], None]
) -> None:
    """Of simulators, machines, components, circuits and networks that add; scope and evidence are the manifest's."""
    results: list[Result] = []

    def kept(stated: Sequence[Exact]) -> list[Result]:
        found = list(proved(stated))
        assert len(found) == len(stated) > 0
        results.extend(found)
        return found

    monkeypatch.setattr(families, "proved", kept)
    written = families.PAGES[page]()
    assert results
    for result in results:
        match result.verdict:
            case Proved(scope=scope, evidence=evidence):
                basis = evidence.value
                bounded = scope.startswith(("n <= ", "formats of up to "))
                assert evidence is (Evidence.BOUNDED if bounded else Evidence.CERTIFICATE)
                assert result.obligations[basis] > 1
            case Refuted(counterexample=found):
                scope, basis = f"word {found.word!r}", found.evidence
            case Unknown(reason=reason):
                scope, basis = "-", reason
        seconds = f"{result.seconds:.2f} s"
        table_row(HEADER, [result.construction, result.theorem, result.verdict.name, scope, basis, "-", seconds])
        assert result.as_expected, result.verdict
    if (difference := told(trusted().get(page, ""), written)) is not None:
        pytest.fail(difference, pytrace=False)
