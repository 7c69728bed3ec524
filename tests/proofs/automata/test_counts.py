"""Numbers of positions up to another one inside of statements, as sums that paths guess, against what formulas mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
import sympy

from tests.proofs.automata.networks import ONE, of
from tests.proofs.automata.test_sentences import ALPHABET, MARKERS, Tokens, words
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import COMPARISONS
from weightproof.proofs.automata import tallies
from weightproof.proofs.automata.cases import Case, cases_of
from weightproof.proofs.automata.formulas import read
from weightproof.proofs.automata.network import read as read_network
from weightproof.proofs.automata.runs import Edge, Runs, Tally
from weightproof.proofs.automata.sentences import Sentence
from weightproof.proofs.automata.walking import path_of
from weightproof.proofs.solving.logic import And, Formula, Or, Rel
from weightproof.symbolic.algebra.vocabulary import Underivable

FORMULAS = (
    "all(count('1', j) >= count('0', j) for j in positions)",
    "any(count('1', j) > count('0', j) + 1 for j in positions)",
    "all(2*count('1', j) >= 3*count('0', j) - 1/2 for j in positions)",
    "all(count('1', j - 1) <= count('0', j) for j in positions)",
    "all(sum((w[k] == '1')*(k < j) for k in positions) != 2 for j in positions)",
    "any(w[j] == '0' and count('1', j) == 3 for j in positions)",
    "any(2*count('1', j) > j for j in positions)",
    "any(2*sum((w[k] == '1')*(k < j) for k in positions) > j for j in positions)",
    "all(count('1', j) - count('0', j) != j/3 for j in indices)",
    "sum((count('1', j) > count('0', j)) for j in positions) >= 2",
    "2*sum((count('1', j) == count('0', j)) for j in indices) > n",
    "sum((sum((count('1', k) > count('0', k))*(k <= j) for k in positions) > 1) for j in positions) > 1",
    "any(w[j] == '1' and sum((w[k+1] == '0')*(j >= k) for k in positions) >= 2 for j in positions)",
    "all(any(k <= j and count('1', k) > count('0', k) for k in positions) or w[j] == '0' for j in positions)",
    "all(w[j] != '1' or count('0', j) == 0 for j in positions) and count('1') == count('0')",
    "all(sum((w[k] == '1' and w[k-1] == '0')*(k <= j) for k in positions) <= 1 for j in positions)",
    "any(count('1', j) + count('0', j) == 4 and w[j] == '1' for j in positions)",
    "all(count('1', j) <= 4 and count('1', j) >= j - 4 for j in positions)",
    "all(count('1', j) % 2 == 0 or w[j] == '1' for j in positions)",
    "sum(((count('1', j - 1) + 2*count('0', j) + j) % 3 == 1) for j in positions) > 2",
    "all(count('1', j) + count('0', j - 1) != 3 for j in indices)",
)


def construction(formula: str, begin: str | None, end: str | None) -> Construction:
    """A network that has nothing to do with the formula."""
    made = of(logit={ONE: 1}, position="last")
    embedding = {"0": {}, "1": {ONE: 1}} | {marker: {} for marker in (begin, end) if marker}
    changed: dict[str, Any] = {"begin": begin, "end": end}
    network = type(made)(
        **{name: getattr(made, name) for name in ("coordinates", "layers", "readout")},
        embedding=type(made.embedding)(WE=embedding),  # type: ignore[arg-type]
        **changed,
    )
    language = Language(name="L", alphabet=ALPHABET, member=lambda word: True, characterisation=formula)
    return Construction(name="drawn", title="drawn", source="own", language=language, network=network)


def true(formula: Formula, uses: dict[sympy.Symbol, int]) -> bool:
    match formula:
        case And(parts=parts):
            return all(true(part, uses) for part in parts)
        case Or(parts=parts):
            return any(true(part, uses) for part in parts)
        case Rel(op=op, expression=expression):
            value = sympy.sympify(expression).xreplace({name: sympy.Integer(own) for name, own in uses.items()})
            return bool(COMPARISONS[op](int(sympy.sign(value))))
    raise AssertionError(formula)


def said(cases: Sequence[Case], sentence: Sentence, tokens: Tokens) -> bool:
    """What the one case that has the word says; AssertionError where there is none, or more."""
    found = list[bool]()
    for case in cases:
        try:
            path = path_of(case.flow.runs, tokens)
        except ArithmeticError:
            continue
        often = Counter(path)
        uses = {symbol: often[edge] for edge, symbol in case.flow.uses.items()}
        assert all(true(each, uses) for each in (*case.flow.balanced, *case.sums))
        found.append(true(case.formula(sentence), uses))
    assert len(found) == 1, (tokens, len(found))
    return found[0]


def wrong(formula: str, begin: str | None, end: str | None) -> Tokens | None:
    """The first word of which the sentence and the formula say something different."""
    made, expression = construction(formula, begin, end), Expression(formula)
    sentence = read(expression)
    cases = tuple(cases_of(made, read_network(made), (sentence,)))
    for tokens in words(begin, end):
        if tokens and said(cases, sentence, tokens) != holds(expression, {}, tokens, ALPHABET):
            return tokens
    return None


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_word_is_one_path_on_which_its_formula_is_what_is_said(formula: str) -> None:
    begin, end = MARKERS[FORMULAS.index(formula) % len(MARKERS)]
    assert wrong(formula, begin, end) is None


@pytest.mark.controls
@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize(("begin", "end"), MARKERS)
def test_so_it_is_between_all_markers(formula: str, begin: str | None, end: str | None) -> None:
    assert wrong(formula, begin, end) is None


def drawn(seed: int) -> str:
    """A statement about counts up to a position, inside of another one or of a sum."""
    random = Random(seed)

    def count(known: str) -> str:
        symbol, shown = random.choice(ALPHABET), random.choice(("{}", "{}", "{} - 1"))
        return f"{random.choice((1, 1, 2, -1))}*count('{symbol}', {shown.format(known)})"

    def compared(known: str) -> str:
        op, constant = random.choice(("==", "!=", "<", "<=", ">", ">=")), random.choice((0, 0, 1, 2, "1/2", known))
        shift = random.choice(("j", "j", "j - 1"))
        symbols = random.sample(ALPHABET, random.choice((1, 2, 2)))
        parts = [f"{random.choice((1, 1, 2, -1))}*count('{symbol}', {shift})" for symbol in symbols]
        return f"({' + '.join(parts)} {op} {constant})".replace("j", known)

    def atom(known: str) -> str:
        what = random.choice((compared, compared, compared, lambda k: f"(w[{k}] == '{random.choice(ALPHABET)}')"))
        return what(known)

    inner = f"({atom('j')} {random.choice(('and', 'or'))} {random.choice(('', 'not '))}{atom('j')})"
    outer = random.choice(
        (
            "all({} for j in positions)",
            "any({} for j in positions)",
            "any({} for j in indices)",
            "sum({} for j in positions) > 1",
            "sum({} for j in positions) == count('1')",
            "2*sum({} for j in indices) > n",
            "any(w[j] == '1' and sum({}*(k <= j) for k in positions) > 1 for j in positions)",
        )
    )
    return outer.format(inner.replace("j", "k") if "for k" in outer else inner)


@pytest.mark.parametrize("seed", range(10))
def test_so_it_is_of_drawn_formulas(seed: int) -> None:
    begin, end = MARKERS[seed % len(MARKERS)]
    assert wrong(drawn(seed), begin, end) is None, drawn(seed)


@pytest.mark.controls
@pytest.mark.parametrize("seed", range(100, 300))
def test_so_it_is_of_many_drawn_formulas(seed: int) -> None:
    begin, end = MARKERS[seed % len(MARKERS)]
    assert wrong(drawn(seed), begin, end) is None, drawn(seed)


REFUSED = {
    "all(count('1') > 1 or w[j] == '1' for j in positions)": "of the whole word inside of a statement",
    "all(count('1', j) > count('0') for j in positions)": "none of those up to",
    "all(count('1', j) == count('1', j - 1) for j in positions)": "with the one up to which it is and without it",
    "all(count('1', j + 1) > 1 for j in positions)": "none of those up to",
    "any(count('1', j) + j > n for j in positions)": "compared with two of them",
    "any((count('1', j) + j + n) % 2 == 0 for j in positions)": "neither a position nor a number",
    "all(sum((w[k] == '1')*(k > j) for k in positions) > 1 for j in positions)": "none of those up to",
    "all((count('1', j) + count('1')) % 2 == 0 for j in positions)": "none of those up to",
}


@pytest.mark.parametrize("formula", REFUSED)
def test_what_no_sum_tells_is_refused_in_one_line(formula: str) -> None:
    with pytest.raises(Underivable, match=REFUSED[formula]) as refused:
        wrong(formula, "C", None)
    assert "\n" not in str(refused.value)


STEP, SIGN, BETWEEN = tallies._step, tallies._sign, tallies._between
PLANTED: dict[str, tuple[str, Callable[..., Any]]] = {
    "a sum that is off by a step": ("_step", lambda edge: STEP(edge) + 1),
    "a sign that is turned": ("_sign", lambda span, cut: -SIGN(span, cut)),
    "equality as above": ("_sign", lambda span, cut: SIGN(span, cut) or 1),
}


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_planted_mistake_is_seen(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, planted = PLANTED[mistake]
    monkeypatch.setattr(tallies, name, planted)
    with pytest.raises(AssertionError):
        assert [wrong(formula, "C", None) for formula in FORMULAS[:6]] == [None] * 6


def test_a_path_that_says_what_is_not_so_is_none_of_a_word() -> None:
    """Two edges for a 1, of which one says that there were two before."""
    edges = (
        Edge(0, 1, "1", tallies=(Tally(1, 1, 1),)),
        Edge(1, 2, "1", tallies=(Tally(1, 2, 2),)),
        Edge(1, 2, "1", tallies=(Tally(1, 3, None),)),
    )
    runs = Runs(edges, frozenset({0}), frozenset({2}))
    assert path_of(runs, "11") == edges[:2]
    with pytest.raises(ArithmeticError, match="0 paths"):
        path_of(runs, "111")
