"""Random constructions drawn from the whole schema, with random theorems: derivation, prover, interpreter and brute
force held against each other. Building one works or is refused; so do derivation and proof; nothing else is raised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.controls.random_checks import analysed, check_derivation, check_theorems
from tests.controls.random_constructions import constructions, theorems
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.record import fingerprint
from weightproof.proofs import deciding
from weightproof.proofs.quantities import analysis
from weightproof.proofs.refuting.search import late
from weightproof.proofs.solving.solvers import SOLVERS, ask

COLUMNS = (
    "drawn",
    "malformed",
    "again",
    "derived",
    "underivable",
    "too long",
    "proved",
    "refuted",
    "unknown",
    "refused",
)
WRITERS = ("printed", "plain", "JSON", "LaTeX", "Markdown")
"""Derivations of which everything that is printed was read back, and formulas by who printed them."""
PRINTED = "\t".join(("formulas read back", *WRITERS))
HEADER = "\t".join(("random constructions", *COLUMNS))
FEW, MANY, CHUNKS = 50, 500, 10
"""Constructions of a chunk of `make test`, which has two, and of the long suite, and how many of those there are."""
PROVED_OF_FEW, PROVED_OF_MANY = 2, 8
"""Theorems are tried on one construction in two of a chunk of `make test`, and on one in eight of the long suite."""


@pytest.fixture(autouse=True)
def _little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall in front of every `proved` compares what is compared here; and it is no matter what stays unknown."""
    monkeypatch.setattr(analysis, "WORK", 10_000)
    monkeypatch.setattr(deciding, "late", lambda *search: late(*search[:3], min(search[3], 0.05)))


@pytest.fixture(autouse=True, scope="module")
def _solvers_have_started() -> None:
    for solver in SOLVERS:
        ask(solver, "(set-logic ALL)(check-sat)", 60)


def checked(number: int, examples: int, proved_of: int = 1) -> Counter[str]:
    """How many were drawn, derived, proved, ... of the constructions of a seed; theorems are tried on one in some.

    A third of what hypothesis draws is a network that it has drawn before: each is derived and printed once.
    """
    tally, seen = Counter[str](), set[str]()

    @seed(number)
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def one(data: st.DataObject) -> None:
        tally["drawn"] += 1
        try_theorems = data.draw(st.integers(1, proved_of), label="whether theorems are tried, at 1") == 1
        try:
            construction = data.draw(constructions(ranked=try_theorems), label="construction")
        except ConstructionError:
            tally["malformed"] += 1
            return
        network = fingerprint((construction.network, construction.parameters, construction.language.alphabet))
        if network in seen and not try_theorems:
            tally["again"] += 1
            return
        analysis = analysed(construction)
        if network not in seen:
            check_derivation(analysis, tally)
            seen.add(network)
        if try_theorems:
            check_theorems(analysis, data.draw(theorems(construction), label="theorems"), tally)

    one()
    return tally


def _chunks() -> list[Any]:
    long = pytest.mark.controls
    few = [pytest.param(n, FEW, PROVED_OF_FEW, id=f"{n}", marks=marks) for n, marks in ((1, ()), (3, long))]
    numbers = range(5, 5 + CHUNKS)
    return few + [pytest.param(n, MANY, PROVED_OF_MANY, id=f"{n}", marks=long) for n in numbers]


@pytest.mark.parametrize(("number", "examples", "proved_of"), _chunks())
def test_random_constructions(
    number: int, examples: int, proved_of: int, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    tally = checked(number, examples, proved_of)
    count_row(HEADER, "drawn from the schema", [tally[column] for column in COLUMNS])
    count_row(PRINTED, "of derivations of networks drawn", [tally[writer] for writer in WRITERS])
    assert all(tally[writer] > 0 for writer in WRITERS)
    assert tally["malformed"] < examples / 5
    assert tally["derived"] > examples / 5
    assert tally["proved"] + tally["refuted"] > examples / proved_of / 20
    assert tally["proved"] > 0
