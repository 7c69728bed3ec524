"""Proofs that a sum of powers is 0 only where every one of its coefficients is, as its base is transcendental.

e^a is transcendental for every algebraic a != 0 (Hermite 1873, Lindemann 1882; Baker, Transcendental Number Theory,
theorem 1.4). So a sum over the positions j of q(j) * e^(a*(k*j + m)), with rational q(j) and an integer k != 0, is 0
exactly where q(j) = 0 at every j: the exponents of different positions are different. What is left is that the
language says the same, position by position: no induction, and no bound on the base.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from weightproof.proofs.solving.cases import cleared_formula, obligations_of
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import (
    Flag,
    Quantifier,
    conjunction,
    negation,
    of_cell,
    read_formula,
)
from weightproof.proofs.strategies.goals import require_plain_sums
from weightproof.proofs.theorem import Decides, OnWords
from weightproof.symbolic.algebra.constants import exponent_of
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, cells, j
from weightproof.symbolic.derivation import Derivation


def has_transcendental_base(derivation: Derivation, theorem: OnWords) -> bool:
    """Whether words are decided by logit = 0, and the logit keeps one sum, of powers of a transcendental constant."""
    if not isinstance(theorem, Decides) or derivation.construction.network.readout.accept != "logit = 0":
        return False
    if len(derivation.sums) != 1 or derivation.scales:
        return False
    [total] = derivation.sums.values()
    return _base(total.body) is not None


def by_transcendence(derivation: Derivation, theorem: OnWords, words: Context) -> Iterator[Implication]:
    """At every position: where the coefficient is 0 the language's statement about it holds, and elsewhere it does not
    hold of the position, or not of its mirror image.

    Raises Underivable where the logit is not a positive or negative multiple of the sum, the summands are not rational
    multiples of one power, or the language is not characterised by one statement about all positions.
    """
    vocabulary = derivation.vocabulary
    require_plain_sums(derivation)
    [total] = derivation.sums.values()
    _require_multiple(derivation, total.symbol, words)
    quantifiers: list[Quantifier] = []
    accepts = read_formula(
        theorem.accepts or derivation.construction.language.characterisation, vocabulary, quantifiers=quantifiers
    )
    given = read_formula(theorem.hypothesis, vocabulary)
    if len(quantifiers) != 1 or accepts != Flag(quantifiers[0].flag):
        raise Underivable("the language is not characterised by one statement about all positions")
    says = quantifiers[0].body(j)
    mirrored = quantifiers[0].body(vocabulary.first + vocabulary.last - j)
    inside = words.within(j, sympy.Integer(vocabulary.first), vocabulary.last)
    exponents = set()
    for number, (cell, summand) in enumerate(cells(total.body), start=1):
        vanishes = summand == 0
        if not vanishes:
            exponents.add(_exponent(summand, _base(total.body)))
        wanted = says if vanishes else negation(conjunction(says, mirrored))
        name = f"position {number}, {'nothing' if vanishes else 'something'} added"
        yield from obligations_of(
            name,
            vocabulary,
            inside,
            conjunction(of_cell(cell), given),
            lambda context, goal=wanted: cleared_formula(goal, context, vocabulary),  # type: ignore[misc]
        )
    if len(exponents) > 1:
        raise Underivable(f"the summands are multiples of different powers, with the exponents {exponents}")


def _require_multiple(derivation: Derivation, total: sympy.Symbol, words: Context) -> None:
    """The logit is the sum times something that is never 0."""
    terms = derivation.logit.terms
    if len(terms) != 1 or terms[0][0]:
        raise Underivable("the logit is no multiple of its sum: it has several cases")
    factor = sympy.cancel(terms[0][1] / total)
    if total in factor.free_symbols:
        raise Underivable("the logit is no multiple of its sum")
    if sign_of(factor, words, derivation.vocabulary) not in (Sign.POSITIVE, Sign.NEGATIVE):
        raise Underivable("whether the factor of the sum is 0 is open")


def _base(body: Iverson) -> sympy.Symbol | None:
    """The one unit e^a, for an algebraic a != 0, whose powers with open exponents a sum has; None if there is none."""
    powers = {power for _, summand in body.terms for power in summand.atoms(sympy.Pow) if not power.exp.is_Integer}
    bases = {power.base for power in powers}
    if len(bases) != 1:
        return None
    [base] = bases
    exponent = exponent_of(base)
    return base if exponent is not None and _is_algebraic(exponent) else None


def _is_algebraic(number: sympy.Expr) -> bool:
    """Made of rational numbers and roots of them; units are made for positive exponents alone, so it is not 0."""
    match number:
        case sympy.Rational():
            return True
        case sympy.Add() | sympy.Mul():
            return all(map(_is_algebraic, number.args))
        case sympy.Pow(base=base, exp=exponent):
            return bool(exponent.is_Rational) and _is_algebraic(base)
    return False


def _exponent(summand: sympy.Expr, base: sympy.Symbol | None) -> sympy.Expr:
    """The exponent of a rational multiple of a power of the base: an integer multiple of j, and what has no j in it."""
    rational, power = summand.as_coeff_Mul()
    exponent = power.as_base_exp()[1] if power.as_base_exp()[0] == base else None
    form = None if exponent is None else linear_form(exponent)
    step = None if form is None else form.coefficient(j)
    if rational == 0 or step is None or step == 0 or step.denominator != 1:
        raise Underivable(f"{summand} is no rational multiple of a power that is another one at every position")
    return exponent
