"""What a paper can print about decoders that append the values of a circuit's gates: kinds of statements, as data.

A statement is made of every circuit, every input, and every format in which exp(-B) is rounded to 0; where it says
`least`, with B >= least. family: the decoders of which it is made. Position i, from 2 on, is the one that writes wire
i: the token of wire i - 1 stands there, and the number i - 1, and beside it the kind and the two wires of gate i.

Formulas of what stands at a position are in `x`, the token of wire i - 1, `x_a` and `x_b`, those of the wires that gate
i reads, `y`, what the gate makes of these, `c`, 1 for AND and 0 for NOT, and B; of queries and keys also in `id_j`,
`a_j` and `b_j`, the bits, -1 or 1, of the number and of the two addresses there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from reprlib import repr as short
from types import MappingProxyType
from typing import Literal

from weightproof.constructions.claims.statement import Statement, Topic, formulas_problems
from weightproof.constructions.scalars.expressions import Expression, entries, exact, exact_or_none
from weightproof.constructions.scalars.frozen import Written

AT_POSITION = ("x", "y", "x_a", "x_b", "c", "B")
BITS = ("id_j", "a_j", "b_j")
Address = Literal["a", "b"]
MOST_LEAST = 16
"""B that a statement may ask for at least."""


class Circuital(Statement):
    """A statement about decoders for circuits."""

    def problems(self, about: Topic) -> Iterator[str]:
        family = getattr(self, "family", None)
        if family is not None and family not in about.names:
            yield f"there are no decoders {family!r}; there are {', '.join(about.names)}"
        least = getattr(self, "least", 1)
        if not isinstance(least, int) or not 1 <= least <= MOST_LEAST:
            yield f"least: {short(least)} is no B from 1 to {MOST_LEAST}"
        if getattr(self, "layer", 1) < 1:
            yield "layer: layers are counted from 1"
        for name, value in vars(self).items():
            if value == ():
                yield f"{name}: there is none"
        yield from super().problems(about)


Part = Literal["embedded", "table", "input", "query", "key", "value", "attended", "output"]
"""What stands at a position: its token's embedding; its row of the table; both; and of a layer the query, the key, and
what the value adds where the head looks at it; the vector behind the head; the layer's output."""
OF_LAYERS = frozenset({"query", "key", "value", "attended", "output"})


@dataclass(frozen=True)
class Place:
    """layer: from 1 on, of what belongs to one."""

    part: Part
    layer: int = 0


@dataclass(frozen=True)
class Carries(Circuital):
    """The vectors at these places have these entries; nothing is said of others. In the names of rows of queries and
    keys j stands for each bit."""

    family: str
    places: tuple[Place, ...]
    rows: Written[Mapping[str, Expression]] = Written(entries)

    def problems(self, about: Topic) -> Iterator[str]:
        yield from super().problems(about)
        for place in self.places:
            if (place.part in OF_LAYERS) != (place.layer >= 1):
                yield f"places: {place.part!r} {'needs a' if place.part in OF_LAYERS else 'has no'} layer"
        bits = {place.part for place in self.places} <= {"query", "key"}
        yield from formulas_problems(self.rows, (*AT_POSITION, *BITS) if bits else AT_POSITION)


@dataclass(frozen=True)
class Numbered(Circuital):
    """The rows of gates hold 2 bin(m) - 1 for these numbers m: formulas in i, and in the wires `a` and `b` of gate i;
    under "id" stands the number of the position, under "a" and "b" its addresses."""

    transcribed = True
    scalars = MappingProxyType({"numbers": ("i", "a", "b")})

    family: str
    numbers: Written[Mapping[Literal["id", "a", "b"], Expression]] = Written(entries)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Positions(Circuital):
    """There is a position for each i from `first` to `last`, a formula in N, the number of wires, and no other."""

    transcribed = True
    scalars = MappingProxyType({"last": ("N",)})

    family: str
    first: int
    last: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class Width(Circuital):
    """The decoder has so many coordinates: a formula in k, the bits of a number."""

    transcribed = True
    scalars = MappingProxyType({"width": ("k",)})

    family: str
    width: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class Fits(Circuital):
    """The numbers from 0 to `greatest`, N plus a constant, have ceil(log_2(N)) bits, for every N >= 1."""

    scalars = MappingProxyType({"greatest": ("N",)})

    greatest: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class Built(Circuital):
    """How a decoder is built, where a number is given: its layers, heads in each layer, and hidden layers, and units in
    each of these, of the last layer's feed-forward network."""

    transcribed = True

    family: str
    layers: int | None = None
    heads: int | None = None
    hidden_layers: int | None = None
    units: int | None = None

    def problems(self, about: Topic) -> Iterator[str]:
        yield from super().problems(about)
        if all(number is None for number in (self.layers, self.heads, self.hidden_layers, self.units)):
            yield "it says nothing of how the decoder is built"


Phase = Literal["equal", "first unequal", "later"]
"""How the bits of an address compare with those of a number, from the first one on: all were equal; this one is
the first that is not; it stands further behind."""


@dataclass(frozen=True)
class PartialSum(Circuital):
    """h, the sum of the first products of a head's score, is `op` value, a formula in B, wherever the bits are in one
    of these phases: behind the first product of a bit, the second one, or each. address: which one the bits are of."""

    scalars = MappingProxyType({"value": ("B",)})

    family: str
    layer: int
    address: Address
    products: Literal["first", "second", "each"]
    phases: tuple[Phase, ...]
    op: Literal["==", "<=", ">="]
    value: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class LooksUp(Circuital):
    """At position i the head of a layer has the score, or exp of it, `here` for position i' = address + ahead, and
    `elsewhere` for every other position that it sees: formulas in B. address: `a` or `b`, of the wires that gate i
    reads."""

    scalars = MappingProxyType({"here": ("B",), "elsewhere": ("B",)})

    family: str
    layer: int
    of: Literal["score", "power"]
    address: Address
    ahead: int
    here: Written[Expression] = Written(exact)
    elsewhere: Written[Expression] = Written(exact)


Writes = Literal["input", "NOT", "AND"]


@dataclass(frozen=True)
class HasValue(Circuital):
    """Every head has a value at the positions that write these: inputs but the first, or gates of a kind."""

    family: str
    of: tuple[Writes, ...]


@dataclass(frozen=True)
class Forgets(Circuital):
    """exp(-B) is rounded to 0 in every format with `given`: a formula in B, its greatest number, s, its bits, and f,
    those of them that stand behind the point. No other condition is made."""

    conditions = MappingProxyType({"given": ("B", "s", "f")})

    given: Written[Expression] = Written(exact)


@dataclass(frozen=True)
class OfBits(Circuital):
    """A formula in x_a, x_b and c is true of all bits with `given`, in exact arithmetic."""

    conditions = MappingProxyType({"says": ("x_a", "x_b", "c"), "given": ("x_a", "x_b", "c")})

    says: Written[Expression] = Written(exact)
    given: Written[Expression] = Written(exact, "0 == 0")


@dataclass(frozen=True)
class Appends(Circuital):
    """What is appended to i - 1 tokens is the value of wire i + ahead."""

    bearing = "outcome"

    family: str
    ahead: int
    least: int = 1


@dataclass(frozen=True)
class Computes(Circuital):
    """The decoder of every circuit appends the value of every gate.

    scale: what each score is multiplied by, a formula in d_h, the number of its products; None is the decoder's own.
    """

    bearing = "outcome"

    scalars = MappingProxyType({"scale": ("d_h",)})

    family: str
    least: int = 1
    scale: Written[Expression | None] = Written(exact_or_none, None)
