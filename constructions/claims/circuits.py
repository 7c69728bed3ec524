"""What a paper can print about decoders that append the values of a circuit's gates: kinds of statements, as data.

A statement is made of every circuit, every input, and every format with B >= `least` in which exp(-B) is rounded to 0.
family: the decoders of which it is made. Position i, from 2 on, is the one that writes wire i: the token of wire i - 1
stands there, and the number i - 1, and beside it the kind and the two wires of gate i.

Formulas of what stands at a position are in `x`, the token of wire i - 1, `x_a` and `x_b`, those of the wires that gate
i reads, `y`, what the gate makes of these, `c`, 1 for AND and 0 for NOT, and B; of queries and keys also in `id_j`,
`a_j` and `b_j`, the bits, -1 or 1, of the number and of the two addresses there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.frozen import entries, exact, freeze

Part = Literal["embedded", "table", "input", "query", "key", "value", "attended", "output"]
"""Of a position: its token's embedding; its row of the table; both; and of a layer the query, the key, and what the
value adds where the head looks at it; the vector behind the head; the layer's output."""
OF_LAYERS = frozenset({"query", "key", "value", "attended", "output"})


@dataclass(frozen=True)
class Place:
    """layer: from 1 on, of what belongs to one."""

    part: Part
    layer: int = 0


@dataclass(frozen=True)
class Carries:
    """The vectors at these places have these entries; nothing is said of others. In the names of rows of queries and
    keys j stands for each bit."""

    family: str
    places: tuple[Place, ...]
    rows: Mapping[str, Expression]
    least: int

    def __init__(self, family: str, places: tuple[Place, ...], rows: Mapping[str, object], least: int = 1) -> None:
        freeze(self, family=family, places=places, rows=entries(rows), least=least)


@dataclass(frozen=True)
class Numbered:
    """The rows of gates hold 2 bin(m) - 1 for these numbers m: formulas in i, and in the wires `a` and `b` of gate i;
    under "id" stands the number of the position, under "a" and "b" its addresses."""

    family: str
    numbers: Mapping[str, Expression]

    def __init__(self, family: str, numbers: Mapping[str, object]) -> None:
        freeze(self, family=family, numbers=entries(numbers))


@dataclass(frozen=True)
class Positions:
    """There is a position for each i from `first` to `last`, a formula in N, the number of wires, and no other."""

    family: str
    first: int
    last: Expression

    def __init__(self, family: str, first: int, last: object) -> None:
        freeze(self, family=family, first=first, last=exact(last))


@dataclass(frozen=True)
class Width:
    """The decoder has so many coordinates: a formula in k, the bits of a number."""

    family: str
    width: Expression

    def __init__(self, family: str, width: object) -> None:
        freeze(self, family=family, width=exact(width))


@dataclass(frozen=True)
class Fits:
    """The numbers from 0 to `greatest`, N plus a constant, have ceil(log_2(N)) bits, for every N >= 1."""

    greatest: Expression

    def __init__(self, greatest: object) -> None:
        freeze(self, greatest=exact(greatest))


@dataclass(frozen=True)
class Built:
    """How a decoder is built, where a number is given: its layers, heads in each layer, and hidden layers, and units in
    each of these, of the last layer's feed-forward network."""

    family: str
    layers: int | None = None
    heads: int | None = None
    hidden_layers: int | None = None
    units: int | None = None


Phase = Literal["equal", "first unequal", "later"]
"""Of the bits of an address and of a number, from the first one on: all were equal; this one is the first that is not;
it stands further behind."""


@dataclass(frozen=True)
class PartialSum:
    """h, the sum of the first products of a head's score, is `op` value, a formula in B, wherever the bits are in one
    of these phases: behind the first product of a bit, the second one, or each. The head of layer 1 compares the
    address `a`, that of layer 2 the address `b`."""

    family: str
    layer: int
    products: Literal["first", "second", "each"]
    phases: tuple[Phase, ...]
    op: Literal["==", "<=", ">="]
    value: Expression
    least: int

    def __init__(
        self,
        family: str,
        layer: int,
        products: Literal["first", "second", "each"],
        phases: tuple[Phase, ...],
        op: Literal["==", "<=", ">="],
        value: object,
        least: int = 1,
    ) -> None:
        freeze(self, family=family, layer=layer, products=products, phases=phases, op=op, value=exact(value))
        freeze(self, least=least)


@dataclass(frozen=True)
class LooksUp:
    """At position i the head of a layer has the score, or exp of it, `here` for position i' = address + ahead, and
    `elsewhere` for every other position that it sees: formulas in B. address: `a` or `b`, of the wires that gate i
    reads."""

    family: str
    layer: int
    of: Literal["score", "power"]
    address: str
    ahead: int
    here: Expression
    elsewhere: Expression
    least: int

    def __init__(
        self,
        family: str,
        layer: int,
        of: Literal["score", "power"],
        address: str,
        ahead: int,
        here: object,
        elsewhere: object,
        least: int = 1,
    ) -> None:
        freeze(self, family=family, layer=layer, of=of, address=address, ahead=ahead, here=exact(here))
        freeze(self, elsewhere=exact(elsewhere), least=least)


Writes = Literal["input", "NOT", "AND"]


@dataclass(frozen=True)
class HasValue:
    """Every head has a value at the positions that write these: inputs but the first, or gates of a kind."""

    family: str
    of: tuple[Writes, ...]


@dataclass(frozen=True)
class Forgets:
    """exp(-B) is rounded to 0 in every format with `given`: a formula in B, its greatest number, s, its bits, and f,
    those of them that stand behind the point. No other condition is made."""

    given: Expression

    def __init__(self, given: object) -> None:
        freeze(self, given=exact(given))


@dataclass(frozen=True)
class OfBits:
    """A formula in x_a, x_b and c is true of all bits with `given`, in exact arithmetic."""

    says: Expression
    given: Expression

    def __init__(self, says: object, given: object = "0 == 0") -> None:
        freeze(self, says=exact(says), given=exact(given))


@dataclass(frozen=True)
class Appends:
    """What is appended to i - 1 tokens is the value of wire i + ahead."""

    family: str
    ahead: int
    least: int = 1


@dataclass(frozen=True)
class Computes:
    """The decoder of every circuit appends the value of every gate.

    scale: what each score is multiplied by, a formula in d_h, the number of its products; None is the decoder's own.
    """

    family: str
    least: int
    scale: Expression | None

    def __init__(self, family: str, least: int = 1, scale: object | None = None) -> None:
        freeze(self, family=family, least=least, scale=None if scale is None else exact(scale))


Circuital = (
    Carries
    | Numbered
    | Positions
    | Width
    | Fits
    | Built
    | PartialSum
    | LooksUp
    | HasValue
    | Forgets
    | OfBits
    | Appends
    | Computes
)
