"""Brackets keep their meaning: sums, products, substitution, cells and the normal form, on random expressions in the
vocabulary, before and after, on every short word and at every position; and so does the reading of the language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import fmpq
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.support.meaning import World, rows, worlds
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import value_on
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.symbolic.algebra import iverson
from weightproof.symbolic.algebra.iverson import (
    ZERO,
    Condition,
    Iverson,
    bracket,
    intersect,
    normalise,
    residue,
    substitute,
)
from weightproof.symbolic.algebra.linear import Context, Form, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cases_of, cells, i, n, replace_integer
from weightproof.symbolic.rules.reading import read_scalar

WORDS = Vocabulary(("0", "1"), True, False, ("c",), ("D",), 3, (("c", Fraction(1), True), ("D", Fraction(0), False)))
UNIT, DEPTH = WORDS.unit("c"), WORDS.parameter("D")
ONES, ZEROS = WORDS.total("1"), WORDS.total("0")
UP_TO = WORDS.prefix_atom("1")
SOLID = settings(max_examples=30)


def form(expression: Any) -> Form:
    result = linear_form(sympy.sympify(expression))
    assert result is not None
    return result


SEEN = [seen for world in worlds(WORDS, range(1, 7), {UNIT: sympy.Rational(3, 2)}) for seen in rows(WORDS, world)]
WORLDS = [
    seen.with_symbols({DEPTH: sympy.Integer(number % 4)}) for number, seen in enumerate((*SEEN[:34], *SEEN[34::11]))
]
"""Every word with up to four positions, and some with five and six, from every position i, at depths 0 to 3."""
ROW = WORDS.prefixes(i, WORDS.words().given(form(i - 1), form(n - 1 - i)))

ATOMS = [n, i, ONES, ZEROS, DEPTH, UP_TO(i), UP_TO(i - 1)]
TOKENS = [WORDS.token(sympy.Integer(1)), WORDS.token(i), WORDS.token(n - 1), WORDS.token(n - 1 - i)]
SMALL = st.integers(-2, 2)
LINEAR = st.builds(
    lambda terms, constant: sum((factor * atom for atom, factor in terms), sympy.Integer(constant)),
    st.lists(st.tuples(st.sampled_from(ATOMS), SMALL), min_size=1, max_size=2),
    st.integers(-3, 3),
)
OPERATORS = ["==", "!=", "<", "<=", ">", ">="]
BRACKETS = st.one_of(
    st.builds(bracket, st.sampled_from(OPERATORS), LINEAR),
    st.builds(lambda x, m, r: residue(form(x), m, r), LINEAR, st.integers(2, 3), st.integers(0, 2)),
    st.builds(lambda op, atom, a: bracket(op, atom - a), st.sampled_from(OPERATORS), st.sampled_from(TOKENS), SMALL),
    st.builds(lambda a, b: bracket("==", a - b), st.sampled_from(TOKENS), st.sampled_from(TOKENS)),
)
COEFFICIENTS = st.one_of(
    LINEAR, LINEAR.map(lambda x: x / n), st.sampled_from([UNIT, UNIT**i, 1 / (n + UNIT), i * ONES])
)
TERMS = st.builds(
    lambda coefficient, brackets: product_of(brackets).scaled(coefficient), COEFFICIENTS, st.lists(BRACKETS, max_size=3)
)
VALUES = st.lists(TERMS, max_size=4).map(lambda terms: sum_of(terms))


def product_of(factors: list[Iverson]) -> Iverson:
    result = Iverson.constant(1)
    for factor in factors:
        result = result * factor
    return result


def sum_of(terms: list[Iverson]) -> Iverson:
    result = Iverson()
    for term in terms:
        result = result + term
    return result


def meanings(value: Iverson) -> list[sympy.Expr]:
    return [world.value(value) for world in WORLDS]


COMPARE: dict[str, Callable[[Any], bool]] = {
    "==": lambda x: x == 0, "!=": lambda x: x != 0, "<": lambda x: x < 0,
    "<=": lambda x: x <= 0, ">": lambda x: x > 0, ">=": lambda x: x >= 0,
}  # fmt: skip


@SOLID
@given(st.sampled_from(OPERATORS), LINEAR, st.integers(1, 4))
def test_a_bracket_means_its_comparison(op: str, expression: sympy.Expr, divisor: int) -> None:
    got = bracket(op, expression / divisor)
    for world in WORLDS:
        assert world.value(got) == int(bool(COMPARE[op](world.number(expression))))


@SOLID
@given(LINEAR, st.integers(1, 5), st.integers(-6, 6))
def test_a_residue_means_its_congruence(expression: sympy.Expr, modulus: int, value: int) -> None:
    got = residue(form(expression), modulus, value)
    for world in WORLDS:
        assert world.value(got) == int(bool((world.number(expression) - value) % modulus == 0))


@pytest.mark.controls
@SOLID
@given(VALUES, VALUES, LINEAR)
def test_sums_and_products_mean_sums_and_products(left: Iverson, right: Iverson, factor: sympy.Expr) -> None:
    pairs = [(world.value(left), world.value(right), world.number(factor)) for world in WORLDS]
    assert meanings(left + right) == [a + b for a, b, _ in pairs]
    assert meanings(left - right) == [a - b for a, b, _ in pairs]
    assert meanings(left * right) == [sympy.expand(a * b) for a, b, _ in pairs]
    assert meanings(left.scaled(factor)) == [sympy.expand(a * c) for a, _, c in pairs]


@pytest.mark.controls
@SOLID
@given(VALUES)
def test_the_normal_form_means_the_same(value: Iverson) -> None:
    """In a context that holds in every world: a symbol stands at i."""
    assert meanings(normalise(value, ROW)) == meanings(value)


@settings(SOLID, max_examples=20)
@given(VALUES)
def test_a_normal_form_is_its_own_and_disjoint(value: Iverson) -> None:
    normal = normalise(value, ROW)
    for world in WORLDS:
        assert sum(world.holds(conditions) for conditions, _ in normal.terms) <= 1
    assert normalise(value - normal, ROW).terms == ()


@pytest.mark.controls
@settings(SOLID, max_examples=25)
@given(VALUES, LINEAR)
def test_in_a_narrower_context_the_normal_form_means_the_same_where_it_holds(value: Iverson, known: sympy.Expr) -> None:
    normal = normalise(value, ROW.given(form(known)))
    for world in WORLDS:
        if world.number(known) >= 0:
            assert world.value(normal) == world.value(value)


@SOLID
@given(VALUES, st.sampled_from([sympy.Integer(1), sympy.Integer(4), n - 1, n - i, i + 1, 2 * i, n - 2 * i]))
def test_substitution_moves_the_position(value: Iverson, place: sympy.Expr) -> None:
    moved = substitute(value, {i: place})
    for world in WORLDS:
        assert world.value(moved) == world.with_symbols({i: world.number(place)}).value(value)


@SOLID
@given(VALUES, st.integers(0, 5))
def test_substitution_of_a_count(value: Iverson, number: int) -> None:
    moved = substitute(value, {ONES: sympy.Integer(number)})
    for world in WORLDS:
        assert world.value(moved) == world.with_symbols({ONES: sympy.Integer(number)}).value(value)


@pytest.mark.controls
@SOLID
@given(VALUES)
def test_cells_are_disjoint_exhaustive_and_mean_the_value(value: Iverson) -> None:
    split = cells(value)
    for world in WORLDS:
        held = [number for cell, number in split if world.value(cell) == 1]
        assert len(held) == 1
        assert world.number(held[0]) == world.value(value)


@pytest.mark.parametrize("split", [cells, lambda value: list(cases_of(value, WORDS.words()))])
def test_cells_that_are_too_many_are_given_up(split: Callable[[Iverson], object]) -> None:
    """Three for each of forty axes: by counted work, long before they fill the memory."""
    value = sum((bracket("==", WORDS.total("0") * k + n - 1) for k in range(1, 41)), ZERO)
    with pytest.raises(TimeUp, match="in the cells"):
        Deadline.after(0.2).during("the cells", lambda: split(value))


@SOLID
@given(VALUES)
def test_an_integer_may_have_cases(value: Iverson) -> None:
    """D replaced by [w_1 = 1] + 2 [n even], in brackets as in coefficients."""
    cased = bracket("==", TOKENS[0] - 1) + residue(form(n), 2, 0).scaled(2)
    replaced = replace_integer(value, DEPTH, cased)
    for world in WORLDS:
        assert world.value(replaced) == world.with_symbols({DEPTH: world.value(cased)}).value(value)


@SOLID
@given(VALUES)
def test_the_words_own_facts_change_nothing(value: Iverson) -> None:
    """Counts settled near the ends, the first count expressed by the others."""
    assert meanings(WORDS.settle(substitute(value, {i: sympy.Integer(2)}))) == meanings(
        substitute(value, {i: sympy.Integer(2)})
    )
    assert meanings(WORDS.settle(substitute(value, {i: n - 2}))) == meanings(substitute(value, {i: n - 2}))
    assert meanings(WORDS.without_first_count(value)) == meanings(value)


@SOLID
@given(st.builds(lambda one, other, factor: (one * other).scaled(factor), BRACKETS, BRACKETS, COEFFICIENTS))
def test_tokens_are_symbols_exactly_within_the_word(value: Iverson) -> None:
    assert meanings(WORDS.tokens_in_range(value, ROW)) == meanings(value)


def test_a_tent_of_one_integer_becomes_brackets() -> None:
    """relu(k-2) - 2 relu(k-1) + relu(k) = [k = 1], as in the feed-forward networks of the papers."""
    words = WORDS.words()
    tent = sum_of([bracket(">", ONES - s).scaled(f * (ONES - s)) for s, f in ((2, 1), (1, -2), (0, 1))])
    assert normalise(tent, words) == normalise(bracket("==", ONES - 1), words)
    [(conditions, coefficient)] = normalise(tent, words).terms
    assert conditions == {Condition(form(ONES), 1, 1)}
    assert coefficient == 1


def test_a_point_joins_the_range_that_describes_it_there() -> None:
    """[i = 2 and w_1 = 1] + [i >= 3 and w_(i-1) = 1] = [i >= 2 and w_(i-1) = 1], as hardmax on the position before has
    it; with another token at the point the two are two."""
    beyond = bracket(">=", i - 3) * bracket("==", WORDS.token(i - 1) - 1)
    for place, count in ((1, 1), (2, 2)):
        near = bracket("==", i - 2) * bracket("==", WORDS.token(sympy.Integer(place)) - 1)
        normal = normalise(near + beyond, ROW)
        assert len(normal.terms) == count
        assert meanings(normal) == meanings(near + beyond)
    joined = bracket(">=", i - 2) * bracket("==", WORDS.token(i - 1) - 1)
    assert meanings(joined) != meanings(near + beyond)


def test_disjoint_intervals_of_one_axis_exclude_each_other() -> None:
    low, high = Condition(form(i), None, 2), Condition(form(i), 3, None)
    assert intersect(frozenset({low}), frozenset({high})) is None
    assert intersect(frozenset({low}), frozenset({Condition(form(i), 1, 5)})) == {Condition(form(i), 1, 2)}


def test_what_is_not_linear_is_no_bracket() -> None:
    with pytest.raises(ValueError, match="no linear condition"):
        bracket("==", i**2 - n)


# The expression language, read symbolically and read on the word.


def sums(*leaves: str) -> st.SearchStrategy[str]:
    return st.recursive(
        st.sampled_from(leaves),
        lambda inner: st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from("+-"), inner),
        max_leaves=3,
    )


PLAIN = sums("n", "i", "D", "2", "3", "count('1')", "count('0', i)", "count('1', i - 1)")
NUMBERS = PLAIN | sums("i", "count('1', 1)", "count('1', n - 2)", "count('0', n)")
"""Near the ends a prefix count is read by cases of the tokens there, so that it is no plain number."""
PLACES = st.sampled_from(["1", "i", "n - 1", "n - i", "i + 2", "0"])
TRUTHS = st.recursive(
    st.one_of(
        st.builds(lambda a, op, b: f"({a} {op} {b})", NUMBERS, st.sampled_from(OPERATORS), NUMBERS),
        st.builds(lambda a, m, r: f"({a} % {m} == {r})", PLAIN, st.integers(1, 4), st.integers(0, 2)),
        st.builds(
            lambda p, op, s: f"(w[{p}] {op} '{s}')", PLACES, st.sampled_from(["==", "!="]), st.sampled_from("01")
        ),
        st.builds(lambda p, op, q: f"(w[{p}] {op} w[{q}])", PLACES, st.sampled_from(["==", "!="]), PLACES),
    ),
    lambda inner: st.one_of(
        st.builds(lambda a: f"(not {a})", inner),
        st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from(["and", "or"]), inner),
    ),
    max_leaves=3,
)
WAVES = ("cos(pi*{}/2)", "sin(pi*{}/2)", "cos(2*pi*{}/3)", "n*cos(pi*({} - 1)/3)", "cos(pi*({} + 1/2)) + 1")
"""Sinusoids with rational values."""
SCALARS = st.one_of(
    TRUTHS,
    st.builds(lambda a, b, f: f"{f}*{a}*{b} - {b}/n", TRUTHS, NUMBERS, st.sampled_from(["1/2", "exp(c)", "cos(pi*i)"])),
    st.builds(lambda wave, a: wave.format(a), st.sampled_from(WAVES), PLAIN),
    st.builds(lambda a, b: f"{a}*(-1)**{b} + {b} % 3 + exp(c*i)/(n + tanh(c))", TRUTHS, PLAIN),
)


def on_words(text: str) -> Iterator[tuple[World, fmpq]]:
    names = {"c": value_on(Expression("log(3/2)"), {}, [], [])}
    for world in WORLDS:
        tokens = ["CLS" if token < 0 else WORDS.alphabet[token] for token in world.tokens]
        here = {**names, "i": fmpq(int(world.symbols[i])), "D": fmpq(int(world.symbols[DEPTH]))}
        yield world, value_on(Expression(text), here, tokens, WORDS.alphabet)  # type: ignore[misc]


@SOLID
@given(SCALARS)
def test_the_language_is_read_as_it_is_meant(text: str) -> None:
    got = read_scalar(Expression(text), WORDS, i)
    for world, wanted in on_words(text):
        value = world.value(got)
        assert (int(value.p), int(value.q)) == (int(wanted.p), int(wanted.q))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(i/2) % 2", "integers only"),
        ("i % n", "integers only"),
        ("cos(pi*(i/n))", "linear functions of integers only"),
        ("cos(pi*(i/61))", "a period of 122 integers"),
        ("sin(2*pi*i/5)", "made of more than roots of rational numbers"),
        ("cos(pi*i/7)", "made of more than roots of rational numbers"),
        ("cos(pi*sqrt(2))", "may be irrational"),
        ("(-1)**(n/2)", "may be no integer"),
        ("2**(1/2)", "may be no integer"),
        ("i**(i*i)", "integers only"),
        ("(i*i == 4)", "no linear condition"),
        ("(c > 1)", "no linear condition"),
        ("1/(n - n)", "may have no value"),
        ("0**i", "not read"),
        ("sqrt(i*i)", "no rational function"),
        ("log(0*i)", "may have no value"),
        ("1/(i == 1)", "may have no value"),
        ("exp(c*i/n)", "no integer form"),
        ("exp(i*n)", "no integer form"),
        ("x", "no meaning"),
    ],
)
def test_what_has_no_reading_is_refused(text: str, message: str) -> None:
    with pytest.raises(Underivable, match=message):
        read_scalar(Expression(text), WORDS, i)


# The tests above can fail.

WRONG: dict[str, tuple[str, Callable[..., Any]]] = {
    "no bounds": ("_bounded", lambda axis, lo, hi, context: Iverson.constant(1)),
    "everything joins": ("_joins", lambda *arguments: True),
    "a single interval": ("intervals", lambda value, axis: iter([(None, None)])),
    "points off by one": ("at_point", lambda value, axis, point: _at(value, axis, point + 1)),
    "ends filled in": ("_filled", lambda axis, lo, hi, context: (lo if lo is not None else hi, hi)),
}
_at = iverson.at_point


QUICK = settings(max_examples=1000, phases=[Phase.generate], report_multiple_bugs=False)


def means_the_same(value: Iverson) -> None:
    assert meanings(normalise(value, ROW)) == meanings(value)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_step_of_the_normal_form_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function, wrong = WRONG[name]
    monkeypatch.setattr(iverson, function, wrong)
    with pytest.raises(AssertionError):
        QUICK(given(VALUES)(means_the_same))()


def test_a_context_that_is_not_true_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Context, "impossible", lambda self, *forms: bool(forms))
    with pytest.raises(AssertionError):
        QUICK(given(VALUES)(means_the_same))()
