"""A goal with a square root of a number, P sqrt(r) + Q, by its product with P sqrt(r) - Q, which has no root.

Where no term of this conjugate is negative, the product has the sign of the goal: where the conjugate is 0, each term
of it is, and these are those of the goal but for their signs.
"""

from __future__ import annotations

import sympy

from weightproof.proofs.solving.logic import Rel
from weightproof.symbolic.algebra.certificates import certify
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.vocabulary import Vocabulary


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


def _at_least_0(term: sympy.Expr, context: Context, vocabulary: Vocabulary) -> bool:
    return certify(term, context, vocabulary, strict=False) is not None
