"""The closed form evaluated on a concrete word, exactly: how the symbolic reading is held against the interpreter."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import sympy
from flint import arb, ctx, fmpq
from sympy.core.function import AppliedUndef

from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.exact import Real, enclosure, exp, log, sign, sqrt
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import Fixed
from weightproof.constructions.scalars.irrational import Irrational
from weightproof.constructions.scalars.values import Number, evaluate
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.linear import Atom, Form, is_atom
from weightproof.symbolic.algebra.vocabulary import Vocabulary, i, is_power_of_e, j, n
from weightproof.symbolic.derivation import Derivation, ExplicitSum

STEPS_A_TERM = 20
"""Of counted work, for each term of a form that is evaluated."""


def evaluate_logit(
    derivation: Derivation, tokens: Sequence[str], parameters: Mapping[str, Real], bits: int | None = None
) -> Number:
    """The derived logit on a marked word, exactly, or a ball that contains it, computed with so many bits."""
    with nullcontext() if bits is None else ctx.workprec(bits):
        return _word(derivation, tokens, parameters, balls=bits is not None).iverson(derivation.logit)


def has_value(derivation: Derivation, tokens: Sequence[str], parameters: Mapping[str, Real]) -> bool:
    """Whether no row that the logit needs is one that a norm with epsilon = 0 has no value for."""
    word = _word(derivation, tokens, parameters)
    rows = ([word.iverson(value) for value in each.values] for each in derivation.nonzero.values())
    return all(any(sign(value) != 0 for value in row) for row in rows)


def _word(derivation: Derivation, tokens: Sequence[str], parameters: Mapping[str, Real], balls: bool = False) -> Word:
    """The word with the values of the sums that the logit mentions."""
    word = Word(derivation.vocabulary, tokens, parameters, derivation.scales, balls)
    for total in derivation.sums.values():
        word.values[total.symbol] = word.total(total)
    return word


def specialised_logit(derivation: Derivation, tokens: Sequence[str], naturals: Mapping[str, Real]) -> sympy.Expr:
    """The derived logit on a marked word as a function of the units u_c alone, the real parameters left open."""
    word = Word(derivation.vocabulary, tokens, naturals)
    sums: dict[sympy.Expr, sympy.Expr] = {}
    for total in derivation.sums.values():
        sums[total.symbol] = sum((word.opened(total.body, sums) for _ in word.places(total)), sympy.S.Zero)
    return word.opened(derivation.logit, sums)


class Word:
    """A marked word and parameter values; gives every atom of the vocabulary its value."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        tokens: Sequence[str],
        parameters: Mapping[str, Real],
        scales: Mapping[sympy.Expr, Iverson] | None = None,
        balls: bool = False,
    ) -> None:
        self.balls, self.parameters = balls, dict(parameters)
        self._scales: dict[tuple[Any, int | None], Number] = {}
        self.scales = {_function(scale): square for scale, square in (scales or {}).items()}
        self.tokens = [vocabulary.alphabet.index(t) if t in vocabulary.alphabet else -1 for t in tokens]
        self.alphabet = vocabulary.alphabet
        self.values: dict[sympy.Expr, Number] = {n: fmpq(len(tokens))}
        for symbol in vocabulary.alphabet:
            self.values[vocabulary.total(symbol)] = self._count(symbol, len(tokens))
        for name, value in parameters.items():
            self.values[vocabulary.parameter(name)] = self._number(value)
            if name in vocabulary.real:
                self.values[vocabulary.unit(name)] = self._number(exp(value))

    def _number(self, value: Number) -> Number:
        """The number itself, or, in balls, a ball in place of what is no rational."""
        return enclosure(value) if self.balls and isinstance(value, Irrational) else value

    def _count(self, symbol: str, stop: int) -> fmpq:
        return fmpq(self.tokens[: max(stop, 0)].count(self.alphabet.index(symbol)))

    def iverson(self, value: Iverson) -> Number:
        work.spend(STEPS_A_TERM * (1 + len(value.terms)))
        result: Number = fmpq(0)
        for conditions, coefficient in value.terms:
            if all(self._holds(c.axis, c.lo, c.hi) for c in conditions):
                result = result + self.expression(coefficient)
        return result

    def opened(self, value: Iverson, sums: Mapping[sympy.Expr, sympy.Expr] | None = None) -> sympy.Expr:
        """The value with everything but the units replaced by numbers."""
        result: sympy.Expr = sympy.S.Zero
        for conditions, coefficient in value.terms:
            if all(self._holds(c.axis, c.lo, c.hi) for c in conditions):
                atoms = coefficient.free_symbols | coefficient.atoms(sympy.core.function.AppliedUndef, sympy.Mod)
                known = {atom: _rational_number(self.atom(atom)) for atom in atoms if is_atom(atom)}
                result += coefficient.xreplace(known | dict(sums or {}))
        return result

    def places(self, total: ExplicitSum) -> Iterator[int]:
        """The positions of a sum; while one of them is given, j is that."""
        for place in range(self.integer(total.lo), self.integer(total.hi) + 1):
            self.values[j] = fmpq(place)
            yield place

    def total(self, total: ExplicitSum) -> Number:
        """The value of an explicit sum."""
        return sum((self.iverson(total.body) for _ in self.places(total)), fmpq(0))

    def _holds(self, axis: Form, lo: int | None, hi: int | None) -> bool:
        value = sum(
            (self.atom(atom) * fmpq(factor.numerator, factor.denominator) for atom, factor in axis.terms), fmpq(0)
        )
        return (lo is None or value >= lo) and (hi is None or value <= hi)

    def atom(self, atom: Atom) -> Number:
        if atom in self.values:
            return self.values[atom]
        if isinstance(atom, sympy.Mod):
            return fmpq(self.integer(atom.args[0]) % int(atom.args[1]))
        if _function(atom) in self.scales:
            return self._scale(atom)
        if is_power_of_e(atom):
            return self._number(exp(self.expression(atom.args[0])))
        if isinstance(atom, sympy.Symbol):  # a unit that is named by its own expression
            return self._number(evaluate(Expression(str(atom)), self.parameters))
        if str(atom.func) == "w":
            place = _rational(self.expression(atom.args[0]))
            inside = place.q == 1 and 0 <= place < len(self.tokens)
            return fmpq(self.tokens[int(place.p)] if inside else -1)
        return self._count(str(atom.func)[2:], self.integer(atom.args[0]) + 1)

    def _scale(self, atom: Atom) -> Number:
        """1 over the root of the square, at the position that the scale is taken at; computed once."""
        key = _function(atom), self.integer(atom.args[0]) if atom.args else None
        if key not in self._scales:
            before = self.values.get(i)
            if key[1] is not None:
                self.values[i] = fmpq(key[1])
            self._scales[key] = fmpq(1) / self._root(self.iverson(self.scales[key[0]]))
            if before is not None:
                self.values[i] = before
        return self._scales[key]

    def _root(self, value: Number) -> Number:
        return self._number(sqrt(value))

    def integer(self, expression: sympy.Expr) -> int:
        """Raises ArithmeticError where the value is no integer."""
        value = _rational(self.expression(expression))
        if value.q != 1:
            raise ArithmeticError(f"{expression} = {value} stands where an integer is needed")
        return int(value.p)

    def expression(self, expression: sympy.Expr) -> Number:
        match expression:
            case sympy.Rational():
                return fmpq(int(expression.p), int(expression.q))
            case sympy.Add():
                return sum((self.expression(arg) for arg in expression.args), fmpq(0))
            case sympy.Mul():
                product: Number = fmpq(1)
                for arg in expression.args:
                    product = product * self.expression(arg)
                return product
            case sympy.Pow(base=base, exp=exponent):
                power = _rational(self.expression(exponent))
                value = self.expression(base)
                for _ in range(int(power.q).bit_length() - 1):  # a root of a root is a power with exponent 1/4
                    value, power = self._root(value), power * 2
                if power.q != 1 and base.is_positive:  # e^(2c/3), a power of the unit e^c
                    return self._number(exp(power * log(value)))
                if power.q != 1:
                    raise ArithmeticError(f"{expression}: a power with exponent {power}")
                assert not isinstance(value, Fixed)  # of no format: what is evaluated here is exact, or in balls
                if isinstance(value, arb) and power.p > 0:  # its own power of a ball around 0 is a ball of no numbers
                    return functools.reduce(operator.mul, [value] * int(power.p))
                return value ** int(power.p)
            case sympy.log(args=(argument,)):
                return self._number(log(self.expression(argument)))
            case sympy.Abs(args=(argument,)):
                inside = self.expression(argument)
                return abs(inside) if isinstance(inside, arb) else inside * sign(inside)
        return self.atom(expression)


def _function(atom: Atom) -> Any:
    """What a scale is called: R1 itself, or the function R2 of R2(i)."""
    return atom.func if isinstance(atom, AppliedUndef) else atom


def _rational(value: Number) -> fmpq:
    if not isinstance(value, fmpq):
        raise ArithmeticError(f"{value} stands where a rational is needed")
    return value


def _rational_number(value: Number) -> sympy.Rational:
    rational = _rational(value)
    return sympy.Rational(int(rational.p), int(rational.q))
