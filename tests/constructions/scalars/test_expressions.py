"""The expression language: what it reads, what it refuses, and that text, however odd, is never executed."""

from __future__ import annotations

import itertools
import string
from decimal import Decimal
from fractions import Fraction
from itertools import chain

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from weightproof.constructions.scalars import formulas
from weightproof.constructions.scalars.expressions import Expression, ExpressionError, fold
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.grammar import expression, meaning_of_part
from weightproof.constructions.scalars.values import compare, evaluate

READ = [
    "0",
    "-1/2",
    "c*sqrt(d)",
    "i/n",
    "cos(pi*i)",
    "cos(i*pi)",
    "cos(pi)",
    "sin(pi*i)",
    "cos(2*pi*i/(3*n))",
    "cos(-pi/2)",
    "cos(1)",
    "cos(pi*pi)",
    "cos(pi + 1)",
    "sin(1/pi)",
    "2*pi",
    "i/10000**(1/2)",
    "(i == 1)",
    "(i <= (n - 1)/2)",
    "2**i",
    "n % 2",
    "log(n)/sqrt(d)",
    "tanh(c)/n**2",
    "w[1] == '1'",
    "'1' != w[n - 1]",
    "w[1] == w[n - 2]",
    "count('1') % 2 == 1",
    "count('1', j) <= count('0', j)",
    "all(w[j] == w[n - 1 - j] for j in positions)",
    "not any(w[j] == '1' and j > 1 for j in positions)",
    "so_far and not flag",
]

REFUSED = {
    "no expression": ["", "  ", "1 +", "c c", "1\n+2", "\0", "\ud800", "'", "(" * 500 + "1" + ")" * 500, "[" * 900],
    "too deep": ["-" * 61 + "1", "(" + "1+" * 61 + "1)", "~" * 1900 + "1", "x" + ".a" * 900, "~(" + "1+" * 900 + "1)"],
    "too large": ["9" * 301, "0x" + "f" * 300, "1" * 2001],
    "inexact": ["0.5", "1e3", ".1", "1j", "True"],
    "operators": ["+1", "~1", "x @ y", "x // y", "x << 1", "x ^ y", "x & y", "1 < 2 < 3", "x is y", "x in y"],
    "Python": [
        "__import__('os').system('true')",
        "().__class__",
        "a.b",
        "_private",
        "__name__",
        "open('f')",
        "eval('1')",
        "lambda: 1",
        "(x := 1)",
        "1 if c else 2",
        "f'{c}'",
        "b'1'",
        "'1'",
        "None",
        "...",
        "[1]",
        "(1, 2)",
        "{1: 2}",
        "a[0]",
        "w[1:2]",
        "w[1, 2]",
        "exp(*c)",
        "exp(x=c)",
        "sqrt(1, 2)",
        "sqrt()",
        "await c",
        "yield",
    ],
    "comprehensions": [
        "all([c])",
        "all()",
        "all(c)",
        "sum(1 for j in w)",
        "sum(w[j] for j in positions)",
        "sum(i)",
        "[c for j in positions]",
        "all(c for j in positions if c)",
        "all(c for j in w)",
        "all(c for j in positions for k in positions)",
        "all(c async for j in positions)",
        "all(c for j, k in positions)",
        "all(c for w[1] in positions)",
        "all(c for pi in positions)",
        "all(c for __j in positions)",
        "all(1 for j in positions)",
    ],
    "kinds": [
        "w",
        "w[1]",
        "-w[1]",
        "w[1] + 1",
        "w[1] == 1",
        "w[1] < '1'",
        "'0' == '0'",
        "c == '1'",
        "w[w[1]] == '1'",
        "not w[1]",
        "count(1)",
        "count()",
        "count('1', 2, 3)",
        "count('1', '0')",
        "count('1', w[1])",
        "sqrt('1')",
        "1 and 2",
        "not 1",
        "positions",
        "sqrt",
        "all + 1",
    ],
}


@pytest.mark.parametrize("text", READ)
def test_reads(text: str) -> None:
    assert expression(text).source == text


@pytest.mark.parametrize("source", [[1], [[1]], None, True, 1.5, {}, b"1"])
def test_what_is_no_text_is_refused_before_anything_looks_it_up(source: object) -> None:
    with pytest.raises(ExpressionError, match=r"is no text$"):
        Expression(source)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [*chain(*REFUSED.values())], ids=lambda text: ascii(text[:40]))
def test_refuses_in_one_line(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        expression(text)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "value",
    [0.5, float("nan"), float("inf"), True, 1j, Decimal(1), None, [], {}, b"1", 10**5000, sympy.Float("0.5")],
    ids=lambda value: type(value).__name__,
)
def test_refuses_values_that_are_no_exact_scalars(value: object) -> None:
    with pytest.raises(ExpressionError):
        expression(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (-2, "-2"), (Fraction(1, 2), "1/2"), (sympy.Rational(1, 2), "1/2"), (sympy.sqrt(2), "sqrt(2)")],
)
def test_reads_values(value: object, text: str) -> None:
    assert expression(value) == Expression(text)


def test_a_float_is_refused_with_the_fraction_to_write_instead() -> None:
    with pytest.raises(ExpressionError, match="write '1/4'"):
        expression(0.25)


def test_what_is_no_text_is_no_expression() -> None:
    with pytest.raises(ExpressionError):
        Expression(5).tree  # type: ignore[arg-type]  # noqa: B018


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("c*sqrt(d) + i/n", {"c", "d", "i", "n"}),
        ("cos(pi*i)", {"i"}),
        ("w[n - 1] == '1'", {"n"}),
        ("count('1', D) > 0", {"D"}),
        ("all(w[j] == '1' and j < D for j in positions) and so_far", {"D", "so_far"}),
    ],
)
def test_free_names(text: str, names: set[str]) -> None:
    assert expression(text).names == names


def test_nothing_is_executed(tmp_path: object) -> None:
    """Reading leaves no trace, whatever the text would do if it were run."""
    for text in ("print(1/0)", f"open('{tmp_path}/trace', 'w')", "exit()", "(lambda: exit())()", "[exit() for j in w]"):
        with pytest.raises(ExpressionError):
            expression(text)
    assert not list(tmp_path.iterdir())  # type: ignore[attr-defined]


def test_quantifiers_are_brackets_inside_scalars() -> None:
    every, tokens = expression("all(w[j] == '1' for j in positions)"), ("CLS", "1", "1")
    assert holds(every, {}, tokens, "01")
    assert holds(expression(f"{every} + 1 == 2"), {}, tokens, "01")
    assert holds(expression(f"{every} + 1 == 1"), {}, ("CLS", "1", "0"), "01")


def test_a_scalar_that_speaks_of_a_word_has_no_value_without_one() -> None:
    for text in ("count('1')", "(w[1] == '1')", "all(j > 1 for j in positions)", "matches('1*')"):
        with pytest.raises(ExpressionError, match="speaks of a word"):
            evaluate(expression(text), {})


PIECES = [
    *"0123456789()+-*/%<>=,.[]'\"_:# \n",
    *("**", "==", "!=", "<=", "not ", " and ", " or ", " if ", " else ", " for j in positions", " in ", "lambda "),
    *("i", "n", "d", "c", "j", "w", "w[", "pi", "positions", "count(", "all(", "any(", "sqrt(", "exp(", "cos(pi*"),
    *("'1'", "__class__", ".real", "True", "None", "1.5", "1e9", "nan", "import os", "f'{", "\\", "é", "²", "\0"),
]


@settings(max_examples=500)
@given(st.one_of(st.text(max_size=60), st.text(string.printable), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_arbitrary_text_is_read_or_refused(text: str) -> None:
    try:
        names = expression(text).names
    except ExpressionError:
        return
    assert all(name.isidentifier() and not name.startswith("_") for name in names)


def scalars(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(smaller, st.sampled_from("+-*/"), smaller).map(lambda parts: f"({''.join(parts)})"),
        st.tuples(st.sampled_from(["sqrt", "exp", "-"]), smaller).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(smaller, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), smaller).map(
            lambda parts: f"(not ({''.join(parts)} or {parts[0]} < 1))"
        ),
    )


@settings(max_examples=100)
@given(st.recursive(st.sampled_from(["0", "7", "99", "i", "n", "c"]), scalars, max_leaves=12))
def test_the_grammar_is_read(text: str) -> None:
    assert expression(text).names <= {"i", "n", "c"}


def test_a_reader_of_a_part_of_the_language_refuses_the_rest() -> None:
    def refuse(*said: object) -> object:
        raise LookupError(said)

    meaning = meaning_of_part(refuse, number=Fraction, name={"n": Fraction(3)}.__getitem__)
    assert fold(expression("n*n + 1/2").tree, meaning) == Fraction(19, 2)
    for text in ("n**2", "n % 2", "sqrt(n)", "n > 1", "count('a')", "w[0] == 'a'", "n > 1 and n > 2", "not n > 1"):
        with pytest.raises(LookupError):
            fold(expression(text).tree, meaning)


NESTED = (
    "sum((w[j] == 'b' and sum((w[k] == 'a' and count('b', k) > 1)*(k <= j) for k in positions) > 0) "
    "for j in positions) > 0"
)


def test_a_part_inside_of_another_one_is_found_once_for_each_position(monkeypatch: pytest.MonkeyPatch) -> None:
    def comparisons(formula: Expression) -> int:
        asked: list[object] = []
        monkeypatch.setattr(formulas, "compare", lambda *given: asked.append(given) or compare(*given))
        assert holds(formula, {}, ("CLS", *"ab" * 10), ("a", "b"))
        return len(asked)

    assert comparisons(Expression(NESTED)) == 20 + 20 * 20 + 20 + 1
    monkeypatch.setattr(formulas._Parting, "visit", lambda _, tree: tree)
    assert comparisons(Expression(f"{NESTED} ")) == 20 * 20 + 20 * 20 + 20 + 1


NESTINGS = (
    NESTED,
    "all(any(all(m <= k or w[m] == 'b' for m in positions) and w[k] == 'a' and k >= j for k in positions) "
    "for j in positions)",
    "all(any(w[j] == 'a' and j > k for j in positions) or w[k] == 'b' for k in positions)",
    "sum(sum((w[j] == 'a')*(j == k) for j in positions)*(sum((w[j] == 'b') for j in indices) > 1) "
    "for k in indices) > 1",
    "any(sum((w[k] == 'a')*(k <= j) for k in positions)/(n - j) > 1 for j in positions)",
)


@pytest.mark.parametrize("formula", NESTINGS)
def test_parts_are_what_they_are_in_their_place(formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["".join(word) for length in range(6) for word in itertools.product("ab", repeat=length)]

    def verdicts(formula: Expression) -> list[bool]:
        return [holds(formula, {}, ("CLS", *word), ("a", "b")) for word in words]

    kept = verdicts(Expression(formula))
    assert {*kept} == {True, False}
    monkeypatch.setattr(formulas._Parting, "visit", lambda _, tree: tree)
    assert verdicts(Expression(f"{formula} ")) == kept
