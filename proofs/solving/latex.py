"""Obligations as LaTeX: what is assumed beyond what holds of every word, and what is shown."""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from weightproof.proofs.solving.atoms import quotient
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import FALSE, TRUE, And, Flag, Formula, Or, Rel
from weightproof.symbolic.algebra.iverson import Condition
from weightproof.symbolic.algebra.linear import Context, Fact, Form
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.writing.breakable import Terms
from weightproof.symbolic.writing.latex import conjunction, polynomial, statement
from weightproof.symbolic.writing.presentation import statements

OPERATORS = {"==": "=", ">=": r"\ge", ">": ">"}


def hypotheses(item: Implication, known: Context) -> tuple[str, ...]:
    """The hypotheses of an obligation, without those of `known` and without what is true of all integers."""
    constraints = [form for form in item.context.constraints - known.constraints if not mentions_quotient(form)]
    linear = [
        statement(part, item.vocabulary)
        for condition in conditions(constraints, len(item.vocabulary.alphabet))
        for part in statements(condition, item.vocabulary)
    ]
    return tuple(dict.fromkeys((*linear, *(of_relation(rel, item.vocabulary) for rel in item.relations))))


def fact(one: Fact, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The inequalities that no integers satisfy together."""
    return tuple(of_relation(Rel(">=", form.expression()), vocabulary) for form in sorted(one.constraints, key=str))


def mentions_quotient(form: Form) -> bool:
    """Whether it is how a residue is defined, by a quotient that nothing else speaks of."""
    return any(isinstance(atom, sympy.Mod) and quotient(atom) in form.atoms for atom in form.atoms)


def conditions(constraints: Iterable[Form], symbols: int) -> list[Condition]:
    """Constraints form >= 0 as intervals of their axes, in a fixed order; those that say nothing are left out."""
    bounds: dict[Form, tuple[int | None, int | None]] = {}
    for form in sorted(constraints, key=str):
        scaled = form.primitive()
        if not scaled.terms:
            continue
        up = scaled.terms[0][1] > 0
        axis = Form((scaled if up else -scaled).terms)
        lo, hi = bounds.get(axis, (None, None))
        limit = scaled.constant.numerator // scaled.constant.denominator
        if up:
            lo = -limit if lo is None else max(lo, -limit)
        else:
            hi = limit if hi is None else min(hi, limit)
        bounds[axis] = (lo, hi)
    return [Condition(axis, lo, hi) for axis, (lo, hi) in bounds.items() if not _range(axis, lo, hi, symbols)]


def _range(axis: Form, lo: int | None, hi: int | None, symbols: int) -> bool:
    """Whether the bounds are those that a residue or a token has anyway."""
    match axis.terms:
        case ((sympy.Mod() as residue, _),):
            return (lo is None or lo <= 0) and (hi is None or hi >= int(residue.args[1]) - 1)
        case ((atom, _),) if atom.is_Function and str(atom.func) == "w":
            return (lo is None or lo <= -1) and (hi is None or hi >= symbols - 1)
    return False


def goal(item: Implication) -> tuple[str, ...]:
    """What is to be shown, in pieces: the parts of a conjunction, or of a disjunction."""
    formula = _flat(item.goal)
    if isinstance(formula, And | Or) and formula.parts:
        sign = r"\land" if isinstance(formula, And) else r"\lor"
        texts = [_formula(part, item.vocabulary, inside=True) for part in formula.parts]
        return tuple(f"{sign} {text}" if place else text for place, text in enumerate(texts))
    return (_formula(formula, item.vocabulary),)


def _flat(formula: Formula) -> Formula:
    """Without conjunctions and disjunctions of a single part."""
    match formula:
        case And(parts=(part,)) | Or(parts=(part,)):
            return _flat(part)
        case And(parts=parts):
            return And(tuple(_flat(part) for part in parts))
        case Or(parts=parts):
            return Or(tuple(_flat(part) for part in parts))
    return formula


def _formula(formula: Formula, vocabulary: Vocabulary, inside: bool = False) -> str:
    match formula:
        case Rel():
            return of_relation(formula, vocabulary)
        case Flag(name=name, value=value):
            text = rf"\text{{{name.replace('_', ' ')}}}"
            return text if value else rf"\lnot {text}"
        case And(parts=parts) if formula != TRUE:
            text = conjunction([_formula(part, vocabulary, inside=True) for part in parts])
        case Or(parts=parts) if formula != FALSE:
            text = r" \lor ".join(_formula(part, vocabulary, inside=True) for part in parts)
        case _:
            return r"\top" if formula == TRUE else r"\bot"
    return f"({text})" if inside else text


def of_relation(rel: Rel, vocabulary: Vocabulary) -> str:
    """That of an expression with 0, with the terms that have a minus sign brought to the other side."""
    left, sign, right = in_sides(rel, vocabulary)
    return f"{left} {sign} {right}"


def in_sides(rel: Rel, vocabulary: Vocabulary) -> tuple[Terms, str, Terms]:
    """The same, its left side, sign and right side apart."""
    terms = sympy.Add.make_args(sympy.expand(rel.expression))
    left = sympy.Add(*(term for term in terms if not term.could_extract_minus_sign()))
    right = sympy.Add(*(-term for term in terms if term.could_extract_minus_sign()))
    if left == 0 and rel.op == "==":
        left, right = right, left
    return polynomial(left, vocabulary), OPERATORS[rel.op], polynomial(right, vocabulary)
