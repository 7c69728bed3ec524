"""Implications: what is left to be shown once a theorem about words has been taken apart, each small and closed.

One says that `goal` holds for all integers and reals that satisfy the context and the relations. It can be written out
as SMT-LIB 2, where it is proved when the solver answers unsat.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import sympy

from weightproof.proofs.solving import smt
from weightproof.proofs.solving.facts import facts
from weightproof.proofs.solving.logic import And, Flag, Formula, Or, Rel, expressions_of, negation
from weightproof.symbolic.algebra.linear import Context, is_atom, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary


@dataclass(frozen=True)
class Implication:
    """For all values with every form of `context` >= 0 and every one of `relations`: `goal`.

    All denominators have been cleared: expressions are polynomials in atoms, units u_c and powers of units.
    otherwise: obligations that together say as much, which take longer to find; for where it stays open.
    """

    name: str
    vocabulary: Vocabulary
    context: Context
    relations: tuple[Rel, ...]
    goal: Formula
    otherwise: Callable[[], Iterable[Implication]] | None = field(default=None, compare=False)

    def expressions(self) -> set[sympy.Expr]:
        hypotheses = {*(rel.expression for rel in self.relations), *expressions_of(self.goal)}
        return hypotheses | {form.expression() for form in self.context.constraints}

    def with_goal(self, goal: Formula) -> Implication:
        """The implication of another goal from the same hypotheses."""
        return replace(self, goal=goal, otherwise=None)


def implication(
    name: str, vocabulary: Vocabulary, context: Context, relations: Iterable[Rel], goal: Formula
) -> Implication:
    """An implication with linear integer relations moved into the context."""
    kept: list[Rel] = []
    for rel in relations:
        narrowed = assume(context, rel)
        if narrowed is None:
            kept.append(rel)
        else:
            context = narrowed
    return Implication(name, vocabulary, context, tuple(kept), goal)


def assume(context: Context, rel: Rel) -> Context | None:
    """The context with a linear integer relation added; None if the relation is none."""
    form = linear_form(rel.expression)
    if form is None:
        return None
    if rel.op == "==":
        return context.equal(form)
    if rel.op == ">":
        scaled = form.primitive()
        return context.given(scaled - 1 if scaled.constant.denominator == 1 else form)
    return context.given(form)


def to_smt(obligation: Implication, *, integers: bool, negated_goal: bool = True, closed: bool = True) -> str:
    """SMT-LIB 2: the hypotheses and, if `negated_goal`, the negation of the goal (then unsat means proved).

    Its status is what is expected, or unknown where the obligation was not `closed`: it may be wrong then. With
    `integers` False the integer atoms are declared Real: a relaxation, unsat of which is as good a proof.
    """
    formulas = [_relation(rel, integers) for rel in obligation.relations]
    formulas += [
        _relation(Rel(">=", form.expression()), integers) for form in sorted(obligation.context.constraints, key=str)
    ]
    if negated_goal:
        formulas.append(_formula(negation(obligation.goal), integers))
    status = "unknown" if not closed else "unsat" if negated_goal else "sat"
    lines = [f"; {' '.join(obligation.name.split())}", f"(set-info :status {status})", "(set-logic ALL)"]
    variables = _variables(obligation)
    for variable, is_integer in variables:
        lines.append(f"(declare-const {smt.name(variable)} {'Int' if is_integer and integers else 'Real'})")
    spoken = {symbol for expression in obligation.expressions() for symbol in expression.free_symbols}
    told = facts([atom for atom, _ in variables], obligation.vocabulary, obligation.context, spoken, integers)
    lines += [f"(assert {fact.text})" for fact in told]
    lines += [f"(assert {formula})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def _variables(obligation: Implication) -> list[tuple[sympy.Expr, bool]]:
    found: dict[sympy.Expr, bool] = {}
    for expression in obligation.expressions():
        for atom in _mentioned(expression):
            found[atom] = is_atom(atom)
            if isinstance(atom, sympy.Pow) and not atom.base.is_Rational:
                found[atom.base] = False
    variables = sorted(found.items(), key=lambda item: smt.name(item[0]))
    for (left, _), (right, _) in pairwise(variables):
        if smt.name(left) == smt.name(right):
            raise Underivable(f"two different quantities are called {left} to the solvers")
    return variables


def _mentioned(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    """The atoms of an expression, and of the values and logarithms that are taken in it."""
    for atom in smt.atoms_of(expression):
        yield atom
        if isinstance(atom, sympy.Abs | sympy.log):
            yield from _mentioned(atom.args[0])


@functools.lru_cache(maxsize=10_000)
def _relation(rel: Rel, integers: bool) -> str:
    expression = sympy.expand(rel.expression, log=False)  # logarithms stay the atoms that were declared
    whole = integers and all(is_atom(a) for a in smt.atoms_of(expression)) and _integral(expression)
    op = "=" if rel.op == "==" else rel.op
    return f"({op} {smt.term(expression, integers, whole)} {'0' if whole else '0.0'})"


def _integral(expression: sympy.Expr) -> bool:
    return all(c.is_Integer for c in expression.as_coefficients_dict().values())


def _formula(said: Formula, integers: bool) -> str:
    match said:
        case Rel():
            return _relation(said, integers)
        case And(parts=()):
            return "true"
        case Or(parts=()):
            return "false"
        case And(parts=parts):
            return f"(and {' '.join(_formula(part, integers) for part in parts)})"
        case Or(parts=parts):
            return f"(or {' '.join(_formula(part, integers) for part in parts)})"
        case Flag(name=flag):
            raise Underivable(f"the flag {flag} was not settled")
    raise TypeError(said)
