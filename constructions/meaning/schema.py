"""The parts of a construction: frozen data, nothing computed.

A residual stream is an ordered list of named coordinates, and every weight is a sparse linear map between names:
``{"k/n": {"1": 1}}`` adds coordinate "1" into row "k/n". Scalars are exact (see `expressions`). The parts (heads,
feed-forward networks, layer norms, readout) are shared by the three arrangements `Encoder`, `Decoder` and
`EncoderDecoder`. What they make together is a `construction.Construction`.

Positions count from 0; n is the number of positions, markers included.

Parts that are given by name alone, and are not there, are not recorded either (see `record`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args

from weightproof.constructions.scalars.expressions import Expression, entries, entries_or_empty, exact, exact_or_none
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.constructions.scalars.frozen import Written

T = TypeVar("T")


class UnknownChoice(Exception):
    """A reading does not know a choice; one line that says which reading, which choice, and the name."""


def known(reading: str, choice: str, name: str, table: Mapping[str, T], error: type[Exception] = UnknownChoice) -> T:
    """What a table of a reading has under the name of a choice. A name that is new among the choices below is refused
    by every reading, until that says what it makes of it."""
    if name not in table:
        raise error(f"{reading} does not know the {choice} {name!r}")
    return table[name]


Rows = Mapping[str, Mapping[str, Expression]]
"""Output name -> input name -> weight."""


def rows(values: Mapping[str, Mapping[str, object]]) -> Rows:
    """A matrix that cannot be changed."""
    if not isinstance(values, Mapping):
        return values
    return MappingProxyType({name: entries(row) for name, row in values.items()})


def rows_or_empty(values: Mapping[str, Mapping[str, object]] | None) -> Rows:
    """A matrix; nothing for None, where it may be left out."""
    return rows({} if values is None else values)


def rows_or_none(values: Mapping[str, Mapping[str, object]] | None) -> Rows | None:
    """A matrix, where there is one."""
    return None if values is None else rows(values)


def entries_or_none(values: Mapping[str, object] | None) -> Mapping[str, Expression] | None:
    """A row, where there is one."""
    return None if values is None else entries(values)


def entries_each(values: Any) -> Any:
    """Each row of a table, where there is one."""
    return tuple(map(entries, values)) if isinstance(values, Iterable) else values


@dataclass(frozen=True)
class Linear:
    """A sparse linear map with bias: row name -> column name -> weight; what is absent is 0."""

    weights: Written[Rows] = Written(rows_or_empty, None)
    bias: Written[Mapping[str, Expression]] = Written(entries_or_empty, None)

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of its rows in their order; those that only the bias has are the last."""
        return tuple(dict.fromkeys((*self.weights, *self.bias)))


@dataclass(frozen=True)
class LayerNorm:
    """(x - mean(x)) / sqrt(var(x) + epsilon), var the population variance; then each coordinate times its gain, plus
    its bias: 1 and 0 where there are none, and 0 for a coordinate that is absent where there are.

    At epsilon = 0 a vector of variance 0 has no image; the interpreter refuses it.
    """

    epsilon: Written[Expression] = Written(exact, 0)
    _: KW_ONLY
    gain: Written[Mapping[str, Expression] | None] = Written(entries_or_none, None)
    bias: Written[Mapping[str, Expression] | None] = Written(entries_or_none, None)


@dataclass(frozen=True)
class RootMeanSquare:
    """x / sqrt(mean(x^2) + epsilon); then each coordinate times its gain, as above.

    At epsilon = 0 the vector 0 has no image; the interpreter refuses it.
    """

    epsilon: Written[Expression] = Written(exact, 0)
    _: KW_ONLY
    gain: Written[Mapping[str, Expression] | None] = Written(entries_or_none, None)

    @property
    def bias(self) -> None:
        """It has none."""


Norm = LayerNorm | RootMeanSquare


Score = Literal["dot", "-|dot|"]
"""q·k; -|q·k| (Pérez et al.)."""
Normaliser = Literal["softmax", "hardmax", "leftmost", "rightmost"]
"""exp of the scores over their sum; even over the positions that attain the maximum; all of it at the first of these,
or at the last: unique hard attention (Yang, Chiang, Angluin, Masked Hard-Attention Transformers Recognize Exactly the
Star-Free Languages, section 2)."""
OF_ONE_POSITION: tuple[Normaliser, ...] = ("leftmost", "rightmost")
"""The normalisers that give all of the weight to one position."""
Mask = Literal["none", "causal", "strictly-causal", "future", "strictly-future"]
"""Which positions j are seen from a position i: all; j <= i; j < i; j >= i; j > i. A window is said beside it, by what
a head `sees`: with the mask "causal" and "i - j < 3" a position sees itself and the two before it."""


@dataclass(frozen=True)
class Rotary:
    """At position p, of queries and keys alike, the score coordinates x = `first` and y = `second` become
    x cos(p angle) - y sin(p angle) and x sin(p angle) + y cos(p angle) (Su et al., RoFormer, section 3.2.2).

    The angle is in radians, as "1/100" or "2*pi/5", and may use d.
    """

    first: str
    second: str
    angle: Written[Expression] = Written(exact)

    @property
    def cosine(self) -> Expression:
        """Of the angle at position i."""
        return Expression(f"cos(i*({self.angle}))")

    @property
    def sine(self) -> Expression:
        """Of the angle at position i."""
        return Expression(f"sin(i*({self.angle}))")


@dataclass(frozen=True)
class Head:
    """One attention head. W_Q and W_K map the residual stream to the same named score coordinates.

    scale multiplies the score and may use d and n. W_V maps into the residual stream, or into value coordinates which
    W_O maps back where the source has a W_O. No W_Q or no W_K means every score is 0.

    query_norm and key_norm are of a query and of a key, over their score coordinates; rotary turns what is behind them.

    bias, a number, is added to the scaled score; where sees, a formula, is false, a position is hidden, beside those
    that the mask hides. Both are in i, the position that attends, and j, the one that is seen, and may use n and d.

    sink, which may use d and n, is the score of something that is always seen, and whose value is 0: with a sink of 0
    the weights are exp(score)/(1 + the sum of exp(score)).

    What a position gets that sees nothing, not even a sink, the normaliser says. Leftmost and rightmost give it 0, as
    in the source of unique hard attention, where the first position under a strict mask is one. A softmax is then 0/0,
    and a mean over the best of no positions is, too: it has no value, and the interpreter refuses it.
    """

    W_V: Written[Rows] = Written(rows)
    W_Q: Written[Rows] = Written(rows_or_empty, None)
    W_K: Written[Rows] = Written(rows_or_empty, None)
    W_O: Written[Rows | None] = Written(rows_or_none, None)
    _: KW_ONLY
    score: Score = "dot"
    scale: Written[Expression] = Written(exact, "1/sqrt(d)")
    normaliser: Normaliser = "softmax"
    mask: Mask = "none"
    query_norm: Norm | None = None
    key_norm: Norm | None = None
    rotary: tuple[Rotary, ...] = ()
    bias: Written[Expression | None] = Written(exact_or_none, None)
    sees: Written[Expression | None] = Written(exact_or_none, None)
    sink: Written[Expression | None] = Written(exact_or_none, None)

    @property
    def is_plain(self) -> bool:
        """Whether none of the last four is there."""
        return not self.rotary and self.bias is None and self.sees is None and self.sink is None

    @property
    def may_see_nothing(self) -> bool:
        """Whether a position that sees no position has a value, which is 0."""
        return self.sink is not None or self.normaliser in OF_ONE_POSITION


Activation = Literal[
    "relu", "saturated-linear", "step", "square", "identity", "abs", "tanh", "sigmoid", "silu", "gelu", "gelu-tanh"
]
"""max(0, x); min(1, max(0, x)); 1 if x > 0 else 0; x*x; x; |x|; tanh(x); 1/(1 + exp(-x)); x times that; x times the
distribution function of the normal distribution, x (1 + erf(x/sqrt(2)))/2; x (1 + tanh(sqrt(2/pi) (x + 0.044715
x^3)))/2."""


@dataclass(frozen=True)
class FeedForward:
    """second(activation(first(x))): `first` maps the residual stream to hidden units, `second` maps them back.

    With a gate, which has the rows of `first`, it is second(activation(gate(x)) first(x)), unit by unit.
    """

    first: Linear
    second: Linear
    activation: Activation = "relu"
    _: KW_ONLY
    gate: Linear | None = None


@dataclass(frozen=True)
class Layer:
    """Attention, then the feed-forward network, each followed by its residual connection and then its norm.

    `cross_heads` attend from a decoder's position to the encoder's output, between the two; encoders have none.
    A residual connection that the source cuts is False.

    A norm before one of the three is of what that reads, of cross heads of their queries alone: the stream goes past.
    """

    heads: tuple[Head, ...] = ()
    feed_forward: FeedForward | None = None
    cross_heads: tuple[Head, ...] = ()
    attention_residual: bool = True
    cross_residual: bool = True
    feed_forward_residual: bool = True
    attention_norm: Norm | None = None
    cross_norm: Norm | None = None
    feed_forward_norm: Norm | None = None
    _: KW_ONLY
    attention_norm_before: Norm | None = None
    cross_norm_before: Norm | None = None
    feed_forward_norm_before: Norm | None = None

    @property
    def norms(self) -> tuple[Norm, ...]:
        """All of them, with those of its heads."""
        before = (self.attention_norm_before, self.cross_norm_before, self.feed_forward_norm_before)
        behind = (self.attention_norm, self.cross_norm, self.feed_forward_norm)
        of_heads = (norm for head in (*self.heads, *self.cross_heads) for norm in (head.query_norm, head.key_norm))
        return tuple(norm for norm in (*before, *behind, *of_heads) if norm is not None)


Place = Literal["first", "last", "sum", "mean"]
"""Where the residual stream is read: at the first position (where CLS stands), at the last one, or at all, and what is
read there is summed, or averaged: the sum divided by n."""
Extreme = Literal["argmax", "argmin"]
"""The token, or class, of the greatest output; of the least one."""
Acceptance = Literal["logit > 0", "logit >= 0", "logit = 0", "logit < 0", "logit <= 0", Extreme]
"""When a recogniser accepts; a logit of 0 under "logit > 0" or "logit < 0" rejects and is reported as undecided. Or no
recogniser: which token is predicted."""


@dataclass(frozen=True)
class Readout:
    """Linear read of the residual stream after the last layer.

    W maps the residual stream to outputs: one row "logit" for a recogniser, one row a token for "argmax" and "argmin",
    or, of an encoder, a class that the labels of its language name; what stands in neither weights nor bias is none.
    """

    W: Linear
    position: Place = "first"
    accept: Acceptance = "logit > 0"

    @property
    def predicts(self) -> bool:
        """Whether a token or a class is predicted by its output, and no logit is read."""
        return self.accept in get_args(Extreme)


@dataclass(frozen=True)
class Embedding:
    """WE: token -> coordinate -> weight. PE: coordinate -> function of i and n. The input vector is their sum."""

    WE: Written[Rows] = Written(rows)
    PE: Written[Mapping[str, Expression]] = Written(entries_or_empty, None)


@dataclass(frozen=True)
class Encoder:
    """Markers `begin` and `end`, where there are any, enclose the word; then layers; then the readout, of what the
    final norm makes of the stream, where there is one."""

    coordinates: tuple[str, ...]
    embedding: Embedding
    layers: tuple[Layer, ...]
    readout: Readout
    begin: str | None = "CLS"
    end: str | None = None
    _: KW_ONLY
    final_norm: Norm | None = None

    @property
    def markers(self) -> tuple[str, ...]:
        """The markers that enclose every word."""
        return tuple(marker for marker in (self.begin, self.end) if marker is not None)

    @property
    def causal(self) -> bool:
        """Whether some head does not see all positions, so that what it sees depends on its own."""
        return any(head.mask != "none" for layer in self.layers for head in layer.heads)

    @property
    def normed(self) -> bool:
        """Whether there is a layer normalisation, behind which exact numbers are roots of roots."""
        return self.final_norm is not None or any(layer.norms for layer in self.layers)


@dataclass(frozen=True)
class Decoder:
    """Autoregressive: causal layers, strictly or not, over the word and the tokens produced so far; the predicted token
    is appended.

    It stops at the token `stop`, if there is one; of equal outputs the first in the order of the readout's rows counts.
    At position i, n is i + 1, the number of positions that it sees: so it never changes when more is appended.

    table: a row for each position, which is added to what is embedded there; where it ends, positions end. Without one
    they do not. arithmetic: the format of all numbers, in which each operation is rounded; None is exact arithmetic.
    final_norm: of what is read out.
    """

    coordinates: tuple[str, ...]
    embedding: Embedding
    layers: tuple[Layer, ...]
    readout: Readout
    stop: str | None = None
    begin: str | None = None
    table: Written[tuple[Mapping[str, Expression], ...] | None] = Written(entries_each, None)
    arithmetic: FixedPoint | None = None
    _: KW_ONLY
    final_norm: Norm | None = None


@dataclass(frozen=True, kw_only=True)
class EncoderDecoder:
    """A decoder that attends to an encoder's output and is fed back its own output vector (Pérez et al., section 2).

    Step t has the input y_t: the `seed` plus `PE` at 0, later `feedback` applied to the last output vector plus `PE` at
    t. Its heads see y_0 ... y_t, which is all there is, with no mask or a causal one; its cross heads the encoder's
    output, up to position t where they are causal. None of them looks ahead. The encoder's own readout is not used.
    """

    encoder: Encoder
    coordinates: tuple[str, ...]
    seed: Written[Mapping[str, Expression]] = Written(entries)
    PE: Written[Mapping[str, Expression]] = Written(entries)
    layers: tuple[Layer, ...]
    feedback: Linear
    readout: Readout


Network = Encoder | Decoder | EncoderDecoder
