"""The limits of theorems about machines, families and components: one for all of a theorem, and kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.constructions.machines.test_turing import shipped
from tests.proofs.simulation.test_simulations_proved import NETWORK, SMALL, with_feed_forward, with_weight
from tests.proofs.test_deadline import at_work
from weightproof.cli import main
from weightproof.constructions.library import simulation_of
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prover import SCOPE, proved
from weightproof.proofs.simulation import deciding, prove, simulates
from weightproof.proofs.simulation.components import theorems
from weightproof.proofs.simulation.deciding import decide_run, decide_simulation
from weightproof.proofs.simulation.passages import Passage
from weightproof.proofs.simulation.prove import invariant_of, of_family, of_machine, passages_of
from weightproof.proofs.verdict import Refuted, Result, Unknown

FAMILY = "rnn-by-encoder-decoder"
NO_TIME, LITTLE, SOME, LONG = 0.0, 0.3, 1.5, 60.0
"""Seconds of counted work: the last ones no test takes."""


def for_ever(*_: object, **__: object) -> Iterator[Passage]:
    """Obligations of which the second is long in coming."""
    yield next(passages_of(NETWORK))
    at_work()


def slow(*_: object) -> None:
    at_work()


def late(results: list[Result]) -> bool:
    return bool(results) and all(isinstance(result.verdict, Unknown) and result.verdict.timed_out for result in results)


def test_every_theorem_has_a_limit() -> None:
    assert late(list(proved(of_machine(shipped("increment")), NO_TIME)))
    for family in (FAMILY, "rnn-by-directional", f"{FAMILY}-as-printed"):
        assert late(list(proved(of_family(family), NO_TIME)))
    assert late(list(proved(theorems(), NO_TIME)))


def test_what_is_done_in_time_is_not_late() -> None:
    decided = decide_run(NETWORK, passages_of(NETWORK), Deadline.after(LONG))
    assert (decided.gap, decided.timed_out) == (None, False)


def test_a_proof_that_is_late_is_no_proof() -> None:
    """And it says which obligation it was about; what there is of a search does not replace it."""
    decided = decide_run(NETWORK, for_ever(), Deadline.after(LITTLE))
    assert (decided.obligations, decided.counterexample, decided.timed_out) == (1, None, True)
    assert decided.gap is not None
    assert decided.gap[1].startswith("given up after 0.3 s of counted work, in the proof")
    assert isinstance(found := decided.verdict(SCOPE), Unknown)
    assert found.timed_out


def test_a_proof_that_is_late_leaves_time_for_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = with_weight(NETWORK, "halted", "begun", 1)
    decided = decide_run(wrong, for_ever(), Deadline.after(SOME))
    assert isinstance(decided.verdict(SCOPE), Refuted)
    assert not decided.timed_out
    monkeypatch.setattr(simulates, "start", slow)
    bad = with_feed_forward(simulation_of(FAMILY, SMALL), 0, "second", row="h1", column="new h1", to=2)
    found = decide_simulation(bad, invariant_of(FAMILY, SMALL), Deadline.after(SOME))
    assert isinstance(found.verdict(SCOPE), Refuted)


def test_a_search_that_is_late_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a gap, and behind a proof, for which short words have to be run: what is not run counts as open."""
    for name in ("run_diverges", "simulation_diverges"):
        monkeypatch.setattr(deciding, name, slow)
    right, invariant = simulation_of(FAMILY, SMALL), invariant_of(FAMILY, SMALL)
    for decided in (
        decide_run(NETWORK, passages_of(NETWORK), Deadline.after(LITTLE)),
        decide_run(with_weight(NETWORK, "halted", "begun", 1), passages_of(NETWORK), Deadline.after(LITTLE)),
        decide_simulation(right, invariant, Deadline.after(LITTLE)),
        decide_simulation(right, {}, Deadline.after(LITTLE)),
    ):
        assert decided.timed_out
        assert decided.gap is not None
        assert decided.gap[1].endswith("given up after 0.3 s of counted work, in the search for a word")


def test_the_making_of_a_network_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "network_of", slow)
    results = list(proved(of_machine(shipped("increment")), LITTLE))
    assert late(results)
    assert results[0].verdict == Unknown(
        "given up after 0.3 s of counted work, in the making of the network", timed_out=True
    )


def test_the_option_is_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "increment", FAMILY, "--timeout", "1e-9"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "weightproof: time-out of 1e-09 s in the whole call; give more with --timeout SECONDS\n"
    assert main(["prove", "increment", "--timeout", "3600"]) == 0
