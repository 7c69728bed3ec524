"""Regular expressions of words: what is read, what is refused, and that words match as Python says they do."""

from __future__ import annotations

import ast
import itertools
import re
import time
from collections.abc import Callable, Sequence

import pytest
from flint import fmpq

from tests.support.expressions import drawn
from weightproof.constructions.scalars import patterns
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.formulas import holds, holds_on_runs
from weightproof.constructions.scalars.grammar import expression, symbols_of
from weightproof.constructions.scalars.patterns import PatternError, matches, matches_runs, pattern, table

ALPHABET = "a.b"
"""With a symbol that is a sign."""
WORDS = ["".join(word) for length in range(6) for word in itertools.product(ALPHABET, repeat=length)]
BY_HAND = (
    "", "(ab)*", "a|", "|a", "a||b", "()", "()*", "(a*)*b", "(a|a)*b", "a{2}b{0,1}", "[ab]{2,}", "[^a]*",
    r"\.+a", ".*\\.", "[.]a", "[a^]", "[^^]", "((a|b)(a|b))*", "(a?){3}", "(a*b*){2,3}", "(a{2}|b{3})+", "(|a)b",
    "([ab]*a)?", "(a|b)*a(a|b){2}",
)  # fmt: skip


def wrong(text: str, told: Callable[[str, str], bool] = matches) -> str | None:
    """The first word of which Python says something else."""
    read = re.compile(text)
    return next((word for word in WORDS if told(text, word) != (read.fullmatch(word) is not None)), None)


def by_table(text: str, word: str) -> bool:
    found, state = table(text, ALPHABET), 0
    for symbol in word:
        state = found.rows[state][ALPHABET.index(symbol)]
    return state in found.accepting


@pytest.mark.parametrize("text", BY_HAND)
def test_words_match_as_python_says(text: str) -> None:
    assert wrong(text) is None
    assert wrong(text, by_table) is None


@pytest.mark.parametrize("seed", range(60))
def test_so_they_do_of_drawn_expressions(seed: int) -> None:
    assert wrong(drawn(seed, ALPHABET)) is None, drawn(seed, ALPHABET)


def test_a_mistake_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of parts of which the empty word is one, what follows may begin, too."""
    patterns._residues.cache_clear()
    patterns.after.cache_clear()
    monkeypatch.setattr(patterns, "may_be_empty", lambda of: isinstance(of, patterns.Then) and not of.parts)
    try:
        assert wrong("a?b") == "b"
    finally:
        patterns._residues.cache_clear()
        patterns.after.cache_clear()


def test_no_word_takes_long() -> None:
    """Python's own search goes back 2^n times."""
    begun = time.process_time()
    for text in ("(a*)*b", "(a|a)*b", "(a{0,20}){0,20}b", "(a|b)*a(a|b){200}b"):
        assert not matches(text, "a" * 2_000)
    assert time.process_time() - begun < 10


def test_runs_of_a_symbol_are_not_gone_through() -> None:
    text, many = "((aaa)*b(aaaa)*)*", 2**594
    assert matches_runs(text, (("a", 3 * many), ("b", 1), ("a", many)))
    assert not matches_runs(text, (("a", 3 * many + 1), ("b", 1), ("a", many)))
    assert not matches_runs(text, (("a", 3 * many), ("b", 1), ("a", many + 2)))
    for times, last in itertools.product(range(12), repeat=2):
        runs = (("a", times), ("b", 1), ("a", last))
        assert matches_runs(text, runs) == matches(text, "a" * times + "b" + "a" * last)


def test_a_run_in_which_nothing_comes_back_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_STEPS", 20)
    assert matches_runs("a{15}a*", (("a", 2**100),))
    with pytest.raises(ArithmeticError, match="more than 20 symbols in a row"):
        matches_runs("a{25}a*", (("a", 2**100),))


REFUSED = {
    "a^": (2, "anchors are not read"),
    "$": (1, "anchors are not read"),
    r"a\b": (3, "anchors are not read"),
    "(?=a)a": (2, "lookaround is not read"),
    "(?<!a)b": (2, "lookaround is not read"),
    "(?P<x>a)": (2, "names of groups are not read"),
    "(?i)a": (2, "signs that begin with (? are not read"),
    r"(a)\1": (5, "references back to a group"),
    r"\d": (2, "classes by kind are not read"),
    r"[\w]": (3, "classes by kind are not read"),
    r"\n": (2, "it is no sign"),
    "a*?": (3, "the shortest repetition that fits"),
    "a*+": (3, "repetitions that give nothing back"),
    "a**": (3, "a repetition of a repetition"),
    "a{2}{3}": (5, "a repetition of a repetition"),
    "a{,3}": (2, "no {m}, {m,} or {m,n}"),
    "a{x}": (2, "no {m}, {m,} or {m,n}"),
    "a{3,2}": (2, "at least 3 and at most 2"),
    "{2}": (1, "nothing that it could close or repeat"),
    "a}": (2, "nothing that it could close or repeat"),
    "a]": (2, "nothing that it could close or repeat"),
    "a|*": (3, "nothing that it could repeat"),
    "[a-c]": (3, "ranges are not read"),
    "[[a]": (2, "classes inside of others"),
    "[]": (2, "a class of nothing"),
    "[^]a": (3, "a class of nothing"),
    "[ab": (1, "a class that is not closed"),
    "(ab": (1, "a bracket that is not closed"),
    "ab)": (3, "brackets that are not opened"),
    "a\\": (2, "nothing behind it"),
    "(" * 60 + ")" * 60: (51, "more than 50"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_read_is_refused_by_name_with_its_column(text: str) -> None:
    column, said = REFUSED[text]
    with pytest.raises(PatternError) as refused:
        pattern(text)
    assert said in str(refused.value)
    assert str(refused.value).startswith(f"column {column}, ")
    with pytest.raises(ExpressionError, match="regular expression, column") as refused_there:
        expression(f"matches({text!r})")
    assert "\n" not in str(refused_there.value)
    assert len(str(refused_there.value)) < 300


def test_expressions_that_are_too_large_are_refused() -> None:
    assert pattern("((a{10}){10}){5}")
    for text in ("((a{10}){10}){6}", "a{501}", "(a{100}b){5}"):
        with pytest.raises(PatternError, match="more than 500 symbols"):
            pattern(text)
    with pytest.raises(PatternError, match="more than 2000 states"):
        table("(a|b)*a(a|b){12}", "ab")


@pytest.mark.parametrize(
    "text", ["matches()", "matches(1)", "matches('a', 'b')", "matches(a)", "matches('a') + 'b'", "matches"]
)
def test_other_uses_of_the_word_are_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        expression(text)


WORD = ("C", "1", "1", "0", "1", "1", "1", "E")


@pytest.mark.parametrize(
    ("formula", "true"),
    [
        ("matches('1*01*')", True),
        ("matches('C1*01*E')", False),
        ("matches('.{6}') and n == 8", True),
        ("matches('1*') + matches('[01]*') == 1", True),
        ("not matches('x*')", True),
        ("count('11') == 3", True),
        ("count('111') == 1 and count('1111') == 0 and count('10') == 1", True),
        ("count('C1') == 0 and count('1E') == 0", True),
        ("count('11', 2) == 1 and count('11', 4) == 1 and count('11', 5) == 2 and count('11', 99) == 3", True),
        ("count('11', 1) == 0 and count('11', -1) == 0", True),
        ("all(count('11', k) <= count('1', k) for k in positions)", True),
        ("any(count('11', k) == 2 and w[k] == '1' for k in positions)", True),
        ("count('11', count('10') + 4) == 2", True),
        ("count('11', count('01', 4) + 4) == 2", True),
        ("sum(count('11', k) for k in positions) == 8", True),
    ],
)
def test_formulas_speak_of_the_word_without_its_markers(formula: str, true: bool) -> None:
    assert holds(expression(formula), {}, WORD, "01") is true


def test_overlapping_places_all_count() -> None:
    for word in map("".join, itertools.product("01", repeat=7)):
        for symbols, last in itertools.product(("11", "010", "0000"), range(-1, 10)):
            ends = [place for place in range(1, 8) if word[:place].endswith(symbols)]
            for said, right in (
                (f"'{symbols}'", len(ends)),
                (f"'{symbols}', {last}", sum(end <= last for end in ends)),
            ):
                assert holds(expression(f"count({said}) == {right}"), {}, ("C", *word, "E"), "01"), (word, said)


@pytest.mark.parametrize("names", ["k", "kl", "klmpqrs", ["k", "kk"], [*"klmpqrs", "kk", "rr"]])
def test_a_count_binds_no_name_of_the_formula(names: Sequence[str]) -> None:
    """Each name is a parameter, and once a bound position."""
    values: dict[str, Real] = {name: fmpq(5) for name in names}
    free = " and ".join(f"count('11', {name}) == 2" for name in names)
    assert expression(free).names == set(names)
    assert holds(expression(free), values, WORD, "01")
    for name in names:
        bound = f"sum(count('11', {name}) for {name} in positions) == 8 and {free}"
        assert holds(expression(bound), values, WORD, "01")


def test_what_a_formula_names_is_what_its_expression_names() -> None:
    assert symbols_of(expression(r"matches('[^ab]c*\\.') and count('de') == 1").tree) == set("abc.de")
    assert symbols_of(expression("matches('.*')").tree) == set()
    assert symbols_of(expression("matches('') or w[1] == 'x'").tree) == {"x"}


def test_a_count_of_one_symbol_is_none_of_several() -> None:
    assert ast.unparse(expression("count('1', n - 1)").tree) == "count('1', n - 1)"
    assert ast.unparse(expression("count('')").tree) == "count('')"
    assert expression("count('" + "1" * 60 + "')").names == set()
    with pytest.raises(ExpressionError, match="a count of more than 60 symbols"):
        expression("count('" + "1" * 61 + "')")


def test_signs_are_written_as_python_writes_them(recwarn: pytest.WarningsRecorder) -> None:
    for text in (r"matches('\(\.')", r"matches('\\(\\.')", r"matches(r'\(\.')"):
        read = Expression(text)
        assert holds(read, {}, "(.", "(.)")
        assert not holds(read, {}, "((", "(.)")
        assert holds(Expression(ast.unparse(read.tree)), {}, "(.", "(.)")
    assert not recwarn.list


RUNS = (("C", 1), ("1", 4), ("0", 1), ("1", 30), ("E", 1))


def test_words_that_are_not_written_out() -> None:
    tokens = tuple(token for token, times in RUNS for _ in range(times))
    for formula in ("matches('1{4}01*')", "matches('1*')", "matches('(11)*0(11)*') and n > 3"):
        read = Expression(formula)
        assert holds_on_runs(read, {}, RUNS, "01") is holds(read, {}, tokens, "01")
    assert holds_on_runs(Expression("matches('(11)*0')"), {}, (("1", 2**600), ("0", 1)), "01")
    with pytest.raises(ArithmeticError, match="all positions"):
        holds_on_runs(Expression("count('11') > 1"), {}, RUNS, "01")
