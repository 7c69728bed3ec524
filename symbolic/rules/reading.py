"""How the expression language is read into the atoms of the symbolic vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Domain, Expression, Meaning, fold
from weightproof.symbolic.algebra.definedness import require_defined, scalars
from weightproof.symbolic.algebra.exponentials import exponential, logarithm, square_root
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, bracket, substitute
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.value import Value, wave
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, i, j, n
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.rules.sums import sum_symbols


def read_scalar(
    scalar: Expression,
    vocabulary: Vocabulary,
    position: sympy.Expr | None = None,
    record: Record | None = None,
    context: Context | None = None,
) -> Iverson:
    """The symbolic value of an exact scalar, with i read as `position`; sums over positions need a `record`.

    context: what is known where it is read; None is what holds of every word.

    Raises Underivable where the scalar has no value for every n and every position, or where it cannot be told.
    """
    context = vocabulary.words() if context is None else context
    if position is not None:
        first, last = (vocabulary.first, vocabulary.last) if position == i else (0, n - 1)
        context = context.within(position, first, last)
    meaning = reading(vocabulary, position, record, context)
    require_defined(scalar.tree, meaning, vocabulary, context)
    value: Iverson = fold(scalar.tree, meaning).value
    return value


def require_scalars(network: Encoder, vocabulary: Vocabulary, words: Context) -> None:
    """Raises Underivable unless every scalar of a network has a value everywhere, also one that nothing reads."""
    everywhere = words.within(i, 0, n - 1)
    meaning = reading(vocabulary, i, context=everywhere)
    for place, scalar in scalars(network):
        try:
            require_defined(scalar.tree, meaning, vocabulary, everywhere)
        except Underivable as error:
            raise Underivable(f"{place}: {error}") from error


def reading(
    vocabulary: Vocabulary,
    position: sympy.Expr | None = None,
    record: Record | None = None,
    context: Context | None = None,
) -> Meaning:
    """The symbolic meaning of the expression language; every value is a `Value`, truth values being 0 or 1.

    context: what is known, for comparisons that are not linear but settled by the sign of their difference.
    """
    # A bound position is one of a symbol's, or, of an invariant, the one before the first.
    in_word = (vocabulary.words() if context is None else context).within(j, vocabulary.first - 1, vocabulary.last)

    def name(identifier: str) -> Any:
        match identifier:
            case "n":
                return Value(Iverson.constant(n))
            case "i" if position is not None:
                return Value(Iverson.constant(position))
            case "d":
                return Value(Iverson.constant(vocabulary.width))
            case _ if identifier in vocabulary.real or identifier in vocabulary.natural:
                return Value(Iverson.constant(vocabulary.parameter(identifier)))
        raise Underivable(f"name {identifier!r} has no meaning here")

    def count(symbol: str, last: Any | None) -> Value:
        if last is None:
            return Value(Iverson.constant(vocabulary.total(symbol)))
        counted = (cell * vocabulary.count(symbol, _place(at), in_word) for cell, at in cells(last.value))
        return Value(sum(counted, ZERO))

    def token(place: Value) -> Value:
        """The index of the token at a position; -1, as for a marker, where that is no position, or no integer."""
        held = (cell.scaled(vocabulary.token(_place(at))) for cell, at in cells(place.value))
        return Value(sum(held, ZERO))

    def function(which: str, argument: Value) -> Value:
        if which in ("cospi", "sinpi"):
            return wave(which.removesuffix("pi"), argument)
        if argument.value.axes:  # by cases of the brackets
            by_case = (Value(cell) * function(which, Value(Iverson.constant(x))) for cell, x in cells(argument.value))
            return sum(by_case, Value(ZERO))
        if which in ("sqrt", "log"):
            inside = argument.plain()
            value = square_root(inside) if which == "sqrt" else logarithm(inside, vocabulary)
            if value.has(sympy.Abs) or value.is_real is False:
                raise Underivable(f"{which}({inside}) is no rational function of roots and logarithms")
            return Value(Iverson.constant(value))
        if which in ("cos", "sin", "pi"):
            raise Underivable(f"{which} is read in cosines and sines of multiples of pi alone")
        up = exponential(argument.plain(), vocabulary)
        value = {
            "exp": up,
            "sinh": (up - 1 / up) / 2,
            "cosh": (up + 1 / up) / 2,
            "tanh": (up - 1 / up) / (up + 1 / up),
        }[which]
        return Value(Iverson.constant(value))

    def compare(op: str, left: Any, right: Any) -> Value:
        if isinstance(left, str) or isinstance(right, str):
            held, symbol = (right, left) if isinstance(left, str) else (left, right)
            if symbol not in vocabulary.alphabet:
                return Value(ZERO if op == "==" else Iverson.constant(1))
            index = vocabulary.alphabet.index(symbol)
            equal = sum((cell * bracket("==", at - index) for cell, at in cells(held.value)), ZERO)
            return Value(equal if op == "==" else Iverson.constant(1) - equal)
        total = ZERO
        for cell, difference in cells(left.value - right.value):
            if linear_form(difference) is not None:
                total += cell * bracket(op, difference)
            else:
                total += cell * bracket(op, settled(op, difference, cell))
        return Value(total)

    def settled(op: str, difference: sympy.Expr, cell: Iverson) -> sympy.Expr:
        """An integer with the sign of a difference, where it is known."""
        if context is not None:
            known = sign_of(difference, context.given(*cell.forms()), vocabulary)
            if known is not Sign.OPEN:
                return sympy.Integer(known.value)
        raise Underivable(f"{difference} {op} 0 is no linear condition on integers")

    def total(body: Callable[[Value], Value], domain: Domain) -> Value:
        if record is None:
            raise Underivable("a sum over positions stands where none is read")
        summand = body(Value(Iverson.constant(j))).value
        values = {a: vocabulary.known_token(summand, a, j) for a in vocabulary.alphabet}
        result = sum_symbols(values, vocabulary.words(record.facts), vocabulary, record)
        for place in vocabulary.markers if domain == "indices" else ():
            at_marker = body(Value(Iverson.constant(place))).value
            result += substitute(at_marker, {vocabulary.token(place): sympy.S.NegativeOne})
        return Value(result)

    def for_all(body: Callable[[Value], Value], domain: Domain) -> Value:
        raise Underivable("a statement about all positions is read in theorems by induction only")

    def matches(text: str) -> Value:
        raise Underivable(
            f"matches({text!r}): no rule for closed forms reads regular expressions; say it by positions and counts"
        )

    def conjunction(values: list[Value]) -> Value:
        product = Iverson.constant(1)
        for value in values:
            product = product * value.value
        return Value(product)

    def negation(value: Value) -> Value:
        return Value(Iverson.constant(1) - value.value)

    return Meaning(
        number=lambda number: Value(Iverson.constant(number)),
        name=name,
        function=function,
        compare=compare,
        bracket=lambda truth: truth,
        token=token,
        count=count,
        conjunction=conjunction,
        disjunction=lambda values: negation(conjunction([negation(value) for value in values])),
        negation=negation,
        for_all=for_all,
        total=total,
        matches=matches,
        modulo=lambda a, b: a.modulo(b),
        power=lambda a, b: a.power(b),
    )


def _place(position: sympy.Expr) -> sympy.Expr:
    if linear_form(position) is None:
        raise Underivable(f"position {position} is no linear form of integers")
    return position
