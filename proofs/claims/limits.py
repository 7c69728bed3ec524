"""Judges what is printed as an approximation: that the difference vanishes on each word as a parameter c grows.

A closed form is a quotient of sums of e^p(c) c^k, with polynomials p, times what does not depend on c. These compare by
the leading coefficient of the difference of their exponents, and then by k; the difference vanishes where each term
above the line grows more slowly than the fastest below it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import sympy

from weightproof.constructions.claims.statements import Logit, Value, named
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.numbers import sign
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.instances import instances, made
from weightproof.proofs.quantities.outcome import EVERY_WORD, Difference, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.telling import Case, describe
from weightproof.proofs.solving.cases import cases
from weightproof.proofs.solving.logic import read_formula
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context, form_of
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, is_power_of_e
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.rules.reading import read_scalar

MOST_SYMBOLS = 4
"""Symbols of the words on which a difference is shown not to vanish."""


@functools.total_ordering
@dataclass(frozen=True)
class Growth:
    """e^(the sum of exponents[k] c^k) c^degree, for large c: exponents from the highest power down to the first."""

    exponents: tuple[sympy.Rational, ...]
    degree: sympy.Rational

    def __lt__(self, other: Growth) -> bool:
        longest = max(len(self.exponents), len(other.exponents))
        mine, theirs = ((*(sympy.S.Zero,) * (longest - len(g.exponents)), *g.exponents) for g in (self, other))
        return (mine, self.degree) < (theirs, other.degree)


Growing = Mapping[Growth, sympy.Expr]
"""What grows so fast, times what does not depend on the parameter."""


def judge_limit(analysis: Analysis, claim: Value) -> Outcome:
    """Of a logit, on all words with the case of the claim."""
    assert claim.tends is not None
    if not isinstance(claim.of, Logit):
        return Open("limits are judged of outputs alone")
    try:
        derivation = analysis.derivation()
        words = analysis.words(derivation)
        found = [_of_case(analysis, derivation, claim, where) for where, _ in _cases(claim, derivation, words)]
    except Underivable as error:
        return Open(str(error))
    in_case = (made(claim.when, instance, analysis.alphabet) for instance in instances(analysis.construction))
    if not found or not any(in_case):
        return Open("no word that was tried is in the case of the claim: it may be vacuous")
    return next((each for each in found if not isinstance(each, Holds)), found[0])


def _cases(claim: Value, derivation: Derivation, words: Context) -> list[tuple[Context, object]]:
    formula = read_formula(claim.when, derivation.vocabulary)
    found = list(cases(formula, words))
    if any(literals for _, literals in found):
        raise Underivable(f"{claim.when} is no linear condition")
    return list(found)


def _of_case(analysis: Analysis, derivation: Derivation, claim: Value, where: Context) -> Outcome:
    vocabulary = derivation.vocabulary
    printed = read_scalar(claim.equals, vocabulary, context=where)
    difference = derivation.logit - printed
    if difference.axes:
        raise Underivable("the closed form has more than one case")
    counts = [vocabulary.total(symbol) for symbol in vocabulary.alphabet]
    absent = [count for count in counts if where.impossible(form_of(count - 1))]
    whole = sum((x for _, x in difference.terms), sympy.S.Zero).xreplace(dict.fromkeys(absent, sympy.S.Zero))
    above, below = sympy.fraction(canonical(whole))
    grow = functools.partial(growing, parameter=str(claim.tends), vocabulary=vocabulary)
    upper, lower = grow(above), grow(below)
    fastest = max(lower)
    if sign_of(lower[fastest], where, vocabulary) not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise Underivable(f"whether {lower[fastest]} is 0 on some word is open")
    as_fast = {growth: constant for growth, constant in upper.items() if not growth < fastest}
    if not as_fast:
        return Holds(EVERY_WORD, "certificate")
    for instance in instances(analysis.construction, longest=MOST_SYMBOLS):
        if made(claim.when, instance, analysis.alphabet):
            values: dict[str, Real] = {name: instance.values[name] for name in instance.parameters}
            at_word = Word(vocabulary, instance.tokens, values)
            if any(sign(at_word.expression(constant)) != 0 for constant in as_fast.values()):
                told = describe(derivation, derivation.logit, Case(claim.when), analysis.words(derivation))
                what = f"the limit of {named(claim.of)} less the printed value"
                return Fails(told, Difference(what, "0", "not 0", instance.word, instance.parameters))
    return Open("whether the difference vanishes is open")


def growing(expression: sympy.Expr, parameter: str, vocabulary: Vocabulary) -> Growing:
    """A sum by how fast its terms grow with a real parameter; Underivable where it is no such sum."""
    c, unit = vocabulary.parameter(parameter), vocabulary.unit(parameter)
    found: dict[Growth, sympy.Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(expression)):
        exponent, degree, constant = sympy.S.Zero, sympy.S.Zero, sympy.S.One
        for factor in sympy.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if base == c and power.is_Rational:
                degree += power
            elif base == unit and power.is_Rational:
                exponent += power * c
            elif is_power_of_e(base) and power.is_Rational:
                exponent += power * base.args[0]
            else:
                constant *= factor
        if constant.has(c) or constant.has(unit):
            raise Underivable(f"how {term} grows with {parameter} is not known")
        growth = Growth(_coefficients(exponent, c), degree)
        found[growth] = sympy.expand(found.get(growth, sympy.S.Zero) + constant)
    return {growth: constant for growth, constant in found.items() if constant != 0}


def _coefficients(exponent: sympy.Expr, c: sympy.Symbol) -> tuple[sympy.Rational, ...]:
    polynomial = sympy.Poly(exponent, c)
    numbers = tuple(polynomial.all_coeffs())
    if not all(number.is_Rational for number in numbers) or numbers[-1] != 0:
        raise Underivable(f"e^({exponent}) is not compared with other powers")
    return () if not exponent else numbers[:-1]
