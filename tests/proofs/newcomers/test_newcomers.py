"""Constructions of the kind that newcomers write: brute force, then proofs, and the refutation of planted mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.proofs.newcomers.cases import LATE, is_right, longer_words, newcomer, short_words
from tests.support.places import NEWCOMERS
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.constructions.scalars.budget import Budget
from weightproof.proofs import deciding
from weightproof.proofs.prove import prove
from weightproof.proofs.refuting import patterns
from weightproof.proofs.refuting.refute import UNDEFINED
from weightproof.proofs.theorem import Decides, Theorem
from weightproof.proofs.verdict import Proved, Refuted, Unknown, Verdict

NAMES = [path.stem for path in NEWCOMERS]
LONG = {
    "at_least", "b_after_a", "contains_b_normed", "early_b", "first_decides", "first_last_normed", "hard_last",
    "last_two_differ", "more_a_normed", "most_of_last_three", "multiple_of_three", "nearest_to_three", "root_two",
    "shuffled_brackets", "sorted_word", "weight_c",
}  # fmt: skip
HEADER = "as newcomers write\tproved\tearly mistake refuted\tlate mistake refuted"


def test_there_are_thirty_two() -> None:
    assert len(NAMES) == len(set(NAMES)) == 32
    assert [newcomer(name).construction.name for name in NAMES] == [name.replace("_", "-") for name in NAMES]
    assert all(": " not in newcomer(name).early.name and ", late: " in newcomer(name).late.name for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_right_on_words_and_the_mistakes_are_mistakes(name: str) -> None:
    """An early mistake shows on a word of up to 12 symbols that is run, a late one on none."""
    case = newcomer(name)
    short = [*short_words(case.construction), *longer_words(case.construction, LATE)]
    assert all(is_right(case.construction, word) for word in (*short, *longer_words(case.construction, 40)))
    assert not all(is_right(case.early, word) for word in short)
    assert all(is_right(case.late, word) for word in short)


def verdict_of(construction: Construction, theorems: Sequence[Theorem], timeout: float = 60.0) -> Verdict:
    """The verdict; the word of a refutation has been run once more."""
    [result] = prove(construction, theorems, timeout=timeout)
    if isinstance(result.verdict, Refuted):
        found = result.verdict.counterexample
        member = is_member(construction, found.word, parameter_values(construction, found.parameters))
        assert member == found.member
        if found.logit == UNDEFINED:
            with pytest.raises(NoValue):
                run(construction, found.word, found.parameters)
        else:
            assert run(construction, found.word, found.parameters).accepts == found.accepts != member
    return result.verdict


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.controls] * (n in LONG)) for n in NAMES])
def test_they_are_proved_and_the_mistakes_refuted(
    name: str, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    """Without help."""
    case = newcomer(name)
    right = verdict_of(case.construction, case.theorems)
    early, late = (verdict_of(wrong, case.theorems) for wrong in (case.early, case.late))
    count_row(HEADER, name, [isinstance(right, Proved), isinstance(early, Refuted), isinstance(late, Refuted)])
    assert isinstance(right, Proved), right
    assert isinstance(early, Refuted), early
    assert isinstance(late, Refuted), late
    assert len(late.counterexample.word) > LATE or late.counterexample.parameters, late


def test_what_is_odd_beside_many_accepted_words_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One closing bracket without a partner among fifteen; the other regular words do not have it."""
    monkeypatch.setattr(patterns, "patterns", lambda construction, theorem, length: iter(()))
    late, theorem = newcomer("shuffled_brackets").late, Decides("recognises", "a test")
    found = patterns.search_patterns(late, theorem, None, 20, Budget(60_000_000))
    assert found is not None
    assert found.word == "()()()()()()()]"
    assert run(late, found.word).accepts is found.accepts is True
    beside = {word for words in patterns.near_misses(late, theorem) for word in words(6)}
    assert {"()()][", "][()()", "[][])(", "()()()"} - beside == {"()()()"}


# What no rule derives is refused soon, in one line: little time is left for words that refute it.


def with_head(construction: Construction, head: Head) -> Construction:
    assert isinstance(construction.network, Encoder)
    return replace(construction, network=replace(construction.network, layers=(Layer(heads=(head,)),)))


REFUSED = {
    "no integer form": (
        "count('b') >= 1",
        Head({"s": {"[w=b]": 1}}, {"q": {"1": 1}}, {"q": {"i": 1}}, scale="1/n"),
    ),
    "depend on the position and on the symbol": (
        "w[n - 1] == 'b' or w[n - 2] == 'b'",
        Head({"s": {"[w=b]": 1}}, {"q": {"1": 1}}, {"q": {"i": 1, "[w=b]": "3/2"}}, normaliser="hardmax"),
    ),
}


@pytest.mark.parametrize("says", REFUSED)
def test_a_refusal_comes_soon(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    monkeypatch.setattr(deciding, "late", lambda *arguments: steps.append(arguments[3]) or iter(()))
    accepts, head = REFUSED[says]
    construction = with_head(newcomer("hard_last").construction, head)
    [result] = prove(construction, [Decides("right", "a test", accepts=accepts)], timeout=30.0)
    assert isinstance(result.verdict, Unknown)
    assert says in result.verdict.reason
    assert "\n" not in result.verdict.reason
    assert steps == [deciding.REFUSED]
