"""Invariants that nobody wrote: found for networks that the suite has not seen, the same again and pasted; what is
false is refuted, and what is not inductive or not true is not kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proofs.strategies.marked import language, marked, mirrored
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import run
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import LONGEST_SOURCE
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prove import default_theorems, prove
from weightproof.proofs.quantities.analysis import derived_in_time
from weightproof.proofs.strategies.found import search
from weightproof.proofs.strategies.found.clauses import Clause, read
from weightproof.proofs.strategies.found.relations import relations
from weightproof.proofs.strategies.found.search import find, takes_one
from weightproof.proofs.strategies.found.states import states, surviving
from weightproof.proofs.strategies.inductive.induction import Reading, reading_of
from weightproof.proofs.theorem import Decides, theorems_of
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

HALF = language("half", lambda w: "1" in w[: len(w) // 2], "any(2*j < n and w[j] == '1' for j in positions)")
NO_HALF = language("no-half", lambda w: "1" not in w[: len(w) // 2], "all(2*j >= n or w[j] == '0' for j in positions)")
NOT_EVEN = language("even", lambda w: "1" not in w[1::2], "all(j % 2 == 1 or w[j] == '0' for j in positions)")
BUT_LAST = language("but-last", lambda w: "0" not in w[:-1], "all(j == n - 1 or w[j] == '1' for j in positions)")
MORE = language(
    "more", lambda w: w[:-1].count("1") > w[:-1].count("0"), "count('1', n - 2) > count('0', n - 2) and n >= 2"
)
THIRD = language("third", lambda w: w[2:3] == "1", "w[3] == '1'")
DIFFERENT = language(
    "different",
    lambda w: all(a != b for a, b in zip(w[: len(w) // 2], w[::-1], strict=False)),
    "all(2*j >= n - 1 or w[j] != w[n - 1 - j] for j in positions)",
)
SAME = language("same", lambda w: w == w[::-1], "all(w[j] == w[n - 1 - j] for j in positions)")

RIGHT: dict[str, Construction] = {
    "half of the word": marked(HALF, {"a": ("(2*i < n)", "1", 2)}, -1),
    "nothing in half of the word": marked(NO_HALF, {"a": ("(2*i < n)", "1", -2)}, 1),
    "every other position": marked(NOT_EVEN, {"a": ("(i % 2 == 0)", "1", -2)}, 1),
    "pairs that differ": mirrored(DIFFERENT, "1", "0"),
    "pairs that are alike": mirrored(SAME, "1", "1"),
}
"""Networks for which an invariant is to be found."""
DIRECT: dict[str, Construction] = {
    "all positions but the last": marked(BUT_LAST, {"a": ("(i < n - 1)", "0", -2)}, 1),
    "the third symbol": marked(THIRD, {"a": ("(i == 3)", "1", 2)}, -1),
    "more in all positions but the last": marked(MORE, {"a": ("(i < n - 1)", "1", 1), "b": ("(i < n - 1)", "0", -1)}),
}
"""Networks of the same kind whose sums are summed."""
WRONG: dict[str, Construction] = {
    "the middle counts too": marked(HALF, {"a": ("(2*i <= n)", "1", 2)}, -1),
    "one 1 is let pass": marked(NO_HALF, {"a": ("(2*i < n)", "1", -2)}, 3),
    "an even position is left out": marked(NOT_EVEN, {"a": ("(i % 4 == 0)", "1", -2)}, 1),
    "the last one, too": marked(BUT_LAST, {"a": ("(i < n)", "0", -2)}, 1),
    "pairs that are alike, read as differing": replace(mirrored(DIFFERENT, "1", "1"), name="wrong-pairs"),
    "a base below 2": mirrored(SAME, "1", "1", base="c > 0"),
    "the fourth symbol": marked(THIRD, {"a": ("(i == 4)", "1", 2)}, -1),
    "more in all positions": marked(MORE, {"a": ("(i < n)", "1", 1), "b": ("(i < n)", "0", -1)}),
}
"""With a mistake each."""


def recognises(construction: Construction, invariant: object | None = None) -> Decides:
    [theorem] = default_theorems(construction)
    assert isinstance(theorem, Decides)
    return replace(theorem, invariant=None if invariant is None else Expression(str(invariant)))


def derived(construction: Construction) -> Derivation:
    found = derived_in_time(construction)
    assert isinstance(found, Derivation)
    return found


def reading(construction: Construction) -> Reading:
    derivation = derived(construction)
    return reading_of(derivation, recognises(construction), derivation.vocabulary.words())


@pytest.mark.controls
@pytest.mark.parametrize("name", RIGHT)
def test_an_invariant_is_found_and_proves_when_it_is_pasted(name: str) -> None:
    construction = RIGHT[name]
    [result] = prove(construction, timeout=120)
    assert isinstance(result.verdict, Proved), result.verdict
    assert result.verdict.scope == "all lengths"
    assert result.invariant is not None
    [pasted] = prove(construction, [recognises(construction, result.invariant)], timeout=120)
    assert pasted.verdict == result.verdict
    assert pasted.obligations == result.obligations
    assert pasted.invariant is None


@pytest.mark.parametrize("name", DIRECT)
def test_what_is_summed_needs_none(name: str) -> None:
    [result] = prove(DIRECT[name], timeout=120)
    assert isinstance(result.verdict, Proved), result.verdict
    assert result.invariant is None


@pytest.mark.parametrize("name", WRONG)
def test_a_planted_mistake_is_refuted(name: str) -> None:
    construction = WRONG[name]
    [result] = prove(construction, timeout=120)
    assert isinstance(result.verdict, Refuted), result.verdict
    found = result.verdict.counterexample
    assert run(construction, found.word, found.parameters).accepts == found.accepts != found.member  # type: ignore[union-attr]


def test_the_languages_are_what_their_formulas_say() -> None:
    for construction in {**RIGHT, **DIRECT}.values():
        for word in ("", "0", "1", "01", "10", "110", "011", "0110", "1001", "00111"):
            assert is_member(construction, word, {}) == construction.language.member(word)


def test_the_same_is_found_again_however_much_work_there_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the whole is given up, that is told, and nothing weaker is said."""
    construction = RIGHT["half of the word"]
    derivation, theorem = derived(construction), recognises(construction)
    first = find(derivation, theorem, Deadline.after(120))
    assert find(derivation, theorem, Deadline.after(90)) == first
    monkeypatch.setattr(search, "by_certificate", lambda _: False)  # every question goes to the solver
    assert find(derivation, theorem, Deadline.after(120)) == first
    little = Deadline.after(0.01)
    with pytest.raises(TimeUp):
        little.during("the search", lambda: find(derivation, theorem, little))


def test_what_is_false_on_a_word_or_not_inductive_is_taken_out() -> None:
    half = reading(RIGHT["half of the word"])
    true, late, false = (
        Clause(("so_far",), "S1 == 0"),
        Clause((), "S1 <= 9"),  # true of short words, and no step shows it
        Clause((), "S1 <= 1"),
    )
    too_long = Clause((), f"S1 <= {' + '.join(['n'] * LONGEST_SOURCE)}")
    candidates = read(half, (true, late, false, Clause((), "no_such_name > 0"), too_long))
    assert [each.clause for each in candidates] == [true, late, false]
    alive = surviving(candidates, states(half))
    assert [each.clause for each in alive] == [true, late]
    kept = search.largest_inductive(half, alive, Deadline.after(60))
    assert [each.clause for each in kept] == [true]
    assert not search.concludes(half, kept, Deadline.after(60))
    assert search.inductive(half, kept, Deadline.after(60))
    assert not search.inductive(half, alive, Deadline.after(60))


def test_candidates_that_need_each_other_stay_together() -> None:
    """That a mismatch is never made good needs that the next one outweighs all before it, and that none was seen."""
    pairs = reading(RIGHT["pairs that differ"])
    candidates = read(
        pairs,
        (
            Clause(("so_far",), "S1 == 0"),
            Clause(("not so_far",), "S1 >= S1_first or -S1 >= S1_first"),
            Clause((), "S1 + S1_first <= S1_next"),
            Clause((), "-S1 + S1_first <= S1_next"),
        ),
    )
    assert search.largest_inductive(pairs, candidates, Deadline.after(60)) == candidates
    assert search.largest_inductive(pairs, candidates[1:2], Deadline.after(60)) == []


def test_relations_are_read_off_runs() -> None:
    but_last = reading(DIRECT["all positions but the last"])
    said = {clause.text for clause in relations(but_last, states(but_last))}
    assert "not so_far or not (j < n - 1) or (count('1', j) == j)" in said


def test_none_found_is_no_verdict_and_says_what_was_tried() -> None:
    dyck = load("dyck1")
    theorem = replace(recognises(dyck), accepts=Expression("all(count('1', j) <= 2*count('0', j) for j in positions)"))
    derivation = derived(dyck)
    assert takes_one(derivation, theorem)
    with pytest.raises(Underivable, match=r"no invariant is found: of \d+ candidates \(.*\) \d+ hold on short words"):
        find(derivation, theorem, Deadline.after(120))


def test_an_invariant_that_is_given_is_not_looked_for() -> None:
    construction = RIGHT["half of the word"]
    given = recognises(construction, "S1 >= 0")
    assert not takes_one(derived(construction), given)
    [result] = prove(construction, [given], timeout=2)
    assert isinstance(result.verdict, Unknown)
    assert result.invariant is None


@pytest.mark.controls
@pytest.mark.parametrize(
    "name",
    [
        *("dyck1", "dyck1-margin", "dyck1-depth", "dyck1-depth-margin"),
        *("palindrome", "palindrome-margin", "palindrome-isometric"),
    ],
)
def test_those_that_are_stated_of_built_in_constructions_are_found(name: str) -> None:
    construction = load(name)
    [theorem] = [each for each in theorems_of(name) if each.name == "recognises"]
    assert isinstance(theorem, Decides)
    assert theorem.invariant is not None
    [result] = prove(construction, [replace(theorem, invariant=None)], timeout=120)
    assert isinstance(result.verdict, Proved)
    assert result.invariant is not None
    [pasted] = prove(construction, [replace(theorem, invariant=Expression(result.invariant))], timeout=120)
    assert pasted.verdict == result.verdict
