"""What came out, explained: formulas of the data language with words between them. Its text is one way to print it.

`weightproof.appendix.published` prints the same as TeX.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from weightproof.constructions.scalars.expressions import Expression


@dataclass(frozen=True)
class Values:
    """What a quantity is: one of the values, according to the word. tokens: at the positions of these tokens; at all of
    which it is spoken, where none is named."""

    values: tuple[Expression, ...]
    tokens: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " or ".join(map(str, self.values)) + (f" at {', '.join(self.tokens)}" if self.tokens else "")


@dataclass(frozen=True)
class Named:
    """A name that formulas use for a value: a sum over the positions of the word."""

    name: Expression
    value: Expression

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


@dataclass(frozen=True)
class Theta:
    """|logit| grows as fast as this."""

    bound: Expression

    def __str__(self) -> str:
        return f"|logit| is Theta({self.bound})"


Piece = str | Expression | Values | Named | Theta


@dataclass(frozen=True)
class Explanation:
    """Words, formulas, and what they are about, in the order in which they are said."""

    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.pieces))

    def __add__(self, more: Explanation) -> Explanation:
        return Explanation(self.pieces + more.pieces)


def explained(*pieces: Piece) -> Explanation:
    """Explanation by its pieces; empty words say nothing."""
    return Explanation(tuple(piece for piece in pieces if piece != ""))


def joined(parts: Iterable[Explanation], separator: str) -> Explanation:
    """One after the other."""
    pieces: list[Piece] = []
    for part in parts:
        pieces += [*([separator] if pieces else []), *part.pieces]
    return Explanation(tuple(pieces))
