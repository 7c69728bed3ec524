"""Candidates that are read off the states: linear relations among counts, sums, positions and tokens at fixed places.

Every linear equation that holds in all states of a kind is a combination of the basis of a null space, exactly. An
equation that holds while a quantified part of the language has, and bounds what it compares when that no longer has,
says so of both.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm

import sympy
from flint import fmpq, fmpq_mat
from sympy.core.function import AppliedUndef

from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.solving.logic import TRUE, Formula, expressions_of
from weightproof.proofs.strategies.found.clauses import Clause
from weightproof.proofs.strategies.found.states import State
from weightproof.proofs.strategies.inductive.induction import Reading
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.writing.plain import number

LARGEST_COEFFICIENT = 3
"""Absolute value of a coefficient."""
FURTHEST = 4
"""How far from the first symbol a place may be for its symbol to be told apart."""


def relations(reading: Reading, seen: Sequence[State]) -> Iterator[Clause]:
    """The equations of each kind of state, and bounds of what they compare in the opposite kind."""
    variables = [each for each in _variables(reading) if all(_is_rational(each, state) for state in seen)]
    for text, formula in _places(reading):
        where = () if formula == TRUE else (f"({text})",)
        here = [state for state in seen if state.satisfies(formula)]
        for equation in _equations(here, variables):
            yield Clause(where, _said(equation, "==", 0, variables))
        for flag, held in itertools.product(reading.flags, (True, False)):
            kept = [state for state in here if state.flags[flag] == held]
            lost = [state for state in here if state.flags[flag] != held]
            for equation in _equations(kept, variables):
                yield Clause((flag if held else f"not {flag}", *where), _said(equation, "==", 0, variables))
                values = [_value(equation, state, variables) for state in lost]
                opposite = (f"not {flag}" if held else flag, *where)
                if values and 0 < min(values) <= LARGEST_COEFFICIENT:
                    yield Clause(opposite, _said(equation, ">=", ceil(min(values)), variables))
                if values and -LARGEST_COEFFICIENT <= max(values) < 0:
                    yield Clause(opposite, _said(equation, "<=", floor(max(values)), variables))


@dataclass(frozen=True)
class Variable:
    """Something that a relation compares: its value, and its name in the language of theorems."""

    expression: Iverson
    name: str


def _variables(reading: Reading) -> list[Variable]:
    """1, the position, all prefix counts but one, which the others make up, the tokens at fixed places, the sums."""
    vocabulary = reading.derivation.vocabulary
    found = [Variable(Iverson.constant(1), "1"), Variable(Iverson.constant(j), "j")]
    for symbol in vocabulary.alphabet[1:]:
        found.append(Variable(Iverson.constant(vocabulary.prefix_atom(symbol)(j)), f"count('{symbol}', j)"))
    for place in _fixed(reading):
        for symbol in vocabulary.alphabet[1:]:
            found.append(Variable(vocabulary.token_is(symbol, sympy.Integer(place)), f"(w[{place}] == '{symbol}')"))
    return [*found, *(Variable(Iverson.constant(symbol), str(symbol)) for symbol in reading.derivation.sums)]


def _tokens(reading: Reading) -> set[sympy.Expr]:
    """The tokens at places that do not depend on j of which the closed form or the language speaks."""
    derivation = reading.derivation
    spoken = {*expressions_of(reading.accepts), *(axis.expression() for axis in derivation.logit.axes)}
    atoms = {atom for expression in spoken for atom in expression.atoms(AppliedUndef)}
    return {atom for atom in atoms if derivation.vocabulary.is_token(atom) and not atom.has(j)}


def _fixed(reading: Reading) -> list[int]:
    """The fixed places near the first symbol that are spoken of."""
    first = reading.derivation.vocabulary.first
    places = {int(token.args[0]) for token in _tokens(reading) if token.args[0].is_Integer}
    return sorted(place for place in places if first <= place < first + FURTHEST)


def _places(reading: Reading) -> list[tuple[str, Formula]]:
    """Which positions are told apart, as texts and formulas: those before and at a place that is spoken of."""
    vocabulary = reading.derivation.vocabulary
    fixed, last = _fixed(reading), number(vocabulary.last, vocabulary)
    starts = [f"j == {place}" for place in range(vocabulary.first, fixed[-1])] if fixed else []
    starts += [f"j >= {fixed[-1]}"] if fixed else []
    ends = []
    if any(token.args[0] == vocabulary.last for token in _tokens(reading)):
        ends = [f"j < {last}", f"j == {last}"]
    ways = [" and ".join(parts) for parts in itertools.product(*(part for part in (starts, ends) if part))]
    return [(text, reading.formula(Expression(text)) if text else TRUE) for text in ways]


def _equations(seen: Sequence[State], variables: Sequence[Variable]) -> list[tuple[int, ...]]:
    """A basis of the linear equations that hold in all states, with small whole coefficients: those that have them."""
    rows = {tuple(state.word.iverson(variable.expression) for variable in variables) for state in seen}
    if len(rows) < len(variables):
        return []
    entries = [value for row in sorted(rows) for value in row]
    reduced, rank = fmpq_mat(len(rows), len(variables), entries).rref()
    pivots = [next(c for c in range(len(variables)) if reduced[r, c] != 0) for r in range(rank)]
    basis = []
    for free in (c for c in range(len(variables)) if c not in pivots):
        vector = [fmpq(0)] * len(variables)
        vector[free] = fmpq(1)
        for row, pivot in enumerate(pivots):
            vector[pivot] = -reduced[row, free]
        whole = lcm(*(int(x.q) for x in vector))
        coefficients = [int((x * whole).p) for x in vector]
        shared = gcd(*coefficients)
        basis.append(tuple(x // shared for x in coefficients))
    return [vector for vector in basis if all(abs(x) <= LARGEST_COEFFICIENT for x in vector) and any(vector[2:])]


def _value(equation: Sequence[int], state: State, variables: Sequence[Variable]) -> Fraction:
    total = fmpq(0)
    for factor, variable in zip(equation, variables, strict=True):
        value = state.word.iverson(variable.expression)
        assert isinstance(value, fmpq)
        total += value * factor
    return Fraction(int(total.p), int(total.q))


def _is_rational(variable: Variable, state: State) -> bool:
    return isinstance(state.word.iverson(variable.expression), fmpq)


def _said(equation: Sequence[int], op: str, bound: int, variables: Sequence[Variable]) -> str:
    """With positive terms on either side."""
    terms = [*zip(equation, (variable.name for variable in variables), strict=True), (-bound, "1")]
    sides = []
    for sign in (1, -1):
        constant = sum(sign * factor for factor, name in terms if name == "1")
        parts = [(sign * factor, name) for factor, name in terms if name != "1" and sign * factor > 0]
        texts = [name if factor == 1 else f"{factor}*{name}" for factor, name in parts]
        sides.append(" + ".join([*texts, *([str(constant)] if constant > 0 or not texts else [])]))
    return f"{sides[0]} {op} {sides[1]}"
