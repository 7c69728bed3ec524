"""What is printed is what was derived: as text, as JSON, as LaTeX and as Markdown, read back, evaluated at points."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import sympy
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.derived import ALL_STATED, NAMES, derivation_of
from tests.support.latex_reader import Reader, Unread
from tests.support.places import NEWCOMERS
from tests.support.read_back import derivations
from tests.support.read_back.derivations import Seen, check, check_printed, of_value
from tests.support.read_back.documents import in_latex
from tests.support.unusual import recogniser
from weightproof.appendix.deriving import LogitExplained
from weightproof.changing.ablating import ablate
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, log, sign
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.document import markdown, tex
from weightproof.symbolic.algebra.iverson import Condition, Iverson, bracket
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, i, n
from weightproof.symbolic.forward import derive
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.writing import latex, latex_source, plain
from weightproof.symbolic.writing.plain import cases, value

TWO = Vocabulary(
    ("0", "("), True, False, ("c",), ("D",), 3,
    (("c", Fraction(1), True), ("D", Fraction(0), False)), (("c", Fraction(0), True),),
)  # fmt: skip
"""With a symbol that is a bracket."""
ONES, DEPTH, UNIT = TWO.total("("), TWO.parameter("D"), TWO.unit("c")


def seen(word: str, here: int, depth: int, c: Real) -> Seen:
    nothing: dict[Any, Any] = {}
    derivation: Any = SimpleNamespace(vocabulary=TWO, scales=nothing, all_sums=nothing)
    return Seen(derivation, ("CLS", *word), {"D": fmpq(depth), "c": c}, here)


POINTS = [
    seen("0", 1, 0, log(fmpq(2))), seen("(", 1, 1, fmpq(1, 3)), seen("0(", 1, 2, log(fmpq(9, 4))),
    seen("((0", 3, 0, log(fmpq(2))), seen("0((0", 2, 3, log(fmpq(3))), seen("(0(0(", 4, 4, log(fmpq(2))),
]  # fmt: skip


def read_back(iverson: Iverson) -> None:
    for point in POINTS:
        check(iverson, of_value(iverson, point), point, Counter())


def of(*shapes: str, **parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """One of the shapes, each brace filled with a draw."""

    @st.composite
    def filled(draw: st.DrawFn) -> str:
        first, *rest = draw(st.sampled_from(shapes)).split("{")
        return first + "".join(draw(parts[part[0]]) + part[2:] for part in rest)

    return filled()


PLACES = st.sampled_from(("i", "1", "n-1", "n-1-i", "0", "i/2"))
LINEAR = st.sampled_from(("n", "i", "count('0')", "count('(', i)", "D", "n - i", "2*i", "i - 2", "3"))
SYMBOLS, SIGNS = st.sampled_from(("'0'", "'('")), st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
SMALL = st.sampled_from(("0", "1", "2", "3", "-1", "4", "i"))
LEAVES = of(
    "1", "2", "1/2", "-1", "0", "n", "i", "c", "D", "d", "n - 1", "n - i", "count('(')", "count('0')", "count('(', i)",
    "({x} {o} {x})", "(({x}) % 2 == {k})", "(({x}) % 3 == {k})", "(w[{p}] == {s})", "(w[{p}] != w[{p}])",
    "(not ({x}) % 2 == {k})", "({x} {o} {x} and w[{p}] == {s})", "({x} {o} {x} or ({x} {o} {x} and {x} {o} {x}))",
    x=LINEAR, o=SIGNS, k=SMALL, p=PLACES, s=SYMBOLS,
)  # fmt: skip
WHOLE = st.sampled_from(("2", "3", "(-1)", "(-2)", "0", "1", "i", "(n - i)", "(-i)", "(i + 1)", "(n - 2*i)"))
BASES = st.sampled_from(("2", "(1/2)", "(-1)", "(-1/2)", "3", "(2/3)"))
RATES = st.sampled_from(("c", "-c", "1", "2*c", "c/2", "sqrt(2)", "sqrt(2)*c", "1/2"))


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return of(
        "({a}) + ({a})", "({a}) - ({a})", "({a})*({a})", "({a})*({a})", "({a})/({a})", "{a} + {a}", "{a} - {a}",
        "{a}*{a}", "{a}/{a}", "-({a})", "-{a}", "({a})**{k}", "{b}**{k}", "exp({r}*{k})", "sqrt({a})", "log({a})",
        "tanh({a})", "sinh({r})*({a})", "({a}) % 3", "({a} {o} {a})",
        a=inner, k=WHOLE, b=BASES, r=RATES, o=SIGNS,
    )  # fmt: skip


SCALARS = st.recursive(LEAVES, joined, max_leaves=8)


def wanted(expression: Expression, point: Seen) -> Real | None:
    try:
        return point.point.knowing(d=fmpq(3)).value(expression.source)
    except ArithmeticError:
        return None


@settings(max_examples=60, derandomize=True)
@given(SCALARS)
def test_random_scalars_are_printed_as_they_are_and_as_they_are_read(text: str) -> None:
    """The data's own text as LaTeX; its symbolic value as text and as LaTeX, which may be another expression."""
    try:
        expression = Expression(text)
        values = [(point, found) for point in POINTS if (found := wanted(expression, point)) is not None]
    except ExpressionError:
        return
    printed = latex_source.scalar(expression)
    for point, found in values:
        reader = Reader(printed, point.tokens, TWO.alphabet, {**point.names, "d": fmpq(3)})
        assert _equal(reader.value, found), (text, printed)
    try:
        derived = read_scalar(expression, TWO, i)
    except Underivable:
        return
    for point, found in values:
        derivations.compare(found, of_value(derived, point), point, Counter())


def _equal(read: Callable[[], Real], found: Real) -> bool:
    try:
        return sign(read() - found) == 0
    except ArithmeticError as error:
        return type(error).__name__ == "Undecided"


def half() -> Construction:
    """PE p = (n >= 3)*(1/2 - n**2), averaged: the logit is that."""
    from weightproof.constructions.meaning.schema import Head, Layer

    layers = (Layer(heads=(Head(W_V={"s": {"p": 1}}),)),)
    return recogniser("n < 1", lambda word: False, PE={"p": "(n >= 3)*(1/2 - n**2)"}, layers=layers)


def test_a_bracket_times_a_sum_that_begins_with_a_fraction() -> None:
    derivation = derive(half())
    assert plain.closed_form(derivation) == "logit = (n >= 3)*(1/2 - n**2)"
    assert derivations.Page(derivation).json["closed_form"] == "(n >= 3)*(1/2 - n**2)"
    assert value(derivation.logit, derivation.vocabulary) == "(n >= 3)*(1/2 - n**2)"
    session = ablate(half(), parts=["head"])
    assert session.change(session.rows[0]) == "(n >= 3)*(n**2 - 1/2)"
    tokens = add_markers(derivation.construction.network, "11")
    check_printed(derivation, [(tokens, {})], tally := Counter())
    assert {"plain", "JSON", "LaTeX", "Markdown"} <= tally.keys()
    assert run(derivation.construction, "11").logit == fmpq(-17, 2)


def test_the_only_row_there_is_is_printed_where_it_is_read() -> None:
    """One letter and no marker: what stands at i is read at the last position."""
    construction = recogniser("n % 2 == 0", lambda word: len(word) % 2 == 0, alphabet="1", begin=None, position="last",
                              layers=(), PE={"s": "i % 2"})  # fmt: skip
    derivation = derive(construction)
    told = [step["before"] for step in derivations.Page(derivation).json["steps"]]
    assert {"1": "(j % 2 == 1)"} in told
    check_printed(derivation, [(("1",) * 4, {})], tally := Counter())
    assert {"plain", "JSON", "LaTeX", "Markdown"} <= tally.keys()


HARD_VALUES = {
    "a fraction first": bracket(">=", n - 3).scaled(sympy.Rational(1, 2) - n**2),
    "a fraction first, negative": bracket(">=", n - 3).scaled(-sympy.Rational(1, 2) - n**2),
    "one over a root first": bracket(">=", n - 3).scaled(1 / sympy.sqrt(2) + n),
    "one over a sum": bracket(">=", n - 3).scaled(1 / (n + 1)),
    "a negative base": bracket("==", i - 1).scaled((-sympy.S.One) ** n * (1 - n) ** 2),
    "a power of a quotient": Iverson.constant((n / (n + 1)) ** -3 * sympy.Rational(2, 3) ** i),
    "a size": Iverson.constant(sympy.Abs(ONES - 2, evaluate=False) * (1 - n)),
    "a remainder": Iverson.constant(-3 * sympy.Mod(n + i, 3, evaluate=False) * (n - 1)),
    "a count times a bracket": Iverson.constant(ONES * (n - 1)),
    "units": Iverson.constant((UNIT**2 - 1) / (UNIT**2 + 1) ** 2 - UNIT ** (i - n) / UNIT**3),
    "a residue": bracket("==", sympy.Mod(n + i, 3, evaluate=False) - 2).scaled(n),
    "a residue that is a sum": Iverson(
        ((frozenset({Condition(linear_form(sympy.Mod(n, 2, evaluate=False) - DEPTH), 0, 0)}), sympy.S.One),)  # type: ignore[arg-type]
    ),
    "a case that no word has": Iverson.constant(1) - bracket("==", ONES - n),
    "tokens": Iverson.constant(1) - bracket("==", TWO.token(sympy.S.Zero)),
    "e, minus its inverse": read_scalar(Expression("log(tanh(1)) + n"), TWO, i),
}


@pytest.mark.parametrize("what", HARD_VALUES)
def test_what_is_easily_printed_wrongly_reads_back(what: str) -> None:
    read_back(HARD_VALUES[what])


def test_cases_without_a_condition_are_none() -> None:
    listed = cases(HARD_VALUES["a case that no word has"], TWO)
    assert listed == (("1", ""),)


def points(construction: Construction, lengths: tuple[int, ...] = (0, 2, 4), seed: int = 7) -> Iterator[Any]:
    assert isinstance(construction.network, Encoder)
    random = Random(seed)
    for length in lengths:
        tokens = add_markers(construction.network, "".join(random.choices(construction.language.alphabet, k=length)))
        if tokens:
            yield tokens, parameter_values(construction)


@functools.cache
def nearest() -> Any:
    [path] = [path for path in NEWCOMERS if path.stem == "nearest_to_three"]
    return derive(load_file(path).construction)


def shipped(name: str) -> Any:
    return nearest() if name == "nearest_to_three" else derivation_of(name)


QUICK = ("one", "nearest_to_three")
TRANSFORMED = [
    name
    for name, (construction, _) in ALL_STATED.items()
    if "+" in name and isinstance(construction.network, Encoder) and construction.network.readout.accept != "argmax"
]
ALL = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.controls)
    for name in (*NAMES, "nearest_to_three", *TRANSFORMED)
]


@pytest.mark.parametrize("name", ALL)
def test_all_that_is_printed_of_what_is_shipped_is_what_was_derived(name: str) -> None:
    derivation = shipped(name)
    tally: Counter[str] = Counter()
    lengths = (3,) if name in TRANSFORMED else (0, 3)
    for seed in range(7, 40):  # a sharpened network may have no value on a word
        if not tally:
            check_printed(derivation, points(derivation.construction, lengths, seed), tally)
    assert {"plain", "JSON", "LaTeX", "Markdown"} <= tally.keys()


def spoilt(text: str) -> str:
    """With another number in it, the last one."""
    head, tail = text.rsplit("2", 1)
    return f"{head}3{tail}"


Mistake = tuple[Any, str, Callable[..., Any]]
IN_PAGES: dict[str, Mistake] = {
    "plain": (plain, "closed_form", lambda old: lambda *given: spoilt(old(*given))),
    "plain, of steps": (plain, "steps", lambda old: lambda *given: re.sub(r"(\n  = .*)", r"\1 + 1", old(*given))),
    "JSON": (LogitExplained, "data", lambda old: lambda *given: _changed(old(*given))),
    "LaTeX": (tex, "fragment", lambda old: lambda *given: old(*given).replace(r"\frac{1}", r"\frac{3}")),
    "Markdown": (markdown, "page", lambda old: lambda *given: old(*given).replace(r"\frac{1}", r"\frac{3}")),
}
IN_VALUES: dict[str, Mistake] = {
    "plain, without brackets": (plain, "_bound", lambda old: lambda text, *_: text),
    "LaTeX, without brackets": (latex, "bound", lambda old: lambda text, *_: text),
    "LaTeX, without dots": (latex, "juxtaposed", lambda old: " ".join),
    "LaTeX, congruent to more": (latex, "congruent", lambda old: lambda text, m, rest: old(text, m + 1, rest)),
}


def _changed(told: dict[str, Any]) -> dict[str, Any]:
    return told | {"closed_form": spoilt(told["closed_form"])}


@pytest.mark.parametrize("who", IN_PAGES)
def test_a_mistake_in_what_is_printed_of_a_derivation_is_noticed(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, mistake = IN_PAGES[who]
    monkeypatch.setattr(module, name, mistake(getattr(module, name)))
    derivation = derivation_of("one")
    words = list(points(derivation.construction))
    with pytest.raises(AssertionError, match=who.split(",")[0]):
        check_printed(derivation, words, Counter())


@pytest.mark.parametrize("who", IN_VALUES)
def test_a_mistake_in_how_values_are_written_is_noticed(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, mistake = IN_VALUES[who]
    monkeypatch.setattr(module, name, mistake(getattr(module, name)))

    def read_all() -> None:
        for iverson in HARD_VALUES.values():
            read_back(iverson)

    with pytest.raises((AssertionError, Unread)):
        read_all()


def test_lines_of_one_equation_are_read_though_each_is_fitted_by_itself() -> None:
    lines = r"x &\fit{40.1em}{$\displaystyle {} = (a$} \\ &\fit{40.1em}{$\displaystyle {} \qquad{} + b)$}\tag{1}"
    (written,) = in_latex(rf"\begin{{align*}}{lines}\end{{align*}}").values()
    assert str(written).split() == ["(a", "+", "b)"]
