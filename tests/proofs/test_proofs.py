"""Every theorem of every built-in construction, proved from the weights: `pytest -m proofs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from weightproof.constructions.library import names
from weightproof.proofs.prove import theorems_of
from weightproof.proofs.theorem import Decides, Theorem
from weightproof.proofs.verdict import Proved, Refuted, Result, Unknown

HEADER = "construction\ttheorem\tverdict\tscope\tevidence\tsolver time\ttime"


def _theorems() -> list[Any]:
    pairs = ((name, theorem) for name in names() for theorem in theorems_of(name))
    return [pytest.param(name, theorem, id=f"{name}: {theorem.name}") for name, theorem in pairs]


@pytest.mark.proofs
@pytest.mark.parametrize(("name", "theorem"), _theorems())
def test_theorem(
    name: str,
    theorem: Theorem,
    results: Callable[[str], dict[str, Result]],
    table_row: Callable[[str, Sequence[str]], None],
) -> None:
    result = results(name)[theorem.name]
    match result.verdict:
        case Proved(scope=scope, evidence=evidence):
            basis = evidence.value
        case Refuted(counterexample=counterexample):
            scope, basis = f"word {counterexample.word!r}", "replayed exactly"
        case Unknown(reason=reason):
            scope, basis = "-", reason
    seconds = (f"{result.solver_seconds:.2f} s", f"{result.seconds:.2f} s")
    table_row(HEADER, [name, theorem.name, result.verdict.name, scope, basis, *seconds])
    assert result.verdict.name == theorem.expected, result.verdict
    if isinstance(theorem, Decides) and isinstance(result.verdict, Proved):
        expected = "all lengths" if theorem.up_to is None else f"n <= {theorem.up_to}"
        assert result.verdict.scope == expected


@pytest.mark.proofs
def test_every_construction_is_decided_for_all_lengths(results: Callable[[str], dict[str, Result]]) -> None:
    """Each one is proved to recognise a language for words of every length, or refuted with a word."""
    for name in names():
        unbounded = [t for t in theorems_of(name) if isinstance(t, Decides) and t.up_to is None]
        verdicts = {results(name)[theorem.name].verdict.name for theorem in unbounded}
        assert verdicts
        assert verdicts <= {"proved", "refuted"}
