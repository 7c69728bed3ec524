"""Whether a formula holds on a concrete word, exactly."""

from __future__ import annotations

from collections.abc import Mapping

from weightproof.constructions.scalars.numbers import sign
from weightproof.proofs.solving.logic import And, Flag, Formula, Or, Rel
from weightproof.symbolic.evaluate import Word


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
