"""A value under hypotheses keeps its meaning, loses what cannot be, and brackets that the case implies."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from hypothesis import given, settings

from tests.support.derived import derivation_of
from tests.support.meaning import rows, worlds
from tests.symbolic.test_symbolic_iverson import BRACKETS, ROW, UNIT, VALUES, WORDS, WORLDS, form
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, bracket
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Vocabulary, i, j, n
from weightproof.symbolic.writing.hypotheses import impossible, simplified
from weightproof.symbolic.writing.plain import cases, closed_form, value

ONES, ZEROS, DEPTH = WORDS.total("1"), WORDS.total("0"), WORDS.parameter("D")
K, Z = WORDS.prefix_atom("1"), WORDS.prefix_atom("0")
FIRST, HERE, BACK = WORDS.token(sympy.Integer(1)), WORDS.token(i), WORDS.token(n - 1 - i)
EVERY = WORDS.words()


@pytest.mark.controls
@settings(max_examples=40)
@given(VALUES)
def test_a_value_keeps_its_meaning_at_every_position(iverson: Iverson) -> None:
    short = simplified(iverson, ROW, WORDS)
    for world in WORLDS:
        assert world.value(short) == world.value(iverson)


@settings(max_examples=40)
@given(VALUES, BRACKETS)
def test_a_value_keeps_its_meaning_where_the_hypothesis_holds(iverson: Iverson, hypothesis: Iverson) -> None:
    for conditions, _ in hypothesis.terms:
        context = ROW.given(*(each for condition in conditions for each in condition.forms()))
        held = [world for world in WORLDS if world.holds(conditions)]
        if impossible(context, WORDS):
            assert not held
            continue
        short = simplified(iverson, context, WORDS)
        for world in held:
            assert world.value(short) == world.value(iverson)


def all_of(*brackets: Iverson) -> Iverson:
    result = Iverson.constant(1)
    for each in brackets:
        result = result * each
    return result


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (all_of(bracket(">=", n - 2), bracket("==", FIRST)), "(w[1] == '0')"),
        (all_of(bracket("==", n - 1), bracket("==", FIRST + 1)), "(n == 1)"),
        (bracket("==", n - 1).scaled(ONES + 3), "(n == 1)*3"),
        (all_of(bracket(">", ONES + DEPTH - ZEROS), bracket(">", ONES - ZEROS)), "(count('0') < count('1'))"),
        (all_of(bracket("==", n - 1), bracket("==", FIRST)), "0"),
        (all_of(bracket("==", ONES + 1 - n), bracket(">=", ZEROS - 1)), "0"),
        (all_of(bracket("==", ONES), bracket("==", ONES + ZEROS + 1 - n)), "(count('1') == 0)"),
    ],
)
def test_what_holds_of_every_word_goes_without_saying(long: Iverson, short: str) -> None:
    assert value(simplified(long, EVERY, WORDS), WORDS) == short


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (bracket(">=", HERE), "1"),
        (bracket("<", HERE), "0"),
        (all_of(bracket("==", 2 * i + 1 - n), bracket("==", HERE), bracket("==", BACK - 1)), "0"),
        (bracket("<=", K(i) - i), "1"),
        (all_of(bracket("==", K(i)), bracket("==", Z(i) - i)), "(i == count('0', i))"),
    ],
)
def test_at_a_position_that_holds_a_symbol(long: Iverson, short: str) -> None:
    assert value(simplified(long, ROW, WORDS), WORDS) == short


@pytest.mark.parametrize("hypothesis", [n - 3, ONES - 1, DEPTH - 2])
def test_a_hypothesis_is_used_and_no_other(hypothesis: Any) -> None:
    longer = bracket(">=", hypothesis)
    assert simplified(longer, EVERY.given(form(hypothesis)), WORDS) == Iverson.constant(1)
    assert simplified(longer, EVERY, WORDS) == longer
    assert simplified(longer, EVERY.given(form(-hypothesis - 1)), WORDS) == ZERO


def test_that_counts_add_up_is_not_assumed_of_a_context_that_does_not_say_so() -> None:
    within = bracket(">=", n - 1 - ONES)
    assert simplified(within, EVERY, WORDS) == Iverson.constant(1)
    assert simplified(within, Context(frozenset(), len(WORDS.alphabet)), WORDS) == within


def test_a_token_at_the_end_marker_is_no_symbol() -> None:
    both = Vocabulary(("0", "1"), True, True, (), (), 3)
    last = both.token(n - 1)
    assert simplified(bracket(">=", last), both.words(), both) == ZERO
    for world in worlds(both, range(2, 5), {UNIT: sympy.S.One}):
        assert all(seen.value(bracket(">=", last)) == 0 for seen in rows(both, world))


def test_closed_forms_have_no_case_that_says_too_much() -> None:
    derived = derivation_of("first-one-layer")
    assert [line.split("   if ")[1] for line in closed_form(derived).splitlines()[1:]] == [
        "n == 1",
        "w[1] == '0'",
        "w[1] == '1'",
    ]
    assert "2*j == n - 1" not in closed_form(derivation_of("palindrome-as-printed"))


def test_cases_are_disjoint_where_no_word_has_both() -> None:
    pair = bracket("==", n - 1) + bracket("==", FIRST).scaled(n)
    assert cases(pair, WORDS) == (("1", "n == 1"), ("n", "w[1] == '0'"))
    assert cases(bracket("==", n - 2) + bracket("==", FIRST).scaled(n), WORDS) is None
    assert j not in pair.free_symbols
