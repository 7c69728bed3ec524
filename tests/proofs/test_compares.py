"""A comparison of the logit with a value is a theorem: proved for all lengths, refuted with a word, or left open."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.support.derived import analysis_of
from weightproof.constructions.library import load
from weightproof.proofs.prove import proofs, prove
from weightproof.proofs.refuting.refute import search
from weightproof.proofs.strategies.goals import sides
from weightproof.proofs.theorem import Compares, Op
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict

ONES = "count('1')"


def verdict(name: str, theorem: Compares) -> Verdict:
    [proof] = proofs(load(name), [theorem], analysis=analysis_of(name))
    return proof.result.verdict


def test_what_holds_is_proved_for_all_lengths() -> None:
    for name, theorem in (
        ("one", Compares(">", 0, f"{ONES} == 1", only=True)),
        ("one", Compares("==", "1/(2*n)", f"{ONES} == 1", only=True)),
        ("one", Compares(">=", "-1/2", "n >= 1")),
        ("first-one-layer", Compares(">", 0, "w[1] == '1'", only=True, given="exp(c) > n - 1")),
        ("dyck1", Compares("==", "1/n", only=True)),
        ("dyck1", Compares("<=", 1, "n >= 1", given="count('1') >= count('0') + 1", invariant="S1 <= 0")),
    ):
        found = verdict(name, theorem)
        assert isinstance(found, Proved), (name, theorem, found)
        assert found.scope == "all lengths"


REFUTED = [
    ("one", Compares("<", 0, f"{ONES} != 1 and {ONES} < 9 or {ONES} == 1 and n > 30"), "the logit is not < 0"),
    ("one", Compares("==", "1/(2*n)", f"{ONES} == 1 and n != 12", only=True), "the logit is == 1/24"),
    ("first-one-layer", Compares(">", 0, "w[1] == '1'", given="exp(c) > 20"), "the logit is not > 0"),
    ("dyck1", Compares(">", "-2", "n >= 1"), "the logit is not > -2"),
]


@pytest.mark.parametrize(("name", "theorem", "note"), REFUTED, ids=[note for *_, note in REFUTED])
def test_what_fails_late_is_refuted_with_a_word(name: str, theorem: Compares, note: str) -> None:
    """None of these is wrong of a word of up to 7 symbols at a sampled parameter value."""
    construction = load(name)
    assert search(construction, theorem, 6) is None
    found = verdict(name, theorem)
    assert isinstance(found, Refuted), found
    assert found.counterexample.note == note
    assert len(found.counterexample.word) > 7


@pytest.mark.parametrize("op", get_args(Op))
@pytest.mark.parametrize("only", [False, True])
def test_every_comparison_is_decided_as_the_words_say(op: Op, only: bool) -> None:
    """The logit is 1/(2n) for a single 1, and else -1/(2n)."""
    for value in ("0", "1/(2*n)", "-1/(2*n)"):
        for where in (f"{ONES} == 1", f"{ONES} != 1"):
            theorem = Compares(op, value, where, only)
            assert sides(theorem) == ((True, False) if only else (True,))
            expected = Proved if search(load("one"), theorem, 4) is None else Refuted
            assert isinstance(verdict("one", theorem), expected), theorem


@pytest.mark.usefixtures("little_search")
def test_a_value_that_may_not_exist_is_no_proof() -> None:
    found = verdict("one", Compares("<", "1 + 1/(n - 20)**2"))
    assert isinstance(found, Unknown)
    assert "may have no value" in found.reason


def test_it_says_what_it_states() -> None:
    theorem = Compares("==", "1/n", None, only=True, given="n >= 3")
    assert theorem.name == "logit == 1/n"
    assert theorem.statement == "logit == 1/n on the words of the language, and on no others"
    assert Compares(">", 0, "n >= 4").statement == "logit > 0 where n >= 4"
    [result] = prove(load("one"), [Compares(">", 0, f"{ONES} == 1", given="n >= 2")])
    assert result.hypotheses == ("n >= 2",)
