"""A program as a formula about a word: what is true at its last position, in the vocabulary of docs/formulas.md.

A count up to j is count('a', j), or sum((...)*(k <= j) for k in positions), with what is counted inside. Position 0 is
that of the marker, so that the positions of a program are one less than those of the formula.
"""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.crasp.plain import (
    Above0,
    Among,
    At,
    Before,
    Every,
    Is0,
    Named,
    Other,
    Plain,
    PlainProgram,
    Some,
    Total,
)
from weightproof.constructions.crasp.weights import MARKER
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.grammar import DEEPEST, LONGEST_SOURCE, expression

NAMES = "jkmpqrstuvxyz"
"""Of positions, from the outermost on."""


class TooLong(Exception):
    """Written out, the program is longer than a formula may be."""


@dataclass(frozen=True)
class _Place:
    """A position: one of the formula's, n or that of a sum, and how many are added; within: of how many sums it is
    in."""

    base: str
    added: int
    within: int

    def back(self, distance: int) -> _Place:
        return _Place(self.base, self.added - distance, self.within)

    def __str__(self) -> str:
        return self.base if not self.added else f"{self.base} {'-' if self.added < 0 else '+'} {abs(self.added)}"


def formula(program: PlainProgram) -> Expression:
    """That of the words that the program accepts; TooLong where it is too long to be read."""
    writer = _Writer(program)
    text = writer.text(Named(program.accepted), _Place("n", -1, 0))
    try:
        found = expression(text)
        if holds(found, {}, (MARKER,), program.alphabet):
            found = expression(f"n > 1 and {_in_brackets(text)}")
    except ExpressionError as error:
        raise TooLong(str(error)) from error
    return found


class _Writer:
    def __init__(self, program: PlainProgram) -> None:
        self.program = program
        self.depth = 0

    def text(self, plain: Plain, place: _Place) -> str:
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooLong(f"parts stand inside of one another more than {DEEPEST} deep")
        found = self.said(plain, place)
        if len(found) > LONGEST_SOURCE:
            raise TooLong(f"it is a formula of more than {LONGEST_SOURCE} characters")
        self.depth -= 1
        return found

    def said(self, plain: Plain, place: _Place) -> str:
        match plain:
            case Among(symbols=symbols):
                return self.among(symbols, place)
            case At(modulus=modulus, remainder=remainder):
                return self.residue(modulus, remainder, place, "==")
            case Named(name=name):
                return self.said(self.program.values[name], place)
            case Other(part=part):
                return self.other(part, place)
            case Every(parts=parts):
                return " and ".join(_in_brackets(self.text(part, place)) for part in parts)
            case Some(parts=parts):
                return " or ".join(_in_brackets(self.text(part, place)) for part in parts)
            case Before(part=part, distance=distance):
                return self.before(part, place.back(distance))
            case Above0(total=total):
                return self.compared(total, place, ">")
            case Is0(total=total):
                return self.compared(total, place, "==")

    def among(self, symbols: frozenset[str], place: _Place) -> str:
        alphabet = self.program.alphabet
        if len(symbols) in (0, len(alphabet)):
            return "n >= 1" if symbols else "n < 1"
        if len(symbols) == len(alphabet) - 1 > 1:
            [other] = {*alphabet} - symbols
            return f"w[{place}] != {other!r}"
        return " or ".join(f"w[{place}] == {a!r}" for a in alphabet if a in symbols)

    def other(self, part: Plain, place: _Place) -> str:
        match self.program.value(part):
            case Above0(total=total):
                return self.compared(total, place, "<=")
            case Is0(total=total):
                return self.compared(total, place, "!=")
            case At(modulus=modulus, remainder=remainder):
                return self.residue(modulus, remainder, place, "!=")
            case found:
                return f"not {_in_brackets(self.text(found, place))}"

    def residue(self, modulus: int, remainder: int, place: _Place, sign: str) -> str:
        return f"{place.base} % {modulus} {sign} {(remainder + 1 - place.added) % modulus}"

    def before(self, part: Plain, place: _Place) -> str:
        """At a place that may be none, or the marker's: only a symbol that is to stand there says that it is one."""
        found = self.program.value(part)
        said = self.text(found, place)
        if isinstance(found, Among) and "w[" in said and "!=" not in said:
            return said
        return f"{place.base} > {-place.added} and {_in_brackets(said)}"

    def compared(self, total: Total, place: _Place, sign: str) -> str:
        """The sum with 0, in such a form that nothing is subtracted."""
        sides: dict[bool, list[str]] = {True: [], False: []}
        for part, factor in total.counts:
            size = "" if abs(factor) == 1 else f"{abs(factor)}*"
            sides[factor > 0] += [f"{size}{each}" for each in self.counts(part, place, bool(size))]
        constant = total.constant
        if constant == 1 and sign in (">", "<="):  # of whole numbers
            constant, sign = 0, {">": ">=", "<=": "<"}[sign]
        if sign == "<=" and not sides[False] and not constant:
            sign = "=="
        if constant:
            sides[constant > 0].append(str(abs(constant)))
        left, right = (" + ".join(side) or "0" for side in (sides[True], sides[False]))
        return f"{left} {sign} {right}"

    def counts(self, part: Plain, place: _Place, is_factor: bool) -> list[str]:
        """How often it is so up to a place, as a sum."""
        found, alphabet = self.program.value(part), self.program.alphabet
        match found:
            case Among(symbols=symbols) if len(symbols) == len(alphabet):
                return [f"({place})" if is_factor and place.added else str(place)]
            case Among(symbols=symbols):
                last = "" if place.base == "n" and place.added == -1 else f", {place}"
                return [f"count({a!r}{last})" for a in alphabet if a in symbols]
        if place.within >= len(NAMES):
            raise TooLong("too many counts stand inside of one another")
        name = NAMES[place.within]
        inside = f"({self.text(found, _Place(name, 0, place.within + 1))})"
        up_to = "" if place.base == "n" and place.added == -1 else f"*({name} <= {place})"
        return [f"sum({inside}{up_to} for {name} in positions)"]


def _in_brackets(text: str) -> str:
    """Only what joins needs them; a comparison binds more."""
    return f"({text})" if " and " in text or " or " in text or text.startswith("not ") else text
