"""Values told apart before they are summed: what does not depend on the position, and what differs at some of them.

Under a token, a range or a residue of positions has no closed sum; what all symbols share stands under none.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from weightproof.symbolic.algebra.iverson import MOST_RESIDUES, ZERO, Condition, Conditions, Iverson, bracket
from weightproof.symbolic.algebra.vocabulary import j


def with_backgrounds(values: Mapping[str, Iverson]) -> dict[str, Iverson]:
    """The values for each symbol, each in the form in which more of it is shared by all."""
    values = {symbol: _with_background(value) for symbol, value in values.items()}
    apart = {symbol: _from_residue_0(value) for symbol, value in values.items()}
    return apart if _under_residues(values) and not _under_residues(apart) else values


def _under_residues(values: Mapping[str, Iverson]) -> bool:
    """Whether a term that not all values share asks for a residue of the position."""
    shared = set.intersection(*(set(value.terms) for value in values.values()))
    return any(
        is_residue(condition)
        for value in values.values()
        for term in set(value.terms) - shared
        for condition in term[0]
    )


def _from_residue_0(value: Iverson) -> Iverson:
    """The value as what it is at the positions 0, m, 2m, ..., and what differs at the others."""
    total = ZERO
    pieces: dict[Conditions, list[tuple[Condition, sympy.Expr]]] = {}
    for conditions, coefficient in value.terms:
        asked = [condition for condition in conditions if is_residue(condition)]
        if len(asked) == 1:
            pieces.setdefault(conditions - {*asked}, []).append((asked[0], coefficient))
        else:
            total += Iverson(((conditions, coefficient),))
    for others, parts in pieces.items():
        total += Iverson(((others, sympy.S.One),)) * _of_residues(parts)
    return total


def _of_residues(parts: list[tuple[Condition, sympy.Expr]]) -> Iverson:
    """The same of one group of residues."""
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
    for residue in range(1, int(atom.args[1])):
        total += bracket("==", atom - residue).scaled(at(residue) - at(0))
    return total


def _with_background(value: Iverson) -> Iverson:
    """The same value, where it does not change from below some positions to above them, as what it is there, and what
    differs between: 2*[j <= 7] + 2*[j >= 9] is 2 - 2*[j = 8], which sums without a count up to 7.
    """
    total = ZERO
    pieces: dict[Conditions, list[tuple[Condition, sympy.Expr]]] = {}
    for conditions, coefficient in value.terms:
        ranges = [condition for condition in conditions if is_range(condition)]
        if len(ranges) == 1:
            pieces.setdefault(conditions - {*ranges}, []).append((ranges[0], coefficient))
        else:
            total += Iverson(((conditions, coefficient),))
    for others, parts in pieces.items():
        total += Iverson(((others, sympy.S.One),)) * _of_ranges(parts)
    return total


def _of_ranges(parts: list[tuple[Condition, sympy.Expr]]) -> Iverson:
    """The same of one group of ranges of positions."""
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
