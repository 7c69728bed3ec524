"""Every summation rule against brute force: every word with up to six positions, every row, every kind of summand."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from types import CodeType, FrameType
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.meaning import World, rows, worlds
from weightproof.symbolic.algebra.iverson import Iverson, bracket, residue, residues
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, i, j, n
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.rules import sums
from weightproof.symbolic.rules.sums import Positions, collect, sum_over, sum_symbols

WORDS = Vocabulary(("0", "1"), True, False, ("c",), ("D",), 3, (("c", Fraction(1), True), ("D", Fraction(0), False)))
UNIT, DEPTH = WORDS.unit("c"), WORDS.parameter("D")
LENGTHS = range(1, 6)
FIRST, LAST = sympy.Integer(1), n - 1


def form(expression: sympy.Expr) -> Any:
    return linear_form(sympy.sympify(expression))


def constant(value: Any) -> Iverson:
    return Iverson.constant(value)


def token(symbol: str, place: sympy.Expr) -> Iverson:
    return WORDS.token_is(symbol, place)


@dataclass(frozen=True)
class Sum:
    """A sum of value(j) over j = lo..hi, over the positions that hold `symbol` if there is one; `rule` closes it."""

    rule: str
    value: Iverson
    symbol: str | None = None
    lo: sympy.Expr = FIRST
    hi: sympy.Expr = LAST
    explicit: bool = False


HALVES = bracket("<", 2 * j - n).scaled(UNIT**j) - bracket(">", 2 * j - n).scaled(UNIT ** (n - j))
SUMS = [
    Sum("token counts", constant(1), "1"),
    Sum("token counts", constant(n / 2), "0"),
    Sum("token counts to i", constant(1), "1", hi=i),
    Sum("token counts from i", constant(3), "1", lo=i),
    Sum("token counts before i", constant(1), "0", hi=i - 1),
    Sum("constants", constant(1 / n), lo=sympy.S.Zero),
    Sum("constants", constant(i * DEPTH), hi=i),
    Sum("polynomials", constant(j**3 - i * j + n)),
    Sum("polynomials", constant(j), lo=i),
    Sum("geometric", constant(UNIT**j)),
    Sum("geometric, falling", constant(UNIT ** (n - 1 - j)), lo=sympy.S.Zero),
    Sum("geometric, two steps", constant(UNIT ** (2 * j + i) / n), hi=i),
    Sum("geometric, number as base", constant(sympy.Integer(2) ** (-j))),
    Sum("geometric, empty", constant(UNIT**j), lo=i, hi=i - 1),
    Sum("Kronecker at i", bracket("==", j - i).scaled(j**2)),
    Sum("Kronecker at i, tokens", bracket("==", j - i).scaled(j), "1"),
    Sum("Kronecker at 2", bracket("==", j - 2)),
    Sum("Kronecker at 2, tokens", bracket("==", j - 2), "0"),
    Sum("Kronecker at the end", bracket("==", n - 1 - j).scaled(UNIT**j), "1"),
    Sum("Kronecker out of range", bracket("==", j - 2 * i).scaled(j)),
    Sum("Kronecker at a parameter", bracket("==", j - DEPTH).scaled(j), "1"),
    Sum("Kronecker settles counts", bracket("==", j - 1).scaled(WORDS.prefix_atom("1")(j))),
    Sum("Kronecker settles counts at the end", bracket("==", j - n + 1).scaled(WORDS.prefix_atom("1")(j + 1))),
    Sum("Kronecker under a parity", bracket("==", j - i) * residue(form(j), 2, 1)),
    Sum("Kronecker with tokens elsewhere", bracket("==", j - i) * token("1", n - 1 - j)),
    Sum("all but the first", bracket(">=", j - 3), "1"),
    Sum("all but the last", bracket("<=", j - n + 3), "0"),
    Sum("all but both ends", bracket(">=", j - 2) * bracket("<=", j - n + 3), "1"),
    Sum("all but one inside", bracket(">=", j - 2) * bracket("<=", j - 3), "1", hi=sympy.Integer(4)),
    Sum("all but the first, explicit", bracket(">=", j - 2).scaled(j), "1", explicit=True),
    Sum("all but few, single explicit", bracket(">=", j - 2) * token("0", n - j), "1", explicit=True),
    Sum("range to i", bracket("<=", j - i).scaled(j)),
    Sum("range from i", bracket(">=", j - i).scaled(UNIT**j)),
    Sum("range to i, tokens", bracket("<=", j - i), "1"),
    Sum("range from i + 2, may be empty", bracket(">=", j - i - 2).scaled(j)),
    Sum("range to i, fractions", bracket("<=", j - i).scaled(1 / (j + 1)), explicit=True),
    Sum("range from i + 2, tokens", bracket(">=", j - i - 2), "0"),
    Sum("range around i", bracket(">=", j - i + 1) * bracket("<=", j - i - 1).scaled(j)),
    Sum("window at the start", bracket("<=", j - 3).scaled(j)),
    Sum("window at the start, tokens", bracket("<=", j - 4).scaled(j), "1"),
    Sum("window at the end, under a parity", bracket(">=", j - n + 4) * residue(form(j), 2, 1), "0"),
    Sum("all but a few at the start, tokens", bracket(">=", j - 6), "1"),
    Sum("all but too many at the start, tokens", bracket(">=", j - 9), "1", explicit=True),
    Sum("window that is too wide", bracket("<=", j - 5), explicit=True),
    Sum("an empty range has no pole", constant(1 / (i - 1)), hi=i - 1),
    Sum("no symbols have no pole", constant(i / WORDS.total("1")), "1"),
    Sum("range beyond the end", bracket("<=", j - n - 3).scaled(j)),
    Sum("range before the start", bracket(">=", j + 3).scaled(j)),
    Sum("range counted backwards", bracket("<=", i - j).scaled(j)),
    Sum("range to a parameter", bracket("<=", j - DEPTH), explicit=True),
    Sum("range from a parameter", bracket(">=", j - DEPTH), explicit=True),
    Sum("range over halves", bracket("<", 2 * j - n), explicit=True),
    Sum("parity", residue(form(j), 2, 0)),
    Sum("parity to i", residue(form(j), 2, 1).scaled(n), hi=i),
    Sum("residues modulo 3", residue(form(j), 3, 2), lo=sympy.S.Zero),
    Sum("residues beyond sixty", residue(form(j), 61, 2), lo=sympy.S.Zero),
    Sum("residues beyond sixty, from 1", residues(form(j), 61, 1, 3)),
    Sum("residues, range from i", residue(form(j), 3, 1) * bracket(">=", j - i)),
    Sum("residues, range from i + 3", residue(form(j), 2, 1) * bracket(">=", j - i - 3)),
    Sum("parity of tokens", residue(form(j), 2, 0), "1", explicit=True),
    Sum("parity, weighted", residue(form(j), 2, 0).scaled(j), explicit=True),
    Sum("parity of j + i", residue(form(j + i), 2, 0), explicit=True),
    Sum("two residues", residue(form(j), 2, 0) * residue(form(j), 3, 0), explicit=True),
    Sum("free brackets stay outside", residue(form(n), 2, 0) * token("1", i).scaled(j)),
    Sum("free brackets, explicit", residue(form(n), 2, 0).scaled(j), "1", explicit=True),
    Sum("weighted tokens", constant(j), "1", explicit=True),
    Sum("weighted tokens, rising", constant(3 * UNIT**j / n), "1", explicit=True),
    Sum("weighted tokens, reflected", constant(UNIT ** (n - 1 - j)), "1", explicit=True),
    Sum("weighted tokens, reflected", bracket("<", 2 * j - n).scaled(UNIT ** (-j)), "1", explicit=True),
    Sum("mixed directions", constant(UNIT**j + UNIT ** (-j)), "0", explicit=True),
    Sum("a direction for each half", HALVES, "0", explicit=True),
    Sum("prefix counts", constant(WORDS.prefix_atom("1")(j)), explicit=True),
    Sum("fractions", constant(1 / (j + 1)), explicit=True),
    Sum("geometric, n as base", constant(n**j)),
    Sum("a ratio that may be 1", constant((n - 1) ** j), explicit=True),
    Sum("tokens of a plain sum", token("1", j).scaled(j), explicit=True),
    Sum("nothing", Iverson()),
    Sum("rules side by side", constant(j + 1 / (j + 1)) + bracket("==", j - i), explicit=True),
]


def test_what_falls_is_reflected_and_what_rises_is_not() -> None:
    record = Record()
    close(Sum("", HALVES, "1"), record)
    bodies = [coefficient for total in record.sums.values() for _, coefficient in total.body.terms]
    assert bodies == [UNIT**j, UNIT**j]


def row(record: Record) -> Context:
    """What is known at a row i that holds a symbol."""
    return WORDS.prefixes(i, WORDS.words(record.facts).given(form(i - 1), form(n - 1 - i)))


def close(case: Sum, record: Record) -> Iverson:
    return sum_over(Positions(case.symbol, case.lo, case.hi, row(record), WORDS), case.value, record)


def seen() -> Iterator[World]:
    values = {UNIT: sympy.Rational(3, 2), DEPTH: sympy.Integer(2)}
    for world in worlds(WORDS, LENGTHS, values):
        yield from rows(WORDS, world)


def differs(case: Sum, closed: Iverson, record: Record) -> World | None:
    """A world in which the closed form is not the sum."""
    index = None if case.symbol is None else WORDS.alphabet.index(case.symbol)
    for world in seen():
        wanted = world.over(case.value, case.lo, case.hi, index)
        if world.with_sums(record.sums).value(closed) != wanted:
            return world
    return None


@pytest.mark.parametrize("case", SUMS, ids=lambda case: case.rule)
def test_the_closed_form_is_the_sum(case: Sum) -> None:
    record = Record()
    closed = close(case, record)
    assert differs(case, closed, record) is None
    assert bool(record.sums) is case.explicit
    assert all(j not in total.lo.free_symbols | total.hi.free_symbols for total in record.sums.values())
    assert j not in closed.free_symbols


def test_an_explicit_sum_rises() -> None:
    """A falling power is reflected, so that sums over increasing powers can be compared."""
    record = Record()
    closed = close(Sum("", constant(UNIT ** (n - 1 - j)), "1"), record)
    [total] = record.sums.values()
    [(conditions, coefficient)] = total.body.terms
    assert coefficient == UNIT**j
    assert [condition.axis.expression() for condition in conditions] == [WORDS.token(n - j)]
    assert closed == Iverson.constant(total.symbol / UNIT)


def test_what_all_symbols_share_is_summed_plainly() -> None:
    record = Record()
    values = {"0": constant(j) + residue(form(n), 2, 0), "1": constant(j) + bracket("==", j - i)}
    closed = sum_symbols(values, row(record), WORDS, record)
    for world in seen():
        wanted = sum(world.over(value, FIRST, LAST, WORDS.alphabet.index(symbol)) for symbol, value in values.items())
        assert world.with_sums(record.sums).value(closed) == wanted


COEFFICIENTS = [1, -2, n, i, j, j**2, 1 / n, UNIT, UNIT**j, UNIT**-j, UNIT ** (n - 1 - j), sympy.Integer(2) ** j, DEPTH]
BRACKETS = [
    bracket("==", j - i), bracket("!=", j - i), bracket("<=", j - i), bracket(">", j - i), bracket(">=", j - i - 2),
    bracket("==", j - 1), bracket(">=", j - 2), bracket("<=", n - 3 - j), bracket("<", 2 * j - n + 1),
    bracket("==", n - 1 - i - j), residue(form(j), 2, 0), residue(form(j), 3, 1), residue(form(i + j), 2, 1),
    residue(form(n), 2, 1), token("1", j), token("0", n - 1 - j), token("1", i), bracket("<=", j - DEPTH),
    bracket(">=", WORDS.prefix_atom("1")(j) - 1), bracket(">=", WORDS.total("1") - 2),
]  # fmt: skip
RANGES = [(FIRST, LAST), (sympy.S.Zero, LAST), (FIRST, i), (i, LAST), (FIRST, i - 1), (i + 1, LAST)]
TERM = st.tuples(st.sampled_from(COEFFICIENTS), st.lists(st.sampled_from(BRACKETS), max_size=3))


@pytest.mark.controls
@settings(max_examples=200)
@given(st.lists(TERM, min_size=1, max_size=3), st.sampled_from(RANGES), st.sampled_from([None, "0", "1"]))
def test_random_summands(terms: list[tuple[Any, list[Iverson]]], ends: tuple[Any, Any], symbol: str | None) -> None:
    value = Iverson()
    for coefficient, brackets in terms:
        term = Iverson.constant(coefficient)
        for one in brackets:
            term = term * one
        value += term
    record = Record()
    case = Sum("", value, symbol, *ends)
    assert differs(case, close(case, record), record) is None


def scattered(record: Record) -> Iverson:
    """Explicit sums in one value, with factors that differ by numbers, by the unit and by a natural parameter."""
    first = record.explicit(FIRST, LAST, token("1", j).scaled(UNIT**j))
    second = record.explicit(FIRST, LAST, token("0", j).scaled(j))
    third = record.explicit(FIRST, LAST - 1, token("0", j).scaled(j))
    even = residue(form(n), 2, 0)
    return (
        Iverson.constant(first / n)
        + Iverson.constant(UNIT**2 * second / n)
        + even.scaled(DEPTH * third)
        + Iverson.constant(1)
    )


COLLECTED: dict[str, Callable[[Record], Iverson]] = {
    "scattered": scattered,
    "natural factor": lambda r: Iverson.constant(DEPTH * r.explicit(FIRST, LAST, token("1", j).scaled(j)) / n),
    "squared": lambda r: Iverson.constant(
        r.explicit(FIRST, LAST, token("1", j)) ** 2 + n * r.explicit(FIRST, LAST, token("0", j))
    ),
    "different terms": lambda r: (
        residue(form(n), 2, 0).scaled(r.explicit(FIRST, LAST, token("1", j)))
        + residue(form(n), 2, 1).scaled(r.explicit(FIRST, LAST, token("0", j)))
    ),
    "ratio of n": lambda r: Iverson.constant(
        r.explicit(FIRST, LAST, token("1", j)) + n * r.explicit(FIRST, LAST, token("0", j))
    ),
    "ratio that may be infinite": lambda r: Iverson.constant(
        (UNIT - 2) * r.explicit(FIRST, LAST, token("1", j)) + r.explicit(FIRST, LAST, token("0", j))
    ),
    "cancelling": lambda r: Iverson.constant(
        r.explicit(FIRST, LAST, token("1", j)) - r.explicit(FIRST, LAST, constant(1) - token("0", j))
    ),
}


@pytest.mark.parametrize("name", COLLECTED)
def test_collected_sums_keep_their_value(name: str) -> None:
    record = Record()
    value = COLLECTED[name](record)
    collected = collect(value, record, row(record), WORDS)
    for world in seen():
        there = world.with_sums(record.sums)
        assert there.value(collected) == there.value(value)


def test_sums_with_proportional_factors_become_one() -> None:
    record = Record()
    collected = collect(scattered(record), record, row(record), WORDS)
    assert len(collected.free_symbols & record.sums.keys()) == 2  # the third runs over another range


@pytest.mark.parametrize(
    "case",
    [Sum("", bracket("<=", j), hi=n * i), Sum("", residue(form(j), 2, 0), hi=n**2)],
    ids=["range", "residue"],
)
def test_a_bound_that_is_not_linear_is_refused(case: Sum) -> None:
    with pytest.raises(Underivable, match="not linear"):
        close(case, Record())


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes(inner)


@contextmanager
def lines_run(path: str) -> Iterator[set[int]]:
    """The lines of a file that are executed inside the context."""
    run: set[int] = set()

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            run.add(frame.f_lineno)
        return local

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        return local if frame.f_code.co_filename == path else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield run
    finally:
        sys.settrace(before)


def test_no_rule_is_left_untested() -> None:
    """Every line of every function of `symbolic.rules.sums` runs in a sum that is compared with brute force above."""
    path = inspect.getsourcefile(sums)
    assert path is not None
    functions = [
        f for f in vars(sums).values() if inspect.isfunction(f) and f.__module__ == "weightproof.symbolic.rules.sums"
    ]
    lines = {
        line
        for function in functions
        for code in codes(function.__code__)
        for _, _, line in code.co_lines()
        if line is not None and line > code.co_firstlineno
    }
    with lines_run(path) as run:
        for case in SUMS:
            close(case, Record())
        for build in COLLECTED.values():
            record = Record()
            collect(build(record), record, row(record), WORDS)
        test_what_all_symbols_share_is_summed_plainly()
    source = inspect.getsource(sums).splitlines()
    missed = {line: source[line - 1].strip() for line in sorted(lines - run)}
    assert all(text.startswith("raise ") for text in missed.values()), missed


def one_too_many(*arguments: Any) -> Any:
    return _closed(*arguments) + 1 if _closed(*arguments) is not None else None


_closed = sums._closed
WRONG: dict[str, tuple[str, Callable[..., Any]]] = {
    "closed sums off by one": ("_closed", one_too_many),
    "residues off by one": ("_count_residues", lambda condition, lo, hi: Iverson.constant(hi - lo + 1)),
    "Kronecker one further": ("_kronecker", lambda condition: None if (p := _kronecker(condition)) is None else p + 1),
    "no gaps": ("_gaps", lambda condition, lo, hi: []),
    "range not narrowed": ("_narrow", lambda condition, positions: positions),
    "empty ranges forgotten": ("_term_over", lambda *arguments: sums._term(*arguments)),
    "every factor of a sum is 1": ("_factors", lambda value, symbol: tuple(sympy.S.One for _ in value.terms)),
}
_kronecker = sums._kronecker


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rule_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function, wrong = WRONG[name]
    monkeypatch.setattr(sums, function, wrong)
    records = [(case, Record()) for case in SUMS]
    caught = [case.rule for case, record in records if differs(case, close(case, record), record) is not None]
    for build in COLLECTED.values():
        record = Record()
        value = build(record)
        collected = collect(value, record, row(record), WORDS)
        worlds_seen = (world.with_sums(record.sums) for world in seen())
        if any(world.value(collected) != world.value(value) for world in worlds_seen):
            caught.append("collect")
    assert caught
