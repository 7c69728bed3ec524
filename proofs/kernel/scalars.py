"""The scalars of the data as real numbers of Coq, in the words of `Transformer.v`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.scalars.expressions import Expression, fold
from weightproof.constructions.scalars.grammar import meaning_of_part
from weightproof.proofs.kernel.unwritten import Unwritten

LARGEST_LITERAL = 1_000
"""Exponents up to here are natural numbers of Coq, which it counts through one by one."""
ATOM, APPLICATION, POWER, MINUS, PRODUCT, SUM = 0, 10, 30, 35, 40, 50
"""Levels of Coq's grammar: what is written at one stands bare wherever that level or a higher one is read."""


@dataclass(frozen=True)
class Term:
    """A real number of Coq, and the level that it is written at.

    integer: whether its form shows that it is one wherever it has a value, as Coq's `modulo` and `power` read integers
    only; least: where it is one, a bound from below that its form shows; literal: the integer that it is, if it is
    written as one.
    """

    text: str
    level: int
    integer: bool = False
    least: int | None = None
    literal: int | None = None

    def at(self, level: int) -> str:
        """Its text, in brackets where only what is at that level may stand."""
        return self.text if self.level <= level else f"({self.text})"

    def __add__(self, other: Term) -> Term:
        least = None if self.least is None or other.least is None else self.least + other.least
        return self._with(other, "+", SUM, least)

    def __sub__(self, other: Term) -> Term:
        least = None if self.least is None or other.literal is None else self.least - other.literal
        return self._with(other, "-", SUM, least)

    def __mul__(self, other: Term) -> Term:
        bounds = (self.least, other.least)
        least = None if None in bounds or min(bounds) < 0 else self.least * other.least  # type: ignore[type-var, operator]
        return self._with(other, "*", PRODUCT, least)

    def __truediv__(self, other: Term) -> Term:
        return Term(f"{self.at(PRODUCT)} / {other.at(POWER)}", PRODUCT)

    def __neg__(self) -> Term:
        if self.literal is not None and self.literal > 0:
            return number(-self.literal)
        return Term(f"- {self.at(POWER)}", MINUS, self.integer)

    def _with(self, other: Term, sign: str, level: int, least: int | None) -> Term:
        text = f"{self.at(level)} {sign} {other.at(MINUS if level == PRODUCT else PRODUCT)}"
        return Term(text, level, self.integer and other.integer, least)


def number(value: int) -> Term:
    """An integer."""
    return Term(str(value), ATOM if value >= 0 else MINUS, True, value, value)


def applied(function: str, *arguments: Term) -> str:
    """The text of a function of Coq at these arguments."""
    return " ".join((function, *(argument.at(ATOM) for argument in arguments)))


ONE, TWO, PI = number(1), number(2), Term("PI", ATOM)
ZERO_OR_ONE = functools.partial(Term, level=APPLICATION, integer=True, least=0)


def parameter_name(parameter: Parameter) -> str:
    """What a parameter is called in Coq, where its own name may mean something already."""
    if not parameter.name.isascii():
        raise Unwritten(f"a name in Coq for the parameter {parameter.name!r}, which is not in ASCII")
    return f"{parameter.name}_"


def scalar(expression: Expression, construction: Construction) -> str:
    """A scalar of a construction's data as a text of Coq in R_scope, to stand alone; otherwise as `term`."""
    return term(expression, construction).text


def term(expression: Expression, construction: Construction) -> Term:
    """A scalar of a construction's data as a term of Coq, of the reals i and n and of the parameters by the names that
    they have in Coq; Unwritten outside of what `Transformer.v` has words for."""
    names = {
        "i": Term("i", ATOM, True, 0),
        "n": Term("n", ATOM, True, 1),  # where there is a position at all
        "d": number(len(construction.encoder.coordinates)),
    }
    for parameter in construction.parameters:
        text = parameter_name(parameter)
        natural = Term(f"IZR {text}", APPLICATION, True, 0)
        names[parameter.name] = natural if parameter.is_natural else Term(text, ATOM)

    def refuse(*_: object) -> NoReturn:
        raise Unwritten(f"a scalar that speaks of the word: {expression}")

    def modulo(left: Term, right: Term) -> Term:
        if not left.integer or right.least is None or right.least <= 0:
            raise Unwritten(f"% of other numbers than an integer and a positive integer: {expression}")
        return Term(applied("modulo", left, right), APPLICATION, True, 0)

    def power(base: Term, exponent: Term) -> Term:
        literal = exponent.literal
        if literal is not None and 0 <= literal <= LARGEST_LITERAL:
            least = None if base.least is None or base.least < 0 else base.least**literal
            return Term(f"{base.at(APPLICATION)} ^ {literal}", POWER, base.integer, least)
        if not exponent.integer:
            raise Unwritten(f"a power whose exponent may be no integer: {expression}")
        return Term(applied("power", base, exponent), APPLICATION)

    meaning = meaning_of_part(
        refuse,
        number=number,
        name=names.__getitem__,
        function=function,
        compare=lambda op, left, right: COMPARISONS[op](left, right),
        bracket=lambda truth: truth,
        conjunction=_product,
        disjunction=lambda truths: _negation(_product([_negation(truth) for truth in truths])),
        negation=_negation,
        modulo=modulo,
        power=power,
    )
    read: Term = fold(expression.tree, meaning)
    return read


def function(name: str, value: Term) -> Term:
    """An elementary function, cosine and sine of half turns, as `expressions.Meaning` has them."""
    match name:
        case "cospi" | "sinpi":
            return Term(applied(name.removesuffix("pi"), PI * value), APPLICATION)
        case "exp" | "sqrt":
            return Term(applied(name, value), APPLICATION)
        case "log":
            return Term(applied("ln", value), APPLICATION)
    up, down = (Term(applied("exp", each), APPLICATION) for each in (value, -value))
    match name:
        case "sinh":
            return (up - down) / TWO
        case "cosh":
            return (up + down) / TWO
        case "tanh":
            return (up - down) / (up + down)
    raise Unwritten(f"the function {name}")


def _negation(truth: Term) -> Term:
    """1 - x of an x that is 0 or 1; what is 0 or 1 again is at least 0."""
    difference = ONE - truth
    return Term(difference.text, difference.level, True, 0)


def _product(truths: Sequence[Term]) -> Term:
    return functools.reduce(operator.mul, truths)


def _is(word: str, turned: bool = False) -> Callable[[Term, Term], Term]:
    def compared(left: Term, right: Term) -> Term:
        return ZERO_OR_ONE(applied(word, *((right, left) if turned else (left, right))))

    return compared


COMPARISONS: dict[str, Callable[[Term, Term], Term]] = {
    "==": _is("is_equal"),
    "!=": lambda left, right: _negation(_is("is_equal")(left, right)),
    "<": _is("is_less"),
    "<=": _is("is_at_most"),
    ">": _is("is_less", turned=True),
    ">=": _is("is_at_most", turned=True),
}
"""Iverson brackets, by comparison."""
