"""What a paper can print about a construction: the kinds of statements, as data.

A claim (`published`) has a statement of one of these kinds; more than one where print can be taken literally in more
than one sense. Conventions read it differently, and mechanically: see `conventions`.

Formulas are in the language of `expressions`, over the marked word; n counts all positions, i is the position that a
quantity stands at. A matrix is written row by row, its entries separated by spaces, in the order in
which the construction lists its coordinates, score coordinates and hidden units; what is not printed is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from reprlib import repr as short
from types import MappingProxyType
from typing import Literal

from weightproof.constructions.checks.scalars import formula_problems, scalar_problems, value_problems
from weightproof.constructions.claims.statement import Statement
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import outputs, predicts
from weightproof.constructions.meaning.schema import Encoder, Place
from weightproof.constructions.scalars.expressions import Expression, entries_or_empty, exact, exact_or_none
from weightproof.constructions.scalars.frozen import Written, freeze

OF_A_HEAD = ("W_Q", "W_K", "W_V", "W_O")
OF_A_LAYER = (*OF_A_HEAD, "W_F1", "b_F1", "W_F2", "b_F2")


class OfNetwork(Statement):
    """A statement about a construction."""


@dataclass(frozen=True)
class Logit:
    """The output of the readout; token: which one, of a network that predicts a token or a class."""

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

    value: Written[Expression] = Written(exact)


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
class Value(OfNetwork):
    """The quantity is `equals` at every position and on every word with `when`, at the parameter values `at`.

    at: formulas in n, for instance {"c": "log(n)"}. tends: not so at once, but on each word the difference vanishes as
    this parameter grows.
    """

    of: Quantity
    equals: Written[Expression] = Written(exact)
    when: Written[Expression] = Written(exact, "n >= 1")
    at: Written[Mapping[str, Expression]] = Written(entries_or_empty, None)
    tends: str | None = None

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _quantity(self.of, construction)
        if self.tends is not None and self.tends not in [p.name for p in construction.parameters if not p.is_natural]:
            yield f"tends: {short(self.tends)} is no real parameter"
        if self.tends is not None and self.at:
            yield f"at: {short(self.tends)} tends to infinity, and parameters are fixed; leave one of the two out"
        if self.tends is not None and self.tends in self.when.names:
            yield f"when: {self.when} speaks of {self.tends}, which tends to infinity; leave it out of the case"
        names = _names(construction) | {Logit: set(), Formula: set(), Attention: {"p"}}.get(type(self.of), {"i"})
        yield from value_problems(self.equals, names | {"d"}, construction.language.alphabet, "value")
        yield from formula_problems(self.when, names, construction.language.alphabet, "when")
        yield from _at(self.at, construction)


@dataclass(frozen=True)
class Vector(OfNetwork):
    """The first rows of the vector at a stage are `entries`, in their order, and the others are 0."""

    layer: int
    entries: tuple[Expression, ...]
    stage: Stage
    when: Expression

    def __init__(self, layer: int, *entries: object, stage: Stage = "layer", when: object = "n >= 1") -> None:
        freeze(self, layer=layer, entries=tuple(map(exact, entries)), stage=stage, when=exact(when))

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _stage(self.layer, self.stage, construction.encoder)
        for number, entry in enumerate(self.entries, start=1):
            yield from value_problems(
                entry, _names(construction) | {"i"}, construction.language.alphabet, f"entry {number}"
            )
        yield from _true_or_false(self.when, construction, "when", "i")


@dataclass(frozen=True)
class Matrix(OfNetwork):
    """A matrix has these rows, and zeros beyond them; a vector (a bias, an embedding) has one entry a row.

    padded: rows and columns beyond those that the data name, up to the width, count as zeros.
    """

    transcribed = True

    of: Weights
    rows: tuple[str, ...]
    padded: bool

    def __init__(self, of: Weights, *rows: str, padded: bool = False) -> None:
        freeze(self, of=of, rows=rows, padded=padded)

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _weights(self.of, construction)
        for number, row in enumerate(self.rows, start=1):
            if not isinstance(row, str) or not row.split():
                yield f"row {number} is {short(row)}, not entries separated by spaces"
            if len(row.split()) != len(self.rows[0].split()):
                yield f"row {number} has {len(row.split())} entries, row 1 has {len(self.rows[0].split())}"
            for printed in row.split():
                yield from scalar_problems(printed, _names(construction) - {"n"} | {"d"}, f"row {number}")


@dataclass(frozen=True)
class Shape(OfNetwork):
    """A matrix or vector has this shape where only what has been written so far counts: the columns up to the last
    coordinate that anything before it writes, the rows up to the last one that it or anything before it writes.

    padded: more rows and columns, up to the width, count as zeros.
    """

    transcribed = True

    of: Weights | Rows
    rows: int
    columns: int = 1
    padded: bool = False

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from (
            _weights(self.of, construction)
            if isinstance(self.of, Weights)
            else _stage(self.of.layer, self.of.stage, construction.encoder)
        )
        if not all(isinstance(number, int) and number > 0 for number in (self.rows, self.columns)):
            yield f"{short(self.rows)} x {short(self.columns)} is no shape"


@dataclass(frozen=True)
class Stack(OfNetwork):
    """The keys (W_K) or values (W_V) of a head, of all positions, are put together as rows or as columns, and make a
    matrix of this shape; its numbers may be formulas in n."""

    transcribed = True
    scalars = MappingProxyType({"rows": ("n",), "columns": ("n",)})

    part: Literal["W_K", "W_V"]
    layer: int
    head: int
    put: Literal["rows", "columns"]
    rows: Written[Expression] = Written(exact)
    columns: Written[Expression] = Written(exact)

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _weights(Weights(self.part, self.layer, self.head), construction)
        yield from super().problems(construction)


@dataclass(frozen=True)
class Writes(OfNetwork):
    """The rows of a matrix that are not 0 are these, counted from 1."""

    transcribed = True

    of: Weights
    rows: tuple[int, ...]

    def __init__(self, of: Weights, *rows: int) -> None:
        freeze(self, of=of, rows=rows)

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _weights(self.of, construction)
        if not self.rows or not all(isinstance(row, int) and row > 0 for row in self.rows):
            yield f"{short(self.rows)} are no rows; the first one is 1"


@dataclass(frozen=True)
class Domain(OfNetwork):
    """The word embedding has a column for these tokens and for no others; or the position encoding is a function of
    these, "i" or "n" or both."""

    transcribed = True

    of: Literal["WE", "PE"]
    names: tuple[str, ...]

    def __init__(self, of: Literal["WE", "PE"], *names: str) -> None:
        freeze(self, of=of, names=names)

    def problems(self, construction: Construction) -> Iterator[str]:
        if self.of == "PE" and not set(self.names) <= {"i", "n"}:
            yield f"PE of {short(self.names)}: write i and n"


@dataclass(frozen=True)
class Output(OfNetwork):
    """The logit is the readout, matrix and bias, applied to the vector at the first or the last position, or to all of
    them and summed, or averaged."""

    bearing = "outcome"

    position: Place


@dataclass(frozen=True)
class Count(OfNetwork):
    """How many there are: coordinates, layers, positions; heads and hidden units of a layer, or the most of any layer.

    equals: a number, or a formula in n; of positions one in m, the number of symbols of the word.
    """

    transcribed = True

    of: Literal["width", "layers", "positions", "heads", "units"]
    equals: Written[Expression] = Written(exact)
    layer: int | None = None

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from scalar_problems(self.equals, {"m" if self.of == "positions" else "n"}, "number")
        if self.layer is not None:
            yield from _layer(self.layer, construction.encoder)


@dataclass(frozen=True)
class Accepts(OfNetwork):
    """On all words with `given`, and for all parameters, the network accepts exactly where `where` is true.

    where: None is the language's own formula.
    """

    bearing = "outcome"

    where: Written[Expression | None] = Written(exact_or_none, None)
    given: Written[Expression] = Written(exact, "n >= 1")

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _words(self.where, self.given, construction)


@dataclass(frozen=True)
class CrossEntropy(OfNetwork):
    """On all words with `given`: the cross-entropy, in nats, is at most `nats` ("<="), just that ("=="), or no less
    (">=").

    A logit s costs log(1 + exp(-s)) on a word of the language, and log(1 + exp(s)) on another. More than log 2 does not
    tell whether the word is decided rightly.
    """

    bearing = "outcome"

    op: Literal["<=", "==", ">="]
    nats: Written[Expression] = Written(exact)
    given: Written[Expression] = Written(exact, "n >= 1")

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from scalar_problems(self.nats, _names(construction), "nats")
        yield from _words(None, self.given, construction)


@dataclass(frozen=True)
class Constant(OfNetwork):
    """The quantity is the same at every position of a word."""

    of: Stream | Projected

    def problems(self, construction: Construction) -> Iterator[str]:
        if not isinstance(self.of, Stream | Projected):
            yield f"{short(self.of)} stands at no position"
        yield from _quantity(self.of, construction)


@dataclass(frozen=True)
class Kept(OfNetwork):
    """Whatever comes behind the attention of a layer leaves each coordinate what it is, at every position."""

    layer: int

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _layer(self.layer, construction.encoder)


@dataclass(frozen=True)
class Prefers(OfNetwork):
    """In a head, position 0 gives more weight to position p than to position q, wherever `where` is true: a formula in
    p and q, natural numbers or 0, in n and the parameters. A position that it does not see, or that there is not, gets
    0."""

    layer: int
    head: int
    where: Written[Expression] = Written(exact)

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _head(self.layer, self.head, {"p", "q"}, construction)
        yield from _true_or_false(self.where, construction, "where", "p", "q")


Op = Literal["<", "<=", "==", "!=", ">=", ">"]


@dataclass(frozen=True)
class Compares(OfNetwork):
    """On all words with `given`: logit `op` value where `where` is true (None: on the language's words).

    only: and on no others. of: not the logit, but the output of this token, as in `Logit`.
    """

    op: Op
    value: Written[Expression] = Written(exact)
    where: Written[Expression | None] = Written(exact_or_none, None)
    given: Written[Expression] = Written(exact, "n >= 1")
    only: bool = False
    of: str | None = None

    def problems(self, construction: Construction) -> Iterator[str]:
        yield from _quantity(Logit(self.of), construction)
        yield from scalar_problems(self.value, _names(construction), "value")
        yield from _words(self.where, self.given, construction)


@dataclass(frozen=True)
class Predicts(OfNetwork):
    """On all words with `given`, and for all parameters, the right output is ahead of all others."""

    bearing = "outcome"

    given: Written[Expression] = Written(exact, "n >= 1")

    def problems(self, construction: Construction) -> Iterator[str]:
        if not predicts(construction) or not construction.language.labels:
            yield "the network predicts nothing, or nothing is said to be right"
        yield from _words(None, self.given, construction)


@dataclass(frozen=True)
class Order(OfNetwork):
    """As n grows, with the parameters fixed: |logit| is O, o or Theta of `bound` on the words with `when`.

    side: not of every word, but of the word of n positions on that side whose |logit| is least.
    Theta: O, and on infinitely many words no less than a constant times the bound.
    """

    relation: Literal["O", "o", "Theta"]
    bound: Written[Expression] = Written(exact)
    when: Written[Expression] = Written(exact, "n >= 1")
    side: Literal["accepted", "rejected"] | None = None
    at: Written[Mapping[str, Expression]] = Written(entries_or_empty, None)

    def problems(self, construction: Construction) -> Iterator[str]:
        if self.side is not None and self.when.source != "n >= 1":
            yield f"when: {self.when}, but the least |logit| of a side is that of all words of a length; leave one out"
        yield from scalar_problems(self.bound, {"n"}, "bound")
        yield from _true_or_false(self.when, construction, "when")
        yield from _at(self.at, construction)


def relu(argument: str, factor: str = "1") -> str:
    """factor*max(0, argument), which the language writes with a bracket."""
    return f"{factor}*(({argument}) > 0)*({argument})"


def zeros(rows: int, columns: int) -> tuple[str, ...]:
    """The rows of a block of zeros."""
    return (" ".join(["0"] * columns),) * rows


def matrix(
    name: str, symbol: str, of: Weights, *rows: str, shape: tuple[int, int] | None = None
) -> tuple[str | OfNetwork, ...]:
    """Rows of a list of claims, about a matrix that is printed entry by entry, a block of zeros first where it begins
    with one, and about its shape, where that is printed, too. symbol: what print calls it."""
    written = [", ".join(map(_tex, row.split())) for row in rows]
    above = next((at for at, row in enumerate(rows) if set(row.split()) != {"0"}), 0) if len(rows) > 1 else 0
    block = f"$0^{{{above} \\times {len(rows[0].split())}}}$ above " if above else ""
    shown = [f"$({row})$" for row in written[above:]]
    printed = f"${symbol}$: {block}{(' and ' if len(shown) == 2 else ', ').join(shown)}"
    if not any(len(row.split()) > 1 for row in rows):
        printed = f"${symbol} = ({', '.join(written)})$" if rows[1:] else f"${symbol} = {''.join(written) or 0}$"
    elif not rows[1:]:
        printed = f"${symbol} = ({written[0]})$"
    claims = (f"{name}: {printed}", Matrix(of, *rows))
    if shape is None:
        return claims
    return (*claims, f"{name}-shape: ${symbol}$ is ${shape[0]} \\times {shape[1]}$", Shape(of, *shape))


def _tex(entry: str) -> str:
    return re.sub(r"(\d+)/(\d+)", r"\\frac{\1}{\2}", entry).replace("*sqrt(d)", r"\sqrt{d}")


def _names(construction: Construction) -> set[str]:
    """The names that formulas about words may use."""
    return {"n", *(parameter.name for parameter in construction.parameters)}


def _true_or_false(formula: Expression, construction: Construction, place: str, *names: str) -> Iterator[str]:
    yield from formula_problems(formula, _names(construction).union(names), construction.language.alphabet, place)


def _words(where: Expression | None, given: Expression, construction: Construction) -> Iterator[str]:
    if where is not None:
        yield from _true_or_false(where, construction, "where")
    yield from _true_or_false(given, construction, "given")


def _at(at: Mapping[str, Expression], construction: Construction) -> Iterator[str]:
    if not isinstance(at, Mapping):
        yield f"at is {short(at)}, not a mapping from parameters"
        return
    known = [parameter.name for parameter in construction.parameters]
    for name, value in at.items():
        if name not in known:
            yield f"at: there is no parameter {name!r}"
        yield from scalar_problems(value, {"n"}, f"at, {name}")


def _quantity(of: Quantity, construction: Construction) -> Iterator[str]:
    network = construction.encoder
    match of:
        case Logit(token=token):
            known = outputs(construction) if predicts(construction) else (None,)
            if token not in known:
                yield f"there is no output {short(token)}; there are {', '.join(map(str, known))}"
        case Formula(value=value):
            yield from value_problems(value, _names(construction), construction.language.alphabet, "formula")
        case Stream(coordinate=coordinate):
            layer, stage = placed(of, network)
            yield from _stage(layer, stage, network)
            names = units(network, layer) if stage == "activation" else network.coordinates
            if coordinate not in names:
                yield f"{coordinate!r} is none of {', '.join(names) or 'the hidden units, as there are none'}"
        case Projected(part=part, layer=layer, head=head, row=row):
            yield from _weights(Weights(part, layer, head), construction)
            if head > len(network.layers[layer - 1].heads):
                yield f"layer {layer} has no head {head}"
            known = getattr(network.layers[layer - 1].heads[head - 1], part)
            if row not in (known if part != "W_V" else {*known, *network.coordinates}):
                yield f"{part} has no row {row!r}"
        case Attention(layer=layer, head=head):
            yield from _head(layer, head, {"p"}, construction)
        case _:
            yield f"{short(of)} is no quantity"


def placed(of: Stream, network: Encoder) -> tuple[int, Stage]:
    """The layer and the stage of a vector; after the last of no layers it is the embedding."""
    if of.layer is not None:
        return of.layer, of.stage
    return (len(network.layers), of.stage) if network.layers else (0, "embedding")


def units(network: Encoder, layer: int) -> tuple[str, ...]:
    """The hidden units of a layer, in their order."""
    feed_forward = network.layers[layer - 1].feed_forward
    if feed_forward is None:
        return ()
    return feed_forward.first.rows


def _layer(layer: int | None, network: Encoder) -> Iterator[str]:
    if not isinstance(layer, int) or not 1 <= layer <= len(network.layers):
        yield f"there is no layer {short(layer)}"


def _head(layer: int, head: int, places: set[str], construction: Construction) -> Iterator[str]:
    """places: what formulas about its weights call positions."""
    network = construction.encoder
    yield from _layer(layer, network)
    if not isinstance(head, int) or not 1 <= head <= len(network.layers[layer - 1].heads):
        yield f"layer {layer} has no head {short(head)}"
    for name in sorted(places & {parameter.name for parameter in construction.parameters}):
        yield f"attention weights are formulas in {name}, and {name} is a parameter"


def _stage(layer: int, stage: str, network: Encoder) -> Iterator[str]:
    if stage in ("position", "embedding"):
        if layer != 0:
            yield f"the {stage} stands before the first layer: write layer 0"
    else:
        yield from _layer(layer, network)


def _weights(of: Weights, construction: Construction) -> Iterator[str]:
    network = construction.encoder
    if not isinstance(of, Weights | Rows):
        yield f"{short(of)} is no matrix"
    if of.part in OF_A_LAYER:
        yield from _layer(of.layer, network)
    if of.part in OF_A_HEAD and (not isinstance(of.head, int) or of.head < 1):
        yield f"{of.part}: write the number of the head"
    if of.part == "WE" and of.token not in (None, *network.embedding.WE):
        yield f"there is no token {short(of.token)}"
