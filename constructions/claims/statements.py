"""What a paper can print about a construction: the kinds of statements, as data.

A claim (`published`) has a statement of one of these kinds; more than one where print can be taken literally in more
than one sense. Conventions read it differently, and mechanically: see `conventions`.

Formulas are in the language of `expressions`, over the marked word; n counts all positions, i is the position that a
quantity stands at. A matrix is written row by row, its entries separated by spaces, in the order in
which the construction lists its coordinates, score coordinates and hidden units; what is not printed is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from weightproof.constructions.choices import Choices
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.frozen import entries, exact, freeze


@dataclass(frozen=True)
class Logit:
    """The output of the readout; token: which one, of a network that takes the argmax over tokens."""

    token: str | None = None


Stage = Literal["position", "embedding", "attention", "activation", "layer"]
"""Where a vector stands: the position encoding alone; the sum of both embeddings (layer 0); c^{l,i} of layer l, after
its heads and the residual connection; h^{l,i}, its hidden units; a^{l,i}, after the layer."""


@dataclass(frozen=True)
class Stream:
    """A coordinate of the residual stream, or a hidden unit where `stage` is "activation", at position i.

    layer: counted from 1, 0 before the first one; None is the last one.
    """

    coordinate: str
    layer: int | None = None
    stage: Stage = "layer"


@dataclass(frozen=True)
class Projected:
    """A row of W_Q, W_K or W_V of a head times the vector at position i before the layer."""

    part: Literal["W_Q", "W_K", "W_V"]
    layer: int
    head: int
    row: str


@dataclass(frozen=True)
class Attention:
    """The weight that position 0 gives to position p in a head; formulas are in p, and hold for 0 <= p < n."""

    layer: int
    head: int


@dataclass(frozen=True)
class Formula:
    """A printed formula by itself, of numbers and of the word, which no weight enters."""

    value: Expression

    def __init__(self, value: object) -> None:
        freeze(self, value=exact(value))


Quantity = Logit | Stream | Projected | Attention | Formula


def named(of: Quantity) -> str:
    """What a quantity is called."""
    match of:
        case Logit(token=token):
            return "logit" if token is None else f"output {token!r}"
        case Formula():
            return "the formula"
        case Stream(coordinate=coordinate, layer=None, stage="layer"):
            return coordinate
        case Stream(coordinate=coordinate, layer=layer, stage=stage):
            return f"{coordinate} {stage_name(layer, stage)}"
        case Projected(part=part, layer=layer, head=head, row=row):
            return f"row {row} of layer {layer}, head {head}, {part} times the vector"
        case Attention(layer=layer, head=head):
            return f"attention of position 0 to position p in layer {layer}, head {head}"
    raise TypeError(of)


def stage_name(layer: int | None, stage: Stage) -> str:
    """Where a vector stands, in words; None is the last layer."""
    which = "the last layer" if layer is None else f"layer {layer}"
    names = {
        "position": "of the position encoding",
        "embedding": "of the embedding",
        "attention": f"after the attention of {which}",
        "activation": f"of the hidden layer of {which}",
        "layer": f"after {which}",
    }
    return Choices("a statement").of("stage", stage, names)


Part = Literal["WE", "W_Q", "W_K", "W_V", "W_O", "W_F1", "b_F1", "W_F2", "b_F2", "W", "b"]
"""The word embedding; the matrices of a head; the two maps of a feed-forward network and their biases; the readout and
its bias."""


@dataclass(frozen=True)
class Weights:
    """A printed matrix, by what it is; a head or feed-forward network that the data leave out has matrices of zeros.

    token: of the word embedding, the vector of this one; None is the matrix with a row for each token.
    """

    part: Part
    layer: int | None = None
    head: int | None = None
    token: str | None = None


@dataclass(frozen=True)
class Rows:
    """The vector at a stage of a layer, for the number of its rows."""

    layer: int
    stage: Stage = "layer"


@dataclass(frozen=True)
class Value:
    """The quantity is `equals` at every position and on every word with `when`, at the parameter values `at`.

    at: formulas in n, for instance {"c": "log(n)"}. tends: not so at once, but on each word the difference vanishes as
    this parameter grows.
    """

    of: Quantity
    equals: Expression
    when: Expression
    at: Mapping[str, Expression]
    tends: str | None

    def __init__(
        self,
        of: Quantity,
        equals: object,
        when: object = "n >= 1",
        at: Mapping[str, object] | None = None,
        tends: str | None = None,
    ) -> None:
        at = entries({} if at is None else at)
        freeze(self, of=of, equals=exact(equals), when=exact(when), at=at, tends=tends)


@dataclass(frozen=True)
class Vector:
    """The first rows of the vector at a stage are `entries`, in their order, and the others are 0."""

    layer: int
    entries: tuple[Expression, ...]
    stage: Stage
    when: Expression

    def __init__(self, layer: int, *entries: object, stage: Stage = "layer", when: object = "n >= 1") -> None:
        freeze(self, layer=layer, entries=tuple(map(exact, entries)), stage=stage, when=exact(when))


@dataclass(frozen=True)
class Matrix:
    """A matrix has these rows, and zeros beyond them; a vector (a bias, an embedding) has one entry a row.

    padded: rows and columns beyond those that the data name, up to the width, count as zeros.
    """

    of: Weights
    rows: tuple[str, ...]
    padded: bool

    def __init__(self, of: Weights, *rows: str, padded: bool = False) -> None:
        freeze(self, of=of, rows=rows, padded=padded)


@dataclass(frozen=True)
class Shape:
    """A matrix or vector has this shape where only what has been written so far counts: the columns up to the last
    coordinate that anything before it writes, the rows up to the last one that it or anything before it writes.

    padded: more rows and columns, up to the width, count as zeros.
    """

    of: Weights | Rows
    rows: int
    columns: int = 1
    padded: bool = False


Put = Literal["rows", "columns"]


@dataclass(frozen=True)
class Stack:
    """The keys (W_K) or values (W_V) of a head, of all positions, are put together as rows or as columns, and make a
    matrix of this shape; its numbers may be formulas in n."""

    part: Literal["W_K", "W_V"]
    layer: int
    head: int
    put: Put
    rows: Expression
    columns: Expression

    def __init__(
        self, part: Literal["W_K", "W_V"], layer: int, head: int, put: Put, rows: object, columns: object
    ) -> None:
        freeze(self, part=part, layer=layer, head=head, put=put, rows=exact(rows), columns=exact(columns))


@dataclass(frozen=True)
class Writes:
    """The rows of a matrix that are not 0 are these, counted from 1."""

    of: Weights
    rows: tuple[int, ...]

    def __init__(self, of: Weights, *rows: int) -> None:
        freeze(self, of=of, rows=rows)


@dataclass(frozen=True)
class Domain:
    """The word embedding has a column for these tokens and for no others; or the position encoding is a function of
    these, "i" or "n" or both."""

    of: Literal["WE", "PE"]
    names: tuple[str, ...]

    def __init__(self, of: Literal["WE", "PE"], *names: str) -> None:
        freeze(self, of=of, names=names)


@dataclass(frozen=True)
class Output:
    """The logit is the readout, matrix and bias, applied to the vector at the first or the last position, or to all of
    them and summed."""

    position: Literal["first", "last", "sum"]


Counted = Literal["width", "layers", "positions", "heads", "units"]


@dataclass(frozen=True)
class Count:
    """How many there are: coordinates, layers, positions; heads and hidden units of a layer, or the most of any layer.

    equals: a number, or a formula in n; of positions one in m, the number of symbols of the word.
    """

    of: Counted
    equals: Expression
    layer: int | None

    def __init__(self, of: Counted, equals: object, layer: int | None = None) -> None:
        freeze(self, of=of, equals=exact(equals), layer=layer)


@dataclass(frozen=True)
class Accepts:
    """On all words with `given`, and for all parameters, the network accepts exactly where `where` is true.

    where: None is the language's own formula.
    """

    where: Expression | None
    given: Expression

    def __init__(self, where: object | None = None, given: object = "n >= 1") -> None:
        freeze(self, where=None if where is None else exact(where), given=exact(given))


@dataclass(frozen=True)
class CrossEntropy:
    """On all words with `given`: the cross-entropy, in nats, is at most `nats` ("<="), just that ("=="), or no less
    (">=").

    A logit s costs log(1 + exp(-s)) on a word of the language, and log(1 + exp(s)) on another. More than log 2 does not
    tell whether the word is decided rightly.
    """

    op: Literal["<=", "==", ">="]
    nats: Expression
    given: Expression

    def __init__(self, op: Literal["<=", "==", ">="], nats: object, given: object = "n >= 1") -> None:
        freeze(self, op=op, nats=exact(nats), given=exact(given))


@dataclass(frozen=True)
class Constant:
    """The quantity is the same at every position of a word."""

    of: Stream | Projected


@dataclass(frozen=True)
class Kept:
    """Whatever comes behind the attention of a layer leaves each coordinate what it is, at every position."""

    layer: int


@dataclass(frozen=True)
class Prefers:
    """In a head, position 0 gives more weight to position p than to position q, wherever `where` is true: a formula in
    p and q, natural numbers or 0, in n and the parameters. A position that it does not see, or that there is not, gets
    0."""

    layer: int
    head: int
    where: Expression

    def __init__(self, layer: int, head: int, where: object) -> None:
        freeze(self, layer=layer, head=head, where=exact(where))


Op = Literal["<", "<=", "==", "!=", ">=", ">"]


@dataclass(frozen=True)
class Compares:
    """On all words with `given`: logit `op` value where `where` is true (None: on the language's words).

    only: and on no others. of: not the logit, but the output of this token, as in `Logit`.
    """

    op: Op
    value: Expression
    where: Expression | None
    given: Expression
    only: bool
    of: str | None

    def __init__(
        self,
        op: Op,
        value: object,
        where: object | None = None,
        given: object = "n >= 1",
        only: bool = False,
        of: str | None = None,
    ) -> None:
        where = None if where is None else exact(where)
        freeze(self, op=op, value=exact(value), where=where, given=exact(given), only=only, of=of)


@dataclass(frozen=True)
class Predicts:
    """On all words with `given`, and for all parameters, the right token has the greatest output, alone."""

    given: Expression

    def __init__(self, given: object = "n >= 1") -> None:
        freeze(self, given=exact(given))


@dataclass(frozen=True)
class Order:
    """As n grows, with the parameters fixed: |logit| is O, o or Theta of `bound` on the words with `when`.

    side: not of every word, but of the word of n positions on that side whose |logit| is least.
    Theta: O, and on infinitely many words no less than a constant times the bound.
    """

    relation: Literal["O", "o", "Theta"]
    bound: Expression
    when: Expression
    side: Literal["accepted", "rejected"] | None
    at: Mapping[str, Expression]

    def __init__(
        self,
        relation: Literal["O", "o", "Theta"],
        bound: object,
        when: object = "n >= 1",
        side: Literal["accepted", "rejected"] | None = None,
        at: Mapping[str, object] | None = None,
    ) -> None:
        at = entries({} if at is None else at)
        freeze(self, relation=relation, bound=exact(bound), when=exact(when), side=side, at=at)


OfWords = Accepts | CrossEntropy | Compares | Predicts
"""Statements about what comes out on whole words: theorems like any other."""
OfWeights = Matrix | Shape | Stack | Writes | Domain | Output | Count
Statement = Value | Constant | Kept | Prefers | Vector | OfWeights | OfWords | Order


def relu(argument: str, factor: str = "1") -> str:
    """factor*max(0, argument), which the language writes with a bracket."""
    return f"{factor}*(({argument}) > 0)*({argument})"


def zeros(rows: int, columns: int) -> tuple[str, ...]:
    """The rows of a block of zeros."""
    return (" ".join(["0"] * columns),) * rows
