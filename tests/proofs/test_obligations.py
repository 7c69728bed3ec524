"""Obligations say what the theorem says: they hold on every short word, and every short word falls under one of them.

A case dropped by mistake, or a hypothesis too strong, would prove anything; here each word, and in inductions each
position of each word, must meet an obligation whose hypotheses and goal are true of it.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import fmpq

from tests.support.derived import derivation_of
from weightproof.constructions.languages.samples import samples, words
from weightproof.constructions.library import names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.deciding import obligations
from weightproof.proofs.solving.atoms import contexts_with_facts
from weightproof.proofs.solving.close import close, confirm
from weightproof.proofs.solving.implication import Implication, to_smt
from weightproof.proofs.solving.logic import FALSE, And, Formula, Or, Rel
from weightproof.proofs.solving.solvers import SOLVERS, ask
from weightproof.proofs.strategies.found.search import find, takes_one
from weightproof.proofs.strategies.inductive.induction import by_induction
from weightproof.proofs.theorem import Decides, Margin, OnWords, theorems_of
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.linear import Context, Fact, linear_form
from weightproof.symbolic.algebra.vocabulary import j, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word

LONGEST = 5

K1 = derivation_of("parity").vocabulary.total("1")


def _proved() -> list[Any]:
    """Margins, of which there are many, are of `make controls`."""
    return [
        pytest.param(
            name,
            theorem,
            id=f"{name}: {theorem.name}",
            marks=[pytest.mark.controls] if isinstance(theorem, Margin) else [],
        )
        for name in names()
        for theorem in theorems_of(name)
        if isinstance(theorem, OnWords) and theorem.expected == "proved" and getattr(theorem, "up_to", None) is None
    ]


class Valuation(Word):
    """A marked word with the values of sums and of a position j, as obligations speak of them."""

    def __init__(
        self, derivation: Derivation, tokens: tuple[str, ...], values: Mapping[str, Real], position: int
    ) -> None:
        super().__init__(derivation.vocabulary, tokens, values)
        sums: dict[sympy.Expr, Real] = {}
        for symbol, total in derivation.sums.items():
            running: Real = fmpq(0)
            for place in range(int(total.lo), position + 1):
                self.values[j] = fmpq(place)
                running = running + self.iverson(total.body)
            sums[symbol] = running
        self.values |= sums | {j: fmpq(position)}
        self.known: dict[Formula, bool] = {}

    def atom(self, atom: Any) -> Real:
        if isinstance(atom, sympy.Symbol) and " // " in str(atom):  # the quotient that belongs to a residue
            dividend, divisor = str(atom).split(" // ")
            known = {str(symbol): symbol for symbol in self.values if isinstance(symbol, sympy.Symbol)}
            value = self.expression(sympy.sympify(dividend, locals=known))
            return fmpq(int(value.p) // int(divisor))
        return super().atom(atom)

    def true(self, formula: Formula) -> bool:
        if formula not in self.known:
            self.known[formula] = self._true(formula)
        return self.known[formula]

    def _true(self, formula: Formula) -> bool:
        match formula:
            case Rel(op=op, expression=expression):
                direction = sign(self.expression(expression))
                return {"==": direction == 0, ">=": direction >= 0, ">": direction > 0}[op]
            case And(parts=parts):
                return all(map(self.true, parts))
            case Or(parts=parts):
                return any(map(self.true, parts))
        raise TypeError(formula)

    def meets(self, item: Implication) -> bool:
        """Whether the hypotheses are true here."""
        return all(map(self.true, (*_linear(item.context), *item.relations)))


@functools.cache
def _linear(context: Context) -> tuple[Rel, ...]:
    return tuple(Rel(">=", form.expression()) for form in context.constraints)


@functools.cache
def _valuation(name: str, tokens: tuple[str, ...], values: tuple[tuple[str, Real], ...], position: int) -> Valuation:
    """The same for all theorems about a construction."""
    return Valuation(derivation_of(name), tokens, dict(values), position)


def _runs(construction: Construction, theorem: OnWords) -> Iterator[tuple[tuple[str, ...], dict[str, Real]]]:
    """Marked words with parameter values that satisfy the theorem's hypothesis."""
    network = construction.network
    assert isinstance(network, Encoder)
    alphabet = construction.language.alphabet
    for word, given in itertools.product(words(alphabet, LONGEST), samples(construction)):
        values, tokens = parameter_values(construction, given), add_markers(network, word)
        if tokens and holds(theorem.hypothesis, values, tokens, alphabet):
            yield tokens, values


def _speaks_of(theorem: OnWords, construction: Construction, tokens: tuple[str, ...], values: dict[str, Real]) -> bool:
    """Whether a word is on the side of a theorem."""
    language = construction.language
    member = holds(language.characterisation, values, tokens, language.alphabet)
    return not isinstance(theorem, Margin) or member == (theorem.side == "accepted")


def _uncovered(derivation: Derivation, theorem: OnWords, items: list[Implication]) -> list[str]:
    """Where no obligation is met, or one is met whose goal is false."""
    vocabulary, construction = derivation.vocabulary, derivation.construction
    steps = [item for item in items if item.name.startswith("step")]
    elsewhere = ("step", "base", "a word for each n", "attained")  # the last two are about a family of words
    ends = [item for item in items if not item.name.startswith(elsewhere)]
    wrong = []
    for tokens, values in _runs(construction, theorem):
        last = len(tokens) - 1 - int(vocabulary.end)
        at = functools.partial(_valuation, construction.name, tokens, tuple(values.items()))
        at_end = at(last)
        met = [item for item in ends if at_end.meets(item)]
        missed = not met and _speaks_of(theorem, construction, tokens, values)
        if missed or not all(at_end.true(item.goal) for item in met):
            wrong.append(f"{''.join(tokens)}: {[item.name for item in met]}")
        for place in range(vocabulary.first - 1, last) if theorem.invariant is not None else []:
            here = at(place)
            mine = [item for item in steps if item.name.startswith(f"step on {tokens[place + 1]}")]
            met = [item for item in mine if here.meets(item)]
            if not met or not all(here.true(item.goal) for item in met):
                wrong.append(f"{''.join(tokens)} at {place}: {[item.name for item in met]}")
    return wrong


@functools.cache
def with_invariant(name: str, theorem: OnWords) -> OnWords:
    """The theorem with the invariant that is found where one is needed and none is given."""
    derivation = derivation_of(name)
    if not takes_one(derivation, theorem):
        return theorem
    return replace(theorem, invariant=find(derivation, theorem, Deadline.after(120)))


@pytest.mark.parametrize(("name", "theorem"), _proved())
def test_every_word_meets_an_obligation_that_holds_of_it(name: str, theorem: OnWords) -> None:
    derivation, theorem = derivation_of(name), with_invariant(name, theorem)
    items = list(obligations(derivation, theorem, derivation.vocabulary.words()))
    assert _uncovered(derivation, theorem, items) == []


@pytest.mark.parametrize("name", ["parity", "dyck1"])
def test_a_dropped_case_is_noticed(name: str) -> None:
    derivation = derivation_of(name)
    stated = theorems_of(name)[0]
    assert isinstance(stated, Decides)
    theorem = with_invariant(name, stated)
    items = list(obligations(derivation, theorem, derivation.vocabulary.words()))
    assert any(_uncovered(derivation, theorem, [*items[:drop], *items[drop + 1 :]]) for drop in range(len(items)))


def test_a_hypothesis_too_strong_is_noticed() -> None:
    derivation = derivation_of("one")
    [theorem, *_] = theorems_of("one")
    assert isinstance(theorem, Decides)
    form = linear_form(n - 4)
    assert form is not None
    items = [
        replace(item, context=item.context.given(form))
        for item in obligations(derivation, theorem, derivation.vocabulary.words())
    ]
    assert _uncovered(derivation, theorem, items)


def test_a_side_condition_that_does_not_hold_is_found() -> None:
    vocabulary = derivation_of("one").vocabulary
    form = linear_form(n - 3)
    assert form is not None
    confirmed = confirm([Fact(frozenset({form}))], vocabulary, timeout=20)
    assert confirmed.evidence is None
    assert "z3 and cvc5 found a side condition that does not hold" in confirmed.reason


@pytest.mark.parametrize(("name", "theorem"), _proved())
def test_both_solvers_agree_with_the_written_status(name: str, theorem: OnWords) -> None:
    """Each obligation as SMT-LIB 2, integers as integers: unsat as announced, or no answer; never sat."""
    derivation, theorem = derivation_of(name), with_invariant(name, theorem)
    answers = set()
    for item in obligations(derivation, theorem, derivation.vocabulary.words()):
        script = to_smt(item, integers=True)
        assert "(set-info :status unsat)" in script
        answers |= {ask(solver, script, 5).status for solver in SOLVERS}
    assert "unsat" in answers
    assert "sat" not in answers


def test_a_wrong_goal_is_not_closed() -> None:
    """Every obligation of every direct proof, its goal negated, stays open."""
    for name, theorem in (parameter.values for parameter in _proved()):
        if isinstance(theorem, Margin):
            continue  # see test_margins.py
        derivation = derivation_of(name)
        for item in obligations(derivation, with_invariant(name, theorem), derivation.vocabulary.words()):
            assert close(replace(item, goal=FALSE), timeout=5).evidence is None, item.name


def test_an_invariant_that_is_too_weak_proves_nothing() -> None:
    derivation = derivation_of("dyck1")
    words_context = derivation.vocabulary.words()
    weak = Decides("weak", "", invariant="S1 <= 0")
    closed = [close(item, timeout=5).evidence for item in by_induction(derivation, weak, words_context)]
    assert None in closed


def test_an_invariant_that_is_too_strong_proves_nothing() -> None:
    derivation = derivation_of("dyck1")
    strong = Decides("strong", "", invariant="S1 == 0")
    items = by_induction(derivation, strong, derivation.vocabulary.words())
    closed = {item.name: close(item, timeout=5).evidence for item in items}
    assert any(evidence is None for name, evidence in closed.items() if name.startswith("step"))


def test_a_goal_that_exact_arithmetic_settles_needs_no_solver() -> None:
    vocabulary = derivation_of("one").vocabulary
    item = Implication("n is positive", vocabulary, vocabulary.words(), (), Rel(">", n))
    closed = close(item, timeout=5)
    assert closed.evidence is Evidence.CERTIFICATE


def test_nothing_is_assumed_of_a_power_of_a_count() -> None:
    """0^(n-1) is 0, so that a power of a count is not positive."""
    vocabulary = derivation_of("one").vocabulary
    power = vocabulary.total("1") ** (n - 1)
    item = Implication("power", vocabulary, vocabulary.words(), (), Rel(">", power))
    assert close(item, timeout=5).evidence is None


@pytest.mark.parametrize(("bound", "closed"), [(Fraction(5, 2), True), (Fraction(12, 5), False)])
def test_the_root_of_a_number_is_known_from_both_sides(bound: Fraction, closed: bool) -> None:
    """12/5 < sqrt(6) < 5/2."""
    vocabulary = derivation_of("one").vocabulary
    goal = Rel(">", sympy.Rational(bound.numerator, bound.denominator) - sympy.sqrt(6))
    item = Implication("root", vocabulary, vocabulary.words(), (), goal)
    assert (close(item, 10).evidence is not None) == closed


U = derivation_of("parity").vocabulary.unit("c")


@pytest.mark.parametrize(
    ("argument", "given", "goal", "closed"),
    [
        (U - 1, 2 - U, -1, True),
        (U - 1, 3 - U, -1, False),
        (U - 1, U - 2, 1, True),
        (U - 1, U - 2, -1, False),
        (1 / U, U - 1, -1, True),  # where there is a denominator
        (1 / (1 - U), U - 1, -1, True),  # and where that is negative: such a logarithm is nowhere taken
        (sympy.log(U), U - 3, -1, False),  # the logarithm of a logarithm is a number, of which no more is known
    ],
)
def test_the_sign_of_a_logarithm_is_that_of_its_argument_less_1(
    argument: sympy.Expr, given: sympy.Expr, goal: int, closed: bool
) -> None:
    vocabulary = derivation_of("parity").vocabulary
    wanted = Rel(">", goal * sympy.log(argument))
    item = Implication("sign", vocabulary, vocabulary.words(), (Rel(">", given),), wanted)
    assert (close(item, 10).evidence in (Evidence.CERTIFICATE, Evidence.TWO_SOLVERS)) == closed


def test_contradictory_hypotheses_are_named_vacuous() -> None:
    vocabulary = derivation_of("one").vocabulary
    form = linear_form(-n)
    assert form is not None
    item = Implication("nothing", vocabulary, Context(frozenset(), 2).given(form), (Rel(">", n - 1),), FALSE)
    assert close(item, timeout=5).vacuous


@pytest.mark.parametrize(("count", "residue", "possible"), [(0, 0, True), (0, 1, False), (1, 1, True)])
def test_the_residue_of_0_is_0(count: int, residue: int, possible: bool) -> None:
    vocabulary = derivation_of("parity").vocabulary
    ones, rest = vocabulary.total("1"), sympy.Mod(vocabulary.total("1"), 2, evaluate=False)
    forms = [form for e in (ones - count, rest - residue) if (form := linear_form(e)) is not None]
    assert len(forms) == 2
    assert bool(list(contexts_with_facts(vocabulary.words().equal(*forms), [], vocabulary))) is possible


@pytest.mark.parametrize(("goal", "holds"), [(2 * K1 - 1, False), (3 * K1 - 1, False), (2 * K1 + 1, True), (K1, True)])
def test_a_linear_goal_is_shown_where_it_holds_of_all_integers(goal: sympy.Expr, holds: bool) -> None:
    """2 k - 1 >= 0 fails at k = 0, though no k is -1 or less."""
    vocabulary = derivation_of("parity").vocabulary
    item = Implication("linear", vocabulary, vocabulary.words(), (), Rel(">=", goal))
    assert (close(item, 10).evidence is not None) == holds
