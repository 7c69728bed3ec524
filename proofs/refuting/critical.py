"""Critical parameter values: where, on a given word, the derived logit or a relation of the theorem changes its sign,
and values between any two of them.

On a word everything is a rational function of the unit u = e^c of a real parameter c, or of c itself, so the roots are
found exactly. Of several real parameters one is varied at a time.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import sympy
from flint import fmpq

from weightproof.constructions.languages.samples import NATURAL_SAMPLES, inside, samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.counting import Runs
from weightproof.constructions.meaning.interpreter import decision
from weightproof.constructions.meaning.running import Run
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.exact import Real, exp
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.refuting.long import counterexample_in_runs, marked, merged, spelled, symbols_in
from weightproof.proofs.refuting.refute import likely_words
from weightproof.proofs.solving.cases import cases
from weightproof.proofs.solving.logic import Quantifier, expressions_of, read_formula
from weightproof.proofs.strategies.goals import value_of
from weightproof.proofs.theorem import Decides, Margin, OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word, evaluate_logit, specialised_logit

LONGEST_EXAMINED = 5_000
"""Symbols of the longest word whose own critical values are looked for."""
RATIONAL = re.compile(r"\d+(/\d+)?")
CRITICAL = 20_000
"""Steps to find the critical values on a word, and to try them."""
MOST_NAMED = 8
"""Numbers that a theorem names, near which words and parameters are tried."""
NEARBY = Fraction(1, 10**6)
"""How far from a root its sign is taken, at most."""


@dataclass(frozen=True)
class Relations:
    """What changes its sign where a theorem's answer on a word may change: logit - level, and what is compared.

    named: the whole numbers that the theorem names, near which a natural parameter may matter beside counts and sums.
    """

    derivation: Derivation
    levels: tuple[Iverson, ...]
    compared: tuple[Iverson, ...]
    named: tuple[int, ...] = ()

    def reader(self, tokens: Sequence[str], values: Mapping[str, Real]) -> Run:
        """What the closed form says of a word: a lead, not a run."""
        return closed_run(self.derivation, tokens, evaluate_logit(self.derivation, tokens, values))


def relations(theorem: OnWords, derivation: Derivation) -> Relations:
    """Raises Underivable or ValueError where a formula of the theorem cannot be read."""
    levels, compared = _levels(theorem, derivation), _compared(theorem, derivation)
    return Relations(derivation, tuple(levels), tuple(compared), tuple(named(derivation.construction, theorem)))


def closed_run(derivation: Derivation, tokens: Sequence[str], logit: Real) -> Run:
    """A run without vectors, of a marked word with this logit."""
    return Run(tuple(tokens), (), logit, *decision(derivation.construction.network.readout, logit))


def search_critical(
    construction: Construction, theorem: OnWords, derivation: Derivation, longest: int, budget: Budget
) -> Counterexample | None:
    """The first counterexample among likely words of up to `longest` symbols, at critical values of a real
    parameter."""
    if all(p.is_natural for p in construction.parameters):
        return None
    naturals = [p.name for p in construction.parameters if p.is_natural]
    defaults = {p.name: str(p.default) for p in construction.parameters}
    known = relations(theorem, derivation)
    for length in range(longest + 1):
        for word in likely_words(construction, theorem, length):
            for choice in itertools.product(NATURAL_SAMPLES, repeat=len(naturals)):
                if not budget.allows(CRITICAL):
                    return None
                given = defaults | dict(zip(naturals, choice, strict=True))
                runs = merged([(symbol, 1) for symbol in word])
                found = on_word(construction, theorem, known, runs, given)
                if found is not None:
                    return found
    return None


def on_word(
    construction: Construction, theorem: OnWords, known: Relations, runs: Runs, given: Mapping[str, str]
) -> Counterexample | None:
    """A counterexample on a word at a critical value of one real parameter, the other parameters as given; of a word of
    more than LONGEST_EXAMINED symbols these values are not looked for."""
    tokens = spelled(marked(construction.encoder, runs)) if symbols_in(runs) <= LONGEST_EXAMINED else ()
    for parameters in inside(construction, critical_parameters(known, tokens, given)) if tokens else ():
        found = counterexample_in_runs(construction, theorem, runs, parameters, known.reader)
        if found is not None:
            return found
    return None


def settings(construction: Construction, known: Relations) -> list[dict[str, str]]:
    """Parameter values to try on any word: the defaults, those that are critical to the theorem, the samples."""
    default, *others = samples(construction)
    vocabulary, found = known.derivation.vocabulary, [default]
    compared = [sum((value for _, value in relation.terms), sympy.S.Zero) for relation in known.compared]
    for name in vocabulary.real:
        found += [{**default, name: text} for text in _critical_logarithms(compared, name, vocabulary)]
        found += [{**default, name: value} for value in critical_values(compared, vocabulary.parameter(name))]
    for name in vocabulary.natural:
        critical = _critical_numbers(compared, vocabulary.parameter(name))
        found += [{**default, name: str(value)} for value in (*critical, *beside(known.named))]
    return list(inside(construction, (*found, *others)))


def settings_without_derivation(construction: Construction, theorem: OnWords) -> list[dict[str, str]]:
    """The same where nothing is derived: the samples, and the numbers that the theorem names."""
    default, *others = samples(construction)
    naturals = [p.name for p in construction.parameters if p.is_natural]
    near = [{**default, name: str(value)} for name in naturals for value in beside(named(construction, theorem))]
    return list(inside(construction, (default, *near, *others)))


def _critical_numbers(functions: Iterable[sympy.Expr], parameter: sympy.Symbol) -> list[int]:
    """The natural numbers next to where one of the functions of a parameter changes its sign."""
    alone = [function for function in functions if function.free_symbols == {parameter}]
    roots = [Fraction(text) for text in critical_values(alone, parameter) if RATIONAL.fullmatch(text)]
    return beside(map(floor, roots))


def beside(numbers: Iterable[int]) -> list[int]:
    """Natural numbers, and those next to them."""
    return sorted({whole for number in numbers for whole in (number - 1, number, number + 1) if whole >= 0})


def named(construction: Construction, theorem: OnWords) -> list[int]:
    """The whole numbers in the formulas of a theorem, MOST_NAMED at most, the greatest: others are tried anyway."""
    formulas = [theorem.hypothesis, theorem.accepts or construction.language.characterisation]
    if not isinstance(theorem, Decides) and theorem.value is not None:
        formulas.append(theorem.value)
    nodes = itertools.chain.from_iterable(ast.walk(formula.tree) for formula in formulas)
    return sorted({each.value for each in nodes if isinstance(each, ast.Constant) and type(each.value) is int})[
        -MOST_NAMED:
    ]


def critical_parameters(known: Relations, tokens: Sequence[str], given: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """The given values with one real parameter, each in turn, at the values that are critical on a marked word."""
    vocabulary = known.derivation.vocabulary
    naturals: dict[str, Real] = {name: fmpq(int(given[name])) for name in vocabulary.natural}
    at_word = Word(vocabulary, tokens, naturals)
    logit = specialised_logit(known.derivation, tokens, naturals)
    functions = [*(logit - at_word.opened(x) for x in known.levels), *map(at_word.opened, known.compared)]
    for name in vocabulary.real:
        others = _rational_values({other: given[other] for other in vocabulary.real if other != name}, vocabulary)
        here = [function.xreplace(others) for function in functions]
        for text in _critical_logarithms(here, name, vocabulary):
            yield {**given, name: text}
        if vocabulary.parameter(name) in logit.free_symbols:
            for value in critical_values(here, vocabulary.parameter(name)):
                yield {**given, name: value}


def _critical_logarithms(functions: Sequence[sympy.Expr], name: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Values of a real parameter at which e to it, or e to an irrational multiple of it, is critical."""
    for symbol in sorted({vocabulary.unit(name)}.union(*(each.free_symbols for each in functions)), key=str):
        match vocabulary.multiple(symbol):
            case (of, factor) if of == name:
                divisor = "" if factor == 1 else f"/({factor})"
                yield from (f"log({value}){divisor}" for value in critical_values(functions, symbol))


def _rational_values(given: Mapping[str, str], vocabulary: Vocabulary) -> dict[sympy.Expr, sympy.Expr]:
    """Real parameters and their units, as far as their values are rational."""
    result: dict[sympy.Expr, sympy.Expr] = {}
    for name, said in given.items():
        value = evaluate(Expression(said), {})
        for atom, number in ((vocabulary.parameter(name), value), (vocabulary.unit(name), exp(value))):
            if isinstance(number, fmpq):
                result[atom] = sympy.Rational(int(number.p), int(number.q))
    return result


def _levels(theorem: OnWords, derivation: Derivation) -> list[Iverson]:
    """What the logit is compared with: 0, a value, or a margin with either sign."""
    if isinstance(theorem, Decides) or theorem.value is None:
        return [Iverson()]
    vocabulary, found = derivation.vocabulary, []
    for context, _ in cases(read_formula(theorem.hypothesis, vocabulary), vocabulary.words()):
        value = value_of(theorem.value, context, vocabulary)
        found += [Iverson.constant(value), *([Iverson.constant(-value)] if isinstance(theorem, Margin) else [])]
    return list(dict.fromkeys(found))


def _compared(theorem: OnWords, derivation: Derivation) -> list[Iverson]:
    """What the theorem compares with 0, where it depends on a parameter; and each unit with its least value."""
    vocabulary = derivation.vocabulary
    quantifiers: list[Quantifier] = []
    accepts = theorem.accepts or derivation.construction.language.characterisation
    formulas = [read_formula(formula, vocabulary, quantifiers=quantifiers) for formula in (theorem.hypothesis, accepts)]
    names = {f(name) for name in vocabulary.real for f in (vocabulary.unit, vocabulary.parameter)}
    names |= {vocabulary.parameter(name) for name in vocabulary.natural}
    found = [e for formula in formulas for e in sorted(expressions_of(formula), key=str) if names & e.free_symbols]
    for unit in map(vocabulary.unit, vocabulary.real):
        bound = vocabulary.lower_bound(unit)
        if bound is not None:
            found.append(unit - sympy.Rational(bound[0].numerator, bound[0].denominator))
    return [Iverson.constant(expression) for expression in found]


def is_expression(text: str) -> bool:
    """Whether a number can be written in the language of the data."""
    try:
        expression(text)
    except ExpressionError:  # a root of a root
        return False
    return True


HIGHEST_DEGREE = 100
"""Of a polynomial whose roots are looked for."""


def critical_values(functions: Iterable[sympy.Expr], unknown: sympy.Symbol) -> list[str]:
    """Positive values of u that matter to the signs of rational functions of u: exactly those of their roots and poles
    that are rational, quadratic, roots of rationals, or roots of linear functions; and a rational number between any
    two neighbours among all of them and beyond the last. Numerators and denominators of a high degree are left out."""
    x = sympy.Dummy("x", positive=True)
    exact: list[str] = []
    brackets: set[tuple[Fraction, Fraction]] = set()
    for function in itertools.chain.from_iterable(map(_without_absolute_values, functions)):
        numerator, denominator = sympy.fraction(sympy.cancel(sympy.expand_power_exp(function)))
        product = (numerator * denominator).xreplace({unknown: x})
        if product.free_symbols - {x} or not product.is_polynomial(x):
            continue
        polynomial = sympy.Poly(product, x)
        if polynomial.degree() == 1 and (root := sympy.radsimp(-polynomial.nth(0) / polynomial.LC())).is_positive:
            exact += [text for text in (str(root),) if is_expression(text)]
            near = Fraction(str(root.evalf(20)))
            brackets.add((near * (1 - NEARBY), near * (1 + NEARBY)))
            continue
        if not (polynomial.domain.is_ZZ or polynomial.domain.is_QQ):  # a logarithm among the coefficients, say
            continue
        if polynomial.degree() > HIGHEST_DEGREE:  # its factors would take minutes
            continue
        for factor, _ in polynomial.set_domain("QQ").factor_list()[1]:
            if factor.degree() <= 2:
                exact += [str(sympy.radsimp(root)) for root in sympy.roots(factor, filter="R") if root.is_positive]
            elif len(factor.terms()) == 2 and factor.nth(0) != 0 and (power := -factor.nth(0) / factor.LC()) > 0:
                exact.append(f"exp(log({power})/{factor.degree()})")
            for (low, high), _ in factor.intervals(eps=sympy.Rational(NEARBY.numerator, NEARBY.denominator)):
                brackets.add((Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))))
    ends = [Fraction(0), *itertools.chain.from_iterable(sorted(brackets))]
    between = [(left + right) / 2 for left, right in itertools.pairwise(ends)][::2] if brackets else []
    rational = [value.limit_denominator(10**6) for value in (*between, ends[-1] + 1)]
    return list(dict.fromkeys([*exact, *(str(value) for value in rational if value > 0)]))


def _without_absolute_values(function: sympy.Expr) -> list[sympy.Expr]:
    """The function with each absolute value |x| replaced by x and by -x, and x itself."""
    absolute = sorted(function.atoms(sympy.Abs), key=str)
    signs = itertools.product((1, -1), repeat=len(absolute))
    options = [{a: s * a.args[0] for a, s in zip(absolute, chosen, strict=True)} for chosen in signs]
    return [*(function.xreplace(option) for option in options), *(a.args[0] for a in absolute)]
