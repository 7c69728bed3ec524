"""Statements that are false by construction, hundreds of them, of shipped networks and of random ones: none is proved,
and what is refuted is refuted by a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest
from flint import fmpq

from tests.controls.false.false_statements import Counting, as_claim, false_theorems, network, word_of
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import run
from weightproof.constructions.scalars.grammar import expression
from weightproof.proofs import deciding
from weightproof.proofs.claims.judging import judge_claims
from weightproof.proofs.prove import proofs
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.refuting import witness
from weightproof.proofs.refuting.search import late
from weightproof.proofs.solving.solvers import SOLVERS, ask
from weightproof.proofs.theorem import Margin, Theorem, theorems_of
from weightproof.proofs.verdict import Proved, Refuted

pytestmark = pytest.mark.controls
COLUMNS = ("drawn", "refuted", "unknown", "refused", "proved")
HEADER = "\t".join(("false statements", *COLUMNS))
NETWORKS, EACH, CHUNKS = 6, 5, 3
"""Random networks of a chunk, statements of each kind about each, and chunks."""
SECONDS = 3.0
SHIPPED = ("one", "first", "dyck1")


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no matter what stays unknown."""
    monkeypatch.setattr(deciding, "late", lambda *search: late(*search[:3], min(search[3], 50_000)))
    monkeypatch.setattr(witness, "STEPS", 100_000)


@pytest.fixture(autouse=True, scope="module")
def _solvers_have_started() -> None:
    for solver in SOLVERS:
        ask(solver, "(set-logic ALL)(check-sat)", 60)


def tried(analysis: Analysis, theorem: Theorem) -> str:
    """What becomes of a theorem."""
    try:
        [proof] = proofs(analysis.construction, [theorem], timeout=SECONDS, analysis=analysis)
    except InputError:
        return "refused"
    return proof.result.verdict.name


def random_networks(number: int) -> Iterator[tuple[Counting, Random]]:
    random = Random(number)
    return ((network(random), random) for _ in range(NETWORKS))


@pytest.mark.parametrize("number", range(CHUNKS))
def test_no_false_theorem_about_a_random_network_is_proved(
    number: int, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    tallies: dict[str, Counter[str]] = {}
    for of, random in random_networks(number):
        analysis = Analysis(of.construction, SECONDS)
        for kind, theorem, counts in false_theorems(random, of, EACH):
            exact, known = run(of.construction, word_of(counts)).logit, of.logit(counts)
            assert exact == fmpq(known.numerator, known.denominator), counts
            verdict = tried(analysis, theorem)
            assert verdict != "proved", (of.weights, of.mean, of.construction.network.readout, theorem, counts)
            tallies.setdefault(kind, Counter()).update(("drawn", verdict))
    for kind, tally in tallies.items():
        count_row(HEADER, f"{kind} of random networks", [tally[column] for column in COLUMNS])
    assert all(tally["drawn"] >= NETWORKS * EACH // 2 for tally in tallies.values()), tallies
    assert sum(tally["refuted"] for tally in tallies.values()) >= NETWORKS * EACH, tallies


@pytest.mark.parametrize("number", range(2))
def test_no_false_claim_about_a_random_network_is_true(
    number: int, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    tally: Counter[str] = Counter()
    for of, random in random_networks(100 + number):
        drawn = [theorem for _, theorem, _ in false_theorems(random, of, 3) if not _is_bounded(theorem)]
        claims = [Published(str(place), "p", "a test", as_claim(each)) for place, each in enumerate(drawn)]
        for judgement in judge_claims(of.construction, Claims(of.construction.name, *claims), timeout=SECONDS):
            assert judgement.verdict in ("false", "unknown"), (of.weights, of.mean, drawn[int(judgement.claim.id)])
            tally.update(("drawn", {"false": "refuted"}.get(judgement.verdict, judgement.verdict)))
    count_row(HEADER, "claims about random networks", [tally[column] for column in COLUMNS])
    assert tally["refuted"] >= tally["drawn"] // 2


def _is_bounded(theorem: Theorem) -> bool:
    """What is no claim: a margin, and what is said up to a length."""
    return isinstance(theorem, Margin) or getattr(theorem, "up_to", None) is not None


def wrong_margins(construction: Construction, theorem: Margin) -> Iterator[Margin]:
    """A margin is one number: whatever differs from one that is proved is false, and so is another word."""
    value, words = theorem.value, theorem.attained or ()
    other = "accepted" if theorem.side == "rejected" else "rejected"
    changed = [f"({value}) + 1/n", f"({value}) - 1", f"({value}) - 1/n**2"]
    if str(value) != "0":
        changed += [f"2*({value})", f"({value})/2", f"-({value})", f"({value})*(1 + (n >= 11))"]
    yield from (replace(theorem, value=expression(each), name=each) for each in changed)
    yield from (replace(theorem, value=expression(each), attained=None, name=f"{each}, not said where")
                for each in changed if "n >= 11" not in each)  # fmt: skip
    yield replace(theorem, side=other, name="the other side")
    if words:
        longer = (*words, (construction.language.alphabet[0], expression(1)))
        yield replace(theorem, attained=longer, name="longer words")


@pytest.mark.parametrize("name", SHIPPED)
def test_no_false_margin_of_a_shipped_network_is_proved(
    name: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    construction, tally = load(name), Counter[str]()
    analysis = Analysis(construction, SECONDS)
    for theorem in theorems_of(name):
        if isinstance(theorem, Margin) and theorem.value is not None:
            for wrong in wrong_margins(construction, theorem):
                verdict = tried(analysis, wrong)
                assert verdict != "proved", wrong
                tally.update(("drawn", verdict))
    count_row(HEADER, "margins of shipped networks", [tally[column] for column in COLUMNS])
    assert tally["refuted"] > tally["drawn"] // 3


def test_a_statement_that_is_true_is_not_among_them() -> None:
    """The other way round, so that nothing is unknown for want of a prover: what is so of each network is proved."""
    for of, _ in random_networks(7):
        analysis = Analysis(of.construction, 20.0)
        [proof] = proofs(of.construction, timeout=20.0, analysis=analysis)
        assert isinstance(proof.result.verdict, Proved), (of.weights, of.mean, proof.result)
        assert not isinstance(proof.result.verdict, Refuted)
