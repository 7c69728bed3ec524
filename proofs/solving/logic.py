"""Formulas of obligations: Boolean combinations of polynomial relations; how theorem formulas are read into them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Domain, Expression, Meaning, fold
from weightproof.symbolic.algebra.definedness import require_defined
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.iverson import Condition, Iverson, bracket, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.value import Value
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, j
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.rules.reading import reading
from weightproof.symbolic.rules.sums import sum_symbols


@dataclass(frozen=True)
class Rel:
    """expression op 0, with op one of ==, >=, >."""

    op: str
    expression: sympy.Expr


@dataclass(frozen=True)
class And:
    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Or:
    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Flag:
    """A Boolean variable: whether the quantified part of a characterisation has held so far."""

    name: str
    value: bool = True


Formula = Rel | And | Or | Flag
TRUE, FALSE = And(()), Or(())


def conjunction(*parts: Formula) -> Formula:
    flat: list[Formula] = []
    for part in parts:
        flat += part.parts if isinstance(part, And) else [part]
    return FALSE if FALSE in flat else And(tuple(dict.fromkeys(flat)))


def disjunction(*parts: Formula) -> Formula:
    flat: list[Formula] = []
    for part in parts:
        flat += part.parts if isinstance(part, Or) else [part]
    return TRUE if TRUE in flat else Or(tuple(dict.fromkeys(flat)))


def negation(formula: Formula) -> Formula:
    match formula:
        case Rel(op="==", expression=e):
            return disjunction(Rel(">", e), Rel(">", -e))
        case Rel(op=">=", expression=e):
            return Rel(">", -e)
        case Rel(op=">", expression=e):
            return Rel(">=", -e)
        case And(parts=parts):
            return disjunction(*(negation(part) for part in parts))
        case Or(parts=parts):
            return conjunction(*(negation(part) for part in parts))
        case Flag(name=name, value=value):
            return Flag(name, not value)
    raise TypeError(formula)


def relation(op: str, expression: sympy.Expr) -> Formula:
    """expression op 0; settled where the expression is a rational number."""
    match op:
        case "!=":
            return negation(relation("==", expression))
        case "<" | "<=":
            return relation({"<": ">", "<=": ">="}[op], -expression)
        case "==" | ">=" | ">":
            pass
        case _:
            raise TypeError(op)
    if expression.is_Rational:
        true = {"==": expression == 0, ">=": expression >= 0, ">": expression > 0}[op]
        return TRUE if true else FALSE
    return Rel(op, expression)


def of_condition(condition: Condition) -> Formula:
    return conjunction(*(relation(">=", form.expression()) for form in condition.forms()))


def of_cell(cell: Iverson) -> Formula:
    """The truth of a product of brackets."""
    if not cell.terms:
        return FALSE
    [(conditions, _)] = cell.terms
    return conjunction(*(of_condition(condition) for condition in sorted(conditions, key=str)))


def bracket_of(formula: Formula) -> Iverson:
    """1 where the formula is true, 0 elsewhere; Underivable where it is no matter of linear conditions on integers."""
    match formula:
        case Rel(op=op, expression=expression):
            if linear_form(expression) is None:
                raise Underivable(f"{expression} {op} 0 stands where a number is needed, and is not linear in integers")
            return bracket(op, expression)
        case And(parts=parts):
            product = Iverson.constant(1)
            for part in parts:
                product = product * bracket_of(part)
            return product
        case Or(parts=parts):
            return Iverson.constant(1) - bracket_of(And(tuple(negation(part) for part in parts)))
        case Flag():
            raise Underivable("a statement about all positions stands where a number is needed")
    raise TypeError(formula)


def substitute_formula(formula: Formula, change: Callable[[sympy.Expr], sympy.Expr], flags: dict[str, bool]) -> Formula:
    """Expressions changed, flags of known value settled."""
    match formula:
        case Rel(op=op, expression=e):
            return relation(op, change(e))
        case Flag(name=name, value=value):
            return formula if name not in flags else TRUE if flags[name] == value else FALSE
        case And(parts=parts):
            return conjunction(*(substitute_formula(part, change, flags) for part in parts))
        case Or(parts=parts):
            return disjunction(*(substitute_formula(part, change, flags) for part in parts))
    raise TypeError(formula)


def flags_of(formula: Formula) -> set[str]:
    match formula:
        case Flag(name=name):
            return {name}
        case And(parts=parts) | Or(parts=parts):
            return {name for part in parts for name in flags_of(part)}
    return set()


def expressions_of(formula: Formula) -> tuple[sympy.Expr, ...]:
    """What a formula compares with 0, each once, in the order of the formula: what is written from it, as a proof in
    Coq, is the same text each time."""
    match formula:
        case Rel(expression=e):
            return (e,)
        case And(parts=parts) | Or(parts=parts):
            return tuple(dict.fromkeys(e for part in parts for e in expressions_of(part)))
    return ()


@dataclass(frozen=True)
class Quantifier:
    """``all(body for j in positions)``: the flag that stands for it, and its body at a position."""

    flag: str
    body: Callable[[sympy.Expr], Formula]


def _of_powers(op: str, difference: sympy.Expr, vocabulary: Vocabulary) -> tuple[Formula, ...]:
    """Of real parameters, what c >= log 2, say, is worth to e^c, of which obligations speak: e^c >= 2."""
    spoken = [vocabulary.parameter(name) for name in vocabulary.real if difference.has(vocabulary.parameter(name))]
    slopes = [sympy.diff(difference, parameter) for parameter in spoken]
    if not spoken or not all(slope.is_Rational for slope in slopes) or not difference.has(sympy.log):
        return ()
    try:
        power = exponential(difference, vocabulary)
    except Underivable:
        return ()
    return (relation(op, sympy.together(power - 1)),)


OUTER_J = sympy.Symbol("_j", integer=True)
"""The position j of a statement about all positions, while one inside it is summed over another j; as for every j, it
is that of a symbol, or the one before the first."""


def _nowhere_violated(body: Formula, place: sympy.Symbol, context: Context, vocabulary: Vocabulary) -> Formula | None:
    """Whether a statement holds at all positions `place`, as that the positions at which it does not are 0 in number;
    None where no rule sums them up."""
    try:
        violated = Iverson.constant(1) - bracket_of(body)
    except Underivable:
        return None
    violated = substitute(violated, {j: OUTER_J, place: j})
    inside = vocabulary.prefixes(j, context.within(j, vocabulary.first, vocabulary.last))
    values = {a: normalise(vocabulary.known_token(violated, a, j), inside) for a in vocabulary.alphabet}
    record = Record()
    total = sum_symbols(values, context, vocabulary, record)
    if record.sums:
        return None
    number = substitute(normalise(vocabulary.settle(total), context), {OUTER_J: j})
    return disjunction(*(conjunction(of_cell(cell), relation("==", value)) for cell, value in cells(number)))


def read_formula(
    formula: Expression,
    vocabulary: Vocabulary,
    names: Callable[[str], Any] | None = None,
    quantifiers: list[Quantifier] | None = None,
    context: Context | None = None,
) -> Formula:
    """A theorem's formula over the atoms of the symbolic reading.

    `names` gives further names their value (an Iverson, a Formula such as Flag) or None. Each ``all(...)`` is added to
    `quantifiers` and read as its flag; any(...) likewise, through its negation. Without `quantifiers`, or inside of
    another one, it is read as that there are 0 positions at which it is false. context: what is known where it is read;
    None is what holds of every word.

    Raises Underivable where it is not shown that the formula has a truth value wherever the context holds.
    """
    context = vocabulary.words() if context is None else context
    scalars = reading(vocabulary, context=context)
    bound: list[sympy.Expr] = []  # the positions of the statements around the one that is read

    def name(identifier: str) -> Any:
        given = None if names is None else names(identifier)
        if given is None:
            return scalars.name(identifier)
        return Value(given) if isinstance(given, Iverson) else given

    def compare(op: str, left: Any, right: Any) -> Formula:
        if isinstance(left, str) or isinstance(right, str):
            value = scalars.compare(op, left, right).value
            return disjunction(*(of_cell(cell) for cell, number in cells(value) if number != 0))
        parts = [
            conjunction(of_cell(cell), relation(op, difference), *_of_powers(op, difference, vocabulary))
            for cell, difference in cells(left.value - right.value)
        ]
        return disjunction(*(part for part in parts if part != FALSE))

    def for_all(body: Callable[[Any], Formula], domain: Domain) -> Formula:
        if domain == "indices":
            raise Underivable(
                "statements about all indices are not read: say it of positions, and of the markers apart"
            )

        def at(position: sympy.Expr) -> Formula:
            bound.append(position)
            try:
                return body(Value(Iverson.constant(position)))
            finally:
                bound.pop()

        if quantifiers is not None and not bound:
            flag = "so_far" if not quantifiers else f"so_far{len(quantifiers) + 1}"
            quantifiers.append(Quantifier(flag, at))
            return Flag(flag)
        place = sympy.Symbol(f"_j{len(bound)}", integer=True)
        inside = context.within(OUTER_J, vocabulary.first - 1, vocabulary.last)
        for position in bound:
            if position.is_Symbol and position != j:
                inside = inside.within(position, vocabulary.first, vocabulary.last)
        counted = _nowhere_violated(at(place), place, inside, vocabulary)
        if counted is None and bound:
            raise Underivable("a statement about all positions inside another one is read where it is one about counts")
        if counted is None:
            raise Underivable("a statement about all positions takes an induction: give the theorem an invariant")
        return counted

    def total(body: Callable[[Any], Any], domain: Domain) -> Any:
        raise Underivable("sums over positions are read in claims only; say it with count('a') or count('a', j)")

    def number(identifier: str) -> Any:
        value = name(identifier)
        if not isinstance(value, Value):
            raise Underivable(f"{identifier} is true or false, and stands where a number is needed")
        return value

    require_defined(formula.tree, replace(scalars, name=number), vocabulary, context)
    meaning = Meaning(
        number=scalars.number,
        name=name,
        function=scalars.function,
        compare=compare,
        bracket=lambda truth: Value(bracket_of(truth)) if isinstance(truth, Rel | And | Or | Flag) else truth,
        token=scalars.token,
        count=scalars.count,
        conjunction=lambda parts: conjunction(*parts),
        disjunction=lambda parts: disjunction(*parts),
        negation=negation,
        for_all=for_all,
        total=total,
        matches=scalars.matches,
        modulo=scalars.modulo,
        power=scalars.power,
    )
    result: Formula = fold(formula.tree, meaning)
    return result


def true(formula: Formula, word: Word, flags: Mapping[str, bool]) -> bool:
    """Whether a formula holds on a word; ArithmeticError where a value of it does not exist, or no sign is certain."""
    match formula:
        case Rel(op=op, expression=expression):
            direction = sign(word.expression(expression))
            return direction > 0 or (direction == 0 and op == ">=") if op != "==" else direction == 0
        case Flag(name=name, value=value):
            return flags[name] == value
        case And(parts=parts):
            return all(true(part, word, flags) for part in parts)
        case Or(parts=parts):
            return any(true(part, word, flags) for part in parts)
    raise TypeError(formula)
