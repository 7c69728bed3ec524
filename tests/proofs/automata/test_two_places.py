"""Sums of positions up to two places that are compared: what is told of them is true, and what is not told counts
against the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

import weightproof as wp
from tests.proofs.automata.test_counts import construction, said
from tests.proofs.automata.test_sentences import ALPHABET, MARKERS, Tokens, words
from weightproof.constructions.library import load
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.automata.acceptors import automaton
from weightproof.proofs.automata.cases import cases_of
from weightproof.proofs.automata.formulas import read
from weightproof.proofs.automata.network import read as read_network
from weightproof.proofs.automata.sentences import Beside, said_of
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.symbolic.algebra.vocabulary import Underivable

D = "(count('1', {0}) - count('0', {0}))"
J, K = D.format("j"), D.format("k")
WITHIN = f"all({J} >= 0 and {J} <= 2 for j in positions)"
TOLD = (
    f"{WITHIN} and all(w[j] != '0' or any(k < j and {K} == {J} + 1 for k in positions) for j in positions)",
    f"{WITHIN} and any(any(k < j and {K} > {J} and w[k+1] == '1' for k in positions) for j in positions)",
    f"all({J} >= -1 and {J} <= 3 and all(k >= j or {K} <= {J} + 1 for k in indices) for j in indices)",
    "all(count('1', j) <= 3 for j in positions)"
    " and any(any(k < j and 2*count('1', j) == 2*count('1', k) + 4 and w[k] == '0' for k in positions)"
    " for j in positions)",
    "all(count('1', j) <= 2 for j in indices)"
    " and all(any(count('1', j - 1) + 1/2 < count('1', k) for k in positions) or w[j] == '0' for j in positions)",
    f"all(any({K} > {J} and k < j for k in positions) or {J} != 1 for j in positions)",
    "any(any(count('1', j) != count('1', k) and w[k] == '0' and w[j] == '0' and not count('1', j) > 1 and"
    " count('1', k) < 2 for k in positions) for j in positions)",
)
"""Statements of which the truth is told of every word."""
NOT_TOLD = (
    "any(any(k < j and count('1', k) == count('1', j) and count('0', k) > 1 for k in positions) for j in positions)"
    " or all(count('1', j) <= 1 for j in positions)",
    f"any(any({K} > {J} and k < j and {J} > 1 for k in positions) for j in positions)"
    f" or all({J} < 1 for j in positions)",
)
"""Statements of which it is told of some words."""
OPS = ("==", "!=", "<", "<=", ">", ">=")


def told(formula: str, begin: str | None, end: str | None) -> Iterator[tuple[Tokens, bool, bool, bool]]:
    """Of each word: whether it is said to be so of it at least, whether it is so, and whether at most."""
    made, expression = construction(formula, begin, end), Expression(formula)
    both = {way: said_of(read(expression), way) for way in (False, True)}
    cases = tuple(cases_of(made, read_network(made), tuple(both.values())))
    for tokens in words(begin, end):
        if tokens:
            truth = holds(expression, {}, tokens, ALPHABET)
            yield tokens, said(cases, both[False], tokens), truth, said(cases, both[True], tokens)


@pytest.mark.parametrize("formula", TOLD)
def test_what_is_compared_with_numbers_too_is_told(formula: str) -> None:
    begin, end = MARKERS[TOLD.index(formula) % len(MARKERS)]
    found = list(told(formula, begin, end))
    assert all(least == truth == most for _, least, truth, most in found)
    assert len({truth for _, _, truth, _ in found}) == 2


@pytest.mark.parametrize("formula", NOT_TOLD)
def test_what_is_not_told_is_on_both_sides_of_the_truth(formula: str) -> None:
    found = list(told(formula, "C", None))
    assert all(least <= truth <= most for _, least, truth, most in found)
    assert {(least, most) for _, least, _, most in found} == {(False, False), (False, True), (True, True)}


def drawn(seed: int) -> str:
    random = Random(seed)

    def compared() -> str:
        form, shift = (
            random.choice(("count('1', {0})", D, "(2*count('0', {0}) - count('1', {0}))")),
            random.choice((0, 1)),
        )
        left, right = random.sample(["j", "k"], 2)
        moved = right if not shift else f"{right} - 1"
        number = random.choice(("0", "1", "-1", "1/2", "2"))
        known = f"{form.format(random.choice(('j', 'k')))} {random.choice(OPS)} {random.choice((-1, 0, 1, 2))}"
        beside = f"{form.format(left)} {random.choice(OPS)} {form.format(moved)} + {number}"
        return f"({beside} {random.choice(('and', 'or'))} {random.choice(('', 'not '))}{known})"

    inner = f"{compared()} {random.choice(('and', 'or'))} (k {random.choice(OPS)} j or w[k] == '1')"
    return random.choice(
        (
            "all(any({} for k in positions) for j in positions)",
            "any(all({} for k in positions) for j in positions)",
            "any(any({} for k in indices) for j in positions)",
            "not any(all({} for k in positions) for j in indices)",
        )
    ).format(inner)


def _sandwiched(seed: int) -> bool:
    begin, end = MARKERS[seed % len(MARKERS)]
    found = list(told(drawn(seed), begin, end))
    assert all(least <= truth <= most for _, least, truth, most in found), drawn(seed)
    return any(least == most for _, least, _, most in found)


def test_so_it_is_of_drawn_statements() -> None:
    assert sum(map(_sandwiched, range(8))) >= 6


@pytest.mark.controls
def test_so_it_is_of_many_drawn_statements() -> None:
    assert sum(map(_sandwiched, range(100, 300))) >= 150


@pytest.mark.parametrize(
    "wrong",
    [
        lambda beside: replace(beside, constant=beside.constant + 1),
        lambda beside: replace(beside, constant=beside.constant - 1),
        lambda beside: replace(beside, left=beside.left[1:]),
        lambda beside: replace(beside, op="!="),
    ],
)
def test_a_wrong_comparison_is_seen(wrong: Callable[[Beside], Beside], monkeypatch: pytest.MonkeyPatch) -> None:
    own = Beside.holds
    monkeypatch.setattr(Beside, "holds", lambda self, left, right: own(wrong(self), left, right))
    automaton.cache_clear()  # what others have made of the same statement
    assert not all(least == truth == most for _, least, truth, most in told(TOLD[0], None, None))
    automaton.cache_clear()


REFUSED = {
    "all(any(count('1', j) == count('1', k) for k in positions) for j in positions)": "but never with a number",
    "all(any(count('1', j) == count('0', k) and count('1', k) > 0 for k in positions) for j in positions)": "different",
    "all(any(any(count('1', j) + count('1', k) == count('1', m) for m in positions) for k in positions)"
    " for j in positions)": "up to different places",
    "sum((any(count('1', j) == count('1', k) for k in positions)) for j in positions) > 1": "at which numbers",
    "all(any(count('1', j) == count('1', k) + j for k in positions) for j in positions)": "up to different places",
}


@pytest.mark.parametrize("formula", REFUSED)
def test_what_is_not_read_is_refused_in_one_line(formula: str) -> None:
    with pytest.raises(Underivable, match=REFUSED[formula]) as refused:
        read(Expression(formula))
    assert "\n" not in str(refused.value)


DEPTH = "(count('(', {0}) + count('[', {0}) - count(')', {0}) - count(']', {0}))"
NESTED = (
    "count('(') + count('[') == count(')') + count(']') and all("
    + f"{DEPTH.format('j')} >= 0 and {DEPTH.format('j')} <= 2"
    + "".join(
        f" and (w[j] != '{b}' or any(k < j and w[k] == '{a}' and {DEPTH.format('k')} == {DEPTH.format('j')} + 1"
        f" and all(m <= k or m >= j or {DEPTH.format('m')} >= {DEPTH.format('k')} for m in positions)"
        " for k in positions))"
        for a, b in ("()", "[]")
    )
    + " for j in positions)"
)
"""Brackets of two kinds, at most 2 deep: each that closes closes the last one that is open, and that is of its kind."""


@pytest.mark.proofs
def test_nested_brackets_are_proved_by_their_depths() -> None:
    network = load("cookbook-dyck-2-2")
    theorem = Decides("by depths", "accepts what is well nested", accepts=Expression(NESTED))
    [result] = wp.prove(network, [theorem])
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


@pytest.mark.proofs
@pytest.mark.parametrize(("said", "wrong"), [("<= 2", "<= 1"), ("} >= {", "} > {"), ("k < j and", "")])
def test_wrong_definitions_of_them_are_refuted(said: str, wrong: str) -> None:
    said, wrong = (
        each.replace("} ", f"{DEPTH.format('m')} ").replace("{", DEPTH.format("k")) for each in (said, wrong)
    )
    assert said in NESTED
    theorem = Decides("by depths", "accepts what is well nested", accepts=Expression(NESTED.replace(said, wrong)))
    [result] = wp.prove(load("cookbook-dyck-2-2"), [theorem])
    assert isinstance(result.verdict, Refuted)
