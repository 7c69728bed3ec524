"""Goals that follow from others, as certificates show: from one hypothesis, or from one without a root.

From one hypothesis follows a goal of which a positive multiple, less a multiple of the hypothesis, is not negative: x >
0 from y > 0 where p x - q y >= 0, with p > 0 and q >= 0. Multiples are tried in which one monomial cancels; p and q are
made of numbers and of constants as e.

A goal with a square root of a number, P sqrt(r) + Q, is replaced by its product with P sqrt(r) - Q, which has no root.
Where no term of this conjugate is negative, the product has the sign of the goal: where the conjugate is 0, each term
of it is, and these are those of the goal but for their signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.solving.reasons import FromHypothesis
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.constants import constant_bounds
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary

MOST_MULTIPLES = 12
"""Different multiples that are tried of one hypothesis."""


def follows(goal: Rel, hypotheses: tuple[Rel, ...], context: Context, vocabulary: Vocabulary) -> FromHypothesis | None:
    """How certificates show an inequality from one of the hypotheses, which are inequalities or equations; None where
    they do not."""
    if goal.op == "==":
        return None
    for known in hypotheses:
        strict = goal.op == ">" and known.op != ">"
        for p, q in _multiples(goal.expression, known.expression, known.op == "==", context, vocabulary):
            difference = sympy.expand(p * goal.expression - q * known.expression)
            certificate = certify(difference, context, vocabulary, strict=strict)
            if certificate is not None:
                return FromHypothesis(known, p, q, certificate)
    return None


def _multiples(
    goal: sympy.Expr, known: sympy.Expr, equal: bool, context: Context, vocabulary: Vocabulary
) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
    """p > 0 and q >= 0, of an equation any q, for each monomial that both have; the simplest first."""
    of_goal, of_known = _coefficients(goal), _coefficients(known)
    found: dict[sympy.Expr, tuple[sympy.Expr, sympy.Expr]] = {}
    for monomial in of_goal.keys() & of_known.keys():
        p, q = of_known[monomial], of_goal[monomial]
        if sign_of(p, context, vocabulary) is Sign.NEGATIVE:
            p, q = -p, -q
        signs = sign_of(p, context, vocabulary), sign_of(q, context, vocabulary)
        if signs[0] is Sign.POSITIVE and (equal or signs[1] is Sign.POSITIVE):
            found.setdefault(sympy.cancel(q / p), (p, q))
    yield from sorted(found.values(), key=lambda pair: (sympy.count_ops(pair), str(pair)))[:MOST_MULTIPLES]


def _coefficients(expression: sympy.Expr) -> dict[sympy.Expr, sympy.Expr]:
    """Monomial in all that is no constant -> its coefficient."""
    result: dict[sympy.Expr, sympy.Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(expression)):
        parts = sympy.Mul.make_args(term)
        constant = sympy.Mul(*(part for part in parts if _is_constant(part)))
        monomial = sympy.Mul(*(part for part in parts if not _is_constant(part)))
        result[monomial] = result.get(monomial, sympy.S.Zero) + constant
    return result


def _is_constant(factor: sympy.Expr) -> bool:
    return all(constant_bounds(atom) is not None for atom in factor.atoms(sympy.Symbol, AppliedUndef))


def within_bounds(vocabulary: Vocabulary, hypotheses: tuple[Rel, ...]) -> Vocabulary:
    """The vocabulary with what hypotheses c >= k and c > k say of a real parameter c."""
    for known in hypotheses:
        symbols = known.expression.free_symbols
        names = [name for name in vocabulary.real if symbols == {vocabulary.parameter(name)}]
        if known.op not in (">", ">=") or not names:
            continue
        [name], [symbol] = names, symbols
        slope, at_0 = sympy.diff(known.expression, symbol), known.expression.subs(symbol, 0)
        if not (slope.is_Rational and slope > 0 and at_0.is_Rational):
            continue
        least = -at_0 / slope
        bounds = {each: (bound, strict) for each, bound, strict in vocabulary.bounds}
        before = bounds.get(name)
        if before is None or least > sympy.Rational(before[0].numerator, before[0].denominator):
            bounds[name] = Fraction(int(least.p), int(least.q)), known.op == ">"
            vocabulary = replace(vocabulary, bounds=tuple((each, *bound) for each, bound in bounds.items()))
    return vocabulary


def without_root(goal: Rel, context: Context, vocabulary: Vocabulary) -> Rel | None:
    """A goal without a root from which an inequality with one root follows; None where there is none of this kind."""
    expression = sympy.expand(goal.expression)
    roots = {power for power in expression.atoms(sympy.Pow) if power.is_number and not power.exp.is_Integer}
    if goal.op == "==" or len(roots) != 1 or not all(root.base.is_Rational and root.exp.q == 2 for root in roots):
        return None
    [root] = roots
    terms = sympy.Add.make_args(expression)
    irrational = sympy.Add(*(term for term in terms if term.has(root)))
    conjugate = 2 * irrational - expression
    for factor in (conjugate, -conjugate):
        if all(_at_least_0(term, context, vocabulary) for term in sympy.Add.make_args(factor)):
            product = sympy.expand(expression * factor)
            return None if product.has(root) else Rel(goal.op, product)  # inside of a power of e it stays
    return None


def sign_of_logarithm(goal: Rel) -> Rel | None:
    """The relation of x - 1 with 0 that is that of a goal, a number times log x; None where it is none."""
    number, logarithm = goal.expression.as_coeff_Mul()
    if not isinstance(logarithm, sympy.log) or sympy.fraction(canonical(logarithm.args[0]))[1] != 1:
        return None
    return Rel(goal.op, sympy.expand(sympy.sign(number) * (logarithm.args[0] - 1)))


def _at_least_0(term: sympy.Expr, context: Context, vocabulary: Vocabulary) -> bool:
    return certify(term, context, vocabulary, strict=False) is not None
