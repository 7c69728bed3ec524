"""How many positions have each value that a sum over positions adds up: between the sum and its closed form."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from weightproof.constructions.meaning.schema import Head
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, normalise, substitute
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.derivation import OverPositions, Record, Stream
from weightproof.symbolic.rules.rows import Row, over_positions


@dataclass(frozen=True)
class Counted:
    """values: what is added up, by names; total: the sum, in each of its cases a sum of names times the numbers of
    positions that have their values."""

    values: dict[sympy.Symbol, sympy.Expr]
    total: Iverson

    def counts(self, case: sympy.Expr) -> tuple[tuple[sympy.Expr, sympy.Expr], ...]:
        """(number of positions, value) for the values that are added in a case of the total."""
        apart = sympy.expand(case)
        numbers = ((apart.coeff(name), value) for name, value in self.values.items())
        return tuple((number, value) for number, value in numbers if number != 0)


def counted(summed: OverPositions, closed: Iverson, head: Head, row: Row, table: dict[str, Row]) -> Counted | None:
    """The sum that a head takes at a row, whose closed form is known, told by numbers of positions.

    The rules sum names in place of the values: sums are linear in them. None where a value depends on the position,
    where a number has no closed form, or where the values put back do not make the closed form.
    """
    names: dict[sympy.Expr, sympy.Symbol] = {}
    values: Stream = {token: {} for token in table}
    for token, value in summed.summands:
        named = ZERO
        for conditions, coefficient in value.terms:
            if j in coefficient.free_symbols:
                return None
            name = names.setdefault(coefficient, sympy.Dummy(f"x{len(names)}", real=True))
            named += Iverson(((conditions, name),))
        values[token] = {"": named}
    record = Record()
    total = over_positions(values, "", head, row, table, record)
    meant = {name: value for value, name in names.items()}
    if record.sums or normalise(substitute(total, meant) - closed, row.context).terms:
        return None
    return Counted(meant, total)
