"""Values told apart before they are summed: what does not depend on the position, and what differs at some of them.

Under a token, a range or a residue of positions has no closed sum; what all symbols share stands under none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sympy

from weightproof.symbolic.algebra.iverson import (
    MOST_RESIDUES,
    ZERO,
    Condition,
    Conditions,
    Iverson,
    bracket,
)
from weightproof.symbolic.algebra.vocabulary import j


def in_common_form(values: Mapping[str, Iverson]) -> dict[str, Iverson]:
    """The values for each symbol, each in the form in which more of it is shared by all."""
    values = {symbol: _rewritten(value, is_range, _from_outside) for symbol, value in values.items()}
    apart = {symbol: _rewritten(value, is_residue, _from_residue_0) for symbol, value in values.items()}
    return apart if _under_residues(values) and not _under_residues(apart) else values


def shared(values: Mapping[str, Iverson]) -> Iverson:
    """The terms that the values for all symbols share."""
    first, *others = values.values()
    return Iverson(tuple(term for term in first.terms if all(term in other.terms for other in others)))


def _under_residues(values: Mapping[str, Iverson]) -> bool:
    """Whether a term that not all values share asks for a residue of the position."""
    common = shared(values).terms
    return any(
        is_residue(condition)
        for value in values.values()
        for conditions in (term[0] for term in value.terms if term not in common)
        for condition in conditions
    )


def _rewritten(
    value: Iverson, is_one: Callable[[Condition], bool], form: Callable[[list[tuple[Condition, sympy.Expr]]], Iverson]
) -> Iverson:
    """The value, its terms with one condition of a kind grouped by the other conditions, each group in another form."""
    total = ZERO
    pieces: dict[Conditions, list[tuple[Condition, sympy.Expr]]] = {}
    for conditions, coefficient in value.terms:
        found = [condition for condition in conditions if is_one(condition)]
        if len(found) == 1:
            pieces.setdefault(conditions - {*found}, []).append((found[0], coefficient))
        else:
            total += Iverson(((conditions, coefficient),))
    for others, parts in pieces.items():
        total += Iverson(((others, sympy.S.One),)) * form(parts)
    return total


def _from_residue_0(parts: list[tuple[Condition, sympy.Expr]]) -> Iverson:
    """Residues of positions as what is at the positions 0, m, 2m, ..., and what differs at the others."""
    whole = Iverson(tuple((frozenset({part}), coefficient) for part, coefficient in parts))
    if len(whole.axes) != 1:
        return whole
    [axis] = whole.axes
    [atom] = axis.atoms
    if atom.args[1] > MOST_RESIDUES:
        return whole

    def at(residue: int) -> sympy.Expr:
        return sum((coefficient for part, coefficient in parts if part.covers(residue, residue)), sympy.S.Zero)

    total = Iverson.constant(at(0))
    for rest in range(1, int(atom.args[1])):
        total += bracket("==", atom - rest).scaled(at(rest) - at(0))
    return total


def _from_outside(parts: list[tuple[Condition, sympy.Expr]]) -> Iverson:
    """Ranges of positions, where nothing changes from below some positions to above them, as what is there, and what
    differs between: 2*[j <= 7] + 2*[j >= 9] is 2 - 2*[j = 8], which sums without a count up to 7.
    """
    whole = Iverson(tuple((frozenset({part}), coefficient) for part, coefficient in parts))
    below = [(part.hi, coefficient) for part, coefficient in parts if part.lo is None and part.hi is not None]
    above = [(part.lo, coefficient) for part, coefficient in parts if part.hi is None and part.lo is not None]
    if len(whole.axes) != 1 or len(below) != 1 or len(above) != 1 or below[0][1] != above[0][1]:
        return whole
    [axis] = whole.axes
    (end, background), (start, _) = below[0], above[0]
    if end >= start:
        return whole
    between = Iverson(((frozenset({Condition(axis, end + 1, start - 1)}), -background),)) if end + 1 < start else ZERO
    inner = Iverson(tuple(term for term in whole.terms if all(c.lo is not None and c.hi is not None for c in term[0])))
    return Iverson.constant(background) + between + inner


def only_plainly(condition: Condition) -> bool:
    """j stands in the axis itself, and inside no atom of it."""
    return all(atom == j or j not in atom.free_symbols for atom in condition.axis.atoms)


def is_range(condition: Condition) -> bool:
    return abs(condition.axis.coefficient(j)) == 1 and only_plainly(condition)


def is_residue(condition: Condition) -> bool:
    [*atoms] = condition.axis.atoms
    return len(atoms) == 1 and isinstance(atoms[0], sympy.Mod) and atoms[0].args[0] == j


def bounds(condition: Condition) -> tuple[sympy.Expr | None, sympy.Expr | None]:
    """The least and the greatest j that a range allows."""
    factor = int(condition.axis.coefficient(j))
    rest = condition.axis.expression() - factor * j
    low = None if condition.lo is None else sympy.expand((condition.lo - rest) * factor)
    high = None if condition.hi is None else sympy.expand((condition.hi - rest) * factor)
    return (low, high) if factor == 1 else (high, low)
