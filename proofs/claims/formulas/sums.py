"""Claims about sums of k terms, by induction on k, and about what stands in a matrix or in a list."""

from __future__ import annotations

import itertools

from flint import fmpq

from weightproof.constructions.claims.formulas import Adds, Among
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.formulas.exactly import is_true, text, told_number
from weightproof.proofs.claims.formulas.quotients import Quotient, no, polynomial, power, quotient
from weightproof.proofs.quantities.outcome import NO_VALUE, Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.quantities.told import told
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.simulation.polynomial import Polynomial

MOST_TERMS = 12
"""Terms of the sums that are tried."""
LARGEST_INDEX = 4
"""Numbers that are tried for indices."""


def judge_sum(said: Adds) -> Outcome:
    """The total is 0 at k = 0, and grows by the term: of even and of odd k, both as polynomials in half of k."""
    so_far: Real = fmpq(0)
    for terms in range(MOST_TERMS + 1):
        place = {"k": str(terms)}
        try:
            so_far = so_far + (evaluate(said.term, {"i": fmpq(terms)}) if terms else fmpq(0))
            total = evaluate(said.total, {"k": fmpq(terms)})
            apart = sign(total - so_far) != 0
        except Undecided:
            return Open(f"whether both sides are equal at k = {terms} is not decided")
        except ArithmeticError:
            return Fails(told(NO_VALUE), Evaluated("the sum", "a number", NO_VALUE, parameters=place))
        if apart:
            return Fails(told_number(so_far), Evaluated("the sum", text(total), text(so_far), parameters=place))
    for rest in (0, 1):
        k = Quotient.number(2) * Quotient.atom("half") + Quotient.number(rest)
        later = k + Quotient.number(1)
        grown = _value(said.total, "k", later) - _value(said.total, "k", k)
        if grown != _value(said.term, "i", later):
            return Open(f"by {grown}, not by the term, the total grows behind k = 2*half + {rest}")
    return Holds("all k", Evidence.CERTIFICATE.value)


def _value(formula: Expression, name: str, at: Quotient) -> Polynomial:
    return polynomial(quotient(formula, {name: at}.__getitem__, modulo=_remainder, power=_sign))


def _remainder(left: Quotient, right: Quotient) -> Quotient:
    """Of the division by 2, where all but a constant is even."""
    terms = dict(polynomial(left).terms)
    whole = all(value.q == 1 for value in terms.values())
    if right.whole != 2 or not whole or any(int(value.p) % 2 for monomial, value in terms.items() if monomial):
        return no(f"{left} % {right}")
    return Quotient.number(int(terms[()].p) % 2 if () in terms else 0)


def _sign(base: Quotient, exponent: Quotient) -> Quotient:
    """Of -1, by the parity of the exponent; of others, of a natural number."""
    if base.whole != -1:
        return power(base, exponent)
    return Quotient.number(1) - Quotient.number(2) * _remainder(exponent, Quotient.number(2))


def judge_among(said: Among) -> Outcome:
    """What is not allowed, with indices at which it stands."""
    others = {entry: condition for entry, condition in said.entries.items() if entry not in said.allowed}
    for entry, condition in others.items():
        for values in itertools.product(range(1, LARGEST_INDEX + 1), repeat=len(said.over)):
            names: dict[str, Real] = dict(zip(said.over, map(fmpq, values), strict=True))
            if is_true(condition, names):
                place = {name: text(value) for name, value in names.items()}
                allowed = f"one of {', '.join(said.allowed)}"
                return Fails(told(f"also {entry}"), Evaluated("an entry", allowed, entry, parameters=place))
    if others:
        return Open(f"it was not found where {', '.join(others)} stands")
    return Holds("all entries", "")
