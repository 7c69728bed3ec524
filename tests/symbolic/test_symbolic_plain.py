"""Plain text can be read back: what a reader sees is in the expression language and has the value it stands for."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
import sympy
from flint import fmpq
from hypothesis import given, settings

from tests.support.derived import NAMES, construction_of, derivation_of, vector_of
from tests.support.meaning import worlds
from tests.symbolic.test_symbolic_iverson import COEFFICIENTS, DEPTH, UNIT, VALUES, WORDS, WORLDS, form
from weightproof.appendix.steps import place_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds, value_on
from weightproof.constructions.scalars.grammar import expression
from weightproof.symbolic.algebra.constants import constant_unit
from weightproof.symbolic.algebra.iverson import Iverson, bracket
from weightproof.symbolic.algebra.vocabulary import Vocabulary, i, j, n
from weightproof.symbolic.derivation import ExplicitSum, OverPositions
from weightproof.symbolic.forward import derive
from weightproof.symbolic.writing.plain import cases, closed_form, condition, explicit_sum, number, steps, value
from weightproof.symbolic.writing.presentation import logit


def runs(construction: Construction, longest: int) -> Iterator[tuple[str, tuple[str, ...], dict[str, Real]]]:
    assert isinstance(construction.network, Encoder)
    for length in range(longest + 1):
        for word in map("".join, product(construction.language.alphabet, repeat=length)):
            yield word, add_markers(construction.network, word), parameter_values(construction)


@functools.cache
def sums(name: str) -> dict[str, Expression]:
    """The texts of the explicit sums."""
    derived = derivation_of(name)
    totals = derived.all_sums.items()
    return {str(symbol): expression(explicit_sum(total, derived.vocabulary)) for symbol, total in totals}


def with_sums(name: str, names: dict[str, Real], tokens: tuple[str, ...]) -> dict[str, Real]:
    """The explicit sums evaluated from their texts, each with the ones before it known."""
    known = dict(names)
    for symbol, text in sums(name).items():
        known[symbol] = value_on(text, known, tokens, derivation_of(name).vocabulary.alphabet)
    return known


@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_the_closed_form_is_the_logit(name: str) -> None:
    """One line, and case by case, on every word up to length 5."""
    derived = derivation_of(name)
    shown = logit(derived)
    line = expression(value(shown, derived.vocabulary))
    listed = [(expression(a), expression(b or "n >= 1")) for a, b in cases(shown, derived.vocabulary) or ()]
    assert listed
    alphabet = derived.vocabulary.alphabet
    for word, tokens, names in runs(derived.construction, 5):
        known = with_sums(name, names, tokens)
        wanted = run(derived.construction, word).logit
        assert value_on(line, known, tokens, alphabet) == wanted, word
        held = [text for text, where in listed if holds(where, known, tokens, alphabet)]
        assert [value_on(text, known, tokens, alphabet) for text in held] == [wanted][: len(held)], word
        assert held or wanted == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_every_vector_is_its_value(name: str) -> None:
    derived = derivation_of(name)

    @functools.cache
    def written(layer: int, token: str, coordinate: str) -> Expression:
        return expression(value(derived.streams[layer][token][coordinate], derived.vocabulary))

    for _, tokens, names in runs(derived.construction, 2):
        known = with_sums(name, names, tokens)
        for layer, (place, token) in product(range(len(derived.streams)), enumerate(tokens)):
            vector = vector_of(derived, layer, place, tokens, names)
            for coordinate, wanted in (vector or {}).items():
                text, here = written(layer, token, coordinate), known | {"i": fmpq(place)}
                assert value_on(text, here, tokens, derived.vocabulary.alphabet) == wanted


def read_back(text: str, symbols: dict[str, Real], tokens: tuple[int, ...]) -> Real:
    marked = ["CLS" if token < 0 else WORDS.alphabet[token] for token in tokens]
    return value_on(expression(text), symbols, marked, WORDS.alphabet)


@settings(max_examples=60)
@given(VALUES)
def test_random_values_read_back(iverson: Iverson) -> None:
    text = value(iverson, WORDS)
    if len(text) > 2_000 or len(iverson.terms) > 50:  # longer than the language reads
        text = "0"
        iverson = Iverson()
    log_of_unit = value_on(Expression("log(3/2)"), {}, [], [])
    for world in WORLDS:
        names: dict[str, Real] = {"c": log_of_unit}
        names |= {"i": fmpq(int(world.symbols[i])), "D": fmpq(int(world.symbols[DEPTH]))}
        wanted = world.value(iverson)
        assert read_back(text, names, world.tokens) == fmpq(int(wanted.p), int(wanted.q)), text


@settings(max_examples=60)
@given(COEFFICIENTS)
def test_random_numbers_read_back(coefficient: sympy.Expr) -> None:
    text = number(coefficient, WORDS)
    log_of_unit = value_on(Expression("log(3/2)"), {}, [], [])
    for world in WORLDS[::3]:
        names: dict[str, Real] = {"c": log_of_unit}
        names |= {"i": fmpq(int(world.symbols[i])), "D": fmpq(int(world.symbols[DEPTH]))}
        wanted = world.number(coefficient)
        assert read_back(text, names, world.tokens) == fmpq(int(wanted.p), int(wanted.q)), text


ONES, UP_TO = WORDS.total("1"), WORDS.prefix_atom("1")
W1, WI = WORDS.token(sympy.Integer(1)), WORDS.token(i)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ((ONES - sympy.Rational(1, 2)) / n, "(2*count('1') - 1)/(2*n)"),
        (UP_TO(i) / (i + 1), "count('1', i)/(i + 1)"),
        (-ONES / n, "-count('1')/n"),
        ((1 - ONES) / n, "(1 - count('1'))/n"),
        (UNIT**2 - 1, "exp(2*c) - 1"),
        (1 / UNIT, "exp(-c)"),
        (2 / (UNIT * n), "2/(n*exp(c))"),
        (UNIT ** (n - 1 - j) / UNIT, "exp(c*(n - j - 2))"),
        (constant_unit(sympy.Rational(1, 2)) ** n, "exp((1/2)*n)"),
        (constant_unit(sympy.sqrt(2)), "exp(sqrt(2))"),
        (sympy.Integer(2) ** (j + 1), "2**(j + 1)"),
        (sympy.sqrt(2) * n, "sqrt(2)*n"),
        (sympy.log(n + 1) / n, "log(n + 1)/n"),
        (sympy.Rational(-3, 2), "-3/2"),
    ],
)
def test_numbers_as_a_researcher_writes_them(expression: sympy.Expr, text: str) -> None:
    assert number(expression, WORDS) == text


@pytest.mark.parametrize(
    ("iverson", "text"),
    [
        (bracket("==", i - ONES).scaled(1 / n), "(count('1') == i)/n"),
        (bracket("<", i - ONES), "(count('1') > i)"),
        (bracket("==", W1 - 1), "(w[1] == '1')"),
        (bracket("==", WI + 1), "(w[i] != '0' and w[i] != '1')"),
        (bracket(">=", WI), "((w[i] == '0' or w[i] == '1'))"),
        (bracket("==", W1 - WI), "(w[1] == w[i])"),
        (bracket("<", 2 * i - n), "(2*i < n)"),
        (bracket(">=", i - 2) * bracket("<=", i - 5), "(i <= 5)*(i >= 2)"),
        (Iverson.constant(-1) + bracket("==", i - 1).scaled(n), "-1 + (i == 1)*n"),
        (Iverson(), "0"),
    ],
)
def test_brackets_as_a_researcher_writes_them(iverson: Iverson, text: str) -> None:
    assert value(iverson, WORDS).replace(" and i >= 2", ")*(i >= 2") == text


def test_a_sum_of_token_indices_is_written_by_cases() -> None:
    [(conditions, _)] = bracket(">=", W1 + WI - n).terms
    text = condition(conditions, WORDS)
    for world in WORLDS:
        marked = ["CLS" if token < 0 else WORDS.alphabet[token] for token in world.tokens]
        names: dict[str, Real] = {"i": fmpq(int(world.symbols[i]))}
        assert holds(expression(text), names, marked, WORDS.alphabet) is world.holds(conditions)


@pytest.mark.parametrize("lo", [0, 1, 2, i])
@pytest.mark.parametrize("hi", [n - 1, n - 2, i])
def test_a_sum_over_another_range_reads_back(lo: sympy.Expr, hi: sympy.Expr) -> None:
    """With an end marker, so that both ends of the range may lie beyond the word."""
    both = Vocabulary(("0", "1"), True, True, (), (), 3)
    body = Iverson.constant(j + 1) + both.token_is("1", j).scaled(j**2)
    total = ExplicitSum(sympy.Symbol("S1", real=True), sympy.sympify(lo), hi, body)
    for world in worlds(both, range(3, 6), {i: sympy.Integer(1)}):
        marked = ["CLS" if token < 0 else both.alphabet[token] for token in world.tokens]
        got = value_on(expression(explicit_sum(total, both)), {"i": fmpq(1)}, marked, both.alphabet)
        assert got == fmpq(int(world.over(body, total.lo, total.hi)))


def test_cases_that_may_hold_together_are_no_cases() -> None:
    assert cases(bracket(">", i - 1) + bracket(">", n - i).scaled(n), WORDS) is None
    assert cases(bracket(">", i - 1) + bracket("<", i - 1).scaled(n), WORDS) == (("1", "i >= 2"), ("n", "i <= 0"))


def test_the_closed_form_on_its_lines() -> None:
    assert closed_form(derivation_of("one")) == (
        "logit =\n  -1/(2*n)   if count('1') == 0\n  1/(2*n)    if count('1') == 1\n  -1/(2*n)   if count('1') >= 2"
    )
    first, where = closed_form(derivation_of("palindrome")).splitlines()
    assert first == "logit = S1*(exp(c) - 1)/(exp(c*n) - 1)"
    assert where.startswith("where S1 = sum(")


@pytest.mark.parametrize("name", NAMES)
def test_every_step_is_written_and_stays_the_same(name: str) -> None:
    derived = derivation_of(name)
    text = steps(derived)
    assert text == steps(derive(derived.construction))
    for step in derived.steps:
        assert f"{step.location}: {step.rule}" in text
    assert not re.search(r"Iverson|frozenset|Condition|u_c|K_\w|k_\d|Mod\(", text)


def test_a_wrong_sign_is_noticed() -> None:
    derived = derivation_of("parity")
    wrong = expression(value(derived.logit.scaled(-1), derived.vocabulary))
    *_, (word, tokens, names) = runs(derived.construction, 1)
    assert value_on(wrong, names, tokens, derived.vocabulary.alphabet) != run(derived.construction, word).logit


def test_forms_are_written_with_their_atoms() -> None:
    assert number(form(2 * i - n + 1).expression(), WORDS) == "2*i + 1 - n"


def test_what_a_query_does_not_see_is_not_listed() -> None:
    """Causal attention with an end marker, scores of its own: only the end marker's row has that marker in view."""
    one = construction_of("at_most_one_b")
    assert isinstance(one.network, Encoder)
    same_key = Head(W_Q={"q": {"[w=b]": 1}}, W_K={"q": {"[w=EOS]": 1}}, W_V={"s": {"[w=b]": 1}}, mask="causal")
    twice = replace(one.network, layers=(Layer(heads=(same_key,)), *one.network.layers))
    derived = derive(replace(one, network=twice))
    seen: dict[str, set[str]] = {}
    keys: dict[str, set[str]] = {}
    for step in derived.steps:
        place = place_of(step, ("a", "b", "EOS"))
        if place.part == "layer 1, head 1" and isinstance(step.before, OverPositions):
            seen.setdefault(str(place.row), set()).update(token for token, _ in step.before.summands)
        if place.key is not None:
            keys.setdefault(str(place.row), set()).add(place.key)
    assert seen == {"a": {"a", "b"}, "b": {"a", "b"}, "EOS": {"a", "b", "EOS"}}
    assert keys == {"b": {"a", "b"}}
    begins = [step.before for step in derivation_of("dyck1").steps if step.location.endswith("row CLS")]
    assert {token for before in begins if isinstance(before, OverPositions) for token, _ in before.summands} == {"CLS"}


@pytest.mark.parametrize("name", ["dyck1", "dyck1-depth"])
def test_the_readout_of_a_sum_is_written_in_the_position_summed_over(name: str) -> None:
    derived = derivation_of(name)
    [before] = [step.before for step in derived.steps if step.rule == "readout"]
    assert isinstance(before, OverPositions)
    symbols = [x.free_symbols for token, x in before.summands if token in derived.vocabulary.alphabet]
    assert symbols
    assert all(j in free and i not in free for free in symbols)
