"""Obligations: what is left to be shown once a theorem has been taken apart, each small and closed.

An obligation says that `goal` holds for all integers and reals that satisfy the context and the relations. It can be
written out as SMT-LIB 2, where it is proved when the solver answers unsat.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import sympy

from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.solving.logic import And, Flag, Formula, Or, Rel, expressions_of, negation
from weightproof.symbolic.algebra.certificates import power_bound
from weightproof.symbolic.algebra.constants import constant_bounds, constant_unit, number_bounds
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context, is_atom, linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary


@dataclass(frozen=True)
class Obligation:
    """For all values with every form of `context` >= 0 and every one of `relations`: `goal`.

    All denominators have been cleared: expressions are polynomials in atoms, units u_c and powers of units.
    otherwise: obligations that together say as much, which take longer to find; for where it stays open.
    """

    name: str
    vocabulary: Vocabulary
    context: Context
    relations: tuple[Rel, ...]
    goal: Formula
    otherwise: Callable[[], Iterable[Obligation]] | None = field(default=None, compare=False)

    def expressions(self) -> set[sympy.Expr]:
        hypotheses = {rel.expression for rel in self.relations} | expressions_of(self.goal)
        return hypotheses | {form.expression() for form in self.context.constraints}


def obligation(
    name: str, vocabulary: Vocabulary, context: Context, relations: Iterable[Rel], goal: Formula
) -> Obligation:
    """An obligation with linear integer relations moved into the context."""
    kept: list[Rel] = []
    for rel in relations:
        narrowed = assume(context, rel)
        if narrowed is None:
            kept.append(rel)
        else:
            context = narrowed
    return Obligation(name, vocabulary, context, tuple(kept), goal)


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


def to_smt(obligation: Obligation, *, integers: bool, negated_goal: bool = True, closed: bool = True) -> str:
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
    lines = [f"; {obligation.name}", f"(set-info :status {status})", "(set-logic ALL)"]
    variables = _variables(obligation)
    for variable, is_integer in variables:
        lines.append(f"(declare-const {_symbol(variable)} {'Int' if is_integer and integers else 'Real'})")
    for variable, _ in variables:
        lines += [f"(assert {fact})" for fact in _facts(variable, obligation, integers)]
    lines += [f"(assert {fact})" for fact in _order([variable for variable, _ in variables], obligation.vocabulary)]
    lines += [f"(assert {formula})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def _variables(obligation: Obligation) -> list[tuple[sympy.Expr, bool]]:
    found: dict[sympy.Expr, bool] = {}
    for expression in obligation.expressions():
        for atom in _mentioned(expression):
            found[atom] = is_atom(atom)
            if isinstance(atom, sympy.Pow) and not atom.base.is_Rational:
                found[atom.base] = False
    return sorted(found.items(), key=lambda item: _symbol(item[0]))


def _mentioned(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    """The atoms of an expression, and of the values and logarithms that are taken in it."""
    for atom in _atoms(expression):
        yield atom
        if isinstance(atom, sympy.Abs | sympy.log):
            yield from _mentioned(atom.args[0])


@functools.lru_cache(maxsize=10_000)
def _atoms(expression: sympy.Expr) -> frozenset[sympy.Expr]:
    if isinstance(expression, sympy.Add | sympy.Mul):
        return frozenset().union(*(_atoms(argument) for argument in expression.args))
    if isinstance(expression, sympy.Pow) and expression.exp.is_Integer:
        return _atoms(expression.base)
    return frozenset() if expression.is_Number else frozenset((expression,))


def _facts(variable: sympy.Expr, obligation: Obligation, integers: bool) -> list[str]:
    """What is known of a unit, of a power of one, of an absolute value, of the sign of a logarithm; of a power of a
    count, say, nothing."""
    name = _symbol(variable)
    if isinstance(variable, sympy.Abs):
        inside = _term(variable.args[0], integers, False)
        return [f"(= {name} (ite (>= {inside} 0.0) {inside} (- {inside})))"]
    if isinstance(variable, sympy.log):
        upper, lower = (_term(part, integers, False) for part in sympy.fraction(canonical(variable.args[0])))
        facts = [f"(= ({op} {name} 0.0) ({op} (* {upper} {lower}) (* {lower} {lower})))" for op in "<>"]
        number = number_bounds(variable) or ()
        return facts + [f"({op} {name} {_rational(end)})" for op, end in zip("><", number, strict=False)]
    if isinstance(variable, sympy.Pow) and not variable.base.is_positive:
        return []
    if isinstance(variable, sympy.Pow):
        least, strict = power_bound(variable, obligation.context, obligation.vocabulary) or (Fraction(0), True)
        facts = [f"({'>' if strict else '>='} {name} {_rational(least)})"]
        return facts + ([_root(variable)] if variable.exp.is_Rational else [])
    if (exponent := _exponent(variable, obligation)) is not None:
        at_least = _symbol(exponent), [(k, constant_bounds(constant_unit(sympy.Integer(k)))) for k in TANGENTS]
        tangents = [f"(>= {name} (* {_rational(low[0])} (- {at_least[0]} {k - 1}.0)))" for k, low in at_least[1] if low]
        tangents.append(f"(>= {name} (+ {at_least[0]} 1.0))")
    else:
        tangents = []
    bound = obligation.vocabulary.lower_bound(variable)
    constant = constant_bounds(variable)
    facts = [] if bound is None else [f"({'>' if bound[1] else '>='} {name} {_rational(bound[0])})"]
    above = None if constant is None else constant[1]
    return facts + tangents + ([] if above is None else [f"(< {name} {_rational(above)})"])


def _order(variables: list[sympy.Expr], vocabulary: Vocabulary) -> list[str]:
    """e^(k*c) <= e^(l*c) for k < l, of a parameter c that is not negative; less where c is positive."""
    facts = []
    known = []
    for variable in variables:
        base, power = variable.as_base_exp()
        multiple = vocabulary.multiple(base) if power.is_Rational else None
        known += [] if multiple is None else [(multiple[0], multiple[1] * power, variable)]
    for name in vocabulary.real:
        least = vocabulary.lower_bound(vocabulary.parameter(name))
        units = sorted(
            ((factor, unit) for of, factor, unit in known if of == name), key=functools.cmp_to_key(_compared)
        )
        if least is not None and least[0] >= 0:
            op = "<" if least[0] > 0 or least[1] else "<="
            facts += [f"({op} {_symbol(low)} {_symbol(high)})" for (_, low), (_, high) in pairwise(units)]
    return facts


def _compared(left: tuple[sympy.Expr, sympy.Expr], right: tuple[sympy.Expr, sympy.Expr]) -> int:
    """The sign of the difference of two constants."""
    return sign(evaluate(Expression(f"({left[0]}) - ({right[0]})"), {}))


TANGENTS = (1, 2, 3, 4)
"""Where e^c is compared with its tangent."""


def _exponent(variable: sympy.Expr, obligation: Obligation) -> sympy.Symbol | None:
    """The parameter c of the unit e^c, where the obligation speaks of c itself, too."""
    vocabulary = obligation.vocabulary
    for name in vocabulary.real:
        if variable == vocabulary.unit(name):
            spoken = any(vocabulary.parameter(name) in e.free_symbols for e in obligation.expressions())
            return vocabulary.parameter(name) if spoken else None
    return None


def _root(power: sympy.Pow) -> str:
    """What u^(p/q) is: its q-th power is u^p."""
    whole = [_symbol(power)] * int(power.exp.q)
    base = [_term(power.base, False, False)] * abs(int(power.exp.p))
    left, right = (whole, base) if power.exp > 0 else (whole + base, [])
    return f"(= (* 1.0 {' '.join(left)}) (* 1.0 1.0 {' '.join(right)}))"


@functools.lru_cache(maxsize=10_000)
def _symbol(variable: sympy.Expr) -> str:
    return "|" + re.sub(r"[|\\]", "", str(variable)) + "|"


def _rational(value: Fraction) -> str:
    number = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        number = f"(/ {number} {value.denominator}.0)"
    return f"(- {number})" if value < 0 else number


def _term(expression: sympy.Expr, integers: bool, whole: bool) -> str:
    """`whole`: the term is of sort Int; a rational or real term has its integer variables cast."""
    if expression.is_Rational:
        value = Fraction(int(expression.p), int(expression.q))
        if whole:
            return f"(- {-value.numerator})" if value < 0 else str(value.numerator)
        return _rational(value)
    if isinstance(expression, sympy.Add | sympy.Mul):
        operator = "+" if isinstance(expression, sympy.Add) else "*"
        return f"({operator} {' '.join(_term(a, integers, whole) for a in expression.args)})"
    if isinstance(expression, sympy.Pow) and expression.exp.is_Integer:
        if expression.exp < 0:
            raise Underivable(f"{expression} stands in a denominator that was not cleared")
        base = _term(expression.base, integers, whole)
        return f"(* {' '.join([base] * int(expression.exp))})"
    name = _symbol(expression)
    return f"(to_real {name})" if integers and is_atom(expression) and not whole else name


@functools.lru_cache(maxsize=10_000)
def _relation(rel: Rel, integers: bool) -> str:
    expression = sympy.expand(rel.expression, log=False)  # logarithms stay the atoms that were declared
    whole = integers and all(is_atom(a) for a in _atoms(expression)) and _integral(expression)
    op = "=" if rel.op == "==" else rel.op
    return f"({op} {_term(expression, integers, whole)} {'0' if whole else '0.0'})"


def _integral(expression: sympy.Expr) -> bool:
    return all(c.is_Integer for c in expression.as_coefficients_dict().values())


def _formula(formula: Formula, integers: bool) -> str:
    match formula:
        case Rel():
            return _relation(formula, integers)
        case And(parts=()):
            return "true"
        case Or(parts=()):
            return "false"
        case And(parts=parts):
            return f"(and {' '.join(_formula(part, integers) for part in parts)})"
        case Or(parts=parts):
            return f"(or {' '.join(_formula(part, integers) for part in parts)})"
        case Flag(name=name):
            raise Underivable(f"the flag {name} was not settled")
    raise TypeError(formula)
