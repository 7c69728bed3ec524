"""Counterexamples at critical parameter values: where, on a given word, the derived logit or a relation of the theorem
changes its sign, and between any two such values.

Everything on a word is a rational function of the unit u = e^c, so its roots are found exactly.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction

import sympy
from flint import fmpq

from constructions.exact import Real
from constructions.interpreter import InputError, mark
from constructions.schema import Construction, Encoder
from proofs.cases import cases
from proofs.goals import margin_value
from proofs.logic import Quantifier, expressions_of, read_formula
from proofs.refute import NATURAL_SAMPLES, counterexample, words
from proofs.theorem import Margin, OnWords
from proofs.verdict import Counterexample
from symbolic.derivation import Derivation
from symbolic.evaluate import Word, specialised_logit
from symbolic.iverson import Iverson


def search_critical(
    construction: Construction, theorem: OnWords, derivation: Derivation, longest: int, shortest: int = 0
) -> Counterexample | None:
    """The first counterexample among all words of the lengths, at the critical values of the one real parameter.

    For constructions with one real parameter; others have no critical values here.
    """
    reals = [p.name for p in construction.parameters if p.kind == "real"]
    if len(reals) != 1:
        return None
    [name] = reals
    naturals = [p.name for p in construction.parameters if p.kind == "natural"]
    network = construction.network
    assert isinstance(network, Encoder)
    unit = derivation.vocabulary.unit(name)
    compared, levels = _compared(theorem, derivation, unit), _levels(theorem, derivation)
    for word in words(construction.language.alphabet, longest, shortest):
        tokens = mark(network, word)
        for choice in itertools.product(NATURAL_SAMPLES, repeat=len(naturals)) if tokens else []:
            fixed = dict(zip(naturals, choice, strict=True))
            values: dict[str, Real] = {key: fmpq(int(value)) for key, value in fixed.items()}
            at_word = Word(derivation.vocabulary, tokens, values)
            logit = specialised_logit(derivation, tokens, values)
            functions = [*(logit - at_word.opened(x) for x in levels), *map(at_word.opened, compared)]
            for value in critical_values(functions, unit):
                try:
                    found = counterexample(construction, theorem, word, {**fixed, name: f"log({value})"})
                except InputError:  # outside the parameter's domain
                    continue
                if found is not None:
                    return found
    return None


def _levels(theorem: OnWords, derivation: Derivation) -> list[Iverson]:
    """What the logit is compared with: 0, or the margin with either sign."""
    if not isinstance(theorem, Margin) or theorem.value is None:
        return [Iverson()]
    vocabulary, found = derivation.vocabulary, []
    for context, _ in cases(read_formula(theorem.hypothesis, vocabulary), vocabulary.words()):
        value = margin_value(theorem.value, context, vocabulary)
        found += [Iverson.constant(value), Iverson.constant(-value)]
    return list(dict.fromkeys(found))


def _compared(theorem: OnWords, derivation: Derivation, unit: sympy.Symbol) -> list[Iverson]:
    """What the theorem compares with 0, as far as it depends on the unit; and the unit with its least value."""
    vocabulary = derivation.vocabulary
    quantifiers: list[Quantifier] = []
    accepts = theorem.accepts or derivation.construction.language.characterisation
    formulas = [read_formula(formula, vocabulary, quantifiers=quantifiers) for formula in (theorem.hypothesis, accepts)]
    found = [e for formula in formulas for e in sorted(expressions_of(formula), key=str) if unit in e.free_symbols]
    bound = vocabulary.lower_bound(unit)
    least = [] if bound is None else [unit - sympy.Rational(bound[0].numerator, bound[0].denominator)]
    return [Iverson.constant(expression) for expression in (*found, *least)]


def critical_values(functions: Iterable[sympy.Expr], unit: sympy.Symbol) -> list[str]:
    """Positive values of u that matter to the signs of rational functions of u: their rational and quadratic roots and
    poles, exactly, and a rational number between any two neighbours among all of them and beyond the last."""
    x = sympy.Dummy("x", positive=True)
    exact: list[str] = []
    brackets: set[tuple[Fraction, Fraction]] = set()
    for function in itertools.chain.from_iterable(map(_without_absolute_values, functions)):
        numerator, denominator = sympy.fraction(sympy.cancel(sympy.expand_power_exp(function)))
        product = (numerator * denominator).xreplace({unit: x})
        if product.free_symbols - {x} or not product.is_polynomial(x):
            continue
        for factor, _ in sympy.Poly(product, x, domain="QQ").factor_list()[1]:
            if factor.degree() <= 2:
                exact += [str(sympy.radsimp(root)) for root in sympy.roots(factor, filter="R") if root.is_positive]
            for (low, high), _ in factor.intervals(eps=sympy.Rational(1, 10**6)):
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
